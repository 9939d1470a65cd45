"""The ledger: one entry per identity, lemma and theorem `SOA-nn` that concerns open chains and trees."""

from derive.operators.identities import articulated, dynamics, forward_dynamics, older_papers, sensitivity
from derive.operators.identities.entry import BlockCheck, Identity, Misprint

LEDGER: tuple[Identity, ...] = tuple(
    sorted(
        (
            *dynamics.ENTRIES,
            *articulated.ENTRIES,
            *older_papers.ENTRIES,
            *forward_dynamics.ENTRIES,
            *sensitivity.ENTRIES,
        ),
        key=lambda entry: int(entry.soa.removeprefix("SOA-")),
    )
)

__all__ = ["LEDGER", "BlockCheck", "Identity", "Misprint"]
