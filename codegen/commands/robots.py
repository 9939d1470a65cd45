"""``soagen robots``: the bundled robots."""

from __future__ import annotations

import argparse
import json

from codegen.tables import text_table
from derive.loaders import bundled_robots, load_model


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this command."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Print name, sizes and description of each."""
    models = {name: load_model(name) for name in bundled_robots()}
    if options.json:
        rows = [
            {"name": n, "bodies": m.n, "nq": m.nq, "nv": m.nv, "tips": [t.name for t in m.tips], "description": m.title}
            for n, m in models.items()
        ]
        print(json.dumps(rows, indent=2, ensure_ascii=False))
    else:
        print(text_table(("robot", "nv", "bodies", "what it is"), [(n, m.nv, m.n, m.title) for n, m in models.items()]))
    return 0
