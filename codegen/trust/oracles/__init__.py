"""The independent judges, one file each. A new one is a row of `ORACLES`."""

from __future__ import annotations

from codegen.trust.oracles.closed_forms import CLOSED_FORMS
from codegen.trust.oracles.dense_operators import DENSE_OPERATORS
from codegen.trust.oracles.mpmath50 import MPMATH50
from codegen.trust.oracles.mujoco import MUJOCO
from codegen.trust.oracles.oracle import Oracle
from codegen.trust.oracles.pinocchio import PINOCCHIO
from codegen.trust.oracles.reference import REFERENCE

ORACLES = (REFERENCE, DENSE_OPERATORS, CLOSED_FORMS, MPMATH50, PINOCCHIO, MUJOCO)

__all__ = ["MPMATH50", "ORACLES", "Oracle"]
