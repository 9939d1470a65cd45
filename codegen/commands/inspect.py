"""``soagen inspect ROBOT ENTRY``: exact closed forms, in the form and notation asked for."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import asdict

from codegen.commands.robot_arguments import add_robot_arguments, chosen_model
from codegen.progress import Progress
from codegen.sheets.c import to_c
from codegen.sheets.document import BUDGET as PAGE
from codegen.sheets.document import document, suffix_of
from codegen.sheets.python import to_python
from codegen.tables import text_table
from codegen.write import write_text
from derive.closed_form.errors import ClosedFormError
from derive.closed_form.exact import is_rounded
from derive.closed_form.forms.choice import AUTO, FORMS, closed_forms
from derive.closed_form.printing.json import to_json
from derive.closed_form.printing.latex import to_latex
from derive.closed_form.printing.markdown import to_markdown
from derive.closed_form.printing.mathml import to_mathml
from derive.closed_form.printing.numbers import Style, decimal, exact, rounded
from derive.closed_form.printing.text import to_text
from derive.closed_form.proofs import LAWS, Proof, check, explained, laws
from derive.closed_form.robot import ClosedForms
from derive.closed_form.selectors import QUANTITIES, parse_selector
from derive.closed_form.sheet import Sheet
from derive.closed_form.sheets import BUDGET, sheet
from derive.closed_form.zoom import ZOOMS, operator_zoom, recursion_zoom

OK, FAILS = 0, 1
DIGITS = 6  # in a document
FORMATS: dict[str, Callable[[Sheet, Style], str]] = {
    "text": to_text,
    "latex": to_latex,
    "mathml": to_mathml,
    "markdown": to_markdown,
    "python": to_python,
    "c": to_c,
    "json": to_json,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this command."""
    add_robot_arguments(parser)
    parser.add_argument(
        "entry", metavar="ENTRY", nargs="?", help="such as M, M[1,2], M[joint_a,joint_b], C[2], g, dM[3][1,2]"
    )
    parser.add_argument("--format", choices=tuple(FORMATS), default="text", help="default %(default)s")
    parser.add_argument("--form", choices=(AUTO, *FORMS), default=AUTO, help="default %(default)s: the shortest")
    parser.add_argument("--zoom", choices=ZOOMS, default="scalar", help="default %(default)s")
    parser.add_argument("--all", action="store_true", help="the whole robot as a document: M, C, g, notation, proofs")
    parser.add_argument("--out", metavar="FILE", help="where the document goes: model.tex, model.html or model.md")
    parser.add_argument("--prove", action="store_true", help="prove the laws of this robot's closed forms exactly")
    parser.add_argument("--digits", type=_digits, metavar="N", help="decimals with N digits, for reading; default: all")
    parser.add_argument("--numbers", choices=("exact", "decimal"), default="decimal", help="default %(default)s")
    parser.add_argument(
        "--budget",
        type=_terms,
        metavar="TERMS",
        help=f"longest entry shown; default {BUDGET}, in a document {PAGE}",
    )
    parser.add_argument(
        "--symbols",
        choices=("auto", "none", "inertial", "all"),
        default="auto",
        help="name the inertial parameters of a numeric robot: those that are not zero, or all ten of every body",
    )
    parser.add_argument("--json", action="store_true", help="the same as --format json")
    parser.epilog = "Entries: " + "; ".join(f"{q.name}: {q.meaning}" for q in QUANTITIES) + "."


def _digits(text: str) -> int:
    """How many digits: 1 to 17."""
    if not text.isdecimal() or not 1 <= int(text) <= 17:
        raise argparse.ArgumentTypeError(f"{text} is not a number of digits; give 1 to 17")
    return int(text)


