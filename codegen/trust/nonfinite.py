"""NaN and infinity on purpose: nothing crashes, and what depends on a number that is none is none itself.

What depends on what is read off the program, so a kernel that swallows a NaN (a comparison, a clamp, a table) is caught.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from codegen.interpret import Namespace
from codegen.programs import KernelProgram
from codegen.trust.carry_out import Program, carried_out
from codegen.trust.cases import Case
from codegen.trust.runners import Runner
from derive.states import Array

BAD: Mapping[str, float] = {"NaN": float("nan"), "infinity": float("inf"), "-infinity": float("-inf")}


@dataclass(frozen=True)
class Reach:
    """Which inputs a value depends on, as bits."""

    bits: int = 0

    def _with(self, other: Reach | None = None) -> Reach:
        return Reach(self.bits | (other.bits if other is not None else 0))

    __add__ = __sub__ = __mul__ = __truediv__ = __neg__ = _with


@dataclass(frozen=True)
class NonFiniteVerdict:
    """One function of one backend: "" where all is as it should be, else the first input whose NaN went astray."""

    function: str
    backend: str
    fault: str
    inputs: int

    @property
    def passes(self) -> bool:
        """Whether every bad number came out of everything that depends on it, and of nothing else."""
        return not self.fault


def reach(program: Program) -> tuple[list[tuple[str, int]], list[Array]]:
    """The inputs' entries, and per output whether each entry depends on each of them, (inputs, entries)."""
    places = [(spec.name, i) for spec in program.inputs for i in range(spec.size)]
    entries = {
        spec.name: [Reach(1 << places.index((spec.name, i))) for i in range(spec.size)] for spec in program.inputs
    }
    same = Reach._with
    found = carried_out(program, entries, Namespace(same, same, same, lambda c: Reach()))
    return places, [
        np.array([[bool(entry.bits >> k & 1) for entry in found[spec.name]] for k in range(len(places))], dtype=bool)
        for spec in program.outputs
    ]


def judge_nonfinite(programs: Sequence[KernelProgram], runners: Sequence[Runner], case: Case) -> list[NonFiniteVerdict]:
    """A verdict per function and backend, with each entry of the case's inputs made bad in turn."""
    verdicts = []
    for function in programs:
        places, depends = reach(function.program)
        if not places:
            continue
        states, labels = _spoiled(function.program, places, case)
        for runner in runners:
            with np.errstate(all="ignore"):
                found = runner.run(function.name, states)
            flat = [output.reshape(len(output), -1) for output in found]
            fault = next((fault for fault in map(_fault, flat, depends, [labels] * len(flat)) if fault), "")
            verdicts.append(NonFiniteVerdict(function.name, runner.name, fault, len(labels)))
    return verdicts


def _spoiled(program: Program, places: Sequence[tuple[str, int]], case: Case) -> tuple[dict[str, Array], list[str]]:
    """A row per kind of bad number and entry."""
    rows = len(BAD) * len(places)
    states = {spec.name: np.tile(case.inputs[spec.name], (rows, 1)) for spec in program.inputs}
    labels = []
    for b, (kind, bad) in enumerate(BAD.items()):
        for k, (name, i) in enumerate(places):
            states[name][b * len(places) + k, i] = bad
            labels.append(f"{kind} in {name}[{i}]")
    return states, labels


def _fault(output: Array, depends: Array, labels: Sequence[str]) -> str:
    should = np.tile(depends, (len(BAD), 1))
    nan_rows = np.arange(len(output)) < len(depends)
    bad = np.where(nan_rows[:, None], np.isnan(output), ~np.isfinite(output))
    wrong = np.argwhere(bad != should)
    if not len(wrong):
        return ""
    row, entry = (int(x) for x in wrong[0])
    came = "does not come out of" if should[row, entry] else "comes out of"
    return f"{labels[row]} {came} entry {entry}"
