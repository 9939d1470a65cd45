"""Choices: the robot and the route with fewest operations, never dearer than the robot as given, the same every time."""

import itertools
from functools import cache

import numpy as np
import pytest
from oracles.choices import SPECIAL, choices_of, model_of
from oracles.kernel_laws import check_law, situation
from oracles.same_robot import assert_same_joints, assert_same_tips

from codegen.choices import BODY_BY_BODY, YARDSTICKS, Choices, operations
from codegen.functions import DENSE, FUNCTIONS
from codegen.instantiate import instantiate_route
from codegen.interpret import interpret
from codegen.ir import Const
from codegen.pipeline import kernel_programs
from codegen.routes import routes
from derive import load_model, random_chain
from derive.run import GRAVITY

ROBOTS = ("panda", "ur5", "go2", "stanford", "planar_2r", *SPECIAL)
# Most multiplications and additions, issue 6: what published generators need, and less.
MOST = {
    ("panda", "inverse_dynamics"): 600,
    ("panda", "mass_matrix"): 390,
    ("panda", "forward_dynamics"): 1150,
    ("panda", "mass_matrix_inverse"): 860,
    ("panda", "gravity_forces"): 100,
    ("ur5", "inverse_dynamics"): 295,
    ("ur5", "mass_matrix"): 165,
    ("ur5", "forward_dynamics"): 550,
    ("puma560_corke", "inverse_dynamics"): 340,
    ("puma560_corke", "mass_matrix"): 160,
    ("puma560_corke", "forward_dynamics"): 600,
}


def sorts_of(robot):
    """Articulated bodies are not for joints that follow others."""
    return [s for s in YARDSTICKS if s != "articulated" or not choices_of(robot).model.has_mimics]


def cost_on(model, sort, choices):
    """The yardstick's operations on this robot, by its cheapest route."""
    function = FUNCTIONS[YARDSTICKS[sort]]
    ways = routes(function, choices.model, choices.armature)
    if sort == "articulated":
        ways = [way for way in ways if way.name == "forward_dynamics_fd3"]
    inputs = function.inputs
    return min(operations(instantiate_route(w, lambda _: model, function, inputs, GRAVITY).program) for w in ways)


robot = pytest.mark.parametrize("robot", ROBOTS)


@robot
def test_the_robot_chosen_is_the_same_to_its_joints(robot):
    choices = choices_of(robot)
    for sort in sorts_of(robot):
        assert_same_joints(choices.robot(sort), choices.model)
        assert_same_tips(choices.choice(sort).frames, choices.model)


@robot
def test_tips_and_energies_are_computed_on_bodies_with_all_their_mass(robot):
    choices = choices_of(robot)
    assert_same_tips(choices.robot("tip"), choices.model)
    mass = sum(body.inertia.mass for body in choices.model.bodies)
    assert sum(body.inertia.mass for body in choices.robot("energy").bodies) == pytest.approx(mass)


@pytest.mark.parametrize("robot", ["ur5", "panda", "iiwa14", "puma560", "stanford", "general_6r"])
def test_entries_of_the_jacobian_that_are_always_zero_are_zeros(robot):
    """The tip of many arms is on the last axis: its origin slides there, and what multiplies J takes no products with zero."""
    (program,) = kernel_programs(load_model(robot), ["jacobian"])
    (J,) = program.program.outputs
    drawn = np.random.default_rng(0).uniform(-3, 3, (5, program.program.inputs[0].size))
    found = np.array([interpret(program.program, {"q": q})["jacobian"].ravel() for q in drawn])
    zeros = np.abs(found).max(axis=0) < 1e-12
    assert zeros.any()
    assert zeros.tolist() == [entry == Const(0.0) for entry in J.entries]


@robot
def test_a_choice_never_costs_more_than_the_robot_as_given(robot):
    choices = choices_of(robot)
    for sort in sorts_of(robot):
        if sort == "tip" and not choices.model.tips:
            continue
        assert cost_on(choices.robot(sort), sort, choices) <= cost_on(choices.model, sort, choices)


@pytest.mark.parametrize("robot", ["panda", "ur5", "tree of simple joints", "parallel"])
def test_choices_save_something(robot):
    choices = choices_of(robot)
    for sort in ("forces", "inertia", "articulated"):
        assert cost_on(choices.robot(sort), sort, choices) < 0.95 * cost_on(choices.model, sort, choices)


