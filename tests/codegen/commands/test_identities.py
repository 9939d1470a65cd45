import json

from codegen.cli import main
from derive.operators import LEDGER


def test_every_entry_has_a_line(capsys):
    assert main(["identities"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == [entry.soa for entry in LEDGER]


def test_an_entry_in_full(capsys):
    assert main(["identities", "SOA-51"]) == 0
    assert "decided   (I - H psi K) H phi = H psi" in capsys.readouterr().out


def test_check_proves_and_refutes(capsys):
    assert main(["identities", "SOA-50", "SOA-48", "--check", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["entry"], row["holds"]) for row in rows] == [("SOA-50", True), ("SOA-48", True)]


def test_a_false_entry_fails_the_check(monkeypatch, capsys):
    import dataclasses

    import codegen.commands.identities as command

    broken = dataclasses.replace(
        next(e for e in LEDGER if e.soa == "SOA-51"), statements=("(I - H psi K) H phi = H phi",)
    )
    monkeypatch.setattr(command, "LEDGER", (broken,))
    assert main(["identities", "--check"]) == 1
    out = capsys.readouterr().out
    assert "SOA-51  FAILS" in out
    assert "is false" in out


def test_an_unknown_entry_is_refused(capsys):
    assert main(["identities", "SOA-999"]) == 2
    assert "no entry 'SOA-999'" in capsys.readouterr().err
