"""The committed sample output is what the generator writes today, byte for byte."""

from pathlib import Path

import pytest

from codegen.pipeline import kernel_programs
from codegen.programs import robot_facts
from codegen.render import render
from codegen.trust.selftest import with_selftests
from codegen.write import check_written
from derive import load_model

GENERATED = Path(__file__).parent.parent / "generated"
ROBOTS = sorted(folder.name for folder in GENERATED.iterdir() if folder.is_dir())


def test_the_samples_are_those_promised():
    assert ROBOTS == ["go2", "panda", "planar_2r", "puma560", "ur5"]


@pytest.mark.parametrize("name", ROBOTS)
def test_committed_output_is_current(name):
    model = load_model(name)
    programs = kernel_programs(model)
    sources = [render(robot_facts(model), programs, backend) for backend in ("c", "numpy")]
    difference = check_written(with_selftests(sources, model, programs), GENERATED / name)
    assert difference == "", difference[:2000]