@robot
def test_steps_add_up_to_what_was_saved(robot):
    choices = choices_of(robot)
    for sort in sorts_of(robot):
        steps = choices.choice(sort).steps
        assert all(step.after < step.before for step in steps)
        assert all(one.after == other.before for one, other in itertools.pairwise(steps))
        if steps:
            assert steps[-1].after == cost_on(choices.robot(sort), sort, choices)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("robot", ["panda", "ur5", "floating tree", "following"])
def test_the_cheapest_route_is_taken(robot, name):
    choices, function = choices_of(robot), FUNCTIONS[name]
    if name == "innovations_factors" and choices.model.has_mimics:
        return
    found = routes(function, choices.model, choices.armature)
    costs = {r.name: choices.operations(function, r) for r in found}
    route, steps = choices.route(function)
    assert costs[route.name] / route.worth == min(costs[r.name] / r.worth for r in found)
    if steps:
        (step,) = steps
        assert (step.before, step.after) == (costs[found[0].name], costs[route.name])
        assert step.after < step.before
    else:
        assert route.name == found[0].name or costs[route.name] <= route.worth * costs[found[0].name]


@pytest.mark.parametrize("name", ["log_det_gradient", "forward_dynamics_derivatives", "kinetic_energy"])
def test_a_function_alone_takes_the_fewest_operations(name):
    """A file without those it would share with is not shorter for more."""
    choices, function = choices_of("panda"), FUNCTIONS[name]
    costs = {r.name: choices.operations(function, r) for r in routes(function, choices.model, choices.armature)}
    alone, _ = choices.route(function, [name])
    assert costs[alone.name] == min(costs.values())
    assert costs[choices.route(function)[0].name] > costs[alone.name]
    (program,) = kernel_programs_of("panda", (name,)).values()
    assert operations(program.straight_line) <= costs[alone.name]


def test_the_mass_matrix_is_for_arms_and_articulated_bodies_for_long_chains():
    """So there is something to choose. On the robots as they are, which is faster to count."""
    function = FUNCTIONS["forward_dynamics"]
    for length, best in ((6, DENSE), (BODY_BY_BODY + 3, "forward_dynamics_fd3")):
        chain = random_chain(length, 0, ("prismatic", "revolute"))
        found = {route.name: route for route in routes(function, chain, False)}
        costs = {
            name: operations(
                instantiate_route(found[name], lambda _, m=chain: m, function, function.inputs, GRAVITY).program
            )
            for name in (DENSE, "forward_dynamics_fd3")
        }
        assert min(costs, key=costs.__getitem__) == best, costs


@pytest.mark.parametrize(("robot", "function"), MOST, ids=lambda x: x)
def test_operations_are_at_most(robot, function):
    program = kernel_programs_of(robot, tuple(f for r, f in MOST if r == robot))[function]
    assert program.operations.multiplications + program.operations.additions <= MOST[robot, function]


@cache
def kernel_programs_of(robot, functions):
    return {p.name: p for p in kernel_programs(load_model(robot), functions)}


# -- the same every time ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("robot", ["ur5", "tree", "following"])
def test_choices_do_not_depend_on_the_order_of_asking(robot):
    first, second = choices_of(robot), Choices(model_of(robot), GRAVITY)
    for sort in reversed(sorts_of(robot)):
        assert first.choice(sort) == second.choice(sort)


def test_gravity_is_part_of_the_choice():
    """Without it nothing is held, and whatever is chosen costs nothing."""
    weightless = Choices(model_of("ur5"), (0.0, 0.0, 0.0))
    assert cost_free(weightless)
    assert not cost_free(choices_of("ur5"))


def cost_free(choices):
    function = FUNCTIONS["gravity_forces"]
    route, _ = choices.route(function)
    return operations(choices.instantiated(function, route, function.inputs).program) == 0


def test_named_parameters_are_numbers_by_then():
    """A symbolic model is made numeric before anything is chosen, and its programs hold for its default values."""
    model = load_model("planar_2r")
    assert model.is_symbolic
    s = situation(model)
    for p in kernel_programs(model, ["inverse_dynamics", "mass_matrix"]):
        name, with_force = p.extends or p.name, bool(p.extends)
        outputs = interpret(p.program, s.arguments(name, with_force))
        check_law(name, s, tuple(outputs.values()), 1e-12, with_force)
