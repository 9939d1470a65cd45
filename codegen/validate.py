"""Kernels against every independent oracle: `validate(kernels, model)`."""

from __future__ import annotations

from codegen.functions import Unroll
from codegen.kernel import Kernels
from codegen.pipeline import kernel_programs
from codegen.trust.cases import draw_cases
from codegen.trust.matrix import Verdict, judge
from codegen.trust.runners import kernel_runners
from derive.model import Model


def validate(
    kernels: Kernels,
    model: Model,
    samples: int = 100,
    seed: int = 0,
    algorithm: str | None = None,
    unroll: Unroll = "auto",
) -> list[Verdict]:
    """A verdict for each kernel, one state at a time and in batches, before each oracle that can judge it.

    Judged under the gravity the kernels were made for. `model` is what they should compute, so programs are made from it,
    never taken from the kernels: those say what rounding may do. `algorithm` and `unroll` are those of
    `compile_kernels`.
    """
    gravity = kernels.source.robot.gravity
    names = [facts.name for facts in kernels.source.functions if not facts.extends]
    judged = kernel_programs(model, names, gravity=gravity, algorithm=algorithm, unroll=unroll)
    programs = [p for p in judged if p.name in kernels]
    cases = draw_cases(model, samples, seed)
    return list(judge(model, programs, kernel_runners(kernels), cases, gravity).verdicts)
