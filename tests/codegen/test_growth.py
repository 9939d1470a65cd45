"""How the operations of a function grow with the robot: a vector over n joints is O(n), a matrix O(n²), a tensor O(n³).

Counted on chains of general geometry, the operations of a recursion are a polynomial in the number of links as soon as the ends
are far enough apart, so one more difference than its degree vanishes. Other routes are taken only where they cost less
(`codegen/choices.py`), or, on arms of fewer than `MANY_RATES` rates, where they are worth more.
"""

from functools import cache

import numpy as np
import pytest

from codegen.choices import Choices, operations
from codegen.functions import FUNCTIONS, MANY_RATES
from codegen.instantiate import instantiate_route
from codegen.pipeline import kernel_programs
from codegen.routes import routes
from derive import random_chain, random_tree
from derive.random_models import ONE_DOF
from derive.run import GRAVITY

DERIVATIVES = [name for name, row in FUNCTIONS.items() if row.differentiates]
MOST = {"log_det_gradient": 1.75}  # times the operations of the recursion, for a shorter text
FEWEST = 6  # links from which the ends are far enough apart


def degree(function):
    """How many axes over the joints its largest output has, or 1, a sweep: numbers, poses and tip vectors have none."""
    n = 7  # unlike the sizes of spatial vectors
    shapes = [output.shape for output in program(function.name, n).outputs]
    return max(1, *(shape.count(n) for shape in shapes))


@cache
def program(name, links):
    model, function = random_chain(links, 3), FUNCTIONS[name]
    first, *_ = routes(function, model, False)
    return instantiate_route(first, lambda _: model, function, function.inputs, GRAVITY).program


@pytest.mark.parametrize("name", FUNCTIONS)
def test_operations_are_a_polynomial_of_the_degree_of_what_comes_out(name):
    expected = degree(FUNCTIONS[name])
    counts = [operations(program(name, FEWEST + i)) for i in range(expected + 3)]
    leading = np.diff(counts, expected)
    assert leading.min() > 0
    # Where sums happen to be shared, an operation or two go missing.
    assert np.abs(np.diff(leading)).max() <= 0.002 * leading.max()


@pytest.mark.parametrize("links", [4, 8, MANY_RATES - 1, MANY_RATES + 1])
def test_what_is_taken_costs_little_more_than_the_recursion(links):
    """By default, of all that is written: loops over everything, and parts that other functions have."""
    model = random_chain(links, 3)
    choices = Choices(model, GRAVITY)
    names = [name for name in DERIVATIVES if links < MANY_RATES or not FUNCTIONS[name].cubic]
    for written in kernel_programs(model, names, choices=choices):
        function = FUNCTIONS[written.name]
        first, *_ = routes(function, model, False)
        recursion = operations(choices.instantiated(function, first, function.inputs).program)
        assert operations(written.straight_line) <= MOST.get(written.name, 1.1) * recursion, written.name


@pytest.mark.parametrize("links", [MANY_RATES - 1, MANY_RATES + 1])
def test_the_jacobians_rate_comes_from_the_jacobian_however_many_links(links):
    """It takes a third of the operations, on trees too."""
    for model in (random_chain(links, 3), random_tree(links, 2, ONE_DOF)):
        (written,) = kernel_programs(model, ["jacobian_derivative"])
        first, *_ = routes(FUNCTIONS["jacobian_derivative"], model, False)
        recursion = instantiate_route(first, lambda _, m=model: m, FUNCTIONS[written.name], ("q", "qd"), GRAVITY)
        assert operations(written.straight_line) < 0.5 * operations(recursion.program)
