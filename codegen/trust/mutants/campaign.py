"""Mutants put to the check, and what becomes of them: killed by an oracle or a law, or a survivor with an explanation."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from codegen.programs import KernelProgram
from codegen.source import Source, function_facts
from codegen.trust.cases import Case, random_cases, stacked
from codegen.trust.laws.evaluate import evaluator, law_verdict
from codegen.trust.laws.table import laws
from codegen.trust.matrix import SAFETY, Bench, Prepared, bench
from codegen.trust.mutants.exactly import exact_outputs
from codegen.trust.mutants.schemata import Schema, c_schema, numpy_schema
from codegen.trust.mutants.sites import Mutant, chosen, mutants_of
from codegen.trust.mutants.statements import FunctionBody, function_bodies
from codegen.trust.rounding import rounding_bounds
from codegen.trust.runners import Outputs, Runner
from derive.model import Model
from derive.states import Array

PROOF_STATES, PROOF_SEED = 8, 4711
SAME = 1e-40  # relative difference with 50 digits below which two values are one
LAW_STATES = 6
Listener = Callable[[str], Any]


@dataclass(frozen=True)
class Fate:
    """What became of a mutant: `killed` names the oracle or law, `reason` explains a survivor."""

    mutant: Mutant
    backend: str
    killed: str = ""
    equivalent: bool = False
    reason: str = ""

    @property
    def escaped(self) -> bool:
        """Whether it is wrong and the check did not notice."""
        return not self.killed and not self.equivalent


@dataclass(frozen=True)
class Campaign:
    """All fates."""

    fates: tuple[Fate, ...]

    @property
    def killed(self) -> int:
        """Mutants that were noticed."""
        return sum(bool(fate.killed) for fate in self.fates)

    @property
    def equivalent(self) -> int:
        """Mutants that compute the same, or the same up to what rounding may do to the kernel itself."""
        return sum(fate.equivalent for fate in self.fates)

    @property
    def kill_rate(self) -> float:
        """Of the mutants that are not equivalent."""
        wrong = len(self.fates) - self.equivalent
        return self.killed / wrong if wrong else 1.0

    @property
    def passes(self) -> bool:
        """Whether no wrong mutant escaped."""
        return not any(fate.escaped for fate in self.fates)


def run_campaign(
    model: Model,
    programs: Sequence[KernelProgram],
    sources: Sequence[Source],
    cases: Sequence[Case],
    gravity: Sequence[float],
    *,
    count: int,
    seed: int = 0,
    listener: Listener = lambda name: None,
) -> Campaign:
    """`count` mutants of each source (of type double) put to the oracles at these cases, then to the laws."""
    ready = bench(model, cases, gravity)
    judged = {p.name: ready.prepared(p) for p in programs}
    fates: list[Fate] = []
    for source in sources:
        bodies = function_bodies(source)
        sizes = {f.name: {spec.name: spec.size for spec in f.arguments} for f in source.functions}
        everything = [m for name, body in bodies.items() for m in mutants_of(body, sizes.get(name, body.extents))]
        mutants = chosen(everything, count, seed)
        with tempfile.TemporaryDirectory(prefix="soagen-mutants-") as folder:
            schema: Schema
            if source.backend == "c":
                schema = c_schema(source, bodies, mutants, Path(folder))
            else:
                schema = numpy_schema(source, bodies, mutants)
            trial = Trial(model, programs, source, schema, bodies, ready, judged)
            trial.require_original_passes()
            for number, mutant in enumerate(mutants):
                listener(f"{source.backend} mutant {number + 1} of {len(mutants)}")
                fates.append(trial.fate(number, mutant))
    return Campaign(tuple(fates))


@dataclass(frozen=True)
class Trial:
    """One source with all its mutants, and what they are judged by."""

    model: Model
    programs: Sequence[KernelProgram]
    source: Source
    schema: Schema
    bodies: Mapping[str, FunctionBody]
    ready: Bench
    judged: Mapping[str, Prepared]

    def require_original_passes(self) -> None:
        """The switch itself must change nothing, or nothing was tested."""
        for name in self.judged:
            if (oracle := self._oracle_that_objects(name, -1)) is not None:
                raise AssertionError(f"{name} without a mutant is refused by {oracle}")

    def fate(self, number: int, mutant: Mutant) -> Fate:
        """Put one mutant to the check."""
        backend, functions = self.source.backend, self.functions_with(mutant)
        for objects in (self._oracle_that_objects, self._law_that_breaks):
            for function in functions:
                if (judge := objects(function, number)) is not None:
                    return Fate(mutant, backend, killed=judge)
        equivalent, reason = zip(*(self.explained(mutant, function) for function in functions), strict=True)
        return Fate(mutant, backend, equivalent=all(equivalent), reason=reason[equivalent.index(min(equivalent))])

    def functions_with(self, mutant: Mutant) -> list[str]:
        """The functions that a mutant is in: its own, or those that call the part it is in."""
        return [name for name in self.judged if mutant.function in (name, *self.bodies[name].calls)]

    def _oracle_that_objects(self, function: str, number: int) -> str | None:
        with np.errstate(all="ignore"):
            found = self.schema.run(function, number, self.ready.states)
        errors = self.judged[function].errors(self.source.backend, "double", self.ready.fit("double"), found)
        return next((e.oracle for e in errors if not e.verdict(self.ready.cases).passes), None)

    def _law_that_breaks(self, function: str, number: int) -> str | None:
        def run(name: str, states: Mapping[str, Array]) -> Outputs:
            return self.schema.run(name, number if name == function else -1, states)

        cases = [case for case in self.ready.cases if case.name.startswith("random")][:LAW_STATES]
        judge = evaluator(self.model, Runner("mutant", "double", run), self.programs, stacked(cases))
        facts = [function_facts(program) for program in self.programs]
        for law in laws(self.model, facts):
            if function in law.functions and not law_verdict(law, judge, [case.name for case in cases]).passes:
                return law.name
        return None

    def explained(self, mutant: Mutant, function: str) -> tuple[bool, str]:
        """Whether the mutant leaves a function as it is, with the evidence."""
        facts = next(f for f in self.source.functions if f.name == function)
        program = next(p.program for p in self.programs if p.name == function)
        worst, share = 0.0, 0.0
        cases = random_cases(self.model, PROOF_STATES, np.random.default_rng(PROOF_SEED))
        states = stacked(cases)
        bounds = rounding_bounds(program, {spec.name: states[spec.name] for spec in program.inputs})
        allowed = np.concatenate([b.error.reshape(len(cases), -1) for b in bounds], axis=1)
        for row, case in enumerate(cases):
            before, after = (exact_outputs(self.bodies, facts, case.inputs, m) for m in (None, mutant))
            change = np.array([float(abs(a - b)) for a, b in zip(before, after, strict=True)])
            size = max((float(abs(a)) for a in before), default=0.0) or 1.0
            worst = max(worst, float(np.max(change, initial=0.0)) / size)
            with np.errstate(all="ignore"):
                ratio = np.where(change == 0.0, 0.0, change / (SAFETY * allowed[row]))
            share = max(share, float(np.max(ratio, initial=0.0)))
        if worst <= SAME:
            return True, f"computes the same: with 50 digits no output differs at {len(cases)} random states"
        if share <= 1.0:
            return True, (
                f"below rounding: it changes outputs by at most {worst:.1e} of their size, {100 * share:.2g} % of what "
                f"rounding may do to the kernel itself, at {len(cases)} random states"
            )
        return False, f"it changes outputs by {worst:.1e} of their size, {share:.2g} times what rounding may do"
