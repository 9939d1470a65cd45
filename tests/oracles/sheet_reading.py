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


def python_values(text, q, qd=None):
    """What the printed Python returns, as an array."""
    function = python_function(text)
    takes_rates = "qd" in function.__code__.co_varnames[: function.__code__.co_argcount]
    return np.array(function(q, qd) if takes_rates else function(q))


FLAGS = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-missing-prototypes", "-O0", "-shared", "-fPIC"]
HEAD = re.compile(r"^(void|double) (\w+)\((.*)\)$", re.MULTILINE)


def c_values(texts, shapes, compiler, folder, q, qd=None, parameters=None):
    """What each of several printed C functions gives, as arrays of these shapes, all built at once."""
    heads = [HEAD.search(text) for text in texts]
    source, library = folder / "sheets.c", folder / "sheets.so"
    each = enumerate(zip(texts, heads, strict=True))
    source.write_text("\n".join(text[: head.start(2)] + f"f{i}" + text[head.end(2) :] for i, (text, head) in each))
    subprocess.run([compiler, *FLAGS, str(source), "-o", str(library), "-lm"], check=True, capture_output=True)
    built = ctypes.CDLL(str(library))
    pointer = ctypes.POINTER(ctypes.c_double)
    arrays = {
        "q": np.ascontiguousarray(q, dtype=float),
        "qd": None if qd is None else np.ascontiguousarray(qd, dtype=float),
    }

    def argument(words, out):
        name = re.search(r"\w+$", words)[0]
        array = out if name == "out" else arrays.get(name)
        return array.ctypes.data_as(pointer) if "*" in words else ctypes.c_double(parameters[name])

    found = []
    for i, (head, shape) in enumerate(zip(heads, shapes, strict=True)):
        function, out = getattr(built, f"f{i}"), np.full(shape, np.nan)
        function.restype = ctypes.c_double if head[1] == "double" else None
        result = function(*(argument(words, out) for words in head[3].split(", ")))
        found.append(out if result is None else np.array(result))
    return found


def arranged(entries, shape, symmetric):
    """Values by their indices, counted from 1, as an array: those of the last indices, the rest being the same for all."""
    array = np.full(shape, np.nan)
    for indices, value in entries.items():
        place = tuple(i - 1 for i in indices[len(indices) - len(shape) :])
        array[place] = value
        if symmetric:
            array[(*place[:-2], place[-1], place[-2])] = value
    return array


def json_array(text, q, qd=None):
    """What the JSON says, as an array."""
    content = json.loads(text)
    return arranged(json_values(text, q, qd), content["shape"], content["symmetric"])


def latex_array(text, sheet, q, qd=None):
    """The right sides of the formulas in LaTeX, as an array."""
    labels = [(f.label.along, *f.label.indices) for f in sheet.formulas]
    return arranged(dict(zip(labels, latex_values(text, sheet, q, qd), strict=True)), sheet.shape, sheet.symmetric)


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
