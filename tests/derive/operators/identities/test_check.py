"""The ledger check passes, quickly, and reports what is wrong when something is."""

import dataclasses
import math

from derive.operators.identities import LEDGER, BlockCheck, Misprint, VectorCheck
from derive.operators.identities.check import check_entry, check_ledger


def test_the_whole_ledger_checks():
    reports = list(check_ledger())
    assert [report.entry for report in reports] == list(LEDGER)
    assert [failure for report in reports for failure in report.failures] == []


def test_a_false_statement_a_true_misprint_and_a_failing_check_are_reported():
    entry = next(entry for entry in LEDGER if entry.soa == "SOA-51")
    wrong = dataclasses.replace(
        entry,
        statements=("(I - H psi K) H phi = H phi",),
        misprints=(Misprint("E-0", "nowhere", "(I - H psi K) H phi = H psi"),),
        checks=(BlockCheck("1 = 0", lambda system: 1.0),),
    )
    failures = check_entry(wrong).failures
    assert len(failures) == 3
    assert "is false" in failures[0]
    assert "differs" in failures[1]
    assert "E-0 is not refuted" in failures[2]


def test_a_misprint_whose_check_holds_and_a_check_that_gives_no_number_are_reported():
    entry = next(entry for entry in LEDGER if entry.soa == "SOA-1")
    wrong = dataclasses.replace(
        entry,
        checks=(VectorCheck("0/0 = 0", lambda rng: math.nan),),
        misprints=(Misprint.in_numbers("E-0", "nowhere", entry.checks[0]),),
    )
    failures = check_entry(wrong).failures
    assert len(failures) == 2
    assert "SOA-1 differs by nan" in failures[0]
    assert f"E-0 is not refuted: {entry.checks[0].statement}" in failures[1]
