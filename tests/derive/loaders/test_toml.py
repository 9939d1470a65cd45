import re

import pytest

from derive.errors import ModelError
from derive.loaders import ROBOTS
from derive.loaders.assemble import assemble
from derive.loaders.toml import parse_toml


def read(text):
    return assemble(parse_toml(text.encode(), "r.toml"))


EVERY_KIND = """
name = "zoo"
tips = ["i"]
[parameters]
h = 0.1
[[link]]
name = "a"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[[joint]]
name = "float"
type = "floating"
parent = "world"
child = "a"
""" + "".join(
    f"""
[[link]]
name = "{child}"
mass = 1
com = [0.1, 0, 0]
inertia = {{ xx = 1, yy = 1, zz = 1 }}
[[joint]]
name = "{kind}"
type = "{kind}"
parent = "{parent}"
child = "{child}"
xyz = [0, 0, "2*h"]
{extra}
"""
    for kind, parent, child, extra in [
        ("revolute", "a", "b", "axis = [0, 0, 1]\narmature = 0.5\ndamping = 0.1\nlower = -1\nupper = 1"),
        ("continuous", "b", "c", "axis = [0, 0, 2]"),
        ("prismatic", "c", "d", 'axis = [0, 1, 0]\nrpy = ["pi/2", 0, 0]'),
        ("helical", "d", "e", 'axis = [0, 1, 0]\npitch = "h"'),
        ("cylindrical", "e", "f", "axis = [0, 1, 0]"),
        ("universal", "f", "g", "axis = [0, 1, 0]\naxis2 = [1, 0, 0]"),
        ("planar", "g", "h", "axis = [0, 1, 1]"),
        ("spherical", "h", "i", ""),
        ("fixed", "i", "j", ""),
    ]
)


def test_every_joint_kind_is_read():
    model = read(EVERY_KIND)
    assert [j.kind.name for j in model.joints] == [
        *(
            "floating",
            "revolute",
            "continuous",
            "prismatic",
            "helical",
            "cylindrical",
            "universal",
            "planar",
            "spherical",
        )
    ]
    assert (model.nq, model.nv) == (7 + 1 + 1 + 1 + 1 + 2 + 2 + 3 + 4, 6 + 1 + 1 + 1 + 1 + 2 + 2 + 3 + 3)
    assert model.joints[1].armature == (0.5,)
    assert model.coordinate_names[:7] == tuple(f"float.{c}" for c in ("x", "y", "z", "qx", "qy", "qz", "qw"))


def test_parameters_stay_symbols_until_asked_for():
    model = read(EVERY_KIND)
    assert model.is_symbolic
    assert str(model.joints[1].placement.translation[2]) == "2.0*h"
    assert model.numeric().joints[1].placement.translation[2] == 0.2
    assert model.numeric({"h": 1.0}).joints[1].placement.translation[2] == 2.0
    assert not model.numeric().is_symbolic


ONE_JOINT = """
[[link]]
name = "a"
mass = 2
{link}
[[joint]]
name = "j"
type = "revolute"
axis = [0, 0, 1]
parent = "world"
child = "a"
"""


def test_world_may_be_a_link_of_the_file():
    assert read(ONE_JOINT.format(link="") + '[[link]]\nname = "world"').nv == 1


def test_inertia_about_the_origin():
    text = ONE_JOINT.format(link='com = [1, 0, 0]\ninertia_about = "{}"\ninertia = {{ xx = 5, yy = 5, zz = 5 }}')
    assert read(text.format("origin")).bodies[0].inertia.inertia == (5.0, 0.0, 0.0, 5.0, 0.0, 5.0)
    assert read(text.format("com")).bodies[0].inertia.inertia == (5.0, 0.0, 0.0, 7.0, 0.0, 7.0)


def test_a_remark_takes_the_place_of_the_warning():
    notes = read(ONE_JOINT.format(link='remark = "known"\ninertia = { zz = 5 }')).notes
    assert [(n.kind, n.about) for n in notes] == [("remark", "a")]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('a = "m3"', "unknown parameter 'm3'"),
        ('a = "m1*("', "not a number or an expression"),
        ("a = 3", "text"),
    ],
)
def test_constants_that_make_no_sense_are_refused(line, message):
    text = (ROBOTS / "planar_2r.toml").read_text().replace("[[link]]", f"[constants]\n{line}\n\n[[link]]", 1)
    with pytest.raises(ModelError, match=message):
        parse_toml(text.encode(), "arm.toml")


def test_constants_do_not_change_what_the_robot_is():
    text = (ROBOTS / "planar_3r.toml").read_text()
    bare = re.sub(r"\[constants\].*?\n\n", "", text, flags=re.S)
    with_names, without = read(text), read(bare)
    assert (len(with_names.constants), without.constants) == (6, ())
    assert with_names.digest == without.digest
