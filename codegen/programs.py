"""What the backends print: the facts about one robot and the programs of its functions. Data only, no text of any language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from codegen.cost import OperationCount, count
from codegen.errors import ProgramError
from codegen.ir import ArraySpec, ScalarProgram
from codegen.passes.remove_dead_code import remove_dead_code
from codegen.rolled.ir import RolledProgram
from derive import Model
from derive.names import identifier

SOAGEN_VERSION = "0.1.0"
FORMAT_VERSION = 1  # of generated files; a change here makes every written file stale


@dataclass(frozen=True)
class RobotFacts:
    """What generated files say about their robot."""

    name: str
    identifier: str  # starts every C name and is the file name
    model_digest: str
    joint_names: tuple[str, ...]
    coordinate_names: tuple[str, ...]
    rate_names: tuple[str, ...]
    gravity: tuple[float, float, float]
    soagen_version: str = SOAGEN_VERSION
    format_version: int = FORMAT_VERSION


def robot_facts(model: Model, gravity: Sequence[float] = (0.0, 0.0, -9.81)) -> RobotFacts:
    """The facts of `model` under this gravity."""
    x, y, z = (float(g) for g in gravity)
    return RobotFacts(
        name=model.name,
        identifier=identifier(model.name),
        model_digest=model.digest,
        joint_names=model.joint_names,
        coordinate_names=model.coordinate_names,
        rate_names=model.rate_names,
        gravity=(x, y, z),
    )


@dataclass(frozen=True)
class KernelProgram:
    """One function of a robot: its program and what to say about it.

    `extends` names a function with fewer inputs that this one stands in for when its further inputs are given, as
    `inverse_dynamics` with f_tip does for `inverse_dynamics`. `stages` are the same program in steps that follow one another,
    which functions may have in common [codegen/stages.py]; none where it is in one piece. `written` are the operations of a
    text that are not those of the program, for what several functions have in common does what each of them needs.
    """

    name: str
    program: ScalarProgram | RolledProgram
    description: str  # one line, no full stop
    sweeps: str = ""  # "2 sweeps: base-to-tip, tip-to-base"
    argument_docs: tuple[tuple[str, str], ...] = ()  # argument to one line
    extends: str = ""
    stages: tuple[ScalarProgram, ...] = ()
    written: OperationCount | None = None

    def __post_init__(self) -> None:
        names = [spec.name for spec in self.arguments]
        for name in (self.name, *names):
            if identifier(name) != name or name in ("out", "source"):
                raise ProgramError(f"function {self.name}: {name!r} cannot be a name in C and Python")
        if clash := sorted({name for name in names if names.count(name) > 1}):
            raise ProgramError(f"function {self.name}: {', '.join(clash)} is both an input and an output")
        if unknown := sorted({name for name, _ in self.argument_docs} - set(names)):
            raise ProgramError(f"function {self.name} documents {', '.join(unknown)}, which it does not take")
        if not self.program.outputs:
            raise ProgramError(f"function {self.name} has no output")

    @property
    def arguments(self) -> tuple[ArraySpec, ...]:
        """Inputs, then outputs."""
        return (*self.program.inputs, *self.program.outputs)

    @property
    def straight_line(self) -> ScalarProgram:
        """The program, for backends that print straight-line code."""
        if isinstance(self.program, RolledProgram):
            raise ProgramError(f"function {self.name} is rolled; straight-line code was asked for")
        return self.program

    @cached_property
    def operations(self) -> OperationCount:
        """The operations of the program, or of the text."""
        if self.written is not None:
            return self.written
        return self.program.operations if isinstance(self.program, RolledProgram) else count(self.program)

    @property
    def work_size(self) -> int:
        """How many numbers of work memory the caller brings."""
        return self.program.work_size if isinstance(self.program, RolledProgram) else 0

    def documentation(self, argument: str) -> str:
        """What is known of an argument, or ""."""
        return dict(self.argument_docs).get(argument, "")


def printable(functions: Sequence[KernelProgram]) -> tuple[KernelProgram, ...]:
    """The functions without dead code, so that what is printed, counted and digested is one thing.

    Raises ProgramError where two share a name or one extends what is not there.
    """
    names = [function.name for function in functions]
    for function in functions:
        if names.count(function.name) > 1:
            raise ProgramError(f"two functions are called {function.name}")
        if function.extends and function.extends not in names:
            raise ProgramError(f"function {function.name} extends {function.extends}, which is not there")
    return tuple(replace(function, program=remove_dead_code(function.straight_line)) for function in functions)
