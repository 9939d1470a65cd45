"""Closed forms against published ones, exactly: planar arms of the textbooks, and Armstrong's table of the Puma 560."""

import re
import time
from dataclasses import replace
from functools import cache

import pytest

from derive import load_model
from derive.closed_form import ClosedForms
from derive.closed_form.forms.choice import closed_forms
from derive.closed_form.printing.numbers import decimal
from derive.closed_form.printing.text import notation
from derive.closed_form.selectors import parse_selector
from derive.closed_form.sheets import sheet
from derive.closed_form.standard import parse_element, with_standard_parameters
from derive.closed_form.variables import exact_fraction
from derive.inertia import Inertia
from derive.model import Body
from derive.parameters import parameter


@cache
def printed(robot, entry, form="auto"):
    forms = closed_forms(load_model(robot), form)
    found = sheet(forms, parse_selector(entry, forms.model), form)
    write = notation(decimal).write
    lines = {str(f.label): write(f.expression) for f in found.formulas}
    return lines, {d.variable.name: d for d in found.definitions}


def test_planar_2r_prints_the_textbook_entries():
    lines, _ = printed("planar_2r", "M")
    assert lines == {
        "M[1,1]": "I1 + I2 + m1·lc1² + m2·(l1² + lc2² + 2·l1·lc2·c2)",
        "M[1,2]": "I2 + m2·(lc2² + l1·lc2·c2)",
        "M[2,2]": "I2 + m2·lc2²",
    }
    assert printed("planar_2r", "g")[0] == {"g[1]": "g·(m1·lc1·c1 + m2·(l1·c1 + lc2·c12))", "g[2]": "m2·g·lc2·c12"}
    assert printed("planar_2r", "C[2]")[0] == {"C[2]": "m2·l1·lc2·qd1²·s2"}


def test_planar_3r_prints_the_textbook_entries():
    lines, constants = printed("planar_3r", "M")
    assert lines == {
        "M[1,1]": "a1 + a2 + a3 + 2·(b12·c2 + b13·c23 + b23·c3)",
        "M[1,2]": "a2 + a3 + b12·c2 + b13·c23 + 2·b23·c3",
        "M[1,3]": "a3 + b13·c23 + b23·c3",
        "M[2,2]": "a2 + a3 + 2·b23·c3",
        "M[2,3]": "a3 + b23·c3",
        "M[3,3]": "a3",
    }
    assert list(constants) == ["a1", "a2", "a3", "b12", "b13", "b23"]


def test_what_the_terms_of_a_constant_share_stands_before_the_bracket():
    assert printed("planar_3r", "C[1,3]")[0] == {"C[1,3]": "−b13·s23·(qd1 + qd2 + qd3) − b23·s3·(qd1 + qd2 + qd3)"}
    assert printed("planar_3r", "dM[2][1,1]")[0] == {"dM[2][1,1]": "−2·(b12·s2 + b13·s23)"}
    assert printed("planar_2r", "KE")[0] == {
        "KE": "0.5·(qd1²·(I1 + m1·lc1²) + I2·(qd1·(qd1 + 2·qd2) + qd2²)"
        " + m2·(qd1·(qd1·(l1² + lc2² + 2·l1·lc2·c2) + 2·qd2·(lc2² + l1·lc2·c2)) + lc2²·qd2²))"
    }


