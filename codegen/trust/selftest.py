"""Self-tests that ship with generated files: `<robot>_selftest.c` and `<robot>_selftest.py`, which need nothing of soagen.

Laws and stored values are worked out once here; the two languages print the same trees. How far each entry of a law's sides
may be apart at the stored states, and of a value from what it should be, is what rounding can do there (`rounding.py`).

A stored value is what the program gives with 50 digits, where the independent reference confirms that, and the reference's own
where it does not, which the kernel then fails. The reference rounds, and not alike on all machines; 50 digits do.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from codegen.backends.c_text import comment
from codegen.programs import KernelProgram
from codegen.provenance import source_digest
from codegen.skeletons import fill
from codegen.source import Real, Source, function_facts
from codegen.trust.carry_out import carried_out
from codegen.trust.cases import INPUTS, Case, input_errors, random_cases, rounded, stacked
from codegen.trust.laws.c_text import c_statements
from codegen.trust.laws.evaluate import evaluator
from codegen.trust.laws.python_text import python_text
from codegen.trust.laws.stencils import Motion, motions
from codegen.trust.laws.table import Law, laws, matrix_shape
from codegen.trust.oracles.mpmath50 import SCALARS, exactly
from codegen.trust.oracles.reference import REFERENCE
from codegen.trust.quantities import expected
from codegen.trust.rounding import Bound, rounding_bounds
from codegen.trust.runners import interpreter_runner
from derive.errors import one_line
from derive.model import Model
from derive.states import Array

CANDIDATES, STATES, STORED = 32, 4, 3  # states drawn, those of them of laws, and those of these with stored values
SEED = 1
MANY = 64  # entries; of an output with more, weighted sums of rows are stored
SLACK = 4.0  # times the largest bound: the reference rounds too
CONFIRMED = 1e-9  # of the largest entry: how far the reference rounds off an exact value; no slip is as near
EXACTLY = 200_000  # operations at most that are carried out with 50 digits
SAFETY = 2.0  # times an entry's own bound
ROW = 4  # numbers per line of C
POWERS = 16  # powers of two per line


@dataclass(frozen=True)
class StoredValue:
    """An output of a function at the stored states: `columns` is the width of rows that were summed, 0 if none were."""

    function: str
    output: int
    name: str
    inputs: tuple[str, ...]
    entries: int
    columns: int
    values: Array  # (STORED, size)
    allowed: Array  # (STORED, size)


@dataclass(frozen=True)
class Contents:
    """What both languages print."""

    states: dict[str, Array]
    motions: tuple[Motion, ...]
    laws: tuple[tuple[Law, Array], ...]  # and what is allowed to each entry
    values: tuple[StoredValue, ...]


@dataclass(frozen=True)
class CallText:
    """A kernel: names and sizes of its arguments."""

    name: str
    inputs: tuple[tuple[str, int], ...]
    outputs: tuple[tuple[str, int], ...]
    work: int  # numbers of memory that the function takes behind its arguments


@dataclass(frozen=True)
class CLawText:
    """A law in C."""

    name: str
    declarations: tuple[str, ...]
    statements: tuple[str, ...]
    size: int
    allowed: tuple[str, ...]


@dataclass(frozen=True)
class CValueText:
    """A stored output in C."""

    name: str
    call: str
    entries: int
    columns: int
    size: int
    count: int
    allowed: tuple[str, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True)
class CSelftestContext:
    """`<robot>_selftest.c`."""

    template: ClassVar[str] = "selftest/selftest.c.jinja"
    banner: tuple[str, ...]
    identifier: str
    real: Real
    nq: int
    nv: int
    states: tuple[str, ...]
    stored_states: int
    motions: tuple[str, ...]
    calls: tuple[CallText, ...]
    laws: tuple[CLawText, ...]
    values: tuple[CValueText, ...]
    largest: int


@dataclass(frozen=True)
class PythonLawText:
    """A law in Python."""

    name: str
    left: str
    right: str
    allowed: tuple[str, ...]


@dataclass(frozen=True)
class PythonValueText:
    """A stored output in Python."""

    name: str
    function: str
    inputs: str
    output: int
    columns: int
    allowed: tuple[str, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True)
class PythonSelftestContext:
    """`<robot>_selftest.py`."""

    template: ClassVar[str] = "selftest/selftest.py.jinja"
    docstring: str
    identifier: str
    states: tuple[str, ...]
    motions: tuple[str, ...]
    laws: tuple[PythonLawText, ...]
    values: tuple[PythonValueText, ...]


def with_selftests(sources: Sequence[Source], model: Model, programs: Sequence[KernelProgram]) -> list[Source]:
    """The sources with their self-tests among their files; unchanged for a robot that cannot move."""
    if not model.nv:
        return list(sources)
    gravity = sources[0].robot.gravity
    found = {real: contents(model, programs, real, gravity) for real in {s.real for s in sources}}
    return [_with_file(source, *_file(source, model, found[source.real])) for source in sources]


def _file(source: Source, model: Model, found: Contents) -> tuple[str, str]:
    if source.backend == "c":
        return f"{source.robot.identifier}_selftest.c", _c_text(source, model, found)
    return f"{source.robot.identifier}_selftest.py", _python_text(source, found)


def _with_file(source: Source, name: str, text: str) -> Source:
    files = (*source.files, (name, text))
    return replace(source, files=files, provenance=replace(source.provenance, source=source_digest(dict(files))))


def contents(model: Model, programs: Sequence[KernelProgram], real: Real, gravity: Sequence[float]) -> Contents:
    """Laws that apply, with what they are allowed, and stored values of the reference."""
    drawn = _sharpest(model, programs, random_cases(model, CANDIDATES, np.random.default_rng(SEED)))[:STATES]
    cases = [near if real in (near := rounded(case, model)).reals else case for case in drawn]
    states = stacked(cases)
    moved = motions(model, real)
    judge = evaluator(model, replace(interpreter_runner(programs), real=real), programs, states)
    facts = [function_facts(program) for program in programs]
    held = [(law, np.max(judge.difference(law)[1], axis=0)) for law in laws(model, facts)]
    known = [REFERENCE.known(model, case.inputs, gravity) for case in cases[:STORED]]
    values: list[StoredValue] = []
    first = {name: array[:STORED] for name, array in states.items()}
    for program in programs:
        rows = [expected(program.extends or program.name, k, bool(program.extends)) for k in known]
        bounds = rounding_bounds(program.program, first, real, input_errors(model, first, real))
        exact = _exactly(program, first) if program.operations.total <= EXACTLY else {}
        for output, (spec, bound) in enumerate(zip(program.program.outputs, bounds, strict=True)):
            judged = np.array([np.asarray(row[output], dtype=float) for row in rows])
            values.append(_stored(program, output, judged, exact.get(spec.name, judged), bound))
    return Contents(states, moved, tuple(held), tuple(v for v in values if v.entries))


def _sharpest(model: Model, programs: Sequence[KernelProgram], cases: Sequence[Case]) -> list[Case]:
    """The states where rounding may do least come first: there the self-test sees the smallest errors."""
    states = stacked(cases)
    errors = input_errors(model, states, "double")
    total = np.zeros(len(cases))
    for program in programs:
        for bound in rounding_bounds(program.program, states, "double", errors):
            size, error = (
                np.max(np.abs(x.reshape(len(cases), -1)), axis=1, initial=0.0) for x in (bound.value, bound.error)
            )
            total += np.log(np.where((size > 0.0) & (error > 0.0), error / np.where(size > 0.0, size, 1.0), 1.0))
    return [cases[i] for i in np.argsort(total, kind="stable")]


def _exactly(program: KernelProgram, states: Mapping[str, Array]) -> dict[str, Array]:
    """The outputs at the states, rounded once."""
    entries = {spec.name: exactly(states[spec.name]).reshape(STORED, -1) for spec in program.program.inputs}
    columns: dict[str, list[Array]] = {spec.name: [] for spec in program.program.outputs}
    for row in range(STORED):
        found = carried_out(program.program, {name: list(array[row]) for name, array in entries.items()}, SCALARS)
        for spec in program.program.outputs:
            columns[spec.name].append(np.array([float(x) for x in found[spec.name]]).reshape(spec.shape))
    return {name: np.array(rows) for name, rows in columns.items()}


def _stored(program: KernelProgram, output: int, judged: Array, exact: Array, bound: Bound) -> StoredValue:
    """What is allowed follows each entry's own bound. Where the reference does not confirm the exact value, what it is off
    counts as well, but only as far as rounding can explain it for the worst entry."""
    confirmed = np.all(np.abs(judged - exact) <= CONFIRMED * np.max(np.abs(judged), initial=0.0))
    true = exact if confirmed else judged
    rows, columns = matrix_shape(true.shape[1:])
    off = np.abs(true - (exact if confirmed else bound.value))
    values, errors, off = (x.reshape(len(true), rows, columns) for x in (true, bound.error, off))
    summed = columns if rows * columns > MANY and columns > 1 else 0
    if summed:
        weights = 1.0 / np.arange(1, columns + 1)
        values, errors, off = (_weighted(x, weights) for x in (values, errors, off))
    most = SLACK * np.max(errors, initial=0.0)
    allowed = np.minimum(SAFETY * (errors + off), most)
    return StoredValue(
        program.name,
        output,
        f"{program.name}: {program.program.outputs[output].name}",
        tuple(spec.name for spec in program.program.inputs),
        rows * columns,
        summed,
        values.reshape(len(true), -1),
        allowed.reshape(len(true), -1),
    )


def _weighted(matrices: Array, weights: Array) -> Array:
    """Sums of rows, rounded once, so alike on all machines."""
    rows = (matrices * weights).reshape(-1, len(weights))
    return np.array([math.fsum(row) for row in rows.tolist()]).reshape(matrices.shape[:-1])


def _powers(allowed: Array) -> tuple[str, ...]:
    """Powers of two that are no less, in lines of text; −1074 is float64's last."""
    exponents = [max(-1074, math.frexp(x)[1]) if x else -1074 for x in allowed.reshape(-1).tolist()]
    texts = [f"{e}," for e in exponents]
    return tuple(" ".join(texts[i : i + POWERS]) for i in range(0, len(texts), POWERS))


