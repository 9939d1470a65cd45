import pytest

from codegen import compile_kernels
from codegen.bench.ours import reference_contender
from codegen.bench.peers.peer import PeerError
from codegen.bench.peers.pinocchio_python import CALLS, PinocchioPython
from codegen.bench.problem import AGREEMENT, Problem, disagreement, draw_states
from derive import load_model, random_tree
from derive.random_models import ALL_KINDS

GRAVITY = (0.3, -0.2, -9.7)


@pytest.fixture(scope="module", params=["every kind of joint", "floating tree", "panda"])
def problem(request):
    models = {
        "every kind of joint": lambda: random_tree(12, 4, ALL_KINDS),
        "floating tree": lambda: random_tree(5, 2, floating=True),
        "panda": lambda: load_model("panda"),
    }
    model = models[request.param]()
    kernels = compile_kernels(model, ["potential_energy"], backend="numpy", gravity=GRAVITY)
    return Problem(model, kernels, draw_states(model, 4))


@pytest.mark.parametrize("function", CALLS)
def test_pinocchio_computes_our_functions_of_our_robot(problem, function):
    (contender,) = PinocchioPython().contenders(problem, function)
    contender.run(3)
    expected = reference_contender(problem, function).results()
    assert disagreement(contender, expected) <= AGREEMENT


def test_what_it_cannot_do_is_said(planar):
    with pytest.raises(PeerError, match="kinetic_energy takes several calls"):
        PinocchioPython().contenders(planar, "kinetic_energy")
