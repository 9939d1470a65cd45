"""``soagen letters``: the alphabet of the operator algebra, as the parser knows it."""

from __future__ import annotations

import argparse
import json

from codegen.tables import text_table
from derive.operators.alphabet import ALPHABET


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this command."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Print each letter: how to type it, how it prints, its spaces, its meaning and where it is defined."""
    columns = ("type", "prints", "from", "to", "structure", "source", "meaning", "definition")
    rows = [
        (r.name, r.unicode, str(r.domain), str(r.codomain), str(r.structure), r.soa, r.meaning, r.definition or "")
        for r in ALPHABET.values()
    ]
    if options.json:
        print(json.dumps([dict(zip(columns, row, strict=True)) for row in rows], indent=2, ensure_ascii=False))
    else:
        print(text_table(columns, rows))
    return 0
