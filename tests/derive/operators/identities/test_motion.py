"""What is called the truth about a motion agrees with the reference and with itself, and motions are of every kind."""

import numpy as np
import pytest

from derive import reference
from derive.operators.block_system import NO_PARENT
from derive.operators.identities import LEDGER, MotionCheck
from derive.operators.identities.check import SEEDS
from derive.operators.identities.motion import random_motions
from derive.random_models import ALL_KINDS
from derive.states import integrate

CHECKS = [c for entry in LEDGER for c in entry.checks if isinstance(c, MotionCheck)]


@pytest.mark.parametrize("motion", random_motions(ALL_KINDS, 0), ids=lambda m: m.model.name)
class TestMotion:
    def test_the_tip_moves_as_the_reference_says(self, motion):
        np.testing.assert_allclose(
            motion.tip_motion[0], reference.tip_velocity(motion.model, motion.q, motion.qd), rtol=1e-12, atol=1e-12
        )

    def test_accelerations_are_differences_of_velocities(self, motion):
        """Along q̇ + q̈t, by a central difference: four digits would tell a missing term."""
        h = 1e-5
        velocities = []
        for t in (-h, h):
            q = integrate(motion.model, motion.q, t * motion.qd + 0.5 * t * t * motion.qdd)
            velocities.append(reference.tip_velocity(motion.model, q, motion.qd + t * motion.qdd))
        difference = (velocities[1] - velocities[0]) / (2 * h)
        np.testing.assert_allclose(motion.tip_motion[1], difference, rtol=1e-6, atol=1e-6)

    def test_joint_forces_and_the_tip_deliver_the_power_of_the_inertial_forces(self, motion):
        inertial = sum(V @ f for V, f in zip(motion.V, motion.net_force, strict=False))
        tip = motion.tip_motion[0] @ motion.f_tip
        assert motion.loaded_torques @ motion.in_paper_order(motion.qd) == pytest.approx(inertial + tip, rel=1e-11)

    def test_forces_through_joints_do_the_work_of_the_joint_forces(self, motion):
        own = (f @ V for f, V in zip(motion.joint_force, _relative_velocities(motion), strict=True))
        assert sum(own) == pytest.approx(motion.loaded_torques @ motion.in_paper_order(motion.qd), rel=1e-11)


def _relative_velocities(motion):
    """V(k) less the velocity of the point O_k moving with the parent."""
    for k, p in enumerate(motion.parent):
        omega, v = motion.V[p][:3], motion.V[p][3:]
        yield motion.V[k] - np.array([*omega, *(v + np.cross(omega, motion.O[k] - motion.O[p]))])


@pytest.mark.parametrize("check", CHECKS, ids=lambda c: c.statement)
def test_a_check_sees_every_kind_it_is_about_on_a_moving_parent(check):
    motions = [m for seed in SEEDS for m in random_motions(check.kinds, seed, serial=check.serial)]
    carried = {kind for m in motions for kind, p in zip(m.kinds, m.parent, strict=True) if p != NO_PARENT}
    assert carried == set(check.kinds)
    assert check.serial or any(not m.model.is_serial for m in motions)


def test_floating_checks_see_a_free_base():
    motions = random_motions(("revolute", "floating"), 0)
    assert any(m.kinds[-1] == "floating" for m in motions)
