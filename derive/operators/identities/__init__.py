"""The ledger: one entry per identity, lemma and theorem `SOA-nn` that concerns open chains and trees.

Sections 1–7, 10, 13 and 17 of the specification, and of section 14 what the prover decides. Left out: closed chains
(SOA-79 … SOA-94, SOA-100 … SOA-104), flexible chains (SOA-110 … SOA-113), and sensitivities and Christoffel symbols that
are statements about components (SOA-118 … SOA-120, SOA-127 … SOA-134).
"""

from derive.operators.identities import (
    articulated,
    dynamics,
    forward_dynamics,
    kinematics,
    link_frames,
    older_papers,
    primitives,
    sensitivity,
)
from derive.operators.identities.entry import BlockCheck, Check, Identity, Misprint, MotionCheck, VectorCheck

LEDGER: tuple[Identity, ...] = tuple(
    sorted(
        (
            *primitives.ENTRIES,
            *kinematics.ENTRIES,
            *dynamics.ENTRIES,
            *articulated.ENTRIES,
            *older_papers.ENTRIES,
            *forward_dynamics.ENTRIES,
            *sensitivity.ENTRIES,
            *link_frames.ENTRIES,
        ),
        key=lambda entry: int(entry.soa.removeprefix("SOA-")),
    )
)

__all__ = ["LEDGER", "BlockCheck", "Check", "Identity", "Misprint", "MotionCheck", "VectorCheck"]
