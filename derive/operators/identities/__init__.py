"""The ledger: one entry per identity, lemma and theorem `SOA-nn` that concerns open chains and trees.

Sections 1–7, 10, 13–15 and 17 of the specification. Left out: closed chains (SOA-79 … SOA-94, SOA-100 … SOA-104) and
flexible chains (SOA-110 … SOA-113).
"""

from derive.operators.identities import (
    articulated,
    derivatives,
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
            *derivatives.ENTRIES,
            *link_frames.ENTRIES,
        ),
        key=lambda entry: int(entry.soa.removeprefix("SOA-")),
    )
)

__all__ = ["LEDGER", "BlockCheck", "Check", "Identity", "Misprint", "MotionCheck", "VectorCheck"]
