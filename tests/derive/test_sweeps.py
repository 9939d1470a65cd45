"""to_recursion: the published algorithms come out of their operator expressions, sweep by sweep and line by line."""

import re

import pytest

from derive.operators import parse
from derive.recursion import Direction, LoweringError
from derive.recursion_printing import loops
from derive.sweeps import to_recursion

BIAS_FREE = "(I - H psi K)' inv(D) (I - H psi K) (T - H phi (M phi' a + b + B f_0))"
FORWARD = {
    "fd1": {"qdd": BIAS_FREE},
    "fd2": {
        "qdd": BIAS_FREE,
        "alpha": "psi' H' inv(D) (I - H psi K) (T - H phi (M phi' a + b + B f_0)) + phi' a",
    },
    "fd3": {"qdd": "(I - H psi K)' inv(D) (T - H psi (K T + M phi' a + b + B f_0))"},
    "fd4": {
        "qdd": "(I - H psi K)' inv(D) ((I - H psi K) T - H psi_tilde P a - H psi (b + B f_0))"
        " - K' psi' tau_bar' a - G' a"
    },
}
KINEMATICS = """
for k = n … 1
  V(k) = φ*(k+1,k) V(k+1) + H*(k) θ̇(k)
  a(k) = Ṽ(k) H*(k) θ̇(k) + Ḣ*(k) θ̇(k) + φ*(k+1,k) g(k+1)
  b(k) = −Ṽ*(k) M(k) V(k)
"""
RICCATI = """
  P(k) = φ(k,k−1) P⁺(k−1) φ*(k,k−1) + M(k)
  D(k) = H(k) P(k) H*(k)
  D⁻¹(k) = [D(k)]⁻¹
  G(k) = P(k) H*(k) D⁻¹(k)
  P⁺(k) = P(k) − P(k) H*(k) G*(k)
"""
# [SOA-11, 41, 59…63], z(0) = f(0) written as the term φ(k,0) f(0)
PUBLISHED = {
    "fd1": KINEMATICS
    + """
  ζ(k) = φ*(k+1,k) ζ(k+1) + a(k)
for k = 1 … n
  f(k) = φ(k,k−1) f(k−1) + M(k) ζ(k) + b(k) + φ(k,0) f(0)
  T′(k) = T(k) − H(k) f(k)
"""
    + RICCATI
    + """
for k = 1 … n
  z(k) = ψ(k,k−1) z(k−1) + K(k,k−1) T′(k−1)
  ε(k) = T′(k) − H(k) z(k)
  ν(k) = D⁻¹(k) ε(k)
for k = n … 1
  λ(k) = ψ*(k+1,k) λ(k+1) + H*(k) ν(k)
  θ̈(k) = ν(k) − K*(k+1,k) λ(k+1)
""",
    "fd3": KINEMATICS
    + """
  ζ(k) = φ*(k+1,k) ζ(k+1) + a(k)
for k = 1 … n
"""
    + RICCATI
    + """
  z(k) = ψ(k,k−1) z(k−1) + K(k,k−1) T(k−1) + M(k) ζ(k) + b(k) + φ(k,0) f(0)
  ε(k) = T(k) − H(k) z(k)
  ν(k) = D⁻¹(k) ε(k)
for k = n … 1
  λ(k) = ψ*(k+1,k) λ(k+1) + H*(k) ν(k)
  θ̈(k) = ν(k) − K*(k+1,k) λ(k+1)
""",
    "fd4": KINEMATICS
    + """
for k = 1 … n
"""
    + RICCATI
    + """
  z(k) = ψ(k,k−1) [z(k−1) + P(k−1) a(k−1)] + K(k,k−1) T(k−1) + b(k) + φ(k,0) f(0)
  ε(k) = T(k) − H(k) z(k)
  ν(k) = D⁻¹(k) ε(k)
for k = n … 1
  λ(k) = ψ*(k+1,k) λ(k+1) + H*(k) ν(k) + τ̄*(k) a(k)
  θ̈(k) = ν(k) − K*(k+1,k) λ(k+1) − G*(k) a(k)
""",
}
PUBLISHED["fd2"] = PUBLISHED["fd1"] + "  α(k) = λ(k) + ζ(k)\n"


