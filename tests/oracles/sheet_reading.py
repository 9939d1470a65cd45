"""Printed sheets read back as numbers: Python by Python, C by a compiler, JSON by its trees, LaTeX by SymPy."""

import ctypes
import json
import math
import re
import subprocess
from fractions import Fraction

import numpy as np

from derive.closed_form.printing.names import latex_symbol
from derive.closed_form.variables import Kind


def python_function(text):
    """The one function of a printed module."""
    namespace = {}
    exec(compile(text, "printed", "exec"), namespace)
    return next(v for k, v in namespace.items() if callable(v) and k not in ("cos", "sin"))


def python_values(text, q, qd):
    """What the printed Python returns, flat."""
    function = python_function(text)
    takes_rates = "qd" in function.__code__.co_varnames[: function.__code__.co_argcount]
    return np.ravel(function(q, qd) if takes_rates else function(q))


def c_values(texts, sizes, compiler, folder, q, qd):
    """What each of several printed C functions without parameters gives, flat, all built at once."""
    heads, renamed = [], []
    for i, text in enumerate(texts):
        head = re.search(r"^(void|double) (\w+)\((.*)\)$", text, re.MULTILINE)
        heads.append(head)
        renamed.append(text[: head.start(2)] + f"f{i}" + text[head.end(2) :])
    source, library = folder / "sheets.c", folder / "sheets.so"
    source.write_text("\n".join(renamed))
    flags = [
        "-std=c99",
        "-Wall",
        "-Wextra",
        "-Wpedantic",
        "-Werror",
        "-O0",
        "-shared",
        "-fPIC",
        "-Wno-missing-prototypes",
    ]
    subprocess.run([compiler, *flags, str(source), "-o", str(library), "-lm"], check=True, capture_output=True)
    built = ctypes.CDLL(str(library))
    pointer = ctypes.POINTER(ctypes.c_double)
    found = []
    for i, (head, size) in enumerate(zip(heads, sizes, strict=True)):
        function, out = getattr(built, f"f{i}"), np.full(size, np.nan)
        given = {"q": q, "qd": qd, "out": out}
        words = [word.split("*")[1] for word in head[3].split(", ")]
        function.restype = ctypes.c_double if head[1] == "double" else None
        result = function(*(given[w].ctypes.data_as(pointer) for w in words))
        found.append(out if result is None else np.array([result]))
    return found


def json_values(text, q, qd=None):
    """(derivative, indices) → number, from the JSON alone."""
    content = json.loads(text)
    known = {}
    for name, what in content["symbols"].items():
        if what["is"] in ("cos", "sin"):
            parts = [float(Fraction(p["times"])) * q[p["q"] - 1] for p in what["of"]]
            known[name] = getattr(math, what["is"])(math.fsum([float(Fraction(what["offset"])), *parts]))
        elif what["is"] == "parameter":
            known[name] = what["value"]
        else:
            known[name] = (q if what["is"] == "coordinate" else qd)[what["index"] - 1]

    def value(tree):
        if isinstance(tree, dict):
            return known[tree["symbol"]] if "symbol" in tree else float(Fraction(tree["number"]))
        operator, *operands = tree
        if operator == "^":
            return value(operands[0]) ** operands[1]
        parts = [value(x) for x in operands]
        return math.fsum(parts) if operator == "+" else math.prod(parts) if operator == "*" else parts[0] / parts[1]

    for definition in content["definitions"]:
        known[definition["symbol"]] = value(definition["tree"])
    return {(f.get("along", 0), *f["indices"]): value(f["tree"]) for f in content["formulas"]}


def latex_values(text, sheet, q, qd=None):
    """The right sides of the formulas, read by SymPy. The sheet says what its letters are, the text all else.

    SymPy's parser reads no index with a comma and loses that of a letter with a dot: such letters are numbered for it.
    """
    from sympy.parsing.latex import parse_latex

    numbers, known = {}, {}

    def read(part):
        indexed = r"(?:\\dot\{q\}|\\[a-z]+|[A-Za-z])_\{[^}]*\}"
        return parse_latex(re.sub(indexed, lambda m: f"v_{{{numbers.setdefault(m[0], len(numbers))}}}", part))

    for v in sheet.variables():
        angle = math.fsum([float(v.angle[1]), *(float(m) * q[k] for k, m in v.angle[0])]) if v.angle else 0.0
        trigonometric = {Kind.COS: math.cos(angle), Kind.SIN: math.sin(angle)}.get(v.kind)
        other = {Kind.RATE: qd, Kind.COORDINATE: q}.get(v.kind)
        value = trigonometric if other is None else other[v.index]
        known[read(latex_symbol(v))] = dict(sheet.parameters)[v.name] if value is None else value
    body = text.replace(r"\begin{align*}", "").replace(r"\end{align*}", "")
    rows = [row.replace("&", "").strip().split(" = ") for row in body.split("\\\\\n")]
    values = []
    for left, right, *_ in rows:
        values.append(float(read(right).subs(known).evalf(17)))
        if len(values) <= len(sheet.definitions):
            known[read(left)] = values[-1]
    return values[len(sheet.definitions) :]
