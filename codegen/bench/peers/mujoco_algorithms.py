"""Which parts of a MuJoCo step compute what we compute; all of them follow `mj_kinematics` and `mj_comPos`.

Bodies see `m`, `d`, `nv` and room for force (nv), matrix (nv, nv), jac and solved (6, nv, linear rows first) and omega (6, 6).
The mass matrix stays sparse while it is timed; `finish` makes it dense for the check. Bias forces are missing: with a floating
base, MuJoCo's are those of zero acceleration in world axes.
"""

from __future__ import annotations

from dataclasses import dataclass

FACTORED = "mj_makeM(m, d); mj_factorM(m, d);"
BIAS = "mj_comVel(m, d); mj_rne(m, d, 0, force);"
SITE_JACOBIAN = "mj_jacSite(m, d, jac, jac + 3 * nv, 0);"


@dataclass(frozen=True)
class MujocoAlgorithm:
    """C statements, those that finish the result for the check, where it then is, and its size."""

    function: str
    rates: tuple[str, ...]
    body: str
    result: str
    size: str
    shape: tuple[int | str, ...]
    finish: str = ""

    @property
    def symbol(self) -> str:
        """Its name in C."""
        return f"peer_{self.function}"


MUJOCO_ALGORITHMS = (
    MujocoAlgorithm(
        "inverse_dynamics",
        ("qvel", "qacc"),
        "mj_comVel(m, d); mj_rne(m, d, 1, force); "
        "for (int j = 0; j < nv; j++) force[j] += m->dof_armature[j] * d->qacc[j];",
        "force",
        "nv",
        ("nv",),
    ),
    MujocoAlgorithm("gravity_forces", (), "mj_rne(m, d, 0, force);", "force", "nv", ("nv",)),
    MujocoAlgorithm(
        "mass_matrix",
        (),
        "mj_makeM(m, d);",
        "matrix",
        "nv * nv",
        ("nv", "nv"),
        "for (int j = 0; j < nv; j++) mj_mulM(m, d, matrix + j * nv, r->unit + j * nv);",
    ),
    MujocoAlgorithm(
        "mass_matrix_inverse",
        (),
        f"{FACTORED} mj_solveM(m, d, matrix, r->unit, nv);",
        "matrix",
        "nv * nv",
        ("nv", "nv"),
    ),
    MujocoAlgorithm(
        "forward_dynamics",
        ("qvel", "qfrc_applied"),
        f"{FACTORED} {BIAS} mju_sub(force, d->qfrc_applied, force, nv); mj_solveM(m, d, d->qacc, force, 1);",
        "d->qacc",
        "nv",
        ("nv",),
    ),
    MujocoAlgorithm("jacobian", (), SITE_JACOBIAN, "jac", "6 * nv", (6, "nv")),
    MujocoAlgorithm(
        "operational_space_inertia",
        (),
        f"{FACTORED} {SITE_JACOBIAN} mj_solveM(m, d, solved, jac, 6); mju_mulMatMatT(omega, jac, solved, 6, nv, 6);",
        "omega",
        "36",
        (6, 6),
    ),
)
