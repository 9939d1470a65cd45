"""A law's side as C statements over the functions of `templates/selftest/arithmetic.c.jinja`."""

from __future__ import annotations

from dataclasses import dataclass, field

from codegen.trust.laws import tree

STEPS = 4  # configurations per rate in a gradient


@dataclass
class Statements:
    """Statements so far; arrays they use; the name of each node's array, so that what is shared is computed once."""

    lines: list[str] = field(default_factory=list)
    arrays: dict[str, int] = field(default_factory=dict)
    names: dict[tree.Node, str] = field(default_factory=dict)
    depth: int = 0

    def value(self, node: tree.Node) -> str:
        """The name of the array that holds the node, after the statements."""
        if node not in self.names:
            self.names[node] = self._computed(node)
        return self.names[node]

    def _computed(self, node: tree.Node) -> str:
        size = node.rows * node.columns
        match node:
            case tree.Given(_, _, name):
                return f"s->{name}"
            case tree.Moved():
                return "moved"
            case tree.Reshaped(_, _, of):
                return self.value(of)
            case tree.Rows(_, columns, of, start):
                return f"({self.value(of)} + {start * columns})"
            case tree.Call(_, _, function, output, inputs):
                given = [self.value(i) for i in inputs]
                array = self._array(size)
                self._say(f"call_{function}({', '.join(given)}, {output}, {array});")
            case tree.Identity(n):
                array = self._array(size)
                self._say(f"identity({n}, {array});")
            case tree.Product(rows, columns, left, right):
                a, b, array = self.value(left), self.value(right), self._array(size)
                self._say(f"product({rows}, {left.columns}, {columns}, {a}, {b}, {array});")
            case tree.Transposed(rows, columns, of):
                a, array = self.value(of), self._array(size)
                self._say(f"transposed({columns}, {rows}, {a}, {array});")
            case tree.Sum(_, _, terms):
                parts = [(weight, self.value(term)) for weight, term in terms]
                array = self._array(size)
                self._say(f"zero({size}, {array});")
                for weight, part in parts:
                    self._say(f"add({size}, {weight!r}, {part}, {array});")
            case tree.Diagonal(n, _, of):
                a, array = self.value(of), self._array(size)
                self._say(f"diagonal({n}, {a}, {array});")
            case tree.Skew(_, _, of):
                a, array = self.value(of), self._array(size)
                self._say(f"skew({of.columns}, {a}, {array});")
            case tree.LogDeterminant(_, _, of):
                a, work, array = self.value(of), self._array(of.rows * of.columns), self._array(1)
                self._say(f"{array}[0] = log_determinant({of.rows}, {a}, {work});")
            case tree.Gradient(_, _, of):
                array = self._gradient(of, size)
        return array

    def _gradient(self, of: tree.Node, size: int) -> str:
        """A loop over rates and steps; what is computed inside is not known outside."""
        array, outside = self._array(size), dict(self.names)
        part = of.rows * of.columns
        self._say(f"zero({size}, {array});")
        self._say("for (int rate = 0; rate < nv; rate++)")
        self.depth += 1
        self._say(f"for (int step = 0; step < {STEPS}; step++) {{")
        self.depth += 1
        self._say("static double moved[nq];")
        self._say("move(s->q, &motions[rate], motions[rate].offset[step], moved);")
        value = self.value(of)
        self._say(f"add({part}, motions[rate].weight[step], {value}, {array} + rate * {part});")
        self.depth -= 1
        self._say("}")
        self.depth -= 1
        self.names = outside
        return array

    def _array(self, size: int) -> str:
        name = f"t{len(self.arrays) + 1}"
        self.arrays[name] = size
        return name

    def _say(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)


def c_statements(left: tree.Node, right: tree.Node) -> tuple[list[str], list[str]]:
    """Declarations and statements that put the two sides into the arrays `left` and `right`."""
    said = Statements()
    for side, node in (("left", left), ("right", right)):
        array = said.value(node)
        said.lines.append(f"copy({node.rows * node.columns}, {array}, {side});")
    return [f"static double {name}[{size}];" for name, size in said.arrays.items()], said.lines
