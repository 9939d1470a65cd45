"""Findings as text and as plain data."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from codegen.functions import FUNCTIONS
from codegen.pipeline import WITH_TIP_FORCE
from codegen.tables import text_table
from codegen.trust.check import Findings
from codegen.trust.laws.evaluate import LawVerdict
from codegen.trust.matrix import Verdict
from codegen.trust.mutants.campaign import PROOF_STATES, Campaign


def text_report(findings: Findings, about: str) -> str:
    """A line per function and backend with its worst oracle, a line per law with its worst backend, faults, and totals."""
    rows = [
        (
            v.function,
            ", ".join(backends),
            "pass" if passes else "MISMATCH",
            f"{v.absolute:.1e}",
            f"{v.relative:.1e}",
            f"{v.ulps:.3g}",
            f"{100 * v.worst:.3g} %",
            v.oracle,
            v.case,
        )
        for v, backends, passes in _merged(findings.matrix.verdicts)
    ]
    headings = ("function", "backends", "verdict", "absolute", "relative", "ulps", "of allowed", "against", "at state")
    law_rows = [
        (
            name,
            "pass" if all(x.passes for x in group) else "BROKEN",
            f"{v.difference:.1e}",
            f"{100 * v.worst:.3g} %",
            v.backend,
            v.case,
        )
        for (name,), group in _grouped(findings.laws, lambda v: (v.law,))
        for v in [max(group, key=_badness)]
    ]
    parts = [
        text_table(headings, rows),
        "",
        text_table(("law", "verdict", "difference", "of allowed", "backend", "at state"), law_rows),
        "",
        *faults(findings),
        totals(findings, about),
    ]
    return "\n".join(parts)


def faults(findings: Findings) -> list[str]:
    """One line per thing that fails, naming the function."""
    lines = [
        f"MISMATCH: {v.function} ({v.backend}) is off by {v.absolute:.3e} against {v.oracle}, {v.allowed:.1e} allowed, "
        f"at state '{v.case}'" + ("" if v.cases else ": nothing could be judged")
        for v in findings.matrix.verdicts
        if not v.passes
    ]
    lines += [
        f"BROKEN: {v.law} on {v.backend}, between {', '.join(v.functions)}: off by {v.difference:.3e}, "
        f"{v.allowed:.1e} allowed, at state '{v.case}'"
        for v in findings.laws
        if not v.passes
    ]
    return lines + [f"NaN: {v.function} ({v.backend}): {v.fault}" for v in findings.nonfinite if not v.passes]


def totals(findings: Findings, about: str) -> str:
    """How many pass, who was not asked, and where an oracle does not judge."""
    sets = (findings.matrix.verdicts, findings.laws, findings.nonfinite)
    passed = [f"{sum(v.passes for v in some)} of {len(some)}" for some in sets]
    text = f"{passed[0]} comparisons with oracles, {passed[1]} laws, {passed[2]} NaN checks pass; {about}"
    missing = [f"{name} was not asked: {why}" for name, why in findings.matrix.oracles if why]
    return "\n".join([text, *missing, *map(str, findings.matrix.handed)])


def json_report(findings: Findings) -> dict[str, Any]:
    """Everything, as plain dicts, lists, strings and numbers."""
    return {
        "passes": findings.passes,
        "oracles": {name: why or "asked" for name, why in findings.matrix.oracles},
        "verdicts": [
            {
                "function": v.function,
                "backend": v.backend,
                "oracle": v.oracle,
                "passes": v.passes,
                "absolute": v.absolute,
                "relative": v.relative,
                "ulps": v.ulps,
                "allowed": v.allowed,
                "state": v.case,
                "states": v.cases,
            }
            for v in findings.matrix.verdicts
        ],
        "handed over": [dataclasses.asdict(handover) for handover in findings.matrix.handed],
        "laws": [
            {
                "law": v.law,
                "functions": list(v.functions),
                "backend": v.backend,
                "passes": v.passes,
                "difference": v.difference,
                "allowed": v.allowed,
                "state": v.case,
            }
            for v in findings.laws
        ],
        "nonfinite": [
            {"function": v.function, "backend": v.backend, "passes": v.passes, "fault": v.fault, "inputs": v.inputs}
            for v in findings.nonfinite
        ],
    }


def mutants_text(campaign: Campaign) -> str:
    """The kill rate by kind of mutant, and every survivor with its explanation."""
    rows = []
    for (backend, kind), group in _grouped(campaign.fates, lambda fate: (fate.backend, fate.mutant.kind)):
        killed, same = sum(bool(f.killed) for f in group), sum(f.equivalent for f in group)
        rows.append((backend, kind, len(group), killed, same, len(group) - killed - same))
    table = text_table(("backend", "mutants", "made", "killed", "equivalent", "escaped"), rows)
    survivors = [
        f"{'ESCAPED' if f.escaped else 'equivalent'} ({f.backend}) {f.mutant}: {f.reason}"
        for f in campaign.fates
        if not f.killed
    ]
    total = (
        f"{campaign.killed} of {len(campaign.fates)} mutants killed, {campaign.equivalent} equivalent "
        f"({campaign.proved} equal as functions, the others to within rounding at {PROOF_STATES} states): "
        f"kill rate of the rest {100 * campaign.kill_rate:.4g} %"
    )
    return "\n".join([table, *survivors, total])


def mutants_json(campaign: Campaign) -> dict[str, Any]:
    """The same, as plain data."""
    return {
        "mutants": len(campaign.fates),
        "killed": campaign.killed,
        "equivalent": campaign.equivalent,
        "equal as functions": campaign.proved,
        "kill rate": campaign.kill_rate,
        "survivors": [
            {"backend": f.backend, "mutant": str(f.mutant), "equivalent": f.equivalent, "reason": f.reason}
            for f in campaign.fates
            if not f.killed
        ],
    }


def _merged(verdicts: Sequence[Verdict]) -> list[tuple[Verdict, list[str], bool]]:
    """The worst verdict of each function and backend; backends that give the same number share a line."""
    lines: dict[tuple[object, ...], tuple[Verdict, list[str], bool]] = {}
    for _, group in _grouped(verdicts, lambda v: (v.function, v.backend)):
        v, passes = max(group, key=_badness), all(x.passes for x in group)
        key = (v.function, v.oracle, v.case, repr(v.absolute), passes)
        lines.setdefault(key, (v, [], passes))[1].append(v.backend)
    return sorted(lines.values(), key=lambda line: list(FUNCTIONS).index(_base(line[0].function)))


def _base(function: str) -> str:
    return function.removesuffix(WITH_TIP_FORCE)


def _badness(verdict: Verdict | LawVerdict) -> float:
    worst = verdict.worst
    return float("inf") if worst != worst else worst


def _grouped(verdicts: Sequence[Any], key: Callable[[Any], tuple[str, ...]]) -> list[tuple[tuple[str, ...], list[Any]]]:
    groups: dict[tuple[str, ...], list[Any]] = {}
    for verdict in verdicts:
        groups.setdefault(key(verdict), []).append(verdict)
    return list(groups.items())
