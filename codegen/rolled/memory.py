"""What loops leave for each other: which entries of which arrays are kept, found by tracing until nothing new turns up.

An array of the work memory has a row for every body; its row `n`, the ground's, takes what bodies on the ground send inboard.
"""

from __future__ import annotations

from typing import Any

from codegen.rolled.values import KEPT, Shape, joined, summed

OWN, OUTBOARD, BEYOND, BEFORE = "own", "outboard", "beyond", "before"  # where a column is, seen from a body


class Memory:
    """Shapes of the arrays: as bodies of each kind leave them, as their children see them, and as sums over children.

    What many kinds of body have a part in is collected in one round and read in the next.
    """

    def __init__(self) -> None:
        self.here: dict[tuple[str, int], Shape] = {}
        self.inherited: set[str] = set()  # arrays that children read
        self.seen_by_children: dict[str, Shape] = {}
        self.sums: dict[tuple[str, bool], Shape] = {}
        self.columns: dict[tuple[str, int], frozenset[str]] = {}
        self.matrix_sizes: dict[str, int] = {}
        self.climbing: dict[str, frozenset[str]] = {}
        self.rows: dict[str, frozenset[str]] = {}
        self._seen: dict[str, Shape] = {}
        self._sums: dict[tuple[str, bool], Shape] = {}

    def leave(self, array: str, kind: int, own: Shape | None, others: Shape) -> None:
        """Bodies of this kind leave a value; `own` is what they know of it themselves."""
        if own is not None:
            self.here[array, kind] = own
        if array in self.inherited:
            self._seen[array] = joined(self._seen.get(array), others)

    def send(self, array: str, shape: Shape, carries_tip: bool) -> None:
        """A body that carries the tip or not adds a value to its parent's sum; a parent of one that does carries it too."""
        for key in {(array, True), (array, carries_tip)}:
            self._sums[key] = joined(self._sums.get(key), summed(shape))

    def end_round(self) -> None:
        """What was collected is what is read from now on."""
        self.seen_by_children, self.sums = self._seen, self._sums
        self._seen, self._sums = {}, {}

    def layout(self, array: str, kind: int) -> dict[int, int]:
        """Position in the value → offset in the row of a body of this kind, for the entries that are kept.

        What other kinds of body read, or add to, is at the same place for all.
        """
        shared = [shape for (name, _), shape in self.sums.items() if name == array]
        if array in self.seen_by_children:
            shared.append(self.seen_by_children[array])
        shapes = shared or [shape for key, shape in self.here.items() if key == (array, kind)]
        if array in self.seen_by_children:
            shapes += [shape for (name, _), shape in self.here.items() if name == array]
        kept = sorted({i for shape in shapes for i, known in enumerate(shape.known) if known == KEPT})
        return {position: offset for offset, position in enumerate(kept)}

    def width(self, array: str) -> int:
        """Numbers in a row of the array."""
        kinds = {kind for name, kind in self.here if name == array} or {0}
        return max(len(self.layout(array, kind)) for kind in kinds)

    def is_summed(self, array: str) -> bool:
        """Whether columns that climb through the array are at several bodies at a time, and so are added up body by body."""
        return not self.climbing.get(array, frozenset()) <= {OWN, OUTBOARD}

    @property
    def state(self) -> Any:
        """Equal where nothing new was found."""
        shapes = [{key: shape.known for key, shape in d.items()} for d in (self.here, self.seen_by_children, self.sums)]
        return (*shapes, set(self.inherited), dict(self.columns), dict(self.climbing), dict(self.rows))
