import json

from codegen.cli import main
from codegen.functions import FUNCTIONS
from codegen.published_counts import PUBLISHED, published_for
from derive import bundled_robots, load_model


def test_every_figure_is_for_a_robot_and_a_function_there_are():
    for count in PUBLISHED:
        assert count.robot in bundled_robots()
        assert count.function in FUNCTIONS
        assert count.by
    assert len({(c.robot, c.function, c.by) for c in PUBLISHED}) == len(PUBLISHED)


def test_figures_are_for_the_robot_as_bundled_only():
    assert {count.robot for count in published_for(load_model("panda"))} == {"panda"}
    assert published_for(load_model("panda", lock={"panda_joint3": 0.1})) == ()
    assert published_for(load_model("planar_2r")) == ()


def test_count_prints_figures_beside_ours(capsys):
    assert main(["count", "general_6r", "--functions", "inverse_dynamics"]) == 0
    out = capsys.readouterr().out
    assert main(["count", "general_6r", "--functions", "inverse_dynamics", "--json"]) == 0
    ours = json.loads(capsys.readouterr().out)["inverse_dynamics"]
    total = ours["multiplications"] + ours["additions"]
    (line,) = [line for line in out.splitlines() if "Khalil" in line]
    assert line.split()[-5:] == ["425", "369", "794", str(total), f"{794 / total:.2f}×"]
    assert ours["published"][0]["by"] == "Luh, Walker and Paul"


def test_general_6r_has_no_special_numbers():
    """A zero anywhere in its table would let it off operations that a general robot needs."""
    model = load_model("general_6r").numeric()
    for body in model.bodies:
        assert 0.0 not in body.inertia.scalars
    for joint in model.joints[1:]:
        assert all(joint.placement.translation[i] != 0.0 for i in (0, 2))
