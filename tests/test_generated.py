"""The committed sample output is what the generator writes today, byte for byte."""

import os
import subprocess
import sys
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


OTHER_PROCESSOR = {  # without what recent ones have, where NumPy, its linear algebra and the C library round differently
    "NPY_DISABLE_CPU_FEATURES": "AVX512F AVX512CD AVX512_SKX",
    "OPENBLAS_CORETYPE": "Sandybridge",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX2_Usable,-FMA_Usable",
}


def test_another_processor_writes_the_same_bytes(tmp_path):
    command = [sys.executable, "-m", "codegen", "generate", "ur5", "--out", str(tmp_path), "-q"]
    subprocess.run(command, env=os.environ | OTHER_PROCESSOR, check=True, capture_output=True)
    for path in (GENERATED / "ur5").iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), path.name
