import re

import pytest
from oracles import planar_functions as planar

from codegen.backends.expression import Dialect, expression
from codegen.backends.formulas import Named, Term, headings, paragraphs, texts
from codegen.builder import ProgramBuilder
from codegen.ir import Const
from derive.names import RESERVED

DIALECT = Dialect(constant=repr, entry=lambda array, index: f"{array}[{index}]", function=str)
a, b, c = Named("a"), Named("b"), Named("c")


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        (Term("add", (Term("add", (a, b)), c)), "a + b + c"),
        (Term("add", (a, Term("add", (b, c)))), "b + c + a"),
        (Term("add", (Term("sub", (a, b)), Term("add", (b, c)))), "a - b + (b + c)"),
        (Term("mul", (a, Term("add", (b, c)))), "a*(b + c)"),
        (Term("sub", (a, Term("sub", (b, c)))), "a - (b - c)"),
        (Term("mul", (Term("sub", (a, b)), c)), "(a - b)*c"),
        (Term("div", (a, Term("mul", (b, c)))), "a/(b*c)"),
        (Term("mul", (Term("div", (a, b)), c)), "a/b*c"),
        (Term("sub", (a, Term("mul", (b, c)))), "a - b*c"),
        (Term("neg", (Term("mul", (a, b)),)), "-(a*b)"),
        (Term("mul", (Term("neg", (a,)), b)), "-a*b"),
        (Term("sub", (a, Term("mul", (Term("neg", (b,)), c)))), "a - (-b*c)"),
        (Term("neg", (Term("neg", (a,)),)), "-(-a)"),
        (Term("sub", (a, Const(-1.5))), "a - (-1.5)"),
        (Term("neg", (Const(-1.5),)), "-(-1.5)"),
        (Term("sin", (Term("add", (a, b)),)), "sin(a + b)"),
    ],
)
def test_parentheses_keep_the_tree(tree, text):
    assert expression(tree, DIALECT) == text


def names(program, reserved=()):
    return [f.name for p in paragraphs(program, reserved) for f in p.formulas if f.name]


@pytest.mark.parametrize("seed", range(5))
def test_names_are_distinct_identifiers_and_no_keywords(seed):
    found = names(planar.random_program(seed))
    assert len(set(found)) == len(found) > 10
    assert all(re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name) for name in found)
    assert not RESERVED.intersection(found)
    assert not {"x", "y", "z"}.intersection(found)


def test_names_come_from_symbol_body_and_entry():
    b = ProgramBuilder()
    x = b.input("x", (4,))
    with b.origin("sweep 1/1 tip-to-base", "body 4 'elbow'"):
        with b.origin(symbol="P.xx"):
            p = x[0] * x[1]
        with b.origin(symbol="φ"):
            f, g = x[1] * x[2], x[2] * x[3]
        with b.origin(symbol="lambda"):
            keyword = p * f
        with b.origin(symbol="v2"):
            digit = p * g
        sine = b.sin(x[0])
    outside = p * sine
    uses = [value * other for value in (p, f, g, keyword, digit, outside) for other in (x[0], x[3])]
    program = b.program("f", {"y": uses})
    assert names(program) == ["P4_xx", "phi4_1", "phi4_2", "lambda_4", "v2_4", "s4", "t"]
    assert names(program, {"P4_xx", "t"}) == ["P4_xx_1", "phi4_1", "phi4_2", "lambda_4", "v2_4", "s4", "t1"]
    assert next(iter(headings(paragraphs(program)))) == "body 4 'elbow' · P, φ, lambda, v2 · sweep 1/1 tip-to-base"


def test_a_sine_is_called_by_its_number_before_anything_else():
    b = ProgramBuilder()
    x = b.input("x", (2,))
    with b.origin(symbol="5"):
        told = b.sin(x[0])
    plain = b.cos(x[1])
    program = b.program("f", {"y": [told * plain, told + plain, told - plain]})
    assert names(program)[:2] == ["s5", "cx1"]
    assert paragraphs(program)[0].symbols == ()


def test_headings_tell_what_is_new():
    """The sweep where it changes, the joint where its body comes first, matrices once."""
    b = ProgramBuilder()
    x = b.input("x", (2,))
    values = [x[0]]
    for sweep, body in (("sweep 1/2", 1), ("sweep 1/2", 2), ("sweep 2/2", 1), ("L D L*", 1), ("L D L*", 2)):
        with b.origin(sweep, f"body {body} 'b', q[{body}]", "V"):
            values.append(values[-1] * x[1] + x[0])
    y = b.program("f", {"y": values[1:]})
    found = paragraphs(y)
    assert list(headings(found)) == [
        "body 1 'b', q[1] · V · sweep 1/2",
        "body 2 'b', q[2] · V",
        "body 1 · V · sweep 2/2",
        "L D L*",
        None,
    ]
    printed = texts(found, lambda paragraph: [paragraph.body])
    assert [text.heading for text in printed][3:] == ["L D L*"]
    assert printed[3].lines == ("body 1 'b', q[1]", "body 2 'b', q[2]")


def test_matrices_go_on_through_bodies_until_something_is_stored():
    b = ProgramBuilder()
    x = b.input("x", (2,))
    with b.origin("L D L*", "body 1", "y"):
        first = x[0] * x[1]
    with b.origin("L D L*", "body 2", "y"):
        second = first * x[0] + first
    with b.origin("L D L*", "body 3", "y"):
        third = second * x[1] + first
    found = paragraphs(b.program("f", {"y": [second, third]}))
    assert [[formula.name for formula in paragraph.formulas] for paragraph in found] == [["y1", "y2"], [None]]


def test_values_used_twice_or_elsewhere_keep_their_names():
    b = ProgramBuilder()
    x = b.input("x", (3,))
    with b.origin(body="body 1", symbol="A"):
        once, twice = x[0] * x[1], x[1] * x[2]
        inner = once + twice
        other = x[0] + x[2]
    with b.origin(body="body 2", symbol="B"):
        result = inner * twice * other
    program = b.program("f", {"y": [result]})
    texts = [(f.name, expression(f.tree, DIALECT)) for p in paragraphs(program) for f in p.formulas]
    assert texts == [
        ("A1_1", "x[1]*x[2]"),
        ("A1_2", "x[0]*x[1] + A1_1"),
        ("A1_3", "x[0] + x[2]"),
        (None, "A1_1*A1_2*A1_3"),
    ]
