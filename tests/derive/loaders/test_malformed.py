"""Bad robot files: each gives one line that names file, element and remedy, and the command exits 2."""

import contextlib
import os
import re
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codegen.cli import main
from derive import DeriveError, bundled_robots, load_model
from derive.loaders import ROBOTS, assemble
from derive.loaders.files import MAX_BYTES
from derive.loaders.toml import parse_toml
from derive.loaders.urdf import parse_urdf

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
BASE, A, B = (f'<link name="{n}">{INERTIAL}</link>' for n in ("base", "a", "b"))


def joint(name="j", parent="base", child="a", kind="revolute", inner='<axis xyz="0 0 1"/>'):
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inner}</joint>'


def robot(*parts):
    return f'<?xml version="1.0"?>\n<robot name="r">\n{"".join(parts)}\n</robot>'


def mass(value):
    return robot(BASE, joint(), A.replace('<mass value="1"/>', value))


URDF_CASES = {  # what: (file content, words that the message must hold)
    "empty robot": ('<robot name="r"/>', "no links"),
    "empty file": ("", "not well-formed XML"),
    "only text": ("hello", "line 1.*not well-formed"),
    "truncated": (robot(BASE, joint(), A)[:-20], "not well-formed"),
    "wrong root tag": ("<model/>", "root element is <model>"),
    "an sdf file": ("<sdf/>", "an SDF file.*convert"),
    "a mujoco file": ("<mujoco/>", "MuJoCo"),
    "two roots": (robot(BASE, A, B, joint()), "2 root links: 'base', 'b'"),
    "cycle": (robot(A, B, joint("j", "a", "b"), joint("k", "b", "a")), "cycle.*a → b → a|cycle.*b → a → b"),
    "cycle beside a tree": (robot(BASE, A, B, joint("j", "a", "b"), joint("k", "b", "a")), "cycle"),
    "own parent": (robot(BASE, A, joint("j", "a", "a")), "cycle"),
    "missing child link": (robot(BASE, joint()), r"joint 'j' \(line 3\): child link 'a' does not exist"),
    "missing parent link": (robot(A, joint(parent="bas")), "parent link 'bas' does not exist"),
    "near miss in a link's name": (robot(BASE, A, joint(parent="bse")), "close: base"),
    "two parents": (robot(BASE, A, B, joint(), joint("k", "b", "a")), "'a' is already the child of joint 'j'"),
    "duplicate links": (robot(BASE, A, A, joint()), "two links named 'a'"),
    "duplicate joints": (robot(BASE, A, B, joint(), joint("j", "a", "b")), "two joints named 'j'"),
    "link without name": (robot("<link/>"), "<link> has no name"),
    "joint without name": (robot(BASE, '<joint type="fixed"/>'), "<joint> has no name"),
    "joint without type": (robot(BASE, '<joint name="j"/>'), "joint 'j'.*no type"),
    "joint without parent": (robot(BASE, '<joint name="j" type="fixed"/>'), "joint 'j'.*no <parent>"),
    "joint without child": (robot(BASE, '<joint name="j" type="fixed"><parent link="base"/></joint>'), "no <child>"),
    "unknown joint type": (robot(BASE, A, joint(kind="ball")), "joint type 'ball' is not known; use one of revolute"),
    "zero axis": (robot(BASE, A, joint(inner='<axis xyz="0 0 0"/>')), "joint 'j'.*axis is zero"),
    "axis with two numbers": (robot(BASE, A, joint(inner='<axis xyz="0 1"/>')), "axis.*3 finite numbers"),
    "four-element xyz": (robot(BASE, A, joint(inner='<origin xyz="0 0 0 1"/>')), "xyz='0 0 0 1'.*3 finite"),
    "comma after a number": (robot(BASE, A, joint(inner='<origin xyz="0.07, 0 0"/>')), "xyz='0.07, 0 0'"),
    "word for a number": (robot(BASE, A, joint(inner='<origin rpy="a b c"/>')), "rpy='a b c'"),
    "NaN": (robot(BASE, A, joint(inner='<origin xyz="nan 0 0"/>')), "finite"),
    "infinity": (robot(BASE, A, joint(inner='<origin xyz="1e999 0 0"/>')), "finite"),
    "NaN limit": (robot(BASE, A, joint(inner='<limit lower="nan"/>')), "limit.*lower='nan'"),
    "underscored number": (robot(BASE, A, joint(inner='<origin xyz="1_0 0 0"/>')), "1_0"),
    "negative mass": (mass('<mass value="-1"/>'), "link 'a'.*mass is -1"),
    "NaN mass": (mass('<mass value="nan"/>'), "link 'a'.*<mass> value='nan'"),
    "no mass": (mass(""), "link 'a'.*has no <mass>"),
    "empty mass": (mass('<mass value=""/>'), "<mass> has no value"),
    "missing inertia entry": (robot(BASE, joint(), A.replace('iyz="0"', "")), "<inertia> has no iyz"),
    "dangling mimic": (
        robot(BASE, A, joint(inner='<mimic joint="k"/>')),
        "'k', which does not exist.*mimic='independent'",
    ),
    "mimic of itself": (robot(BASE, A, joint(inner='<mimic joint="j"/>')), "mimics itself"),
    "mimic circle": (
        robot(BASE, A, B, joint(inner='<mimic joint="k"/>'), joint("k", "a", "b", inner='<mimic joint="j"/>')),
        "j → k → j",
    ),
    "mimic of a planar joint": (
        robot(BASE, A, B, joint(kind="planar"), joint("k", "a", "b", inner='<mimic joint="j"/>')),
        "mimics the planar joint",
    ),
    "planar mimic": (
        robot(BASE, A, B, joint(), joint("k", "a", "b", "planar", '<mimic joint="j"/>')),
        "planar joint cannot",
    ),
    "mimic without joint": (robot(BASE, A, joint(inner="<mimic/>")), "<mimic> has no joint"),
    "unresolved xacro property": (robot(BASE, A, joint(inner='<origin xyz="${x} 0 0"/>')), "not expanded; run xacro"),
    "unresolved xacro find": (robot('<link name="$(arg n)"/>'), "run xacro"),
    "xacro element": (robot("<xacro:macro/>"), "line 3.*<xacro:macro>; run xacro"),
    "entity bomb": (
        '<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><robot name="&b;"/>',
        "declares the entity 'a'",
    ),
    "unknown encoding": ('<?xml version="1.0" encoding="klingon"?><robot/>', "encoding"),
    "name with a line break": (robot('<link name="a&#10;b"/>', '<link name="c"/>'), "2 root links"),
}

