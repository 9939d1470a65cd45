"""Loops that are of no recursion: over the joints, whose letters the sweeps read, and over the placements of the bodies."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from codegen.rolled.ir import Block, Form
from codegen.rolled.tracer import Tracer, without_parent
from derive.algebra import Any3, multiplied, transposed
from derive.model import Frame
from derive.parameters import number
from derive.placements import point_placement, potential_energy, world_placements
from derive.transition import Transition


def joint_blocks(tracer: Tracer, *, moving: bool) -> list[Block | None]:
    """The letters of a joint: its step, H* and, if `moving`, its rate; and the tip's point, its axes being the world's."""
    rates = tracer.joint_rates("qd") if moving else None
    made_up = without_parent(tracer.made_up(tracer.coordinates(), rates), tracer.here)
    step = made_up.steps[tracer.here]
    with tracer.builder.origin("", "", "step"):
        tracer.leave("steps", step)
    tracer.leave("H", made_up.H[tracer.here])
    tracer.leave("H_rate", made_up.H_rate[tracer.here])
    if tracer.kind.carries_tip:
        with tracer.builder.origin("", "", "turn"):
            above = tracer.left_by_parent("turn") if tracer.here else None
            turn = step.rotation if above is None else multiplied(above, step.rotation)
        tracer.leave("turn", turn)
        if tracer.kind.has_tip and tracer.robot.tip is not None:
            tracer.leave("point", Transition.of(transposed(turn), _origin(tracer.robot.tip)))
    return [tracer.block()]


def placement_blocks(tracer: Tracer, *, of_tip: bool, gravity: tuple[float, ...]) -> list[Block | None]:
    """Where the bodies are in the world, and with that the tip's pose or the potential energy."""
    if of_tip and not tracer.kind.carries_tip:
        return []
    made_up = tracer.made_up(tracer.coordinates(), None)
    above = tracer.left_by_parent("world") if tracer.here else None
    if above is not None:
        made_up = replace(made_up, steps=(Transition.of(*above), made_up.steps[1]))
    with tracer.builder.origin("", "", "world"):
        tracer.leave("world", world_placements(made_up)[tracer.here])
    tip = tracer.robot.tip
    if not of_tip:
        with tracer.builder.origin("", "", "energy"):
            tracer.write("energy", Form(), {0: potential_energy(made_up, gravity)}, adds=True)
    elif tracer.kind.has_tip and tip is not None:
        point = Transition.of(tip.placement.rotation, _origin(tip))
        with tracer.builder.origin("", "", "tip"):
            R, p = point_placement(replace(made_up, points=((tracer.here, point),)))
        tracer.write("rotation", Form(), dict(enumerate(x for row in R for x in row)))
        tracer.write("position", Form(), dict(enumerate(p)))
    return [tracer.block()]


def _origin(tip: Frame) -> Any3:
    x, y, z = (float(number(entry)) for entry in tip.placement.translation)
    origin: tuple[Any, Any, Any] = (x, y, z)
    return origin