# -- C ----------------------------------------------------------------------------------------------------------------------


def _c_text(source: Source, model: Model, found: Contents) -> str:
    robot = source.robot
    held = [(law, c_statements(law.left, law.right), allowed) for law, allowed in found.laws]
    sizes = [law.left.rows * law.left.columns for law, _, _ in held] + [v.values.shape[1] for v in found.values]
    used = {name for law, _ in found.laws for name in law.functions} | {value.function for value in found.values}
    context = CSelftestContext(
        banner=(
            comment(
                f"{robot.name}: self-test generated by soagen {robot.soagen_version} (format {robot.format_version})."
            ),
            f"Model sha256 {robot.model_digest}.",
        ),
        identifier=robot.identifier,
        real=source.real,
        nq=model.nq,
        nv=model.nv,
        states=tuple(_c_state(found.states, row) for row in range(len(found.states["q"]))),
        stored_states=STORED,
        motions=tuple(_c_motion(motion) for motion in found.motions),
        calls=tuple(
            CallText(
                facts.name,
                tuple((spec.name, max(1, spec.size)) for spec in facts.inputs),
                tuple((spec.name, max(1, spec.size)) for spec in facts.outputs),
                facts.work,
            )
            for facts in source.functions
            if facts.name in used
        ),
        laws=tuple(
            CLawText(law.name, tuple(declared), tuple(said), law.left.rows * law.left.columns, _powers(allowed))
            for law, (declared, said), allowed in held
        ),
        values=tuple(_c_value(value) for value in found.values),
        largest=max(sizes, default=1),
    )
    return "\n".join(line.rstrip() for line in fill(context).splitlines()) + "\n"