JOINT = '[[joint]]\nname = "j"\ntype = "{}"\nparent = "world"\nchild = "a"\n{}\n'
LINK = '[[link]]\nname = "a"\nmass = 1\n{}\n'
DH = '[dh]\nconvention = "{}"\ninertia_about = "{}"\n'
ROW = "[[dh.joint]]\nalpha = 0\na = 0\nd = 0\n{}\n"

TOML_CASES = {
    "not TOML": ("name = = 1", "is not TOML"),
    "binary": (b"\x89PNG\r\n\x1a\n\xff\xfe", "UTF-8"),
    "empty": ("", "no links"),
    "unknown key": (
        LINK.format("mas = 1") + JOINT.format("spherical", ""),
        "link 'a'.*unknown key 'mas'; did you mean 'mass'",
    ),
    "unknown key at the top": ("colour = 1\n" + LINK.format(""), "unknown key 'colour'"),
    "mass is a list": (
        LINK.format("").replace("mass = 1", "mass = [1]"),
        "link 'a'.*mass = \\[1\\] is not a finite number",
    ),
    "mass is true": (LINK.format("").replace("mass = 1", "mass = true"), "mass = True"),
    "NaN mass": (LINK.format("").replace("mass = 1", "mass = nan"), "mass = nan"),
    "huge mass": (LINK.format("").replace("mass = 1", "mass = " + "9" * 400), "not a finite number"),
    "negative mass": (LINK.format("").replace("mass = 1", "mass = -1"), "mass is -1"),
    "negative mass by parameter": (
        "[parameters]\nm = -1\n" + LINK.format("").replace("mass = 1", 'mass = "m"') + JOINT.format("spherical", ""),
        "mass is negative",
    ),
    "parameter without value": (
        LINK.format("").replace("mass = 1", 'mass = "m1"'),
        "parameter 'm1' has no value.*\\[parameters\\]",
    ),
    "bad parameter name": ('[parameters]\n"a b" = 1\n' + LINK.format(""), "'a b' cannot name a parameter"),
    "parameter called pi": ("[parameters]\npi = 3\n" + LINK.format(""), "pi"),
    "expression with a call": (LINK.format("").replace("mass = 1", 'mass = "sin(m)"'), "mass: 'sin\\(m\\)'"),
    "com of two numbers": (LINK.format("com = [1, 2]"), "com = \\[1, 2\\] is not three values"),
    "inertia is a number": (LINK.format("inertia = 3"), "link 'a' inertia.*not a table"),
    "unknown inertia key": (LINK.format("inertia = { ixx = 1 }"), "unknown key 'ixx'"),
    "symbolic angle": (LINK.format("") + JOINT.format("spherical", 'rpy = ["a", 0, 0]'), "rpy = 'a' holds a parameter"),
    "link is not a list": ('link = "a"', "list of tables"),
    "link without name": ("[[link]]\nmass = 1", "link number 1.*no 'name'"),
    "unknown joint type": (LINK.format("") + JOINT.format("hinge", ""), "type = 'hinge' is not known"),
    "no axis": (LINK.format("") + JOINT.format("revolute", ""), "joint 'j'.*axis is zero or missing"),
    "zero axis": (LINK.format("") + JOINT.format("revolute", "axis = [0, 0, 0]"), "axis is zero"),
    "helical without pitch": (LINK.format("") + JOINT.format("helical", "axis = [0, 0, 1]"), "no 'pitch'"),
    "parallel universal axes": (
        LINK.format("") + JOINT.format("universal", "axis = [0, 0, 1]\naxis2 = [0, 0, -2]"),
        "parallel",
    ),
    "unknown tip": ('tips = ["z"]\n' + LINK.format(""), "tips names 'z'"),
    "dangling mimic": (
        LINK.format("") + JOINT.format("revolute", 'axis = [0, 0, 1]\nmimic = { joint = "k" }'),
        "joint 'j'.*'k', which does not exist",
    ),
    "unknown DH convention": (
        DH.format("classic", "com") + ROW.format(""),
        "convention = 'classic'.*standard, modified",
    ),
    "no DH convention": ('[dh]\ninertia_about = "com"\n' + ROW.format(""), "dh.*no 'convention'"),
    "no inertia_about": ('[dh]\nconvention = "standard"\n' + ROW.format(""), "no 'inertia_about'"),
    "DH table without rows": (DH.format("standard", "com"), "no joints"),
    "DH row without alpha": (DH.format("standard", "com") + "[[dh.joint]]\na = 0\nd = 0", "no 'alpha'"),
    "DH revolute with theta": (DH.format("modified", "com") + ROW.format("theta = 1"), "write offset"),
    "DH prismatic with d": (
        DH.format("modified", "com") + ROW.format('type = "prismatic"\ntheta = 0'),
        "gives d of a prismatic",
    ),
    "DH armature twice": (
        DH.format("modified", "com") + ROW.format("armature = 1\nmotor_inertia = 1"),
        "both armature",
    ),
    "DH and links": (DH.format("modified", "com") + ROW.format("") + LINK.format(""), "one way"),
    "deeply nested": ("a = " + "[" * 5000, "is not TOML"),
}


