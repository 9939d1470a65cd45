"""What a URDF reader must get right; the numbers are those of the list in the README."""

import math

import numpy as np
import pytest

from derive import load_model
from derive.errors import ModelWarning
from derive.inertia import com, inertia_about_com
from derive.loaders.assemble import assemble
from derive.loaders.selection import Selection
from derive.loaders.urdf import parse_urdf


def link(name, mass=1.0, xyz="0 0 0", rpy="0 0 0", inertia="1 0 0 1 0 1"):
    xx, xy, xz, yy, yz, zz = inertia.split()
    return f"""<link name="{name}"><inertial><origin xyz="{xyz}" rpy="{rpy}"/><mass value="{mass}"/>
      <inertia ixx="{xx}" ixy="{xy}" ixz="{xz}" iyy="{yy}" iyz="{yz}" izz="{zz}"/></inertial></link>"""


def joint(name, parent, child, kind="revolute", extra='<axis xyz="0 0 1"/>', xyz="0 0 0", rpy="0 0 0"):
    return f"""<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>
      <origin xyz="{xyz}" rpy="{rpy}"/>{extra}</joint>"""


def read(*parts, **selection):
    text = f'<?xml version="1.0"?>\n<robot name="r">{"".join(parts)}</robot>'
    return assemble(parse_urdf(text.encode(), "r.urdf"), Selection(**selection))


ARM = (
    link("base"),
    joint("j1", "base", "a", xyz="0 0 1"),
    link("a"),
    joint("j2", "a", "b", "prismatic", '<axis xyz="1 0 0"/>'),
    link("b"),
)


def test_fixed_joints_are_lumped_with_mass_centre_and_rotated_inertia():
    model = read(
        link("base"),
        joint("j", "base", "a"),
        link("a", mass=2.0, xyz="0.1 0 0"),
        joint("weld", "a", "b", "fixed", xyz="0 1 0", rpy=f"0 0 {math.pi / 2}"),
        link("b", mass=3.0, xyz="0 0 0.5", rpy=f"{math.pi / 2} 0 0", inertia="1 0 0 2 0 3"),
    )
    body = model.bodies[0].inertia
    assert model.n == 1
    assert body.mass == 5.0
    np.testing.assert_allclose(com(body), np.array([0.2, 3.0, 1.5]) / 5)
    # b's inertia: principal (1, 2, 3) turned by Rz(90°)·Rx(90°): x→y, y→z, z→x of body a
    I_b, c_b = np.diag([3.0, 1.0, 2.0]), np.array([0.0, 1.0, 0.5])
    I_a, c_a = np.eye(3), np.array([0.1, 0.0, 0.0])
    total = sum(I + m * ((c @ c) * np.eye(3) - np.outer(c, c)) for I, m, c in ((I_a, 2.0, c_a), (I_b, 3.0, c_b)))
    xx, xy, xz, yy, yz, zz = body.inertia
    np.testing.assert_allclose([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], total, atol=1e-15)


def test_no_inertial_means_zero_never_a_default():
    model = read('<link name="base"/>', joint("j", "base", "a"), '<link name="a"/>')
    assert model.bodies[0].inertia.is_zero


def test_mass_without_inertia_and_inertia_without_mass_are_kept():
    model = read(
        link("base"),
        joint("j", "base", "a"),
        link("a", 2.0, inertia="0 0 0 0 0 0"),
        joint("k", "a", "b"),
        link("b", 0.0),
    )
    assert model.bodies[0].inertia.mass == 2.0
    assert model.bodies[1].inertia.inertia[0] == 1.0


@pytest.mark.parametrize(("inertia", "words"), [("1 2 0 1 0 1", "positive definite"), ("1 0 0 1 0 9", "triangle")])
def test_implausible_inertia_is_kept_with_one_warning_naming_the_link(inertia, words):
    with pytest.warns(ModelWarning, match=rf"r\.urdf: a: .*{words}") as caught:
        model = read(link("base"), joint("j", "base", "a"), link("a", inertia=inertia))
    assert len(caught) == 1
    assert inertia_about_com(model.bodies[0].inertia) == tuple(map(float, inertia.split()))


def test_massless_leaf_keeps_inverse_dynamics_and_is_named():
    model = read(link("base"), joint("j", "base", "a"), link("a"), joint("loose", "a", "b"), '<link name="b"/>')
    assert model.massless_leaves == ("loose",)


