from codegen.builder import ProgramBuilder
from codegen.cost import OperationCount, count
from codegen.passes.reduce_strength import reduce_strength


def reduced(*outputs_of):
    b = ProgramBuilder()
    x = b.input("x", (4,))
    return reduce_strength(b.program("p", {"y": [f(*x) for f in outputs_of]}))


def equations(program):
    return [line for line in str(program).splitlines() if line.startswith("v")]


def test_quotients_by_one_denominator_share_its_reciprocal():
    program = reduced(lambda x, y, z, d: x / d, lambda x, y, z, d: y / d, lambda x, y, z, d: z / d)
    assert equations(program) == ["v0 = 1.0 / x[3]", "v1 = x[0] * v0", "v2 = x[1] * v0", "v3 = x[2] * v0"]


def test_one_quotient_stays_a_quotient():
    assert count(reduced(lambda x, y, z, d: x / d, lambda x, y, z, d: x / y)) == OperationCount(divisions=2)


def test_a_reciprocal_that_is_needed_anyway_serves_a_single_quotient():
    program = reduced(lambda x, y, z, d: x / d, lambda x, y, z, d: 1 / d)
    assert count(program) == OperationCount(multiplications=1, divisions=1)
    assert equations(program)[0] == "v0 = 1.0 / x[3]"


def test_doubling_is_a_sum_unless_a_sum_will_absorb_it():
    assert equations(reduced(lambda x, y, z, d: 2 * x)) == ["v0 = x[0] + x[0]"]
    assert equations(reduced(lambda x, y, z, d: 2 * (x * y) + z))[1] == "v1 = 2.0 * v0"
    assert equations(reduced(lambda x, y, z, d: 2 * x, lambda x, y, z, d: 2 * x + y))[0] == "v0 = x[0] + x[0]"