def _c_state(states: dict[str, Array], row: int) -> str:
    arrays = [f".{name} = {{{', '.join(float(x).hex() for x in states[name][row])}}}" for name in INPUTS]
    return "{" + ",\n     ".join(arrays) + "}"


def _c_motion(motion: Motion) -> str:
    steps = _steps(motion)
    offsets, weights = (", ".join(repr(step[i]) for step in steps) for i in range(2))
    return f"{{{motion.how}, {motion.index}, {motion.axis}, {{{offsets}}}, {{{weights}}}}}"


def _steps(motion: Motion) -> list[tuple[float, float]]:
    """(offset, weight), to either side."""
    return [(sign * offset, sign * weight) for offset, weight in motion.offsets for sign in (1.0, -1.0)]


def _c_value(value: StoredValue) -> CValueText:
    numbers = [float(x).hex() for x in value.values.flat]
    arguments = [*(f"s->{name}" for name in value.inputs), str(value.output), "all"]
    return CValueText(
        name=value.name,
        call=f"call_{value.function}({', '.join(arguments)});",
        entries=value.entries,
        columns=value.columns,
        size=value.values.shape[1],
        count=value.values.size,
        allowed=_powers(value.allowed),
        lines=tuple(", ".join(numbers[i : i + ROW]) + "," for i in range(0, len(numbers), ROW)),
    )


# -- Python -----------------------------------------------------------------------------------------------------------------


def _python_text(source: Source, found: Contents) -> str:
    robot = source.robot
    title = one_line(robot.name, limit=1000).replace("\\", "\\\\").replace('"""', "'''")
    context = PythonSelftestContext(
        docstring=(
            f'"""{title}: self-test generated by soagen {robot.soagen_version} (format {robot.format_version}).\n\n'
            f"Model sha256 {robot.model_digest}.\n\n"
            "Checks the kernels on this machine: laws they obey among themselves, and values of an independent reference that\n"
            "were stored when they were generated. Prints a line per check; the exit code is 0 if all pass.\n\n"
            f'    python {robot.identifier}_selftest.py\n"""'
        ),
        identifier=robot.identifier,
        states=tuple(f'"{name}": {_hex_rows(array)},' for name, array in found.states.items()),
        motions=tuple(_python_motion(motion) for motion in found.motions),
        laws=tuple(
            PythonLawText(law.name, python_text(law.left), python_text(law.right), _powers(allowed))
            for law, allowed in found.laws
        ),
        values=tuple(
            PythonValueText(
                value.name,
                value.function,
                repr(value.inputs),
                value.output,
                value.columns,
                _powers(value.allowed),
                tuple(f'"{_hex_row(row)}",' for row in value.values),
            )
            for value in found.values
        ),
    )
    return fill(context)


def _python_motion(motion: Motion) -> str:
    steps: list[Any] = _steps(motion)
    return repr((motion.how, motion.index, motion.axis, [s for s, _ in steps], [w for _, w in steps]))


def _hex_rows(array: Array) -> str:
    return "[" + ", ".join(f'"{_hex_row(row)}"' for row in array) + "]"


def _hex_row(row: Array) -> str:
    return " ".join(float(x).hex() for x in row)