def test_massless_body_with_massive_descendant_is_fine():
    model = read(
        link("base"),
        joint("j", "base", "a"),
        '<link name="a"/>',
        joint("k", "a", "b", extra='<axis xyz="1 0 0"/>'),
        link("b"),
    )
    assert model.massless_leaves == ()


def test_snapping_is_reported_and_can_be_turned_off():
    parts = (link("base"), joint("j", "base", "a", rpy="1.57079632679 0 0"), link("a"))
    snapped, raw = read(*parts), read(*parts, snap_tol=0.0)
    assert snapped.joints[0].placement.rotation[1] == (0.0, 0.0, -1.0)
    assert [(n.kind, n.about) for n in snapped.notes] == [("snapped", "j")]
    assert raw.joints[0].placement.rotation[1][1] != 0.0
    assert raw.notes == ()


def test_order_of_elements_does_not_matter():
    assert read(*ARM).digest == read(*reversed(ARM)).digest == read(*ARM, "<gazebo/>", "<!-- x -->").digest
    assert read(*ARM).digest != read(*ARM[:-1], link("b", mass=1.0000001)).digest


def test_order_of_lumped_links_does_not_matter_to_the_last_bit():
    welds = [
        part
        for k in range(6)
        for part in (link(f"w{k}", 0.1 + k / 7, f"0.3 {k / 3} 0.7"), joint(f"f{k}", "a", f"w{k}", "fixed"))
    ]
    assert read(*ARM, *welds).digest == read(*ARM, *reversed(welds)).digest


def test_siblings_come_in_file_order():
    parts = [link("base"), link("a"), link("b"), joint("second", "base", "a"), joint("first", "base", "b")]
    assert read(*parts).joint_names == ("second", "first")


def test_mimic_reduces_the_model():
    model = read(
        *ARM,
        joint("follow", "b", "c", extra='<axis xyz="0 0 1"/><mimic joint="last" multiplier="2" offset="0.5"/>'),
        link("c"),
        joint("last", "c", "d"),
        link("d"),
    )
    assert model.joint_names == ("j1", "j2", "last")
    assert model.n == 4
    assert model.joint_coordinates((0.1, 0.2, 0.3)) == ((0.1,), (0.2,), (1.1,), (0.3,))
    assert model.joint_rates((1.0, 2.0, 3.0)) == ((1.0,), (2.0,), (6.0,), (3.0,))


def test_chained_mimics_compose_and_defaults_are_one_and_zero():
    model = read(
        *ARM,
        joint("f", "b", "c", extra='<mimic joint="g" multiplier="2" offset="1"/>'),
        link("c"),
        joint("g", "c", "d", extra='<mimic joint="j1" multiplier="3" offset="-1"/>'),
        link("d"),
        joint("h", "d", "e", extra='<mimic joint="j1"/>'),
        link("e"),
    )
    assert [j.mimic and (j.mimic.master, j.mimic.multiplier, j.mimic.offset) for j in model.joints] == [
        None,
        None,
        (0, 6.0, -1.0),
        (0, 3.0, -1.0),
        (0, 1.0, 0.0),
    ]


def test_mimic_on_a_fixed_joint_is_ignored_with_a_note():
    model = read(*ARM, joint("weld", "b", "c", "fixed", '<mimic joint="nobody"/>'), link("c"))
    assert model.nv == 2
    assert [(n.kind, n.about) for n in model.notes] == [("ignored", "weld")]


def test_mimics_can_be_made_independent():
    model = read(*ARM, joint("f", "b", "c", extra='<mimic joint="nobody"/>'), link("c"), mimic="independent")
    assert model.nv == 3


def test_continuous_is_one_unlimited_coordinate():
    model = read(
        link("base"),
        joint("j", "base", "a", "continuous", '<limit lower="-1" upper="1" effort="5" velocity="2"/>'),
        link("a"),
    )
    assert (model.nq, model.nv, model.joints[0].limits.lower, model.joints[0].limits.effort) == (1, 1, None, 5.0)


def test_axis_defaults_to_x_is_normalised_and_keeps_its_sign():
    assert read(link("base"), joint("j", "base", "a", extra=""), link("a")).joints[0].geometry.axis == (1.0, 0.0, 0.0)
    axis = read(link("base"), joint("j", "base", "a", extra='<axis xyz="0 -3 4"/>'), link("a")).joints[0].geometry.axis
    assert axis == pytest.approx((0.0, -0.6, 0.8))


