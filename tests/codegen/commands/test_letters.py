import json

from codegen.cli import main
from derive.operators.alphabet import ALPHABET


def test_every_letter_is_listed_with_its_meaning(capsys):
    assert main(["letters", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["type"] for row in rows] == list(ALPHABET)
    assert all(row["meaning"] and row["source"].startswith("SOA-") for row in rows)
    assert main(["letters"]) == 0
    assert "articulated body inertia" in capsys.readouterr().out