# Armstrong, Khatib, Burdick 1986: the kinetic energy matrix, C4 for cos q4, S23 for sin(q2 + q3), and the inertial constants.
TABLE = {
    (1, 1): "I1 + I3*C2^2 + I7*S23^2 + I10*S23*C23 + I11*S2*C2 + I20*(S5^2*(S23^2*(1 + C4^2) - 1) - 2*S23*C23*C4*S5*C5)"
    " + I21*S23^2*C4^2 + 2*(I5*C2*S23 + I12*C2*C23 + I15*(S23^2*C5 + S23*C23*C4*S5) + I16*C2*(S23*C5 + C23*C4*S5)"
    " + I18*S4*S5 + I22*(S23*C23*C5 + C23^2*C4*S5))",
    (1, 2): "I4*S2 + I8*C23 + I9*C2 + I13*S23 - I15*C23*S4*S5 + I16*S2*S4*S5 + I18*(S23*C4*S5 - C23*C5) + I19*S23*S4*C4"
    " + I20*S4*(S23*C4*C5^2 + C23*S5*C5) + I22*S23*S4*S5",
    (1, 3): "I8*C23 + I13*S23 - I15*C23*S4*S5 + I19*S23*S4*C4 + I18*(S23*C4*S5 - C23*C5) + I22*S23*S4*S5"
    " + I20*S4*(S23*C4*C5^2 + C23*S5*C5)",
    (1, 4): "I14*C23 + I15*S23*C4*S5 + I16*C2*C4*S5 + I18*C23*S4*S5 - I20*(S23*C4*S5*C5 + C23*S5^2) + I22*C23*C4*S5",
    (1, 5): "I15*S23*S4*C5 + I16*C2*S4*C5 + I17*S23*S4 + I18*(S23*S5 - C23*C4*C5) + I22*C23*S4*C5",
    (1, 6): "I23*(C23*C5 - S23*C4*S5)",
    (2, 2): "I2 + I6 + I20*S4^2*S5^2 + I21*S4^2 + 2*(I5*S3 + I12*C3 + I15*C5 + I16*(S3*C5 + C3*C4*S5) + I22*C4*S5)",
    (2, 3): "I5*S3 + I6 + I12*C3 + I16*(S3*C5 + C3*C4*S5) + I20*S4^2*S5^2 + I21*S4^2 + 2*(I15*C5 + I22*C4*S5)",
    (2, 4): "-I15*S4*S5 - I16*S3*S4*S5 + I20*S4*S5*C5",
    (2, 5): "I15*C4*C5 + I16*(C3*S5 + S3*C4*C5) + I17*C4 + I22*S5",
    (2, 6): "I23*S4*S5",
    (3, 3): "I6 + I20*S4^2*S5^2 + I21*S4^2 + 2*(I15*C5 + I22*C4*S5)",
    (3, 4): "-I15*S4*S5 + I20*S4*S5*C5",
    (3, 5): "I15*C4*C5 + I17*C4 + I22*S5",
    (3, 6): "I23*S4*S5",
    (4, 4): "I14 - I20*S5^2",
    (4, 5): "0",
    (4, 6): "I23*C5",
    (5, 5): "I17",
    (5, 6): "0",
    (6, 6): "I23",
}  # fmt: skip
CONSTANTS = """
I1 = Izz1 + m2*d2^2 + (m4 + m5 + m6)*a3^2 + m2*rz2^2 + (m3 + m4 + m5 + m6)*(d2 + d3)^2 + Ixx2 + Iyy3 + 2*m2*d2*rz2 + m2*ry2^2
I1 + m3*rz3^2 + 2*m3*(d2 + d3)*rz3 + Izz4 + Iyy5 + Izz6
I2 = Izz2 + m2*(rx2^2 + ry2^2) + (m3 + m4 + m5 + m6)*a2^2
I3 = -Ixx2 + Iyy2 + (m3 + m4 + m5 + m6)*a2^2 + m2*rx2^2 - m2*ry2^2
I4 = m2*rx2*(d2 + rz2) + m3*a2*rz3 + (m3 + m4 + m5 + m6)*a2*(d2 + d3)
I5 = -m3*a2*ry3 + (m4 + m5 + m6)*a2*d4 + m4*a2*rz4
I6 = Izz3 + m3*ry3^2 + m4*a3^2 + m4*(d4 + rz4)^2 + Iyy4 + m5*a3^2 + m5*d4^2 + Izz5 + m6*a3^2 + m6*d4^2 + m6*rz6^2 + Ixx6
I7 = m3*ry3^2 + Ixx3 - Iyy3 + m4*rz4^2 + 2*m4*d4*rz4 + (m4 + m5 + m6)*(d4^2 - a3^2) + Iyy4 - Izz4 + Izz5 - Iyy5
I7 + m6*rz6^2 - Izz6 + Ixx6
I8 = -m4*(d2 + d3)*(d4 + rz4) - (m5 + m6)*(d2 + d3)*d4 + m3*ry3*rz3 + m3*(d2 + d3)*ry3
I9 = m2*ry2*(d2 + rz2)
I10 = 2*m4*a3*rz4 + 2*(m4 + m5 + m6)*a3*d4
I11 = -2*m2*rx2*ry2
I12 = (m4 + m5 + m6)*a2*a3
I13 = (m4 + m5 + m6)*a3*(d2 + d3)
I14 = Izz4 + Iyy5 + Izz6
I15 = m6*d4*rz6
I16 = m6*a2*rz6
I17 = Izz5 + Ixx6 + m6*rz6^2
I18 = m6*(d2 + d3)*rz6
I19 = Iyy4 - Ixx4 + Izz5 - Iyy5 + m6*rz6^2 + Ixx6 - Izz6
I20 = Iyy5 - Ixx5 - m6*rz6^2 + Izz6 - Ixx6
I21 = Ixx4 - Iyy4 + Ixx5 - Izz5
I22 = m6*a3*rz6
I23 = Izz6
"""
COM = {2: ("x", "y", "z"), 3: ("y", "z"), 4: ("z",), 6: ("z",)}  # coordinates of the mass centres that are not zero


