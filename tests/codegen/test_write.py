import errno
import json
import os

import pytest
from oracles import planar_functions as planar

from codegen import write as writing
from codegen.errors import WriteError
from codegen.provenance import digest
from codegen.render import render
from codegen.write import check_written, write

SOURCES = [render(planar.ROBOT, planar.functions(), backend) for backend in ("c", "numpy")]
NAMES = ["planar_2r.c", "planar_2r.h", "planar_2r.py", "planar_2r.manifest.json"]


def content(directory):
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def test_what_is_written_is_current(tmp_path):
    paths = write(SOURCES, tmp_path / "new" / "folder")
    assert [path.name for path in paths] == NAMES
    assert check_written(SOURCES, tmp_path / "new" / "folder") == ""
    assert set(content(tmp_path / "new" / "folder")) == set(NAMES)


def test_the_manifest_has_the_digests(tmp_path):
    write(SOURCES, tmp_path)
    manifest = json.loads((tmp_path / "planar_2r.manifest.json").read_text())
    files = {name: value for backend in manifest["backends"].values() for name, value in backend["files"].items()}
    assert files == {name: digest((tmp_path / name).read_bytes()) for name in NAMES[:3]}
    assert manifest["model"] == planar.ROBOT.model_digest
    assert str(tmp_path) not in json.dumps(manifest)


def test_stale_files_show_a_diff(tmp_path):
    write(SOURCES, tmp_path)
    text = (tmp_path / "planar_2r.c").read_text()
    (tmp_path / "planar_2r.c").write_text(text.replace("restrict tau", "restrict torque", 1))
    (tmp_path / "planar_2r.h").unlink()
    found = check_written(SOURCES, tmp_path)
    assert "--- written/planar_2r.c\n+++ current/planar_2r.c\n" in found
    assert "torque)" in found
    assert "+++ current/planar_2r.h" in found
    assert "planar_2r.py" not in found
    write(SOURCES, tmp_path)
    assert check_written(SOURCES, tmp_path) == ""


def test_current_files_are_left_alone(tmp_path):
    paths = write(SOURCES, tmp_path)
    for path in paths:
        os.utime(path, (1, 1))
    paths[0].write_text("stale")
    write(SOURCES, tmp_path)
    assert [path.stat().st_mtime == 1 for path in paths] == [False, True, True, True]


def test_a_full_disk_changes_nothing(tmp_path, monkeypatch):
    write(SOURCES, tmp_path)
    for name in NAMES[:3]:
        (tmp_path / name).write_text("old")
    before = content(tmp_path)
    calls = []

    def fsync(descriptor):
        calls.append(descriptor)
        if len(calls) == 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(writing.os, "fsync", fsync)
    with pytest.raises(WriteError, match="No space left on device; nothing was changed") as caught:
        write(SOURCES, tmp_path)
    assert "\n" not in str(caught.value)
    assert content(tmp_path) == before


def test_places_that_cannot_be_written(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(WriteError, match=r"cannot write .*file"):
        write(SOURCES, tmp_path / "file")
    with pytest.raises(WriteError, match=r"cannot write .*Not a directory"):
        write(SOURCES, tmp_path / "file" / "folder")
    (tmp_path / "planar_2r.h").mkdir()
    with pytest.raises(WriteError, match=r"planar_2r\.h: it is not a file"):
        write(SOURCES, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"file", "planar_2r.h"}


def test_one_robot_and_distinct_files(tmp_path):
    with pytest.raises(WriteError, match="same name"):
        write([SOURCES[0], SOURCES[0]], tmp_path)
    with pytest.raises(WriteError, match="one robot"):
        write([], tmp_path)
