"""Fixtures: formulas with one slip in them, to see that a check notices."""

import ast
import copy
import functools
import inspect
import sys
import types
from contextlib import contextmanager

import pytest

from derive.operators.identities import LEDGER
from derive.operators.identities.check import residual

NOTICED = 1e-6
IDENTITIES = "derive.operators.identities."


@pytest.fixture(scope="session")
def unnoticed_slips():
    """The function that lists slips no check notices."""
    return _unnoticed_slips


@pytest.fixture(scope="session")
def can_fail():
    """The function that says whether a check notices some slip in the formulas it uses."""
    return _can_fail


def _unnoticed_slips(module):
    """Of all slips in the functions of `module`, those the ledger's checks do not notice: 'function: slip' texts."""
    unnoticed = []
    for function, slip, code in _slips(module):
        checks = [c for entry in LEDGER for c in entry.checks if function in _reachable(c.residual)]
        assert checks or function in FALSE, f"no check of the ledger uses {function.__name__}"
        if checks and not any(_notices(check, function, code) for check in checks):
            unnoticed.append(f"{function.__name__}: {slip}")
    return unnoticed


def _can_fail(check):
    functions = _reachable(check.residual)
    modules = {f.__module__ for f in functions if f.__module__.startswith(IDENTITIES)}
    slips = (slip for name in sorted(modules) for slip in _slips(sys.modules[name]))
    return any(_notices(check, function, code) for function, _, code in slips if function in functions)


def _notices(check, function, code):
    with _replaced(function, code):
        return _fails(check)


def _fails(check):
    try:
        return not residual(check, seeds=(0,)) <= NOTICED
    except (ValueError, TypeError, IndexError, AttributeError):  # shapes that do not fit
        return True


@functools.cache
def _slips(module):
    return tuple(_all_slips(module))


def _all_slips(module):
    """(function, text, code) of each function of `module` with one sign flipped, factor changed or transpose dropped."""
    tree = ast.parse(inspect.getsource(module))
    for top, definition in enumerate(tree.body):
        if not isinstance(definition, ast.FunctionDef):
            continue
        for place, node in enumerate(ast.walk(definition)):
            if _slipped(node) is None:
                continue
            wrong = copy.deepcopy(tree)
            target = next(n for i, n in enumerate(ast.walk(wrong.body[top])) if i == place)
            changed = _Replacement(target, _slipped(target)).visit(wrong)
            namespace = dict(vars(module))
            exec(compile(ast.fix_missing_locations(changed), module.__file__, "exec"), namespace)
            code = namespace[definition.name].__code__
            yield getattr(module, definition.name), f"{ast.unparse(node)} → {ast.unparse(_slipped(node))}", code


def _slipped(node):
    """The node with a slip in it, or None if it has no place for one."""
    match node:
        case ast.BinOp(left, ast.Add(), right):
            return ast.BinOp(left, ast.Sub(), right)
        case ast.BinOp(left, ast.Sub(), right):
            return ast.BinOp(left, ast.Add(), right)
        case ast.UnaryOp(ast.USub(), operand):
            return operand
        case ast.BinOp(ast.Constant(int() | float() as value), ast.Mult(), right):
            return ast.BinOp(ast.Constant(value + 1), ast.Mult(), right)
        case ast.Attribute(value, "T"):
            return value
    return None


class _Replacement(ast.NodeTransformer):
    def __init__(self, old, new):
        self.old, self.new = old, new

    def visit(self, node):
        return self.new if node is self.old else super().generic_visit(node)


@contextmanager
def _replaced(function, code):
    """`function` doing something else, wherever it has been imported."""
    original = function.__code__
    function.__code__ = code
    try:
        yield
    finally:
        function.__code__ = original


@functools.cache
def _reachable(residual):
    """The functions of this project that a residual calls, itself included."""
    found, todo = set(), [residual]
    while todo:
        item = todo.pop()
        if isinstance(item, functools.partial):
            todo += [item.func, *item.keywords.values()]
        elif isinstance(item, types.FunctionType) and item.__module__.startswith("derive.") and item not in found:
            found.add(item)
            todo += [item.__globals__.get(name) for name in _names(item.__code__)]
    return frozenset(found)


def _names(code):
    """Global names a code object uses, in its comprehensions and generators too."""
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)
    yield from code.co_names


FALSE = frozenset(f for entry in LEDGER for m in entry.misprints if m.check for f in _reachable(m.check.residual))
