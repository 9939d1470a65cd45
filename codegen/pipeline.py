"""The whole compiler, stage by stage: a model and function names in, text or callable kernels out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

from codegen.choices import Choices
from codegen.collecting import seldom_collecting
from codegen.functions import (
    DOCUMENTATION,
    LETTERS,
    Function,
    Unroll,
    chosen_functions,
    has_moving_tip,
    is_rolled,
    route_name,
)
from codegen.instantiate import instantiate
from codegen.ir import ScalarProgram
from codegen.kernel import Kernels
from codegen.labels import with_entry_names
from codegen.passes import run_passes
from codegen.programs import KernelProgram, robot_facts
from codegen.remember import remembered
from codegen.render import render
from codegen.rolled.ir import RolledProgram
from codegen.rolled.lower import roll, roll_function
from codegen.route import sweeps_text
from codegen.routes import chosen_route
from codegen.source import Real, Source, Trig
from codegen.stages import joined
from derive.model import Model
from derive.run import GRAVITY
from derive.sweeps import RESULT, to_recursion

WITH_TIP_FORCE = "_with_tip_force"
Listener = Callable[[str], Any]


def compile_kernels(
    model: Model,
    functions: Iterable[str] | None = None,
    *,
    backend: str = "c",
    gravity: Sequence[float] = GRAVITY,
    real: Real = "double",
    trig: Trig = "polynomial",
    algorithm: str | None = None,
    unroll: Unroll = "auto",
) -> Kernels:
    """Callable kernels of `model`, by default of every function that fits it: ``k.inverse_dynamics(q, qd, qdd)``.

    In C, sines and cosines are polynomials evaluated for all joints at once, or calls of libm with ``trig="libm"``.
    `unroll`: straight-line code "always", loops over constant tables ("never" unrolled), or by the size of the robot.
    Text and compiled code are kept in the cache (see `codegen.cache`): the second time costs next to nothing.
    """
    names = None if functions is None else tuple(functions)
    options = (repr(tuple(map(float, gravity))), real, trig, repr(algorithm), unroll)
    about = (model.digest, repr(names), backend, *options)
    return Kernels(
        remembered(
            about,
            lambda: generate(
                model,
                names,
                backend=backend,
                gravity=gravity,
                real=real,
                trig=trig,
                batch=True,
                algorithm=algorithm,
                unroll=unroll,
            ),
        )
    )


def generate(
    model: Model,
    functions: Iterable[str] | None = None,
    *,
    backend: str = "c",
    gravity: Sequence[float] = GRAVITY,
    real: Real = "double",
    trig: Trig = "polynomial",
    batch: bool = False,
    algorithm: str | None = None,
    unroll: Unroll = "auto",
    listener: Listener = lambda name: None,
) -> Source:
    """The text of one backend, in C with functions over many states if `batch`.

    `listener` hears the name of each function before it is worked on.
    """
    programs = kernel_programs(model, functions, gravity=gravity, algorithm=algorithm, unroll=unroll, listener=listener)
    return render(robot_facts(model, gravity), programs, backend, real, trig, batch)


@seldom_collecting()
def kernel_programs(
    model: Model,
    functions: Iterable[str] | None = None,
    *,
    gravity: Sequence[float] = GRAVITY,
    algorithm: str | None = None,
    unroll: Unroll = "auto",
    listener: Listener = lambda name: None,
    choices: Choices | None = None,
) -> tuple[KernelProgram, ...]:
    """The optimised programs of the functions, with a variant for each optional input; `choices` remembers what was chosen."""
    programs = []
    rolled = is_rolled(model, unroll)
    program: ScalarProgram | RolledProgram
    choices = choices or Choices(model.numeric(), tuple(map(float, gravity)))
    chosen = chosen_functions(model, None if functions is None else list(functions), rolled=rolled)
    among = frozenset(function.name for function in chosen)
    for function in chosen:
        listener(function.name)
        route = route_name(function, algorithm)
        for inputs in _variants(function, model):
            stages: tuple[ScalarProgram, ...] = ()
            if rolled:
                # Model, operator form ─▶ Recursion ─▶ RolledProgram
                program, directions = roll_function(function, model, gravity, route, inputs)
                sweeps = sweeps_text(directions)
            else:
                program, sweeps, stages = _straight_line(function, choices, among, route, inputs)
            programs.append(_kernel_program(function, program, sweeps, stages))
    return tuple(programs)


def _variants(function: Function, model: Model) -> Iterator[tuple[str, ...]]:
    """The inputs of a function, without and with what is optional."""
    yield function.inputs
    if function.optional and has_moving_tip(model):
        yield (*function.inputs, *function.optional)


def expression_program(
    model: Model,
    expression: str,
    *,
    name: str = "expression",
    gravity: Sequence[float] = GRAVITY,
    unroll: Unroll = "auto",
) -> KernelProgram:
    """The program of any operator expression; its inputs are q and what its letters need, its output is called result."""
    numeric = model.numeric()
    armature = any(a != 0.0 for joint in numeric.joints for a in joint.armature)
    recursion = to_recursion(expression, armature=armature)
    read = {field.name for field in recursion.inputs}
    inputs = ("q", *(argument for argument, letter in LETTERS.items() if letter in read))
    about = (recursion, numeric, name, inputs, {RESULT: RESULT}, gravity)
    program = roll(*about) if is_rolled(model, unroll) else run_passes(instantiate(*about))
    docs = tuple((a, DOCUMENTATION[a]) for a in inputs)
    return KernelProgram(
        name, program, dict(recursion.expressions)[RESULT], sweeps_text([s.direction for s in recursion.sweeps]), docs
    )


def _straight_line(
    function: Function, choices: Choices, among: Collection[str], algorithm: str | None, inputs: tuple[str, ...]
) -> tuple[ScalarProgram, str, tuple[ScalarProgram, ...]]:
    """The program of a function, its sweeps in words, and its stages if it has several."""
    # Model, operator form ─▶ Recursion ─▶ ScalarProgram
    if algorithm is None:
        route, _ = choices.route(function, among)
    else:
        route = chosen_route(function, choices.model, algorithm, choices.armature)
    route = route.given(inputs)
    # ScalarProgram ─▶ ScalarProgram, checked after each pass
    written, labels = choices.instantiated(function, route, inputs)
    if route.in_stages:
        stages = choices.stages.of(route, function, inputs)
        return joined(function.name, written.inputs, stages, [o.name for o in written.outputs]), route.sweeps, stages
    return with_entry_names(run_passes(written), written, labels), route.sweeps, ()


def _kernel_program(
    function: Function, program: ScalarProgram | RolledProgram, sweeps: str, stages: tuple[ScalarProgram, ...]
) -> KernelProgram:
    variant = len(program.inputs) > len(function.inputs)
    arguments = [spec.name for spec in (*program.inputs, *program.outputs)]
    return KernelProgram(
        name=function.name + (WITH_TIP_FORCE if variant else ""),
        program=program,
        description=function.description + (", with a tip force" if variant else ""),
        sweeps=sweeps,
        argument_docs=tuple((a, DOCUMENTATION[a]) for a in arguments if a in DOCUMENTATION),
        extends=function.name if variant else "",
        stages=stages,
    )
