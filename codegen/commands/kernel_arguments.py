"""The arguments that choose functions and how they are generated, shared by the commands that make kernels."""

from __future__ import annotations

import argparse
import math
from typing import get_args

from codegen.functions import ALGORITHMS, FUNCTIONS, MANY_RATES, Unroll, chosen_functions, is_rolled
from derive.model import Model
from derive.run import GRAVITY


def add_kernel_arguments(parser: argparse.ArgumentParser) -> None:
    """--functions, --algorithm, and the precision arguments."""
    known, cubic = ", ".join(FUNCTIONS), " and ".join(name for name, row in FUNCTIONS.items() if row.cubic)
    said = f"default: all that fit, of {known}; from {MANY_RATES} rates on, {cubic} only if named"
    parser.add_argument("--functions", type=names, metavar="a,b", help=said)
    parser.add_argument("--algorithm", choices=ALGORITHMS, help="for forward dynamics; default: the cheapest")
    add_precision_arguments(parser)


def add_precision_arguments(parser: argparse.ArgumentParser) -> None:
    """--real, --trig, --gravity, --unroll."""
    parser.add_argument("--real", choices=("double", "float"), default="double", help="default %(default)s")
    parser.add_argument(
        "--trig",
        choices=("polynomial", "libm"),
        default="polynomial",
        help="sines and cosines in C; default %(default)s",
    )
    parser.add_argument("--gravity", type=_vector, default=GRAVITY, metavar="x,y,z", help="default 0,0,-9.81")
    parser.add_argument(
        "--unroll",
        choices=get_args(Unroll),
        default="auto",
        help="straight-line code always, or never (loops over tables); auto: up to 100 degrees of freedom",
    )


def names(text: str) -> tuple[str, ...]:
    """Names separated by commas, at least one."""
    found = tuple(part.strip() for part in text.split(",") if part.strip())
    if not found:
        raise argparse.ArgumentTypeError("no name is given; leave the option out for the default")
    return found


def chosen_kernels(model: Model, functions: tuple[str, ...] | None, unroll: Unroll) -> list[str]:
    """The names of the functions asked for, or of all that fit the model."""
    named = None if functions is None else list(functions)
    return [function.name for function in chosen_functions(model, named, rolled=is_rolled(model, unroll))]


def _vector(text: str) -> tuple[float, float, float]:
    try:
        x, y, z = (float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not three numbers x,y,z") from None
    if not all(map(math.isfinite, (x, y, z))):
        raise argparse.ArgumentTypeError(f"{text!r}: gravity must be finite")
    return x, y, z
