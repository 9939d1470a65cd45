import numpy as np

from codegen.trust.cases import HARD, draw_cases, input_errors, stacked
from derive import load_model, reference
from derive.states import configuration


def test_the_same_seed_gives_the_same_states():
    model = load_model("ur5")
    first, second, other = (draw_cases(model, 5, seed) for seed in (1, 1, 2))
    assert [c.name for c in first] == [c.name for c in second]
    assert all(np.array_equal(a.inputs["q"], b.inputs["q"]) for a, b in zip(first, second, strict=True))
    assert not all(np.array_equal(a.inputs["q"], b.inputs["q"]) for a, b in zip(first, other, strict=True))


def test_hard_states_are_what_their_names_say():
    model = load_model("ur5")
    by_name = {c.name: c.inputs for c in draw_cases(model, 3, 0)}
    assert set(HARD) <= set(by_name)
    assert np.all(by_name["q = 1e5"]["q"] == 1e5)
    assert np.all(by_name["q denormal"]["q"] == 1e-310)
    assert np.all(by_name["at rest"]["qd"] == 0)
    assert np.max(np.abs(by_name["rates huge"]["qd"])) > 1e5
    values = np.linalg.svd(reference.jacobian(model, by_name["singular tip"]["q"]), compute_uv=False)
    assert values[-1] < 1e-12 * values[0]
    limits = [j.limits.upper for j in model.joints]
    assert by_name["upper limits"]["q"].tolist() == limits
    conditions = {n: np.linalg.cond(reference.mass_matrix(model, i["q"])) for n, i in by_name.items()}
    assert conditions["D near singular"] >= conditions["random 0"]


def test_rounded_states_are_float32s_and_quaternions_are_left_to_float():
    arm, dog = load_model("ur5"), load_model("go2")
    for case in draw_cases(arm, 2, 0):
        if case.single:
            assert np.array_equal(case.inputs["q"], case.inputs["q"].astype(np.float32))
            assert case.reals == ("double", "float")
    cases = draw_cases(dog, 2, 0)
    assert {case.reals for case in cases} == {("double",), ("float",)}
    assert all(configuration(dog, case.inputs["q"]) is not None for case in cases)
    errors = input_errors(dog, stacked(cases), "double")
    assert np.max(errors["q"][:, 3:7]) > 0
    assert np.all(errors["q"][:, 7:] == 0)