def test_damping_and_friction_are_carried():
    model = read(
        link("base"), joint("j", "base", "a", extra='<dynamics damping="0.7" friction="0.2" odd="x"/>'), link("a")
    )
    assert (model.joints[0].damping, model.joints[0].friction) == ((0.7,), (0.2,))


def test_what_is_not_used_is_not_validated():
    junk = '<transmission name="t"><joint name="x"/></transmission><sensor a="${b}"/><link2/><material name=""/>'
    assert (
        read(
            *ARM,
            junk,
            "<link name='c'><visual><geometry><mesh filename='$(find x)'/></geometry></visual></link>",
            joint("k", "b", "c", "fixed"),
        ).nv
        == 2
    )


@pytest.mark.parametrize(
    "head",
    [b"\xef\xbb\xbf", b"<!-- exported -->\n", b"\r\n\r\n", b"\xef\xbb\xbf<!-- a --> <!-- b\n\n -->\n"],
    ids=["bom", "comment", "crlf", "all"],
)
def test_what_stands_before_the_declaration_is_skipped(head):
    text = head + f'<?xml version="1.0" encoding="utf-8"?>\r\n<robot name="r">{"".join(ARM)}</robot>'.encode()
    assert assemble(parse_urdf(text, "r.urdf")).nv == 2


def test_floating_base_is_an_option():
    model = read(*ARM, floating=True)
    assert (model.nq, model.nv, model.joint_names[0]) == (9, 8, "root_joint")
    assert model.bodies[0].inertia.mass == 1.0


@pytest.mark.parametrize("kind", ["planar", "floating", "spherical"])
def test_other_joint_types_are_read(kind):
    model = read(link("base"), joint("j", "base", "a", kind), link("a"))
    assert model.joints[0].kind.name == kind


@pytest.mark.parametrize("parts", [(link("only"),), (link("a"), joint("w", "a", "b", "fixed"), link("b"))])
def test_robots_without_freedom_are_valid(parts):
    model = read(*parts)
    assert (model.n, model.nq, model.nv) == (0, 0, 0)
    assert len(model.tips) == 1


def test_lock_replaces_a_joint_by_a_fixed_one_at_its_value():
    model = read(*ARM, lock={"j1": math.pi / 2})
    assert model.joint_names == ("j2",)
    assert model.joints[0].placement.rotation == ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    assert model.joints[0].placement.translation == (0.0, 0.0, 1.0)


def test_locking_a_master_locks_its_mimics():
    model = read(
        *ARM,
        joint("f", "b", "c", extra='<axis xyz="0 0 1"/><mimic joint="j1" multiplier="2"/>'),
        link("c"),
        lock={"j1": 0.25},
    )
    assert model.joint_names == ("j2",)


def test_base_and_tip_select_a_sub_arm_and_say_what_was_dropped():
    hand = (joint("finger", "b", "f"), link("f"), joint("weld", "b", "camera", "fixed"), link("camera", mass=0.5))
    model = read(*ARM, *hand, tip=("b",))
    assert model.joint_names == ("j1", "j2")
    assert model.bodies[1].inertia.mass == 1.5  # what is rigidly attached stays
    assert [(n.kind, n.about) for n in model.notes] == [("dropped", "finger")]
    assert [t.name for t in model.tips] == ["b"]
    assert read(*ARM, *hand, base="a").joint_names == ("j2", "finger")
    assert read(*ARM, *hand, tip=("b",), prune=False).nv == 3


def test_several_tips_keep_every_branch_that_leads_to_one():
    fork = (
        joint("l", "b", "left"),
        link("left"),
        joint("r", "b", "right"),
        link("right"),
        joint("x", "a", "extra"),
        link("extra"),
    )
    model = read(*ARM, *fork, tip=("left", "right"))
    assert model.joint_names == ("j1", "j2", "l", "r")
    assert [t.name for t in model.tips] == ["left", "right"]


def test_default_tip_is_the_outermost_link():
    assert [t.name for t in read(*ARM, joint("weld", "b", "tool", "fixed", xyz="0 0 1"), link("tool")).tips] == ["tool"]


def test_a_path_loads_a_file(tmp_path):
    file = tmp_path / "Robot.URDF"
    file.write_text(f"<robot name='x'>{''.join(ARM)}</robot>")
    assert load_model(file).nv == load_model(str(file)).nv == 2
