"""Which description of the robot and which route to a function cost least: decided by counting, per robot and body.

`Choices(model)` finds, for each sort of computation, an equivalent robot (`derive.equivalent`) on which it takes the fewest
operations: frames slid along their axes, inertial parameters regrouped. A yardstick function stands for its sort. Small robots
are searched body by body, larger ones take all bodies at a time. Every step says what it saved.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from codegen.cost import count_equations
from codegen.functions import FUNCTIONS, Function, has_moving_tip
from codegen.instantiate import Instantiated, instantiate_route
from codegen.ir import ScalarProgram
from codegen.passes.remove_dead_code import live_equations
from codegen.route import Route, Sort
from codegen.routes import routes
from codegen.sharing import SHARED
from codegen.stages import Stages, joined
from derive.equivalent import GROUPINGS, Grouping, aligned, regrouped, slid, slides, with_short_offsets
from derive.model import Model
from derive.results import find_result

ARTICULATED = "fd3"
BODY_BY_BODY = 12  # bodies up to which each is decided on its own: beyond, counting would take too long
YARDSTICKS: dict[Sort, str] = {
    "forces": "inverse_dynamics",
    "gravity": "gravity_forces",
    "inertia": "mass_matrix",
    "articulated": "forward_dynamics",
    "tip": "jacobian",
    "energy": "potential_energy",
}
UNGROUPED = frozenset({"tip", "energy"})  # what needs no inertia, or inertia that stays where it is: on the ground, too


@dataclass(frozen=True)
class Step:
    """One choice: what was done, and the operations before and after, of the yardstick function."""

    what: str
    before: int
    after: int


@dataclass(frozen=True)
class Choice:
    """An equivalent robot, the same before its parameters were regrouped, and how it was found."""

    model: Model
    frames: Model
    steps: tuple[Step, ...]


@dataclass(eq=False)
class Choices:
    """The choices for one numeric model, each worked out when it is first asked for."""

    model: Model
    gravity: tuple[float, ...]
    _made: dict[Sort, Choice] = field(default_factory=dict)
    _routes: dict[tuple[str, bool], tuple[Route, tuple[Step, ...]]] = field(default_factory=dict)
    _programs: dict[tuple[str, str, tuple[str, ...]], Instantiated] = field(default_factory=dict)
    stages: Stages = field(init=False)

    def __post_init__(self) -> None:
        self.stages = Stages(self.robot, self.gravity)

    @property
    def armature(self) -> bool:
        """Whether a joint has a rotor."""
        return any(a != 0.0 for joint in self.model.joints for a in joint.armature)

    def robot(self, sort: Sort) -> Model:
        """The robot on which this sort of computation is done."""
        return self.choice(sort).model

    def choice(self, sort: Sort) -> Choice:
        """The robot for this sort of computation, and how it was found."""
        if sort not in self._made:
            self._made[sort] = self._search(sort)
        return self._made[sort]

    def route(
        self, function: Function, among: Collection[str] = frozenset(FUNCTIONS)
    ) -> tuple[Route, tuple[Step, ...]]:
        """The cheapest route to a function, by what each is worth, and what it saves over the first, that of its result.

        `among` are the functions of the file: what none of them has in common with this one is worth nothing.
        """
        found = routes(function, self.model, self.armature)
        key = function.name, any(route.worth > 1.0 and not route.beside.isdisjoint(among) for route in found)
        if key not in self._routes:
            costs = [self.operations(function, route) for route in found] if len(found) > 1 else [0]
            best = min(range(len(found)), key=lambda i: costs[i] / (found[i].worth if key[1] else 1.0))
            steps = (
                (Step(found[best].tail or found[best].name, costs[0], costs[best]),) if costs[best] < costs[0] else ()
            )
            self._routes[key] = found[best], steps
        return self._routes[key]

    def operations(self, function: Function, route: Route) -> int:
        """What the function takes by a route; of one that consists of what others have, its stages, which share nothing."""
        written = self.instantiated(function, route, function.inputs).program
        if route.name != SHARED:
            return operations(written)
        stages = self.stages.of(route, function, function.inputs)
        return operations(joined(function.name, written.inputs, stages, [spec.name for spec in written.outputs]))

    def instantiated(self, function: Function, route: Route, inputs: tuple[str, ...]) -> Instantiated:
        """The function by a route, each part on its robot."""
        key = (function.name, route.name, inputs)
        if key not in self._programs:
            self._programs[key] = instantiate_route(route, self.robot, function, inputs, self.gravity)
        return self._programs[key]

    def explained(self) -> Iterator[tuple[str, Step]]:
        """Everything chosen so far that saved something, and the function it was counted on."""
        for sort, choice in self._made.items():
            yield from ((YARDSTICKS[sort], step) for step in choice.steps)
        for (function, _), (_, steps) in self._routes.items():
            yield from ((function, step) for step in steps)

    def _search(self, sort: Sort) -> Choice:
        """Groupings for all bodies alike, then frames, then groupings body by body, each by counting the yardstick."""
        if sort == "tip" and not has_moving_tip(self.model):
            return Choice(self.model, self.model, ())
        start, groupings = aligned(self.model), GROUPINGS[:1] if sort in UNGROUPED else GROUPINGS
        if sort == "articulated":  # too large to be counted often; what suits composite bodies suits it
            start = self.choice("inertia").frames
        cost = self._cost(sort)
        given = cost(start)
        chosen = [min(groupings, key=lambda g: cost(regrouped(start, [g] * start.n)))] * start.n
        grouped = cost(regrouped(start, chosen))
        steps = [Step(f"inertial parameters {chosen[0] if chosen else ''}", given, grouped)]
        frames = start
        if sort != "articulated":
            frames = self._slid(start, lambda m: cost(regrouped(m, chosen)))
            steps.append(Step("origins slid along joint axes", grouped, cost(regrouped(frames, chosen))))
            if sort not in UNGROUPED and start.n <= BODY_BY_BODY:
                chosen = _refined(chosen, lambda g: cost(regrouped(frames, g)))
                steps.append(Step("inertial parameters body by body", steps[-1].after, cost(regrouped(frames, chosen))))
        return Choice(regrouped(frames, chosen), frames, tuple(step for step in steps if step.after != step.before))

    def _cost(self, sort: Sort) -> Callable[[Model], int]:
        """The operations of the sort's yardstick on a robot, by its cheapest route."""
        function = FUNCTIONS[YARDSTICKS[sort]]
        ways = routes(function, self.model, self.armature)
        if sort == "articulated":
            ways = tuple(way for way in ways if way.name == find_result(ARTICULATED).name)

        @cache
        def cost(robot: Model) -> int:
            inputs = function.inputs
            found = (instantiate_route(w, lambda _: robot, function, inputs, self.gravity) for w in ways)
            return min(operations(written.program) for written in found)

        return cost

    def _slid(self, robot: Model, cost: Callable[[Model], int]) -> Model:
        if robot.n > BODY_BY_BODY:
            return min((robot, with_short_offsets(robot)), key=cost)
        improved = True
        while improved:
            improved = False
            for body in range(robot.n):
                for distance in slides(robot, body):
                    other = slid(robot, body, distance)
                    if cost(other) < cost(robot):
                        robot, improved = other, True
                        break
        return robot


def _refined(groupings: Sequence[Grouping], cost: Callable[[Sequence[Grouping]], int]) -> list[Grouping]:
    """Each body's grouping changed where that alone saves something."""
    best = list(groupings)
    for body in range(len(best)):
        for grouping in GROUPINGS:
            other = [*best[:body], grouping, *best[body + 1 :]]
            if cost(other) < cost(best):
                best = other
    return best


def operations(program: ScalarProgram) -> int:
    """Multiplications, additions and divisions that its outputs need."""
    counted = count_equations(live_equations(program))
    return counted.multiplications + counted.additions + counted.divisions
