"""The files of a source, read for what can be mutated in them (`texts.py`): C through `c_syntax.py`, Python through `ast`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from codegen.source import Source
from codegen.trust.mutants import c_syntax
from codegen.trust.mutants.c_syntax import Block, Choice, Loop, Node, Simple, top_level
from codegen.trust.mutants.texts import EmittedFile, FunctionBody, Statement, Table, arithmetic

_PLACE = r"[A-Za-z_]\w*(?:\[[^\[\]=]*\])?"
_ASSIGNMENT = re.compile(rf"^((?:{_PLACE} = )+|{_PLACE} \+= )(.*)$")
DECLARATION = re.compile(r"^\s*(?:static )?(?:const )?(double|int|size_t|unsigned|\w+_lanes)\s+")
_SPREAD = re.compile(r"^\(\w+_lanes\)\{0\} \+ ")  # one number to every lane
_C_TABLE = re.compile(r"^static const (?:double|int) (\w+)\[\d+\] = \{(.*?)\};", re.DOTALL | re.MULTILINE)
_NAMED = re.compile(r"^static const double\s+(k1 = [^;]*);", re.MULTILINE)
_PYTHON_TABLE = re.compile(r"^(\w+) = (?:np\.array)?\(?\(?\[(.*?)\]", re.MULTILINE)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def emitted_files(source: Source) -> list[EmittedFile]:
    """The files of a source that kernels are in."""
    name, functions = source.robot.identifier, [facts.name for facts in source.functions]
    if source.backend != "c":
        return [_python_file(f"{name}.py", source[f"{name}.py"], name, functions)]
    files = [_c_file("C", f"{name}.c", source[f"{name}.c"], name, {f: f for f in functions})]
    if f"{name}_batch.c" in source:
        path = f"{name}_batch.c"
        files.append(_c_file("C batch", path, source[path], name, {f: f"{f}_batch" for f in functions}))
    return files


def function_bodies(source: Source) -> dict[str, FunctionBody]:
    """All functions of the source's first file that are entered, and those that they call."""
    (file, *_) = emitted_files(source)
    return dict(file.bodies)


def is_machinery(name: str) -> bool:
    """Whether a function of C is the same text for every robot: sines, and bringing states to lanes and back."""
    return name.startswith(("batch_", "sincos"))


# -- C ----------------------------------------------------------------------------------------------------------------------


def _c_file(label: str, path: str, text: str, identifier: str, entries: Mapping[str, str]) -> EmittedFile:
    plain = c_syntax.blanked(text)
    known = {name.removeprefix(f"{identifier}_"): f for name, f in c_syntax.functions(plain).items()}
    waiting, bodies = list(entries.values()), {}
    for name in waiting:
        body = _c_body(name, plain, known[name], identifier, known)
        bodies[name] = body
        waiting += [called for called in body.calls if called not in waiting]
    named = _NAMED.search(plain)
    pieces = (piece.split(" = ") for piece in named[1].split(",")) if named else ()
    constants = {constant.strip(): float(value) for constant, value in pieces}
    return EmittedFile(label, path, text, identifier, bodies, _tables(plain, _C_TABLE), entries, constants)


def _c_body(
    name: str, plain: str, function: c_syntax.Function, identifier: str, known: Mapping[str, c_syntax.Function]
) -> FunctionBody:
    text = plain[function.start : function.end]
    called = dict.fromkeys(re.findall(rf"\b{identifier}_(\w+)\(", text))
    calls = tuple(c for c in called if c in known and c != name and not is_machinery(c))
    statements = tuple(_c_statements(c_syntax.parsed(plain, function), function.parameters))
    return FunctionBody(name, function.parameters, statements, calls, text, function.start)


def _c_statements(node: Node, visible: Sequence[str]) -> Iterator[Statement]:
    """The assignments of a node, in order; what a block declares is seen in it only."""
    match node:
        case Simple(start, text):
            yield from _of_simple(start, text, visible)
        case Block(items):
            seen = list(visible)
            for item in items:
                for statement in _c_statements(item, tuple(seen)):
                    yield statement
                    if isinstance(item, Simple):
                        seen += statement.targets
        case Loop(_, _, _, body):
            yield from _c_statements(body, visible)
        case Choice(_, cases):
            for _, inside in cases:
                yield from _c_statements(inside, visible)


