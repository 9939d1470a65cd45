"""What the README shows is what the commands print today."""

import io
import re
import shlex
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from codegen.cli import main
from codegen.pipeline import kernel_programs
from codegen.published_counts import published_for
from derive import load_model

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COUNTED = {
    "inverse dynamics": "inverse_dynamics",
    "mass matrix": "mass_matrix",
    "forward dynamics": "forward_dynamics",
    "inverse mass matrix": "mass_matrix_inverse",
    "gravity forces": "gravity_forces",
    "Coriolis matrix": "coriolis_matrix",
}


def shown():
    """(command, lines printed) of every console block; lines left out are marked with an ellipsis there."""
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL):
        for part in re.split(r"(?m)^\$ ", block)[1:]:
            command, *lines = part.splitlines()
            if "arm.urdf" not in command:  # a file of the reader's
                yield command, [line for line in lines if line.strip("… ")]


@pytest.mark.parametrize(("command", "lines"), list(shown()), ids=lambda x: x if isinstance(x, str) else "")
def test_commands_print_what_is_shown(command, lines):
    printed = io.StringIO()
    with redirect_stdout(printed), redirect_stderr(printed):
        main(shlex.split(command)[1:])
    assert [line for line in lines if line not in printed.getvalue().splitlines()] == []


def test_the_kernel_shown_is_the_one_in_generated():
    (excerpt,) = re.findall(r"```c\n(.*?)```", README, re.DOTALL)
    kernel = (ROOT / "generated" / "panda" / "panda.c").read_text(encoding="utf-8").splitlines()
    assert [line for line in excerpt.splitlines() if line.strip("… ") and line not in kernel] == []


def test_counts_are_those_of_the_programs_and_the_table_of_others():
    model = load_model("panda")
    ours = {
        p.name: p.operations.multiplications + p.operations.additions for p in kernel_programs(model, COUNTED.values())
    }
    for label, function in COUNTED.items():
        fewest = min((p for p in published_for(model) if p.function == function), key=lambda p: p.total)
        row = re.search(rf"(?m)^\| {label} \| (\d+) \| (\d+) ", README)
        assert row is not None, label
        assert (int(row[1]), int(row[2])) == (ours[function], fewest.total), label
