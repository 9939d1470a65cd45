"""A law's side as a Python expression over the functions of `templates/selftest/arithmetic.py.jinja`."""

from __future__ import annotations

from codegen.trust.laws import tree


def python_text(node: tree.Node) -> str:
    """The expression; the state's inputs are the names q, qd, qdd, tau, f_tip."""
    match node:
        case tree.Given(_, _, name):
            return name
        case tree.Moved():
            return "moved"
        case tree.Call(_, _, function, output, inputs):
            arguments = [f'"{function}"', str(output), *map(python_text, inputs)]
            return f"call({', '.join(arguments)})"
        case tree.Identity(n):
            return f"np.eye({n})"
        case tree.Product(_, _, left, right):
            return f"{_factor(left)} @ {_factor(right)}"
        case tree.Transposed(_, _, of):
            return f"transposed({python_text(of)})"
        case tree.Sum(_, _, terms):
            return " + ".join(_factor(t) if w == 1.0 else f"{w!r} * {_factor(t)}" for w, t in terms)
        case tree.Diagonal(n, _, of):
            return f"{_factor(of)} * np.eye({n})"
        case tree.Rows(rows, _, of, start):
            return f"{_factor(of)}[:, {start}:{start + rows}]"
        case tree.Reshaped(rows, columns, of):
            return f"{_factor(of)}.reshape(-1, {rows}, {columns})"
        case tree.Gradient(_, _, of):
            return f"gradient(q, lambda moved: {python_text(of)})"
        case tree.Skew(_, _, of):
            return f"skew({python_text(of)})"
        case tree.LogDeterminant(_, _, of):
            return f"log_determinant({python_text(of)})"
    raise TypeError(node)


def _factor(node: tree.Node) -> str:
    """In parentheses if it is a sum or product."""
    text = python_text(node)
    return f"({text})" if isinstance(node, (tree.Sum, tree.Product, tree.Diagonal)) else text
