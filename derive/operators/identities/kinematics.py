"""Section 2 of the specification: velocities, accelerations and forces of links, and the recursions that compute them."""

from functools import partial

from derive.operators.identities.entry import Identity, Misprint, MotionCheck
from derive.operators.identities.formulas import bias_acceleration
from derive.operators.identities.motionwise import (
    acceleration_recursion,
    ball_bias,
    bias_residual,
    cylindrical_bias,
    free_base_bias,
    gravity,
    joint_map,
    net_force,
    newton_euler,
    recursive_spatial_dynamics,
    revolute_bias,
    revolute_bias_by_velocities,
    sliding_bias,
    sliding_bias_as_printed,
    sliding_bias_by_velocities,
    universal_bias,
    velocity_recursion,
)

_REVOLUTE = ("revolute",)
_SLIDING = ("revolute", "prismatic")

ENTRIES = (
    Identity(
        "SOA-10",
        "Joint map",
        "000-I (2.16), (2.31), (b.2); 001 (13), (74); 002 §2.1",
        checks=(MotionCheck("V(k) − φ*(p,k)V(p) = H*(k)β(k), H* of full column rank, every kind", joint_map),),
    ),
    Identity(
        "SOA-11",
        "Velocity recursion",
        "000-I (2.17), (2.25), (2.27); 001 (6), (7), (9); 002 (2.1); 003 §2",
        checks=(MotionCheck("the loop gives V(n) … V(1) and V(0)", velocity_recursion),),
    ),
    Identity(
        "SOA-12",
        "Bias acceleration, revolute joint",
        "000-I (2.19)",
        checks=(
            MotionCheck(
                "a(k) = [ω(p) × hθ̇; ω(p) × (ω(p) × ℓ)]",
                partial(bias_residual, kind="revolute", formula=revolute_bias),
                _SLIDING,
            ),
            MotionCheck(
                "a(k) = [ω(p) × ω(k); ω(p) × (ω(p) × ℓ)]",
                partial(bias_residual, kind="revolute", formula=revolute_bias_by_velocities),
                _SLIDING,
            ),
        ),
    ),
    Identity(
        "SOA-13",
        "Bias acceleration, other joints",
        "000-I (2.32), corrected; the general form is an extension",
        checks=(
            MotionCheck(
                "sliding: a(k) = [0; ω(p) × (ω(p) × ℓ + 2hθ̇)]",
                partial(bias_residual, kind="prismatic", formula=sliding_bias),
                _SLIDING,
            ),
            MotionCheck(
                "sliding: a(k) = [0; ω(p) × (v(k) − v(p) + hθ̇)]",
                partial(bias_residual, kind="prismatic", formula=sliding_bias_by_velocities),
                _SLIDING,
            ),
            MotionCheck(
                "cylindrical: a(k) = [ω(p) × hθ̇₁; ω(p) × (ω(p) × ℓ) + 2ω(p) × hθ̇₂]",
                partial(bias_residual, kind="cylindrical", formula=cylindrical_bias),
                ("revolute", "cylindrical"),
            ),
            MotionCheck(
                "universal: a(k) = [ω(p) × h₁θ̇₁ + (ω(p) + h₁θ̇₁) × h₂θ̇₂; ω(p) × (ω(p) × ℓ)]",
                partial(bias_residual, kind="universal", formula=universal_bias),
                ("revolute", "universal"),
            ),
            MotionCheck(
                "ball, basis in link k: a(k) = [ω(p) × ω_r; ω(p) × (ω(p) × ℓ)]",
                partial(bias_residual, kind="spherical", formula=ball_bias),
                ("revolute", "spherical"),
            ),
            MotionCheck(
                "free, on the ground, β in link axes: a(n) = [0; ω × v]", free_base_bias, ("revolute", "floating")
            ),
            MotionCheck(
                "any joint: a(k) = [(d/dt H*_ω)β; ω(p) × (ω(p) × ℓ + v_r) + (d/dt H*_v)β]",
                partial(bias_residual, kind="", formula=bias_acceleration),
            ),
        ),
        note="a free joint with β = V in inertial components has a = 0 by definition",
        misprints=(
            Misprint.in_numbers(
                "E-3",
                "000-I (2.32), first form",
                MotionCheck(
                    "sliding: a(k) = [0; ω(p) × (ω(p) × ℓ + hθ̇)]",
                    partial(bias_residual, kind="prismatic", formula=partial(sliding_bias, factor=1.0)),
                    _SLIDING,
                ),
            ),
            Misprint.in_numbers(
                "E-3",
                "000-I (2.32), second form",
                MotionCheck(
                    "sliding: a(k) = [0; ω(p) × (ω(p) × ℓ + v(k))]",
                    partial(bias_residual, kind="prismatic", formula=sliding_bias_as_printed),
                    _SLIDING,
                ),
            ),
        ),
    ),
    Identity(
        "SOA-14",
        "Acceleration recursion",
        "000-I (2.18), (2.26), (2.27); 001 (8), (9); 003 §3, corrected",
        checks=(MotionCheck("the loop gives α(n) … α(1) and α(0)", acceleration_recursion),),
        misprints=(
            Misprint.in_numbers(
                "E-20",
                "003 §3",
                MotionCheck("α(k) = φ*(p,k)α(p) + H*(k)θ̇(k) + a(k)", partial(acceleration_recursion, printed=True)),
            ),
        ),
    ),
    Identity(
        "SOA-15",
        "Gyroscopic bias force",
        "000-I (2.23), reconstructed",
        checks=(MotionCheck("M(k)α(k) + b(k) is the net force on link k at O_k", net_force),),
    ),
    Identity(
        "SOA-16",
        "Vector recursive Newton–Euler",
        "000-I (2.1)–(2.13)",
        checks=(MotionCheck("the loops give Lagrange's joint forces", newton_euler, _REVOLUTE, serial=True),),
        note="chains of revolute joints",
    ),
    Identity(
        "SOA-17",
        "Recursive spatial dynamics",
        "000-I (2.24)–(2.30); 001 (6)–(12); 002 (2.1), corrected; 003 §3; 004 §1.1",
        checks=(MotionCheck("f(k) = Σ φ(k,c)f(c) + M(k)α(k) + b(k), T(k) = H(k)f(k)", recursive_spatial_dynamics),),
        misprints=(
            Misprint.in_numbers(
                "E-9",
                "002 (2.1)",
                MotionCheck(
                    "f(k) = φ(k+1,k)f(k−1) + M(k)α(k) + b(k)", partial(recursive_spatial_dynamics, printed=True)
                ),
            ),
        ),
    ),
    Identity(
        "SOA-18",
        "Gravity",
        "000-I (3.8), (3.21), corrected",
        checks=(MotionCheck("α(n+1) = [0; −g⃗], or a + E[0; −g⃗], gives T under gravity", gravity),),
        note="000-I (3.8) prints E as a row, with which a + Eg has no meaning (E-4)",
    ),
)
