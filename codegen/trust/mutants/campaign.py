"""Mutants put to the check, and what becomes of them: killed by an oracle or a law, or a survivor with an explanation."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from codegen.programs import KernelProgram
from codegen.source import FunctionFacts, Source, function_facts
from codegen.trust.cases import Case, random_cases, stacked
from codegen.trust.laws.evaluate import evaluator, law_verdict
from codegen.trust.laws.table import laws
from codegen.trust.matrix import Bench, Prepared, bench
from codegen.trust.mutants.exactly import BeyondError, equality, exact_outputs
from codegen.trust.mutants.in_python import UNDEFINED
from codegen.trust.mutants.schemata import Schema, c_schema, numpy_schema
from codegen.trust.mutants.sites import Mutant, all_mutants, chosen
from codegen.trust.mutants.statements import emitted_files
from codegen.trust.mutants.texts import EmittedFile
from codegen.trust.oracles.mpmath50 import SCALARS, exactly
from codegen.trust.rounding import UNIT, Bound, rounding_bounds
from codegen.trust.runners import Outputs, Runner
from codegen.trust.truth import SAFETY
from derive.model import Model
from derive.states import Array

PROOF_STATES, PROOF_SEED = 8, 4711
SAME = 1e-40  # relative difference with 50 digits below which two values are one
LAW_STATES = 6
Listener = Callable[[str], Any]


@dataclass(frozen=True)
class Fate:
    """What became of a mutant: `killed` names the oracle or law, `reason` explains a survivor.

    `proved` is one that is equal as a function; other equivalent ones were found so at `PROOF_STATES` states.
    """

    mutant: Mutant
    backend: str
    killed: str = ""
    equivalent: bool = False
    reason: str = ""
    proved: bool = False

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
    def proved(self) -> int:
        """Equivalent ones that are equal as functions, up to a chance that their reasons give."""
        return sum(fate.proved for fate in self.fates)

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
    """`count` mutants of each file of the sources (of type double) put to the oracles at these cases, then to the laws."""
    ready = bench(model, cases, gravity)
    judged = {p.name: ready.prepared(p) for p in programs}
    fates: list[Fate] = []
    for source in sources:
        for file in emitted_files(source):
            mutants = chosen(all_mutants(file, argument_sizes(source, file)), count, seed)
            with tempfile.TemporaryDirectory(prefix="soagen-mutants-") as folder:
                make = c_schema if file.in_c else numpy_schema
                schema = make(source, file, mutants, Path(folder))
                trial = Trial(model, programs, source, schema, file, ready, judged)
                trial.require_original_passes()
                for number, mutant in enumerate(mutants):
                    listener(f"{file.label} mutant {number + 1} of {len(mutants)}")
                    fates.append(trial.fate(number, mutant))
    return Campaign(tuple(fates))


def argument_sizes(source: Source, file: EmittedFile) -> dict[str, dict[str, int]]:
    """The arguments of each function of a file, and of those that they call, to their number of entries."""
    found: dict[str, dict[str, int]] = {}
    for facts in source.functions:
        for name in file.reached(facts.name):
            found.setdefault(name, {}).update({spec.name: spec.size for spec in facts.arguments})
    return found


@dataclass(frozen=True)
class Trial:
    """One file with all its mutants, and what they are judged by."""

    model: Model
    programs: Sequence[KernelProgram]
    source: Source
    schema: Schema
    file: EmittedFile
    ready: Bench
    judged: Mapping[str, Prepared]

    def require_original_passes(self) -> None:
        """The switch itself must change nothing, or nothing was tested."""
        for name in self.judged:
            if (oracle := self._oracle_that_objects(name, -1)) is not None:
                raise AssertionError(f"{name} without a mutant is refused by {oracle}")

    def fate(self, number: int, mutant: Mutant) -> Fate:
        """Put one mutant to the check."""
        functions = self.functions_with(mutant)
        for function in functions:
            if (judge := self._oracle_that_objects(function, number)) is not None:
                return Fate(mutant, self.file.label, killed=judge)
        survived = min(
            (self.explained(mutant, function) for function in functions), key=lambda f: (f.equivalent, f.proved)
        )
        for function in functions if not survived.proved else ():  # laws cannot tell apart what is equal
            if (judge := self._law_that_breaks(function, number)) is not None:
                return Fate(mutant, self.file.label, killed=judge)
        return survived

    def functions_with(self, mutant: Mutant) -> list[str]:
        """The functions that a mutant is in: its own, or those that reach the part or read the table it is in."""
        reached = {name: self.file.reached(name) for name in self.judged}
        if mutant.entry is None:
            return [name for name in self.judged if mutant.where in reached[name]]
        words = {name: frozenset().union(*(self.file.bodies[f].words for f in reached[name])) for name in self.judged}
        return [name for name in self.judged if mutant.where in words[name]]

    def _oracle_that_objects(self, function: str, number: int) -> str | None:
        with np.errstate(all="ignore"):
            found = self.schema.run(function, number, self.ready.states)
        errors = self.judged[function].errors(self.file.label, "double", self.ready.fit("double"), found)
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

    def explained(self, mutant: Mutant, function: str) -> Fate:
        """Whether the mutant leaves a function as it is, with the evidence."""
        facts = next(f for f in self.source.functions if f.name == function)
        same = equality(self.file, facts, mutant)
        if same.holds:
            reason = (
                "computes the same: equal as a rational function of its inputs, sines and cosines, shown modulo a random "
                f"prime of 521 bits, which is wrong with a chance below 1e-{int(-same.chance * np.log10(2.0))}"
            )
            return Fate(mutant, self.file.label, equivalent=True, reason=reason, proved=True)
        equivalent, reason = self._measured(mutant, facts)
        return Fate(mutant, self.file.label, equivalent=equivalent, reason=reason)

    def _measured(self, mutant: Mutant, facts: FunctionFacts) -> tuple[bool, str]:
        """What it changes at a few states, with 50 digits, and whether rounding may do as much to the kernel itself."""
        program = next(p.program for p in self.programs if p.name == facts.name)
        worst, share = 0.0, 0.0
        cases = random_cases(self.model, PROOF_STATES, np.random.default_rng(PROOF_SEED))
        states = stacked(cases)
        bounds = rounding_bounds(program, {spec.name: states[spec.name] for spec in program.inputs})
        allowed = np.concatenate([_half_units_at_least(b, len(cases)) for b in bounds], axis=1)
        for row, case in enumerate(cases):
            inputs = {spec.name: list(exactly(case.inputs[spec.name])) for spec in facts.inputs}
            try:
                before, after = (exact_outputs(self.file, facts, inputs, SCALARS, m) for m in (None, mutant))
            except BeyondError as error:
                return False, f"it reads beyond an array: {error}"
            if any((a is UNDEFINED) != (b is UNDEFINED) for a, b in zip(before, after, strict=True)):
                return False, "an output depends on what was not written"
            written = [i for i, entry in enumerate(before) if entry is not UNDEFINED]
            change = np.array([float(abs(before[i] - after[i])) for i in written])
            size = max((float(abs(before[i])) for i in written), default=0.0) or 1.0
            worst = max(worst, float(np.max(change, initial=0.0)) / size)
            with np.errstate(all="ignore"):
                ratio = np.where(change == 0.0, 0.0, change / allowed[row, written])
            share = max(share, float(np.max(ratio, initial=0.0)))
        where = f"at {len(cases)} random states, with 50 digits"
        if worst <= SAME:
            return True, f"computes the same {where}: no output differs there, which is not a proof for others"
        if share <= 1.0:
            return True, (
                f"below rounding: it changes outputs by at most {worst:.1e} of their size, {100 * share:.2g} % of what "
                f"rounding may do to the kernel itself, {where}"
            )
        return (
            False,
            f"it changes outputs by {worst:.1e} of their size, {share:.2g} times what rounding may do, {where}",
        )


def _half_units_at_least(bound: Bound, rows: int) -> Array:
    """What rounding may do to each entry, and to the largest one of its output in any case: (rows, entries).

    An entry that is zero but for what is left of cos(π/2) in a constant has next to no bound of its own.
    """
    values, errors = (x.reshape(rows, -1) for x in (bound.value, bound.error))
    return np.asarray(SAFETY * errors + UNIT["double"] * np.max(np.abs(values), axis=1, keepdims=True, initial=0.0))
