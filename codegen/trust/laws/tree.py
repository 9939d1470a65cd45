"""Matrix expressions over kernels' outputs at one state; every value is a matrix, a vector is one column.

node ::= Given(name)  |  Moved()                        an input; the configuration moved along a rate, inside Gradient
      |  Call(function, output, inputs)                 an output of a kernel
      |  Identity(n)  |  Product(a, b)  |  Transposed(a)  |  Sum(weight·a …)  |  Diagonal(column)
      |  Rows(a, start, stop)  |  Reshaped(a)           entries in row-major order
      |  Gradient(a)                                    ∂a/∂θ_j for each rate j, one below the other
      |  Skew(a)                                        [a_j ×] for each column a_j (three entries), one below the other
      |  LogDeterminant(a)
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Node:
    """A matrix of this many rows and columns."""

    rows: int
    columns: int

    @property
    def T(self) -> Transposed:
        """The transpose."""
        return Transposed(self.columns, self.rows, self)

    def __matmul__(self, other: Node) -> Product:
        assert self.columns == other.rows, (self, other)
        return Product(self.rows, other.columns, self, other)

    def __add__(self, other: Node) -> Sum:
        return weighted((1.0, self), (1.0, other))

    def __sub__(self, other: Node) -> Sum:
        return weighted((1.0, self), (-1.0, other))

    def __rmul__(self, factor: float) -> Sum:
        return weighted((float(factor), self))

    def row_range(self, start: int, stop: int) -> Rows:
        """Rows from `start` to before `stop`."""
        return Rows(stop - start, self.columns, self, start)

    def reshaped(self, rows: int, columns: int) -> Reshaped:
        """The same entries in another shape."""
        assert rows * columns == self.rows * self.columns
        return Reshaped(rows, columns, self)


@dataclass(frozen=True)
class Given(Node):
    """An input of the state: q, qd, qdd, tau or f_tip."""

    name: str


@dataclass(frozen=True)
class Moved(Node):
    """The configuration moved along the rate of the enclosing Gradient."""


@dataclass(frozen=True)
class Call(Node):
    """Output number `output` of a kernel."""

    function: str
    output: int
    inputs: tuple[Node, ...]


@dataclass(frozen=True)
class Identity(Node):
    """The unit matrix."""


@dataclass(frozen=True)
class Product(Node):
    """left · right."""

    left: Node
    right: Node


@dataclass(frozen=True)
class Transposed(Node):
    """The transpose."""

    of: Node


@dataclass(frozen=True)
class Sum(Node):
    """Σ weight · term."""

    terms: tuple[tuple[float, Node], ...]


@dataclass(frozen=True)
class Diagonal(Node):
    """The diagonal matrix of a column."""

    of: Node


@dataclass(frozen=True)
class Rows(Node):
    """Some rows."""

    of: Node
    start: int


@dataclass(frozen=True)
class Reshaped(Node):
    """The same entries, row-major."""

    of: Node


@dataclass(frozen=True)
class Gradient(Node):
    """The derivatives of `of`, which contains Moved(), along every rate."""

    of: Node


@dataclass(frozen=True)
class Skew(Node):
    """The cross-product matrices of the columns."""

    of: Node


@dataclass(frozen=True)
class LogDeterminant(Node):
    """ln det of a positive definite matrix, a 1×1 matrix."""

    of: Node


def weighted(*terms: tuple[float, Node]) -> Sum:
    """Σ weight · term."""
    assert len({(node.rows, node.columns) for _, node in terms}) == 1, terms
    return Sum(terms[0][1].rows, terms[0][1].columns, terms)


def functions_of(node: object) -> set[str]:
    """The kernels that occur."""
    if isinstance(node, Call):
        return {node.function}.union(*map(functions_of, node.inputs))
    if isinstance(node, Sum):
        return set().union(*(functions_of(term) for _, term in node.terms))
    if isinstance(node, Node):
        return set().union(*(functions_of(child) for child in vars(node).values() if isinstance(child, Node)))
    return set()
