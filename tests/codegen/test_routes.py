"""Every route to every function obeys the function's law, on each robot that its parts are run on."""

import pytest
from oracles.choices import choices_of
from oracles.kernel_laws import check_law, situation
from oracles.small_robots import mass_on_the_axis

from codegen.choices import Choices
from codegen.errors import FunctionError
from codegen.functions import DENSE, FUNCTIONS, chosen_functions, has_moving_tip
from codegen.interpret import interpret
from codegen.pipeline import kernel_programs
from codegen.route import Sweeps, sweeps_text
from codegen.routes import chosen_route, routes
from derive import SingularModelError
from derive.recursion import Direction
from derive.run import GRAVITY

ROBOTS = (
    "panda",
    "ur5",
    "go2",
    "talos_torso",
    "tree",
    "other tree",
    "floating tree",
    "following",
    "parallel",
)
# Of several recursions to one function, large robots run the last, and what competes with it.
LARGE = ("go2", "talos_torso")


def routes_of(robot, function):
    choices = choices_of(robot)
    return routes(function, choices.model, choices.armature)


def check_route(robot, function, route, tolerance=1e-11):
    choices = choices_of(robot)
    for with_force in (False, True)[: 1 + bool(function.optional and has_moving_tip(choices.model))]:
        s = situation(choices.model, 3)
        inputs = (*function.inputs, *(function.optional if with_force else ()))
        outputs = interpret(
            choices.instantiated(function, route, inputs).program, s.arguments(function.name, with_force)
        )
        check_law(function.name, s, tuple(outputs.values()), tolerance, with_force)


# As many numbers as rates cubed: of large robots tests/derive/results/test_derivatives.py runs the recursion.
ROUTES = [(robot, name) for robot in ROBOTS for name, row in FUNCTIONS.items() if not (row.cubic and robot in LARGE)]


@pytest.mark.parametrize(("robot", "name"), ROUTES)
def test_every_route_obeys_the_law_of_its_function(robot, name):
    model = choices_of(robot).model
    if FUNCTIONS[name] not in chosen_functions(model, None):
        with pytest.raises(FunctionError):
            kernel_programs(model, [name])
        return
    found = routes_of(robot, FUNCTIONS[name])
    assert found
    for route in found[-2:] if robot in LARGE else found:
        check_route(robot, FUNCTIONS[name], route)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_routes_of_a_function_have_different_names(name):
    names = [route.name for route in routes_of("ur5", FUNCTIONS[name])]
    assert len(set(names)) == len(names) > 0


def test_forward_dynamics_has_the_four_published_ways_and_one_more():
    names = [route.name for route in routes_of("ur5", FUNCTIONS["forward_dynamics"])]
    assert names == [f"forward_dynamics_fd{i}" for i in (1, 2, 3, 4)] + [DENSE]


@pytest.mark.parametrize("name", [name for name, function in FUNCTIONS.items() if function.inverts])
def test_with_joints_that_follow_others_only_the_mass_matrix_is_inverted(name):
    assert [route.name for route in routes_of("following", FUNCTIONS[name])] == [DENSE]


def test_scalar_elimination_is_not_offered_where_D_has_blocks():
    function = FUNCTIONS["innovations_factors"]
    assert DENSE not in [route.name for route in routes_of("floating tree", function)]
    assert DENSE in [route.name for route in routes_of("ur5", function)]


@pytest.mark.parametrize("algorithm", ["fd1", "fd3"])
def test_articulated_bodies_are_refused_by_name_where_joints_follow_others(algorithm):
    model = choices_of("following").model
    with pytest.raises(FunctionError, match=rf"'r': joints that follow others.*{algorithm}.*use ldl"):
        kernel_programs(model, ["forward_dynamics"], algorithm=algorithm)
    plain, _ = kernel_programs(model, ["forward_dynamics"], algorithm=DENSE)
    s = situation(model)
    outputs = interpret(plain.program, s.arguments("forward_dynamics"))
    check_law("forward_dynamics", s, tuple(outputs.values()), 1e-12)


def test_a_route_is_chosen_by_name():
    function, model = FUNCTIONS["forward_dynamics"], choices_of("ur5").model
    for route in routes_of("ur5", function):
        assert chosen_route(function, model, route.name, False).name == route.name


@pytest.mark.parametrize("name", [name for name, function in FUNCTIONS.items() if function.inverts])
def test_a_joint_that_moves_no_mass_is_refused_by_name_on_every_route(name):
    """There is mass on its axis, so only elimination finds out."""
    model = mass_on_the_axis()
    choices = Choices(model, GRAVITY)
    function = FUNCTIONS[name]
    for route in routes(function, model, False):
        with pytest.raises(SingularModelError, match=r"'joint2',? (which )?moves nothing with mass"):
            choices.instantiated(function, route, function.inputs)


# -- what a route says of itself --------------------------------------------------------------------------------------------


def test_sweeps_are_counted_over_all_parts():
    route = next(r for r in routes_of("ur5", FUNCTIONS["forward_dynamics"]) if r.name == DENSE)
    assert len(route.parts) == 5
    assert route.sweeps.startswith("3 sweeps: tip to base, base to tip, tip to base; then mass = L D L*")
    assert sweeps_text([Direction.TIP_TO_BASE]) == "1 sweep: tip to base"


def test_where_an_output_is_wanted_alone_the_sweeps_after_it_are_not_done():
    matrix, derivatives = (
        next(r for r in routes_of("ur5", FUNCTIONS[name]) if r.name == "shared")
        for name in ("coriolis_matrix", "inverse_dynamics_derivatives")
    )
    assert matrix.sweeps == "2 sweeps: base to tip, tip to base"
    assert derivatives.sweeps.startswith("3 sweeps: base to tip, tip to base, tip to base; then")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_equations_say_which_sweep_they_come_from(name):
    """Numbered through all parts, out of as many as the route has."""
    function, choices = FUNCTIONS[name], choices_of("ur5")
    for route in routes_of("ur5", function):
        count = sum(len(part.directions) for part in route.parts)
        program = choices.instantiated(function, route, function.inputs).program
        sweeps = {e.origin.sweep for e in program.equations if e.origin.sweep.startswith("sweep")}
        numbers = {sweep.split(" ")[1] for sweep in sweeps}
        assert numbers <= {f"{i + 1}/{count}" for i in range(count)}
        assert numbers


def test_a_recursion_of_a_route_is_conventional():
    """τ by the inertial derivative: U is there to be shared."""
    (route,) = routes_of("ur5", FUNCTIONS["inverse_dynamics"])
    (part,) = route.parts
    assert isinstance(part, Sweeps)
    assert "U" in part.recursion.names
