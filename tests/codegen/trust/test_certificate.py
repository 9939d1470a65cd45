import json
import re

import pytest

from codegen.cli import main
from codegen.errors import WriteError
from codegen.trust.certificate import JSON_NAME, MARKDOWN_NAME, verify
from codegen.trust.function_texts import ELSEWHERE, function_texts


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Generated files of the smallest arm with their certificate."""
    place = tmp_path_factory.mktemp("certified")
    assert main(["generate", "planar_2r", "--out", str(place), "-q"]) == 0
    assert main(["check", "planar_2r", "--samples", "4", "--mutants", "12", "--certificate", str(place), "-q"]) == 0
    return place


@pytest.fixture
def copy(folder, tmp_path):
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path


def test_it_says_what_was_checked_against_what(folder):
    data = json.loads((folder / JSON_NAME).read_text())
    assert data["passes"] is True
    assert {"planar_2r.c", "planar_2r.h", "planar_2r.py", "planar_2r_selftest.c"} <= set(data["files"])
    assert {"reference", "dense operators", "50 digits"} <= set(data["functions"]["mass_matrix"]["oracles"])
    assert data["mutants"]["mutants"] == 36
    assert data["mutants"]["kill rate"] == 1.0
    text = (folder / MARKDOWN_NAME).read_text()
    assert "| `mass_matrix` |" in text
    assert "kill rate of the others 100 %" in text


def test_the_same_check_gives_the_same_certificate_but_for_the_environment(folder, tmp_path, monkeypatch):
    monkeypatch.setattr("codegen.trust.certificate.platform.python_version", lambda: "9.9.9")
    main(["check", "planar_2r", "--samples", "4", "--mutants", "12", "--certificate", str(tmp_path), "-q"])
    first, second = (json.loads((place / JSON_NAME).read_text()) for place in (folder, tmp_path))
    assert first.pop("environment") != second.pop("environment")
    assert first == second


def test_files_as_they_were_checked_pass(copy, capsys):
    assert main(["check", "--verify", str(copy)]) == 0
    assert main(["check", "planar_2r", "--verify", str(copy / JSON_NAME)]) == 0
    assert "as they were checked" in capsys.readouterr().out


def test_a_file_that_was_changed_is_named_with_the_function(copy, capsys):
    file = copy / "planar_2r.c"
    text = file.read_text()
    start = text.index("planar_2r_mass_matrix(")
    file.write_text(text[:start] + text[start:].replace("cos(", "sin(", 1))
    assert main(["check", "--verify", str(copy)]) == 1
    assert capsys.readouterr().out == "planar_2r.c is not the file that was checked: mass_matrix differs\n"


@pytest.mark.parametrize(
    ("at", "named", "not_named"),
    [
        ("planar_2r_mass_matrix_part(", "mass_matrix", "gravity_forces"),  # a part that functions call
        ("static const double k1 = ", "kinetic_energy", "gravity_forces"),  # a constant that functions name
        ("planar_2r_sincos(", "gravity_forces", "outside"),
    ],
)
def test_a_change_in_what_functions_share_is_named_with_the_functions(copy, capsys, at, named, not_named):
    file = copy / "planar_2r.c"
    text = file.read_text()
    start = text.index("\n{" if "(" in at else at, text.index(at))
    digit = re.compile(r"[1-9](?=[;,. ])").search(text, start + len(at))
    file.write_text(text[: digit.start()] + str(int(digit[0]) % 9 + 1) + text[digit.end() :])
    assert main(["check", "--verify", str(copy)]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("planar_2r.c is not the file that was checked: ")
    words = re.findall(r"\w+", line.split(": ", 1)[1])
    assert named in words
    assert not_named not in words


def test_every_function_has_its_text(folder):
    """No definition of C or Python is overlooked: outside of functions there is none."""
    data = json.loads((folder / JSON_NAME).read_text())
    for path in ("planar_2r.c", "planar_2r.py"):
        found = function_texts(path, (folder / path).read_text(), "planar_2r", data["functions"])
        assert set(found) == {*data["functions"], ELSEWHERE}
        assert not re.search(r"^(static |inline )*(void|def) ", found[ELSEWHERE], re.MULTILINE)


@pytest.mark.parametrize("name", ["planar_2r.h", "planar_2r_selftest.py"])
def test_one_byte_of_any_file_is_noticed(copy, capsys, name):
    data = bytearray((copy / name).read_bytes())
    data[len(data) // 2] ^= 1
    (copy / name).write_bytes(data)
    assert main(["check", "--verify", str(copy)]) == 1
    assert capsys.readouterr().out == f"{name} is not the file that was checked: its digest differs\n"


def test_a_certificate_that_was_changed_is_named_with_the_function(copy, capsys):
    file = copy / JSON_NAME
    data = json.loads(file.read_text())
    data["functions"]["jacobian"]["worst"]["C"]["relative"] = 0.0
    file.write_text(json.dumps(data))
    assert main(["check", "--verify", str(copy)]) == 1
    assert capsys.readouterr().out == "certificate.json: the record of jacobian was changed\n"


@pytest.mark.parametrize("key", ["model", "digest", "mutants"])
def test_a_wrong_digest_is_caught(copy, key):
    file = copy / JSON_NAME
    data = json.loads(file.read_text())
    data[key] = "0" * 64
    file.write_text(json.dumps(data))
    (line,) = verify(copy)
    assert "its digest does not fit what it says of" in line
    assert "mass_matrix" in line


def test_another_model_and_missing_files(copy, capsys):
    (copy / "planar_2r.h").unlink()
    assert main(["check", "planar_3r", "--verify", str(copy)]) == 1
    out = capsys.readouterr().out
    assert "the model is another one" in out
    assert "mass_matrix" in out
    assert "planar_2r.h is missing" in out


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"functions": 1}'])
def test_what_is_no_certificate(tmp_path, text):
    (tmp_path / JSON_NAME).write_text(text)
    with pytest.raises(WriteError, match="is not a certificate"):
        verify(tmp_path)
    with pytest.raises(WriteError, match="cannot read"):
        verify(tmp_path / "nowhere")
