"""Tracing one kind of body in one loop: everything the code reads is a view of an array, everything it leaves is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import cached_property
from typing import Any

from codegen.backends.formulas import used_inputs
from codegen.builder import ProgramBuilder
from codegen.ir import ArraySpec
from codegen.rolled.arrange import Arrangement
from codegen.rolled.ir import Block, Columns, Form, View
from codegen.rolled.memory import Memory
from codegen.rolled.turned import BENT, TURNING
from codegen.rolled.values import SameAs, Shape, TableEntry, refilled, scalars_of, shape_of
from derive.algebra import Any3x3, added, times
from derive.frames import Placement
from derive.inertia import Inertia
from derive.instance import Instance, instance
from derive.model import GROUND, Body, Joint, Model
from derive.scalars import Scalars
from derive.transition import Transition
from derive.turns import Full, Part, Turn

NUMBERS = frozenset(
    {"offset", "bend", "attitude", "axes", "inertia", "rotor", "pitch", "following", "weight"}
)  # tables of floats


class Tracer:
    """A builder with views. `here` is the body's number in its made-up robot: 1 behind a parent 0, or 0 on the ground."""

    def __init__(self, robot: Arrangement, memory: Memory, kind: int) -> None:
        self.robot, self.memory, self.number = robot, memory, kind
        self.kind = robot.kinds[kind]
        self.builder = ProgramBuilder()
        self.here = 0 if self.kind.on_ground else 1
        self._reads: dict[str, View] = {}
        self._scalars: dict[str, list[Any]] = {}
        self._writes: list[tuple[View, list[Any]]] = []

    def another(self) -> Tracer:
        """A tracer of the same kind of body with nothing traced."""
        return Tracer(self.robot, self.memory, self.number)

    @property
    def scalars(self) -> Scalars:
        """The functions of program scalars."""
        return Scalars(self.builder.cos, self.builder.sin, self.builder.sqrt)

    @property
    def rates(self) -> int:
        """r: how many rates the joint has."""
        return self.kind.joint.nv

    # -- reading ----------------------------------------------------------------------------------------------------------

    def read(self, name: str, array: str, base: Form, offsets: Sequence[int]) -> list[Any]:
        """The entries of a view, as scalars."""
        if name not in self._reads:
            self._reads[name] = View(name, array, base, tuple(offsets))
            self._scalars[name] = list(self.builder.input(name, (len(offsets),)))
        return self._scalars[name]

    def table(self, name: str) -> list[Any]:
        """The body's row of a table."""
        width = self.robot.tables[name].width
        return self.read(name, name, Form(((width, "k"),)), range(width))

    def rotation_in(self, name: str) -> Any3x3:
        """The body's row of a table, as a rotation."""
        a, b, c, d, e, f, g, h, i = self.table(name)
        return (a, b, c), (d, e, f), (g, h, i)

    def argument(self, name: str, index: str, size: int) -> list[Any]:
        """The joint's part of an argument."""
        return self.read(f"{name}_k", name, Form(((1, index),)), range(size))

    def left_here(self, array: str) -> Any:
        """What bodies of this kind left in the array; None if nothing."""
        shape = self.memory.here.get((array, self.number))
        return None if shape is None else self._loaded(f"{array}_k", array, "k", shape)

    def left_by_parent(self, array: str) -> Any:
        """What the parent left in the array; None if no body leaves anything."""
        self.memory.inherited.add(array)
        shape = self.memory.seen_by_children.get(array)
        return None if shape is None else self._loaded(f"{array}_p", array, "p", shape)

    def sent_by_children(self, array: str) -> Any:
        """The sum of what the children sent; None if there is nothing."""
        shape = self.memory.sums.get((array, self.kind.carries_tip))
        return None if shape is None else self._loaded(f"{array}_k", array, "k", shape)

    def _loaded(self, name: str, array: str, index: str, shape: Shape) -> Any:
        layout = self.memory.layout(array, self.number)
        kept = self.read(name, array, self._row(array, index), range(len(layout))) if layout else []
        found: list[Any] = []
        for position, known in enumerate(shape.known):
            match known:
                case SameAs(earlier):
                    found.append(found[earlier])
                case TableEntry(view, index_in_row, negated):
                    entry = self.table(view)[index_in_row]
                    found.append(-entry if negated else entry)
                case float():
                    found.append(known)
                case _:
                    found.append(kept[layout[position]])
        return refilled(shape.template, iter(found))

    # -- writing ----------------------------------------------------------------------------------------------------------

    def write(self, array: str, base: Form, entries: dict[int, Any], *, adds: bool = False) -> None:
        """Write scalars at these offsets."""
        if entries:
            view = View(f"to_{array}_{len(self._writes)}", array, base, tuple(entries), adds)
            self._writes.append((view, list(entries.values())))

    def leave(self, array: str, value: Any) -> None:
        """Leave a value in the body's row; None is zero, and children who read it are told."""
        memory = self.memory
        if value is None:
            if array not in memory.seen_by_children:
                return
            value = refilled(memory.seen_by_children[array].template, iter(lambda: 0.0, None))
            memory.leave(array, self.number, None, shape_of(value, NUMBERS, at_body=False))
        else:
            own = shape_of(value, NUMBERS, at_body=True)
            memory.leave(array, self.number, own, shape_of(value, NUMBERS, at_body=False))
        self._write_row(array, value, "k", adds=False)

    def send(self, array: str, value: Any) -> None:
        """Add a value to the parent's row; None is zero."""
        if value is not None:
            self.memory.send(array, shape_of(value, NUMBERS, at_body=False), self.kind.carries_tip)
            self._write_row(array, value, "p", adds=True)

    def _write_row(self, array: str, value: Any, index: str, *, adds: bool) -> None:
        layout = self.memory.layout(array, self.number)
        entries = {layout[i]: x for i, x in enumerate(scalars_of(value)) if i in layout}
        self.write(array, self._row(array, index), entries, adds=adds)

    def _row(self, array: str, index: str) -> Form:
        return Form(((self.memory.width(array), index),))

    def block(self, columns: Columns | None = None) -> Block | None:
        """The code traced so far, with the views it uses; None if it writes nothing."""
        if not self._writes:
            return None
        program = self.builder.program("block", {view.name: values for view, values in self._writes})
        used = used_inputs(program)
        specs = tuple(ArraySpec(spec.name, spec.shape) for spec in program.inputs if spec.name in used)
        return Block(
            replace(program, inputs=specs),
            tuple(self._reads[spec.name] for spec in specs),
            tuple(view for view, _ in self._writes),
            columns,
        )

    # -- the made-up robot ------------------------------------------------------------------------------------------------

    def coordinates(self) -> list[Any]:
        """The joint's coordinates; an angle about z counts from where the placement has turned to."""
        q = self.argument("q", "x", self.kind.joint.nq)
        if self.kind.follows:
            multiplier, offset = self.table("following")
            q = [multiplier * q[0] + offset]
        return [q[0] + self.table("bend")[4], *q[1:]] if self.kind.joint.name in TURNING else q

    def joint_rates(self, name: str) -> list[Any]:
        """The joint's part of an argument that is like rates."""
        return [times(self.weight, x) for x in self.argument(name, "v", self.rates)]

    @cached_property
    def weight(self) -> Any:
        """What a rate of the joint is, per rate of the coordinate it has or follows."""
        return self.table("following")[0] if self.kind.follows else 1.0

    def made_up(self, q: Sequence[Any], qd: Sequence[Any] | None) -> Instance:
        """A robot of this body, with tables for constants, behind a massless parent of which nothing else is known."""
        kind, copies = self.kind, self.here + 1
        mass, *numbers = self.table("inertia")
        inertia: Any = Inertia(mass, tuple(numbers[:3]), tuple(numbers[3:]))
        geometry = (
            replace(kind.geometry, pitch=self.table("pitch")[0]) if kind.joint.name == "helical" else kind.geometry
        )
        zeros = (0.0,) * self.rates
        armature = tuple(self.table("rotor")[: self.rates])
        joints = [
            Joint(f"joint {k}", kind.joint, k - 1 if k else GROUND, Placement(), geometry, armature, zeros, zeros)
            for k in range(copies)
        ]
        bodies = [Body(f"body {k}", inertia if k == self.here else Inertia()) for k in range(copies)]
        model = Model("generic body", tuple(bodies), tuple(joints))
        found = instance(model, [*q] * copies, None if qd is None else [*qd] * copies, self.scalars)
        return replace(found, steps=(*found.steps[: self.here], self._placed(found.steps[self.here])))

    def _placed(self, motion: Transition) -> Transition:
        """The joint's placement, then its motion."""
        if self.kind.joint.name in BENT:
            c, s, cos_x, sin_x, _ = self.table("bend")
            parts: tuple[Part, ...] = (*((Turn(2, c, s),) if self.kind.skewed else ()), Turn(0, cos_x, sin_x))
        else:
            parts = (Full(self.rotation_in("attitude")),)
        x, y, z = self.table("offset")
        fixed = Transition(parts, (x, y, z))
        return Transition((*parts, *motion.parts), added(fixed.translation, fixed.turned(motion.translation)))


def without_parent(made_up: Instance, here: int) -> Instance:
    """The made-up robot with the letters of the parent taken away, so that reading one is an error."""
    topology = ("parent", "children", "points", "model", "scalars")
    letters = [f.name for f in fields(made_up) if f.name not in topology]
    kept: dict[str, Any] = {name: (*(None,) * here, getattr(made_up, name)[here]) for name in letters}
    return replace(made_up, **kept)