def check(message, path, words):
    assert "\n" not in message
    assert message.startswith(str(path))
    assert re.search(words, message), message
    assert "; " in message  # the remedy


@pytest.mark.parametrize("case", URDF_CASES)
def test_malformed_urdf(case, tmp_path, capsys):
    content, words = URDF_CASES[case]
    run_case(tmp_path / "bad.urdf", content, words, capsys)


@pytest.mark.parametrize("case", TOML_CASES)
def test_malformed_toml(case, tmp_path, capsys):
    content, words = TOML_CASES[case]
    run_case(tmp_path / "bad.toml", content, words, capsys)


def run_case(path, content, words, capsys):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(DeriveError) as caught:
        load_model(path)
    check(str(caught.value), path, words)
    assert main(["info", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("soagen: error: ")


SELECTIONS = {
    "unknown tip": ({"tip": "panda_link9"}, "no link 'panda_link9' to use as tip.*close: panda_link"),
    "unknown base": ({"base": "nope"}, "no link 'nope' to use as base"),
    "tip not below base": ({"base": "panda_link3", "tip": "panda_link2"}, "'panda_link2' below base 'panda_link3'"),
    "unknown lock": ({"lock": {"panda_joint9": 0}}, "no joint 'panda_joint9' to lock.*close"),
    "lock of a fixed joint": ({"lock": {"panda_joint8": 0}}, "fixed already"),
    "lock at NaN": ({"lock": {"panda_joint1": float("nan")}}, "cannot be locked at nan"),
    "lock at a word": ({"lock": {"panda_joint1": "up"}}, "cannot be locked at 'up'"),
    "lock with two values": ({"lock": {"panda_joint1": (0, 1)}}, "cannot be locked"),
    "unknown mimic treatment": ({"mimic": "maybe"}, "'reduce' or 'independent'"),
    "negative snap_tol": ({"snap_tol": -1.0}, "out of range"),
    "NaN snap_tol": ({"snap_tol": float("nan")}, "out of range"),
}


@pytest.mark.parametrize("case", SELECTIONS)
def test_selections_that_do_not_exist(case):
    options, words = SELECTIONS[case]
    with pytest.raises(DeriveError, match=words):
        load_model("panda", **options)


def test_the_kinds_of_path_that_are_no_robot_file(tmp_path):
    big = tmp_path / "big.urdf"
    with big.open("wb") as file:
        file.truncate(200 * 2**20)
    assert big.stat().st_size > MAX_BYTES
    (tmp_path / "dir.urdf").mkdir()
    (tmp_path / "mesh.stl").write_text("solid")
    (tmp_path / "arm.xacro").write_text("<robot/>")
    for name, words in [
        ("big.urdf", "larger than 64 MiB"),
        ("dir.urdf", "is a directory"),
        ("none.urdf", "no such file"),
        ("none.toml", "no such file"),
        ("mesh.stl", "'.stl' are not read"),
        ("arm.xacro", "run xacro"),
        ("x" * 400 + ".urdf", "cannot be read"),
        ("nul\0.urdf", "cannot be read"),
    ]:
        with pytest.raises(DeriveError, match=words) as caught:
            load_model(tmp_path / name)
        assert "\n" not in str(caught.value)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read anything: needs an ordinary user")
def test_unreadable_file(tmp_path):
    secret = tmp_path / "secret.urdf"
    secret.write_text("<robot/>")
    secret.chmod(0)
    with pytest.raises(DeriveError, match="may not be read"):
        load_model(secret)


def test_unreadable_file_is_refused_in_words(tmp_path, monkeypatch):
    """The same, also where the tests run as root."""

    def refuse(*_args, **_kwargs):
        raise PermissionError

    monkeypatch.setattr("pathlib.Path.open", refuse)
    with pytest.raises(DeriveError, match="may not be read; change its permissions"):
        load_model(tmp_path / "secret.urdf")


def test_an_unknown_robot_is_told_the_known_ones():
    with pytest.raises(DeriveError, match=r"robot 'pandaa'.*bundled: .*panda.*close: panda"):
        load_model("pandaa")


# -- fuzzing: whatever the bytes, a Model or our own error ------------------------------------------------------------------

GOOD_URDF = robot(
    BASE, joint(inner='<axis xyz="0 0 1"/><limit lower="-1" upper="1"/><origin xyz="0 0 1" rpy="1 0 0"/>'), A
)
FRAGMENTS = [
    "<",
    ">",
    '"',
    "&",
    "0",
    "-1",
    "nan",
    "1e400",
    "${",
    "]]>",
    "<!--",
    "<!ENTITY x 'y'>",
    "name",
    "base",
    " ",
    "\n",
    "\0",
    "é",
]


def damaged(text):
    """The text with a few slices cut, repeated or replaced."""
    edit = st.tuples(st.integers(0, len(text)), st.integers(0, 40), st.sampled_from(["", *FRAGMENTS, text[10:60]]))

    def apply(edits):
        result = text
        for start, length, put in edits:
            result = result[:start] + put + result[start + length :]
        return result.encode("utf-8", "surrogatepass")

    return st.lists(edit, min_size=1, max_size=4).map(apply)


def only_our_errors(parse, content):
    with contextlib.suppress(DeriveError):
        assemble(parse(content, "fuzz"))


@pytest.mark.filterwarnings("ignore::derive.errors.ModelWarning")
@settings(max_examples=300, deadline=None)
@given(st.one_of(damaged(GOOD_URDF), st.binary(max_size=200)))
def test_no_bytes_break_the_urdf_loader(content):
    only_our_errors(parse_urdf, content)


@pytest.mark.filterwarnings("ignore::derive.errors.ModelWarning")
@settings(max_examples=300, deadline=None)
@given(
    st.one_of(
        st.sampled_from(
            [(ROBOTS / f"{name}.toml").read_text() for name in ("planar_2r", "puma560", "stanford")]
        ).flatmap(damaged),
        st.binary(max_size=200),
    )
)
def test_no_bytes_break_the_toml_loader(content):
    only_our_errors(parse_toml, content)


toml_values = st.recursive(
    st.one_of(
        st.integers(-3, 3),
        st.floats(),
        st.booleans(),
        st.sampled_from(["revolute", "a", "world", "m1", "pi", ""]),
        st.integers(),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(["name", "xx", "joint", "xyz"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@pytest.mark.filterwarnings("ignore::derive.errors.ModelWarning")
@settings(max_examples=300, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["name", "link", "joint", "dh", "parameters", "tips", "description"]),
        st.one_of(
            toml_values,
            st.lists(
                st.dictionaries(
                    st.sampled_from(
                        ["name", "type", "parent", "child", "axis", "mass", "com", "inertia", "mimic", "xyz"]
                    ),
                    toml_values,
                ),
                max_size=3,
            ),
        ),
        max_size=5,
    )
)
def test_no_document_breaks_the_toml_loader(document):
    """Well-formed TOML with values of the wrong kind everywhere: the document is put in behind the parser."""
    with mock.patch("tomllib.loads", return_value=document):
        only_our_errors(parse_toml, b"")


def test_at_least_forty_malformed_cases():
    assert len(URDF_CASES) + len(TOML_CASES) + len(SELECTIONS) >= 40
    assert len(bundled_robots()) >= 12