def symbolic_puma():
    """The Puma of the paper with every length, mass, mass centre and inertia a symbol; link 6 is round, as published."""
    model = load_model("puma560")
    bodies = []
    values = {"a2": 0.4318, "a3": -0.0203, "d2": 0.2435, "d3": -0.0934, "d4": 0.4331}
    for k in range(1, 7):
        com = [parameter(f"r{a}{k}") if a in COM.get(k, ()) else 0.0 for a in "xyz"]
        names = ("Ixx", "Iyy", "Izz") if k < 6 else ("Ixx", "Ixx", "Izz")
        xx, yy, zz = (parameter(f"{name}{k}") for name in names)
        mass = parameter(f"m{k}") if k > 1 else 0.0
        if k == 1:
            xx = yy = 0.0
        bodies.append(Body(f"link{k}", Inertia.about_com(mass, tuple(com), (xx, 0.0, 0.0, yy, 0.0, zz))))
        values |= {f"{n}{k}": 1.0 for n in ("m", "rx", "ry", "rz", "Ixx", "Iyy", "Izz")}
    lengths = {1: (0.0, "d2", 0.0), 2: ("a2", 0.0, "d3"), 3: ("a3", "-d4", 0.0)}
    joints = list(model.joints)
    for k, names in lengths.items():
        where = tuple(
            n if isinstance(n, float) else -parameter(n[1:]) if n.startswith("-") else parameter(n) for n in names
        )
        joints[k] = replace(joints[k], placement=replace(joints[k].placement, translation=where))
    return replace(
        model, bodies=tuple(bodies), joints=tuple(joints), parameters=tuple(sorted(values.items())), constants=()
    )


def published(forms):
    """Armstrong's table as elements of the robot's ring, with his constants written out."""
    names = dict(forms.parameters)
    q = forms.q
    for i in range(1, 6):
        names |= {f"C{i + 1}": forms.ring.cos(q[i]), f"S{i + 1}": forms.ring.sin(q[i])}
    names["C23"] = names["C2"] * names["C3"] - names["S2"] * names["S3"]
    names["S23"] = names["S2"] * names["C3"] + names["C2"] * names["S3"]
    for line in CONSTANTS.strip().splitlines():
        name, operator, text = re.fullmatch(r"(I\d+) (=|\+) (.*)", line).groups()
        value = parse_element(text, forms.ring, names)
        names[name] = value if operator == "=" else names[name] + value
    return {place: parse_element(text, forms.ring, names) for place, text in TABLE.items()}, names


def test_the_puma_with_all_parameters_symbolic_is_the_published_table_exactly():
    forms = ClosedForms(symbolic_puma())
    table, _ = published(forms)
    for (i, j), expected in table.items():
        assert forms.mass_matrix[i - 1][j - 1] == expected, f"a{i}{j}"
    assert forms.mass_matrix[0][0] != table[1, 1] + forms.parameters["Izz1"]


def test_the_published_constants_are_one_too_many():
    _, names = published(ClosedForms(symbolic_puma()))
    assert names["I19"] + names["I20"] + names["I21"] == 0


