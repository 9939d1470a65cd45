"""The whole compiler, stage by stage: a model and function names in, text or callable kernels out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from codegen.functions import DOCUMENTATION, LETTERS, Function, chosen_functions, has_moving_tip, result_name
from codegen.instantiate import instantiate, instantiate_function, sweeps_text
from codegen.kernel import Kernels
from codegen.passes import run_passes
from codegen.programs import KernelProgram, robot_facts
from codegen.remember import remembered
from codegen.render import render
from codegen.source import Real, Source
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
    algorithm: str | None = None,
) -> Kernels:
    """Callable kernels of `model`, by default of every function that fits it: ``k.inverse_dynamics(q, qd, qdd)``.

    Text and compiled code are kept in the cache (see `codegen.cache`): the second time costs next to nothing.
    """
    names = None if functions is None else tuple(functions)
    about = (model.digest, repr(names), backend, repr(tuple(map(float, gravity))), real, repr(algorithm))
    return Kernels(
        remembered(
            about,
            lambda: generate(model, names, backend=backend, gravity=gravity, real=real, algorithm=algorithm),
        )
    )


def generate(
    model: Model,
    functions: Iterable[str] | None = None,
    *,
    backend: str = "c",
    gravity: Sequence[float] = GRAVITY,
    real: Real = "double",
    algorithm: str | None = None,
    listener: Listener = lambda name: None,
) -> Source:
    """The text of one backend; `listener` hears the name of each function before it is worked on."""
    programs = kernel_programs(model, functions, gravity=gravity, algorithm=algorithm, listener=listener)
    return render(robot_facts(model, gravity), programs, backend, real)


def kernel_programs(
    model: Model,
    functions: Iterable[str] | None = None,
    *,
    gravity: Sequence[float] = GRAVITY,
    algorithm: str | None = None,
    listener: Listener = lambda name: None,
) -> tuple[KernelProgram, ...]:
    """The optimised programs of the functions, with a variant for each optional input."""
    programs = []
    for function in chosen_functions(model, None if functions is None else list(functions)):
        listener(function.name)
        result = result_name(function, algorithm)
        programs.append(_kernel_program(function, model, gravity, result, function.inputs))
        if function.optional and has_moving_tip(model):
            programs.append(_kernel_program(function, model, gravity, result, (*function.inputs, *function.optional)))
    return tuple(programs)


def expression_program(
    model: Model, expression: str, *, name: str = "expression", gravity: Sequence[float] = GRAVITY
) -> KernelProgram:
    """The program of any operator expression; its inputs are q and what its letters need, its output is called result."""
    numeric = model.numeric()
    armature = any(a != 0.0 for joint in numeric.joints for a in joint.armature)
    recursion = to_recursion(expression, armature=armature)
    read = {field.name for field in recursion.inputs}
    inputs = ("q", *(argument for argument, letter in LETTERS.items() if letter in read))
    program = run_passes(instantiate(recursion, numeric, name, inputs, {RESULT: RESULT}, gravity))
    docs = tuple((a, DOCUMENTATION[a]) for a in inputs)
    return KernelProgram(name, program, dict(recursion.expressions)[RESULT], sweeps_text(recursion), docs)


def _kernel_program(
    function: Function, model: Model, gravity: Sequence[float], result: str, inputs: tuple[str, ...]
) -> KernelProgram:
    # Model, operator form ─▶ Recursion ─▶ ScalarProgram
    program, sweeps = instantiate_function(function, model, gravity, result, inputs)
    # ScalarProgram ─▶ ScalarProgram, checked after each pass
    program = run_passes(program)
    variant = len(inputs) > len(function.inputs)
    name = function.name + (WITH_TIP_FORCE if variant else "")
    arguments = [spec.name for spec in (*program.inputs, *program.outputs)]
    return KernelProgram(
        name=name,
        program=program,
        description=function.description + (", with a tip force" if variant else ""),
        sweeps=sweeps,
        argument_docs=tuple((a, DOCUMENTATION[a]) for a in arguments if a in DOCUMENTATION),
        extends=function.name if variant else "",
    )