def _of_simple(start: int, text: str, visible: Sequence[str]) -> Iterator[Statement]:
    declared = DECLARATION.match(text)
    if declared and declared[1] not in ("double",) and not declared[1].endswith("_lanes"):
        return
    first = declared.end() if declared else 0
    seen = list(visible)
    for at, piece in top_level(text[first:], ",") if declared else [(0, text)]:
        lead = len(piece) - len(piece.lstrip())
        said = _assignment(start + first + at + lead, piece.strip(), tuple(seen))
        if said is not None:
            yield said
            seen += said.targets


def statement(text: str) -> Statement:
    """One statement without its semicolon; nothing to mutate if it is no arithmetic."""
    found = next(_of_simple(0, text, ()), None)
    return found or Statement(0, 0, text, (), "")


def _assignment(start: int, text: str, visible: tuple[str, ...]) -> Statement | None:
    found = _ASSIGNMENT.match(text)
    if found is None:
        return None
    spread = _SPREAD.match(found[2])
    lead = found.start(2) + (spread.end() if spread else 0)
    return arithmetic(start + lead, start + len(text), text, re.split(r" \+?= ", found[1])[:-1], text[lead:], visible)


def _tables(text: str, pattern: re.Pattern[str]) -> dict[str, Table]:
    found = {}
    for match in pattern.finditer(text):
        numbers = list(_NUMBER.finditer(match[2]))
        places = tuple((match.start(2) + n.start(), match.start(2) + n.end()) for n in numbers)
        found[match[1]] = Table(match[1], tuple(n[0] for n in numbers), places)
    return found


# -- Python -----------------------------------------------------------------------------------------------------------------


def _python_file(path: str, text: str, identifier: str, functions: Sequence[str]) -> EmittedFile:
    tables = _tables(text, _PYTHON_TABLE)
    tables.pop("INFO", None)
    whole = frozenset(name for name, table in tables.items() if table.is_whole)
    lines = list(accumulate((len(line) for line in text.splitlines(keepends=True)), initial=0))
    definitions = {node.name: node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
    bodies = {name: _python_body(text, definitions[name], lines, whole) for name in functions}
    return EmittedFile("NumPy", path, text, identifier, bodies, tables, {name: name for name in functions})


def _python_body(text: str, node: ast.FunctionDef, lines: list[int], whole: frozenset[str]) -> FunctionBody:
    assert node.end_lineno is not None
    start, end = lines[node.lineno - 1], lines[node.end_lineno]
    statements = tuple(_python_statements(node.body, text, lines, (), whole))
    return FunctionBody(node.name, tuple(a.arg for a in node.args.args), statements, (), text[start:end], start)


def _python_statements(
    nodes: Sequence[ast.stmt], text: str, lines: list[int], visible: tuple[str, ...], whole: frozenset[str]
) -> Iterator[Statement]:
    seen = list(visible)
    for node in nodes:
        for inner in (getattr(node, "body", []), getattr(node, "orelse", [])):
            yield from _python_statements(inner, text, lines, tuple(seen), whole)
        targets, value = _assigned(node)
        if value is None or _reads(value, whole):
            continue
        start, end = (lines[n - 1] + c for n, c in _ends(value))  # statements are ASCII: their columns count letters
        names = [ast.unparse(target) for target in targets]
        said = arithmetic(start, end, ast.unparse(node), names, text[start:end].replace("\n", " "), tuple(seen))
        if said is not None:
            yield said
            seen += said.targets


def _assigned(node: ast.stmt) -> tuple[list[ast.expr], ast.expr | None]:
    """Targets and value of an assignment, or of np.add.at(array, index, value)."""
    match node:
        case ast.Assign(targets, value):
            return targets, value
        case ast.AugAssign(target, _, value):
            return [target], value
        case ast.Expr(ast.Call(ast.Attribute(ast.Attribute(_, "add"), "at"), [array, index, value])):
            return [ast.Subscript(array, index)], value
    return [], None


def _ends(node: ast.expr) -> tuple[tuple[int, int], tuple[int, int]]:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def _reads(value: ast.expr, whole: frozenset[str]) -> bool:
    """Whether it is the number of something."""
    return isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name) and value.value.id in whole
