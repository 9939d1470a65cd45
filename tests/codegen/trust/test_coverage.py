from pathlib import Path

from codegen.functions import FUNCTIONS
from codegen.trust.coverage import coverage_table
from codegen.trust.quantities import DERIVATIVES, EXPECTED


def test_every_function_has_an_oracle_and_a_law():
    assert set(EXPECTED) == set(FUNCTIONS)
    rows = [line.split("|")[1:-1] for line in coverage_table().splitlines() if line.startswith("| `")]
    assert [row[0].strip(" `") for row in rows] == list(FUNCTIONS)
    for cell, reference, dense, closed, digits, *_, laws in rows:
        name = cell.strip(" `")
        assert reference.strip() == digits.strip() == "●", name
        assert laws.strip(), name
        assert closed.strip() or name in DERIVATIVES
        assert dense.strip() or name in {*DERIVATIVES, "potential_energy"}


def test_the_readme_has_the_table_the_command_prints():
    readme = Path(__file__).parents[3] / "README.md"
    assert coverage_table() in readme.read_text(encoding="utf-8")