def _terms(text: str) -> int:
    """A budget: 1 or more."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text} is not a number of terms; give 1 or more")
    return int(text)


def run(options: argparse.Namespace) -> int:
    """Print the sheet of the entry, another zoom of it, or the proofs."""
    _refuse_contradictions(options)
    model = chosen_model(options)
    forms = closed_forms(model, options.form, options.symbols)
    if options.prove:
        return _prove(forms, options)
    if options.all or options.out is not None:
        return _document(forms, options)
    selector = parse_selector("M" if options.entry is None else options.entry, model)
    kind = "json" if options.json else options.format
    number = exact if options.numbers == "exact" else decimal if not options.digits else rounded(options.digits)
    if options.zoom != "scalar":
        if kind != "text":
            raise ClosedFormError(f"--zoom {options.zoom} is text; --format {kind} goes with --zoom scalar")
        print(operator_zoom(selector) if options.zoom == "operator" else recursion_zoom(forms, selector, number))
        return OK
    print(FORMATS[kind](sheet(forms, selector, options.form, options.budget or BUDGET), number))
    return OK


def _refuse_contradictions(options: argparse.Namespace) -> None:
    """Options that would be passed over in silence are mistakes."""
    given = {
        "ENTRY": options.entry is not None,
        "--all": options.all,
        "--out": options.out is not None,
        "--zoom": options.zoom != "scalar",
        "--form": options.form != AUTO,
        "--numbers": options.numbers != "decimal",
        "--format": options.format != "text",
        "--json": options.json,
        "--budget": options.budget is not None,
        "--digits": options.digits is not None,
    }
    alone, whole = "--all" if options.all else "--out", ("ENTRY", "--zoom", "--form", "--numbers", "--format", "--json")
    chosen = [
        (
            "--prove",
            options.prove,
            ("ENTRY", "--all", "--out", "--zoom", "--form", "--numbers", "--budget", "--digits"),
        ),
        (f"{alone}, the whole robot,", not options.prove and (given["--all"] or given["--out"]), whole),
        (f"--zoom {options.zoom}", given["--zoom"], ("--form", "--budget")),
        ("--numbers exact", given["--numbers"], ("--digits",)),
        ("--json", options.json and options.format != "json", ("--format",)),
        ("--prove", options.prove and options.format != "json", ("--format",)),
    ]
    for what, asked, others in chosen:
        if asked and (wrong := [name for name in others if given[name]]):
            named = " and ".join(f"'{options.entry}'" if name == "ENTRY" else name for name in wrong)
            raise ClosedFormError(f"{what} does not go with {named}; leave one out")
    if options.out == "":
        raise ClosedFormError("--out needs the name of a file that ends with .tex, .html or .md")


def _document(forms: ClosedForms, options: argparse.Namespace) -> int:
    """Write the whole robot to a file, or print it as Markdown."""
    path = options.out or f"{forms.model.name}.md"
    start = time.monotonic()
    with Progress(f"writing {forms.model.name}", len(laws(forms)) + 3, quiet=options.quiet) as progress:
        text = document(forms, suffix_of(path), options.digits or DIGITS, progress.at, options.budget or PAGE)
    if options.out is None:
        print(text, end="")
        return OK
    write_text(path, text)
    if not options.quiet:
        print(f"wrote {path} ({len(text.encode()) / 1000:.1f} kB) in {time.monotonic() - start:.1f} s")
    return OK


def _prove(forms: ClosedForms, options: argparse.Namespace) -> int:
    """A line per law; 1 if one fails."""
    proofs: list[Proof] = []
    chosen = laws(forms)
    with Progress(f"proving {forms.model.name}", len(chosen), quiet=options.quiet) as progress:
        for law in chosen:
            progress.at(law.name)
            proofs.append(check(law, forms))
    if options.json or options.format == "json":
        print(json.dumps([asdict(proof) | {"holds": proof.holds} for proof in proofs], indent=2, ensure_ascii=False))
    else:
        rows = [(p.name, p.verdict, p.equations, f"{p.seconds:.2f} s", p.failure or p.statement) for p in proofs]
        print(text_table(("law", "verdict", "equations", "time", "what it says"), rows))
        print("\n".join(explained(proofs)))
        if names := ", ".join(is_rounded(forms.model)):
            print(
                f"at odd angles, so that the laws are those of rationals within 1e-15 of the file's numbers: {names}."
            )
        for law in LAWS:
            if not options.quiet and (why := law.why_not(forms)):
                print(f"not for this robot: {law.name}, because {why}")
    return FAILS if any(proof.failure for proof in proofs) else OK
