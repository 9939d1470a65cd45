import numpy as np
import pytest

from codegen.contractions import Contraction, Product, looped
from codegen.interpret import interpret
from codegen.ir import ArraySpec

SHAPES = {"a": (3, 4), "b": (4, 5), "t": (3, 3, 3), "v": (3,)}
MATRIX = Contraction("m", "ij", (Product((("a", "ik"), ("b", "kj")), -2.0),))
TRACE = Contraction("g", "i", (Product((("t", "jki"), ("t", "kji"))),))
SUM = Contraction("s", "ijk", (Product((("t", "jik"),)), Product((("t", "kij"),), -1.0)))
OPPOSITE = Contraction("w", "i", (Product((("v", "i"),), -1.0),))


def arrays():
    random = np.random.default_rng(3)
    return {name: random.normal(size=shape) for name, shape in SHAPES.items()}


def expected(one, values):
    total = 0.0
    for term in one.terms:
        names, indices = zip(*term.arrays, strict=True)
        subscripts = f"{','.join(indices)}->{one.indices}"
        total = total + term.factor * np.einsum(subscripts, *(values[name] for name in names))
    return total


@pytest.mark.parametrize("one", [MATRIX, TRACE, SUM, OPPOSITE])
def test_a_contraction_is_its_sum(one):
    values = arrays()
    np.testing.assert_allclose(np.asarray(one.of(values), dtype=float), expected(one, values), rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("one", [MATRIX, TRACE, SUM, OPPOSITE])
def test_the_program_does_the_same(one):
    values = arrays()
    program = looped("f", [ArraySpec(name, shape) for name, shape in SHAPES.items()], [one], "sums")
    assert {spec.name for spec in program.inputs} == set(one.reads)
    found = interpret(program, {name: values[name] for name in one.reads})[one.output]
    np.testing.assert_allclose(found, expected(one, values), rtol=1e-13, atol=1e-13)


def test_a_product_of_matrices_takes_every_operation_of_its_loops():
    program = looped("f", [ArraySpec(name, shape) for name, shape in SHAPES.items()], [MATRIX], "sums")
    operations = [equation.op for equation in program.equations]
    assert operations.count("mul") == 3 * 4 * 5 + 3 * 5  # a factor once for each sum that C writes as one expression
    assert operations.count("add") == 3 * 3 * 5


def test_it_reads_as_a_formula():
    assert str(MATRIX) == "m[i, j] = -2*a[i, k]*b[k, j], summed over k"
    assert str(SUM) == "s[i, j, k] = t[j, i, k] - t[k, i, j]"
    assert str(OPPOSITE) == "w[i] = -v[i]"
