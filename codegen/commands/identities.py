"""``soagen identities``: the ledger of identities, how each entry is established, and, with --check, whether it holds."""

from __future__ import annotations

import argparse
import json

from codegen.progress import Progress
from codegen.tables import text_table
from derive.errors import DeriveError
from derive.operators.identities import LEDGER, Identity
from derive.operators.identities.check import Report, check_entry

HOLDS, FAILS = 0, 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this command."""
    parser.add_argument(
        "entries", metavar="SOA-nn", nargs="*", help="show these entries in full; default: a line for each"
    )
    parser.add_argument("--check", action="store_true", help="prove, replay and evaluate each; refute each misprint")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Print the ledger, checked or not; 1 if an entry fails."""
    entries = _chosen(options.entries)
    if not options.check:
        print(_json(entries) if options.json else _full(entries) if options.entries else _table(entries))
        return HOLDS
    reports = []
    with Progress("checking the ledger", len(entries), quiet=options.quiet) as progress:
        for entry in entries:
            progress.at(entry.soa)
            reports.append(check_entry(entry))
    print(_json_reports(reports) if options.json else _checked(reports))
    return FAILS if any(report.failures for report in reports) else HOLDS


def _chosen(names: list[str]) -> tuple[Identity, ...]:
    known = {entry.soa: entry for entry in LEDGER}
    for name in names:
        if name not in known:
            raise DeriveError(f"the ledger has no entry '{name}'; see 'soagen identities' for those it has")
    return tuple(known[name] for name in names) or LEDGER


def _table(entries: tuple[Identity, ...]) -> str:
    rows = [
        (
            e.soa,
            e.title,
            e.established,
            len(e.statements) + len(e.checks),
            ", ".join(dict.fromkeys(m.erratum for m in e.misprints)),
        )
        for e in entries
    ]
    return text_table(("entry", "title", "established", "statements", "misprints refuted"), rows)


def _full(entries: tuple[Identity, ...]) -> str:
    parts = []
    for entry in entries:
        lines = [f"{entry.soa}  {entry.title}   ({entry.source})"]
        lines += [f"  decided   {text}" for text in entry.statements]
        lines += [f"  numeric   {check.statement}" for check in entry.checks]
        lines += [f"  misprint  {m.statement}   {m.erratum}, {m.where}" for m in entry.misprints]
        lines += [f"  note      {entry.note}"] if entry.note else []
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _checked(reports: list[Report]) -> str:
    rows = [
        (
            r.entry.soa,
            "FAILS" if r.failures else "holds",
            r.entry.established,
            r.steps,
            f"{r.worst:.0e}",
            ", ".join(r.refuted),
            r.entry.title,
        )
        for r in reports
    ]
    lines = [text_table(("entry", "verdict", "established", "steps", "worst", "misprints refuted", "title"), rows)]
    lines += [f"{report.entry.soa}: {failure}" for report in reports for failure in report.failures]
    held = sum(not r.failures for r in reports)
    refuted = sum(len(r.refuted) for r in reports)
    seconds, slowest = sum(r.seconds for r in reports), max(r.slowest_proof for r in reports)
    lines.append(
        f"{held} of {len(reports)} entries hold, {refuted} misprints refuted; {seconds:.1f} s, slowest proof {slowest:.2f} s"
    )
    return "\n".join(lines)


def _json(entries: tuple[Identity, ...]) -> str:
    return json.dumps([_entry(entry) for entry in entries], indent=2, ensure_ascii=False)


def _json_reports(reports: list[Report]) -> str:
    rows = [
        {
            **_entry(r.entry),
            "holds": not r.failures,
            "steps": r.steps,
            "worst": r.worst,
            "slowest_proof": r.slowest_proof,
            "failures": r.failures,
        }
        for r in reports
    ]
    return json.dumps(rows, indent=2, ensure_ascii=False)


def _entry(entry: Identity) -> dict[str, object]:
    return {
        "entry": entry.soa,
        "title": entry.title,
        "source": entry.source,
        "established": entry.established,
        "statements": entry.statements,
        "checks": [check.statement for check in entry.checks],
        "misprints": [{"erratum": m.erratum, "where": m.where, "statement": m.statement} for m in entry.misprints],
        "note": entry.note,
    }