def lines_of(text):
    return [line.rstrip() for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize(("name", "sweeps"), [("fd1", 4), ("fd2", 4), ("fd3", 3), ("fd4", 3)])
def test_forward_dynamics_has_the_published_number_of_sweeps(name, sweeps):
    recursion = to_recursion(FORWARD[name])
    assert len(recursion.sweeps) == sweeps
    assert recursion.complexity == "O(N)"


@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_forward_dynamics_prints_as_published(name):
    assert loops(to_recursion(FORWARD[name])) == lines_of(PUBLISHED[name])


def test_dependent_sweeps_of_one_direction_chain_when_asked():
    assert len(to_recursion(FORWARD["fd1"], chain=True).sweeps) == 3
    assert len(to_recursion(FORWARD["fd3"], chain=True).sweeps) == 3


def test_newton_euler_is_two_sweeps():
    recursion = to_recursion({"T": "H phi (M phi' (H' qdd + a) + b + B f_0)"})
    assert [sweep.direction for sweep in recursion.sweeps] == [Direction.BASE_TO_TIP, Direction.TIP_TO_BASE]
    assert loops(recursion)[-2:] == [
        "  f(k) = φ(k,k−1) f(k−1) + M(k) α(k) + b(k) + φ(k,0) f(0)",
        "  T(k) = H(k) f(k)",
    ]


@pytest.mark.parametrize(
    ("text", "published"),
    [
        ("(I + H phi K) T", ["  f(k) = φ(k,k−1) f(k−1) + K(k,k−1) T(k−1)", "  result(k) = T(k) + H(k) f(k)"]),
        ("(I - H psi K) T", ["  z(k) = ψ(k,k−1) z(k−1) + K(k,k−1) T(k−1)", "  result(k) = T(k) − H(k) z(k)"]),
        (
            "-(I - H psi K)' inv(D) H psi B f_0",  # tip-force correction [SOA-71]
            ["  λ(k) = ψ*(k+1,k) λ(k+1) + H*(k) ν(k)", "  result(k) = −ν(k) + K*(k+1,k) λ(k+1)"],
        ),
        (
            "Mass",  # composite bodies [SOA-34]
            [
                "  R(k) = φ(k,k−1) R(k−1) φ*(k,k−1) + M(k)",
                "  f(k,j) = φ(k,k−1) f(k−1,j) + R(k) H*(k) δ(k,j), j ≤ k",
                "  result(k,j) = H(k) f(k,j), j ≤ k",
            ],
        ),
        (
            "Omega_0",  # [SOA-76, SOA-77]
            [
                "  Υ(k) = ψ*(k+1,k) Υ(k+1) ψ(k+1,k) + H*(k) D⁻¹(k) H(k)",
                "  result(i,j) = z*(c,i) Υ(c) z(c,j)",
            ],
        ),
        ("1/2 qd' Mass qd", ["  x(k) = M(k) V(k)", "  result = Σ_k 1/2 V*(k) x(k)"]),
    ],
)
def test_other_published_recursions(text, published):
    assert loops(to_recursion(text))[-len(published) :] == published


@pytest.mark.parametrize(
    ("text", "sweeps", "complexity"),
    [
        ("Mass", 1, "O(N d)"),
        ("inv(Mass)", 2, "O(N²)"),
        ("I + H phi K", 1, "O(N d)"),
        ("I - H psi K", 1, "O(N d)"),
        ("(I - H psi K)'", 1, "O(N d)"),
        ("J", 1, "O(N)"),
        ("Omega_0", 2, "O(N)"),
        ("J inv(Mass) J'", 4, "O(N)"),
        ("Omega", 2, "O(N²)"),
        ("Lambda", 2, "O(N) + O(ℓ³)"),
        ("1/2 qd' Mass qd", 1, "O(N)"),
        ("K", 1, "O(N)"),
        ("H phi M phi' g", 2, "O(N)"),
    ],
)
def test_sweeps_and_complexity_are_read_off(text, sweeps, complexity):
    recursion = to_recursion(text)
    assert (len(recursion.sweeps), recursion.complexity) == (sweeps, complexity)


def test_common_subexpressions_are_one_field():
    twice = to_recursion("H phi (M phi' a + b) + G' phi (M phi' a + b)")
    fields = [s.target.name for s in twice.statements]
    assert len(fields) == len(set(fields))
    assert sum(name.startswith("f") for name in fields) == 1
    assert sum(name.startswith("zeta") for name in fields) == 1


def test_an_output_may_be_called_like_an_input():
    recursion = to_recursion({"T": "H phi M phi' H' qdd", "both": "Mass qdd + T", "again": "Mass qdd"})
    assert [f.name for f in recursion.inputs] == ["qdd", "T"]
    assert recursion.outputs[0].field == recursion.outputs[2].field
    assert recursion.outputs[0].field.name == "again"
    assert to_recursion({"T": "H phi M phi' H' qdd"}).outputs[0].field.name == "T"


def test_biases_can_be_given_and_gravity_left_out():
    assert {f.name for f in to_recursion("H phi b", given=("b",)).inputs} == {"b"}
    assert "g" not in {f.name for f in to_recursion("B' phi' a", gravity=False).inputs}
    assert "g" in {f.name for f in to_recursion("B' phi' a").inputs}


def test_armature_enters_D_where_it_is_asked_for():
    assert "  D(k) = H(k) P(k) H*(k) + J_a(k)" in loops(to_recursion("inv(Mass_a)"))
    assert "  D(k) = H(k) P(k) H*(k) + J_a(k)" in loops(to_recursion("inv(D) T", armature=True))
    assert "  D(k) = H(k) P(k) H*(k)" in loops(to_recursion("inv(D) T"))


@pytest.mark.parametrize(
    ("text", "options", "what"),
    [
        ("I", {}, "fits any space"),
        ("inv(I + Mass) T", {}, r"inv\(.*H\*phi\*M\*phi'\*H'.*\) has no known factors"),
        ("inv(P - P) b", {}, "zero has no inverse"),
        ("S b", {}, "S cannot be lowered: .*serial"),
        ("HH_delta b", {}, "HH_delta cannot be lowered"),
        ("T qd' T", {}, "outer product"),
        ("T qd'", {}, "outer product"),
        ("inv(tau_bar) b", {}, "only symmetric"),
        ("inv(B' phi B) f_0", {}, r"inv\(B'\*phi\*B\): only symmetric"),
        ("inv(Mass) T", {"armature": True}, r"write inv\(Mass_a\)"),
    ],
)
def test_what_is_no_recursion_is_refused_with_the_reason(text, options, what):
    with pytest.raises(LoweringError, match=what):
        to_recursion(text, **options)


def test_an_expression_object_is_as_good_as_text():
    assert loops(to_recursion(parse("Mass"))) == loops(to_recursion("Mass"))
    assert re.match("result = 𝓜", str(to_recursion("Mass")))
