"""``soagen check ROBOT``: build every backend and hold every function to independent oracles and to laws."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from codegen.commands.kernel_arguments import add_kernel_arguments, chosen_kernels, names
from codegen.commands.robot_arguments import add_robot_arguments, chosen_model
from codegen.errors import ArgumentError
from codegen.progress import Progress
from codegen.trust.cases import Case, draw_cases, read_case
from codegen.trust.certificate import certificate, certificate_texts, verify
from codegen.trust.check import BACKENDS, Findings, Subject, examine, subject
from codegen.trust.coverage import coverage_table
from codegen.trust.mutants.campaign import Campaign, run_campaign
from codegen.trust.plots import plots
from codegen.trust.report import json_report, mutants_json, mutants_text, text_report
from codegen.write import write_texts
from derive.model import Model

PASS, MISMATCH = 0, 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this command."""
    add_robot_arguments(parser, required=False)
    add_kernel_arguments(parser)
    known = ",".join(BACKENDS)
    parser.add_argument("--backend", type=_backends, default=BACKENDS, metavar=known, help="default: all of them")
    parser.add_argument("--samples", type=int, default=50, help="random states, beside hard ones; default %(default)s")
    parser.add_argument("--seed", type=int, default=0, help="of random states and mutants; default %(default)s")
    parser.add_argument(
        "--state", metavar="NAME|FILE", help="only this state of the table, or of a JSON file: q, qd, …"
    )
    parser.add_argument(
        "--mutants",
        type=int,
        default=0,
        metavar="N",
        help="also put N mutants of each file to it: C, C over batches, NumPy",
    )
    parser.add_argument("--certificate", metavar="DIR", help="write certificate.json and .md beside generated files")
    parser.add_argument("--verify", metavar="PATH", help="only compare a certificate with the files beside it")
    parser.add_argument("--plot", metavar="DIR", help="write pictures of the errors, an SVG per function")
    parser.add_argument("--matrix", action="store_true", help="only print what is checked against what, in Markdown")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Print the worst error of each function and backend; 1 if one is too large."""
    if options.matrix:
        print(coverage_table())
        return PASS
    if options.verify:
        return _verify(options)
    if options.robot is None:
        raise ArgumentError("name a robot, as in 'soagen check panda'; 'soagen robots' lists them")
    model = chosen_model(options)
    functions = chosen_kernels(model, options.functions, options.unroll)
    cases = _cases(options, model)
    with Progress(f"checking {model.name}", _steps(options, len(functions)), quiet=options.quiet) as progress:
        what = subject(
            model,
            functions,
            options.backend,
            gravity=options.gravity,
            real=options.real,
            trig=options.trig,
            algorithm=options.algorithm,
            unroll=options.unroll,
            listener=progress.at,
        )
        findings = examine(what, cases, progress.at)
        campaign = _campaign(options, what, cases, progress) if options.mutants else None
    _print(options, findings, campaign, f"{len(cases)} states of seed {options.seed}")
    _write(options, what, findings, campaign)
    return PASS if findings.passes and (campaign is None or campaign.passes) else MISMATCH


def _campaign(options: argparse.Namespace, what: Subject, cases: list[Case], progress: Progress) -> Campaign:
    sources = [source for source in what.sources if source.real == "double"]
    if not sources:
        raise ArgumentError("--mutants needs --backend c or numpy with --real double: it is their text that is mutated")
    return run_campaign(
        what.model,
        what.programs,
        sources,
        [case for case in cases if not case.single],
        what.gravity,
        count=options.mutants,
        seed=options.seed,
        listener=progress.at,
    )


def _print(options: argparse.Namespace, findings: Findings, campaign: Campaign | None, about: str) -> None:
    if options.json:
        report = json_report(findings)
        print(json.dumps(report if campaign is None else {**report, "mutants": mutants_json(campaign)}, indent=2))
        return
    print(text_report(findings, about))
    if campaign is not None:
        print(f"\n{mutants_text(campaign)}")


def _write(options: argparse.Namespace, what: Subject, findings: Findings, campaign: Campaign | None) -> None:
    """The certificate and the pictures, where asked for."""
    paths: list[Path] = []
    if options.certificate:
        data = certificate(
            what, findings, options.certificate, samples=options.samples, seed=options.seed, campaign=campaign
        )
        paths += write_texts(certificate_texts(data), options.certificate)
    if options.plot:
        paths += write_texts(plots(findings.matrix), options.plot)
    if paths and not (options.quiet or options.json):
        print(f"\nwrote {', '.join(map(str, paths))}")


def _verify(options: argparse.Namespace) -> int:
    differences = verify(options.verify, str(chosen_model(options).digest) if options.robot else None)
    for line in differences:
        print(line)
    if not differences and not options.quiet:
        print(f"{options.verify}: the certificate, and the files beside it, are as they were checked")
    return MISMATCH if differences else PASS


def _steps(options: argparse.Namespace, functions: int) -> int:
    return 2 * functions + 3 * len(options.backend) + 3 * int(options.mutants)


def _cases(options: argparse.Namespace, model: Model) -> list[Case]:
    """All states, or the one asked for."""
    for name, least in {"samples": 1, "mutants": 0, "seed": 0}.items():
        if getattr(options, name) < least:
            raise ArgumentError(f"--{name} {getattr(options, name)}: give a whole number, {least} or more")
    cases = draw_cases(model, options.samples, options.seed)
    if options.state is None:
        return cases
    named = [case for case in cases if options.state in (case.name, case.name.removesuffix(", float32"))]
    return named or [read_case(model, options.state)]


def _backends(text: str) -> tuple[str, ...]:
    chosen = names(text)
    if unknown := [name for name in chosen if name not in BACKENDS]:
        raise argparse.ArgumentTypeError(f"there is no backend {unknown[0]!r}; there are {', '.join(BACKENDS)}")
    return chosen
