"""`Source`: generated files as text, with what is known of them. Not on disk: `write.py` and `build.py` do that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

from codegen.cost import OperationCount
from codegen.ir import ArraySpec
from codegen.programs import KernelProgram, RobotFacts
from codegen.provenance import Provenance, program_digest, provenance

Real: TypeAlias = Literal["double", "float"]
Trig: TypeAlias = Literal["polynomial", "libm"]  # who computes sines and cosines in C


@dataclass(frozen=True)
class FunctionFacts:
    """One function as its callers see it."""

    name: str
    inputs: tuple[ArraySpec, ...]
    outputs: tuple[ArraySpec, ...]
    description: str
    sweeps: str
    argument_docs: tuple[tuple[str, str], ...]
    extends: str
    operations: OperationCount
    program_digest: str
    work: int = 0  # numbers of memory that the C function takes behind its arguments

    @property
    def arguments(self) -> tuple[ArraySpec, ...]:
        """Inputs, then outputs."""
        return (*self.inputs, *self.outputs)

    def to_json(self) -> dict[str, Any]:
        """The facts as plain dicts, lists, strings and numbers."""
        docs = dict(self.argument_docs)

        def listed(specs: tuple[ArraySpec, ...]) -> list[dict[str, Any]]:
            return [{"name": s.name, "shape": list(s.shape), "doc": docs.get(s.name, "")} for s in specs]

        return {
            "function": self.name,
            "description": self.description,
            "inputs": listed(self.inputs),
            "outputs": listed(self.outputs),
            "sweeps": self.sweeps,
            "operations": asdict(self.operations),
            **({"work": self.work} if self.work else {}),
            "program": self.program_digest,
        }


def function_facts(function: KernelProgram) -> FunctionFacts:
    """The facts of a function, without its program."""
    return FunctionFacts(
        name=function.name,
        inputs=tuple(ArraySpec(spec.name, spec.shape) for spec in function.program.inputs),
        outputs=tuple(ArraySpec(spec.name, spec.shape) for spec in function.program.outputs),
        description=function.description,
        sweeps=function.sweeps,
        argument_docs=function.argument_docs,
        extends=function.extends,
        operations=function.operations,
        program_digest=program_digest(function.program),
        work=function.work_size,
    )


def robot_json(robot: RobotFacts, real: Real) -> dict[str, Any]:
    """What generated files say about their robot, as plain dicts, lists, strings and numbers."""
    return {
        "robot": robot.name,
        "nq": len(robot.coordinate_names),
        "nv": len(robot.rate_names),
        "joints": list(robot.joint_names),
        "coordinates": list(robot.coordinate_names),
        "rates": list(robot.rate_names),
        "gravity": list(robot.gravity),
        "real": real,
        "model": robot.model_digest,
        "soagen": robot.soagen_version,
        "format": robot.format_version,
    }


@dataclass(frozen=True)
class Source(Mapping[str, str]):
    """Relative path to text, for one robot and one backend. Immutable, picklable."""

    backend: str
    real: Real
    robot: RobotFacts
    functions: tuple[FunctionFacts, ...]
    files: tuple[tuple[str, str], ...]
    provenance: Provenance

    @cached_property
    def _texts(self) -> dict[str, str]:
        return dict(self.files)

    def __getitem__(self, path: str) -> str:
        return self._texts[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self.files)

    def __repr__(self) -> str:
        return f"Source({self.robot.name!r}, {self.backend}, {', '.join(self)})"

    def info(self, function: FunctionFacts) -> dict[str, Any]:
        """Everything known about one of the functions: names, shapes, operation counts, sweeps, digests."""
        about = {**robot_json(self.robot, self.real), **function.to_json(), "backend": self.backend}
        about["digests"] = {
            "model": about.pop("model"),
            "program": about.pop("program"),
            "source": self.provenance.source,
        }
        return about


def make_source(
    backend: str, real: Real, robot: RobotFacts, functions: Sequence[KernelProgram], files: Mapping[str, str]
) -> Source:
    """The Source of these files."""
    return Source(
        backend=backend,
        real=real,
        robot=robot,
        functions=tuple(function_facts(function) for function in functions),
        files=tuple(files.items()),
        provenance=provenance(robot, functions, files),
    )
