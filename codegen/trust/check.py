"""The whole check of one robot: oracles, laws, and numbers that are none, on every backend. What `soagen check` runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from codegen.functions import Unroll
from codegen.kernel import Kernels
from codegen.pipeline import kernel_programs
from codegen.programs import KernelProgram, robot_facts
from codegen.render import render
from codegen.source import Real, Source, Trig, function_facts
from codegen.trust.agreement import judge_agreement
from codegen.trust.cases import Case, draw_cases, stacked
from codegen.trust.laws.evaluate import LawVerdict, evaluator, law_verdict
from codegen.trust.laws.table import laws
from codegen.trust.matrix import Matrix, judge
from codegen.trust.nonfinite import NonFiniteVerdict, judge_nonfinite
from codegen.trust.runners import Runner, interpreter_runner, kernel_runners
from derive.model import Model
from derive.run import GRAVITY

BACKENDS = ("c", "c-float", "numpy", "interpreter")
LAW_WORK = 200  # states of laws are taken while states·nv stays below this, but a few always
Listener = Callable[[str], Any]


@dataclass(frozen=True)
class Subject:
    """What is checked: the robot, its programs, and the kernels made of them."""

    model: Model
    gravity: Sequence[float]
    programs: tuple[KernelProgram, ...]
    trig: Trig
    sources: tuple[Source, ...]
    runners: tuple[Runner, ...]


@dataclass(frozen=True)
class Findings:
    """Everything a check found."""

    matrix: Matrix
    laws: tuple[LawVerdict, ...]
    nonfinite: tuple[NonFiniteVerdict, ...]

    @property
    def verdicts(self) -> tuple[Any, ...]:
        """All of them; each has `passes`."""
        return (*self.matrix.verdicts, *self.laws, *self.nonfinite)

    @property
    def passes(self) -> bool:
        """Whether all pass."""
        return all(verdict.passes for verdict in self.verdicts)


def subject(
    model: Model,
    functions: Sequence[str] | None = None,
    backends: Sequence[str] = BACKENDS,
    *,
    gravity: Sequence[float] = GRAVITY,
    real: Real = "double",
    trig: Trig = "polynomial",
    algorithm: str | None = None,
    unroll: Unroll = "auto",
    listener: Listener = lambda name: None,
) -> Subject:
    """Programs and kernels of the model, each worked out once."""
    programs = kernel_programs(model, functions, gravity=gravity, algorithm=algorithm, unroll=unroll, listener=listener)
    robot = robot_facts(model, gravity)
    kinds: dict[str, tuple[str, Real]] = {"c": ("c", real), "c-float": ("c", "float"), "numpy": ("numpy", real)}
    sources = []
    for backend in dict.fromkeys(kinds[b] for b in backends if b in kinds):
        listener(f"{backend[0]} {backend[1]}")
        sources.append(render(robot, programs, *backend, trig, batch=True))
    runners = [runner for source in sources for runner in kernel_runners(Kernels(source))]
    if "interpreter" in backends:
        runners.append(interpreter_runner(programs))
    return Subject(model, gravity, programs, trig, tuple(sources), tuple(runners))


def examine(what: Subject, cases: Sequence[Case], listener: Listener = lambda name: None) -> Findings:
    """Judge the kernels at these states."""
    matrix = judge(what.model, what.programs, what.runners, cases, what.gravity, listener=listener)
    held: list[LawVerdict] = []
    for runner in what.runners:
        listener(f"laws, {runner.name}")
        held += hold_to_laws(what.model, what.programs, runner, cases)
    held += judge_agreement(what.model, what.programs, what.runners, cases)
    nonfinite = judge_nonfinite(what.programs, what.runners, cases[-1]) if what.model.nv else []
    return Findings(matrix, tuple(held), tuple(nonfinite))


def hold_to_laws(
    model: Model, programs: Sequence[KernelProgram], runner: Runner, cases: Sequence[Case]
) -> list[LawVerdict]:
    """A verdict per law, at as many states as there is time for."""
    fit = [case for case in cases if runner.real in case.reals]
    count = min(len(fit), max(4, LAW_WORK // max(1, model.nv)))
    chosen = [fit[round(i * (len(fit) - 1) / max(1, count - 1))] for i in range(count)] if fit else []
    if not chosen:
        return []
    judge_of = evaluator(model, runner, programs, stacked(chosen))
    names = [case.name for case in chosen]
    facts = [function_facts(program) for program in programs]
    return [law_verdict(law, judge_of, names) for law in laws(model, facts)]


def check(
    model: Model, functions: Sequence[str] | None = None, *, samples: int = 100, seed: int = 0, **options: Any
) -> Findings:
    """The check in one call, of all backends; options as for `subject`."""
    return examine(subject(model, functions, **options), draw_cases(model, samples, seed))