def test_the_puma_prints_the_published_table():
    lines, constants = printed("puma560", "M")
    assert sorted(constants, key=lambda n: int(n[1:])) == [f"I{i}" for i in range(1, 24)]
    expected = {
        "M[4,4]": "I14 − I20·s5²",
        "M[4,6]": "I23·c5",
        "M[5,5]": "I17",
        "M[6,6]": "I23",
        "M[1,6]": "I23·(c23·c5 − s23·c4·s5)",
        "M[1,1]": "I1 + I3·c2² + I7·s23² + I10·s23·c23 + I11·s2·c2 + I20·s5²·(−c23² + s23²·c4²) + I21·s23²·c4²"
        " + 2·(I5·c2·s23 + I12·c2·c23 + I15·s23·(s23·c5 + c23·c4·s5) + I16·c2·(s23·c5 + c23·c4·s5) + I18·s4·s5"
        " − I20·s23·c23·c4·s5·c5 + I22·c23·(s23·c5 + c23·c4·s5))",
        "M[3,4]": "−I15·s4·s5 + I20·s4·s5·c5",
        "M[3,5]": "I15·c4·c5 + I17·c4 + I22·s5",
        "M[3,3]": "I6 + I20·s4²·s5² + I21·s4² + 2·(I15·c5 + I22·c4·s5)",
        "M[2,2]": "I2 + I6 + I20·s4²·s5² + I21·s4² + 2·(I5·s3 + I12·c3 + I15·c5 + I16·(s3·c5 + c3·c4·s5) + I22·c4·s5)",
    }
    assert {label: lines[label] for label in expected} == expected
    used = {name for line in lines.values() for name in re.findall(r"I\d+", line)}
    assert used == set(constants)


def test_the_printed_puma_is_the_published_table_term_by_term():
    """Every printed entry, in the constants as symbols, against the table in the same symbols."""
    forms = closed_forms(load_model("puma560"))
    names = {f"I{i}": forms.ring.parameter(f"Iota{i}") for i in range(1, 24)}
    q = forms.q
    trigonometric = {
        f"{f}{i + 1}": getattr(forms.ring, g)(q[i]) for i in range(6) for f, g in (("c", "cos"), ("s", "sin"))
    }
    c2, s2, c3, s3 = (trigonometric[n] for n in ("c2", "s2", "c3", "s3"))
    trigonometric |= {"c23": c2 * c3 - s2 * s3, "s23": s2 * c3 + c2 * s3}
    lines, _ = printed("puma560", "M")
    for (i, j), text in TABLE.items():
        ours = lines[f"M[{i},{j}]"].replace("−", "-").replace("·", "*").replace("²", "^2")
        table = parse_element(re.sub(r"[CS](?=\d)", lambda m: m[0].lower(), text), forms.ring, names | trigonometric)
        assert parse_element(ours, forms.ring, names | trigonometric) == table, f"a{i}{j}"


@pytest.mark.parametrize(
    ("name", "value", "digit"),
    [("I6", 0.333747, 1e-6), ("I14", 1.64e-3, 1e-8), ("I15", 1.24733e-3, 1e-8), ("I17", 6.4216e-4, 1e-8),
     ("I20", -2.0216e-4, 1e-8), ("I21", -1e-4, 1e-8), ("I22", -5.8464e-5, 1e-9), ("I23", 4e-5, 1e-9)],
)  # fmt: skip
def test_constants_of_the_puma_have_the_published_values(name, value, digit):
    _, constants = printed("puma560", "M")
    assert float(constants[name].value) == pytest.approx(value, abs=digit)


def test_the_puma_with_sixty_symbols_is_ready_in_time():
    start = time.perf_counter()
    forms = ClosedForms(with_standard_parameters(load_model("puma560"), every=True))
    assert len(forms.model.parameters) == 60
    assert sum(len(e) for row in forms.mass_matrix for e in row) > 1000
    assert time.perf_counter() - start < 30
    value = {name: exact_fraction(v) for name, v in forms.model.parameters}
    numeric = ClosedForms(load_model("puma560"))
    for i, j in ((0, 0), (1, 2), (3, 3)):
        entry = forms.mass_matrix[i][j]
        numbers = {v: forms.ring.constant(value[v.name]) for v in entry.variables() if v.name in value}
        assert by_names(entry.substituted(numbers)) == by_names(numeric.mass_matrix[i][j])


def by_names(element):
    """Coefficients by the names of the variables, whatever the ring."""
    return {
        tuple(sorted((v.name, p) for v, p in element.ring.factors(monomial))): coefficient
        for monomial, coefficient in element.coefficients()
    }
