"""Backends against each other: batch = single, float = double; no oracle is needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from codegen.programs import KernelProgram
from codegen.trust.cases import Case, input_errors, stacked
from codegen.trust.laws.evaluate import LawVerdict, worst_verdict
from codegen.trust.rounding import rounding_bounds
from codegen.trust.runners import Runner
from derive.model import Model
from derive.states import Array


def judge_agreement(
    model: Model, programs: Sequence[KernelProgram], runners: Sequence[Runner], cases: Sequence[Case]
) -> list[LawVerdict]:
    """A verdict per function and pair of runners."""
    fit = [case for case in cases if case.single]
    if not fit:
        return []
    states, pairs = stacked(fit), list(_pairs(runners))
    used = list({runner.name: runner for pair in pairs for runner in pair[1:]}.values())
    errors = {real: input_errors(model, states, real) for real in {runner.real for runner in used}}
    verdicts = []
    for function in programs:
        bounds = {
            real: _flat(tuple(b.error for b in rounding_bounds(function.program, states, real, errors[real])))
            for real in errors
        }
        with np.errstate(all="ignore"):
            found = {runner.name: _flat(runner.run(function.name, states)) for runner in used}
        for law, a, b in pairs:
            error = np.abs(found[a.name] - found[b.name])
            allowed = 2.0 * (bounds[a.real] + bounds[b.real])
            verdicts.append(
                worst_verdict(law, (function.name,), f"{a.name}, {b.name}", error, allowed, [case.name for case in fit])
            )
    return verdicts


def _pairs(runners: Sequence[Runner]) -> Iterator[tuple[str, Runner, Runner]]:
    by_name = {runner.name: runner for runner in runners}
    for name, runner in by_name.items():
        if f"{name} batch" in by_name:
            yield "batch = single", runner, by_name[f"{name} batch"]
        if runner.real == "double" and f"{name} float" in by_name:
            yield "float = double", runner, by_name[f"{name} float"]


def _flat(outputs: tuple[Array, ...]) -> Array:
    """All outputs side by side, (B, entries)."""
    return np.concatenate([output.reshape(len(output), -1) for output in outputs], axis=1)
