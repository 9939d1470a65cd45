import numpy as np
import pytest

from codegen.trust.cases import draw_cases
from codegen.trust.matrix import bench
from codegen.trust.mutants import campaign as campaigns
from codegen.trust.mutants.campaign import Trial, run_campaign
from codegen.trust.mutants.schemata import c_schema, numpy_schema
from codegen.trust.mutants.sites import KINDS, Mutant, chosen, mutants_of
from codegen.trust.mutants.statements import function_bodies, function_body, statement


@pytest.fixture(scope="module")
def sources(planar):
    return {s.backend: s for s in planar.sources if s.real == "double"}


def all_mutants(source, function):
    body = function_body(source, function)
    return mutants_of(body, body.extents)


@pytest.mark.parametrize(
    ("text", "targets", "value"),
    [
        ("const double a = b*q[1]", ("a",), "b*q[1]"),
        ("tau[0] = tau[1] = -(a + 0.5)", ("tau[0]", "tau[1]"), "-(a + 0.5)"),
        ("c = np.cos(q[0])", ("c",), "np.cos(q[0])"),
        ("robot_sincos(q[0], q[1], 0.0, 0.0, sine, cosine)", (), ""),
        ('q = _entries("q", q, (2,))', (), ""),
        ("(void)q", (), ""),
    ],
)
def test_statements_are_read(text, targets, value):
    found = statement(text)
    assert (found.targets, found.value) == (targets, value)


@pytest.mark.parametrize("backend", ["c", "numpy"])
def test_both_languages_have_mutants_of_every_kind(sources, backend):
    found = [m for f in sources[backend].functions for m in all_mutants(sources[backend], f.name)]
    assert {m.kind for m in found} == set(KINDS)
    assert len(found) > 500


def test_a_choice_takes_all_kinds_and_functions(sources):
    found = [m for name in function_bodies(sources["c"]) for m in all_mutants(sources["c"], name)]
    some = chosen(found, 120, 0)
    assert {m.kind for m in some} == set(KINDS)
    assert {m.function for m in some} == {m.function for m in found}
    mutated = {m.function for m in found}
    for facts in sources["c"].functions:
        assert mutated.intersection((facts.name, *function_body(sources["c"], facts.name).calls)), facts.name
    assert some == chosen(found, 120, 0) != chosen(found, 120, 1)
    assert len({id(m) for m in some}) == 120


def test_switched_off_the_schema_is_the_kernel_and_on_it_is_the_mutant(planar, sources, tmp_path):
    states = {"q": np.array([[0.3, 0.7], [1.0, -2.0]])}
    for backend in ("c", "numpy"):
        source = sources[backend]
        text = "christoffel_part" if backend == "c" else "christoffel"
        bodies = {text: function_body(source, text)}
        mutants = [m for m in all_mutants(source, text) if m.kind == "sign flipped"]
        schema = (
            c_schema(source, bodies, mutants, tmp_path) if backend == "c" else numpy_schema(source, bodies, mutants)
        )
        (right,) = planar.runners[-1].run("christoffel", states)
        np.testing.assert_allclose(schema.run("christoffel", -1, states)[0], right, rtol=1e-15)
        np.testing.assert_allclose(schema.run("christoffel", 0, states)[0], -right, rtol=1e-14)


def test_mutants_of_both_languages_are_killed(planar, sources):
    cases = draw_cases(planar.model, 12, 0)
    found = run_campaign(planar.model, planar.programs, list(sources.values()), cases, planar.gravity, count=120)
    assert len(found.fates) == 240
    assert found.kill_rate == 1.0
    assert found.passes


def test_equivalent_invisible_and_escaped_mutants_are_told_apart(planar, sources, monkeypatch):
    """Mutants made by hand: one that computes the same, one below rounding, one that is wrong before judges that are blind."""
    source = sources["numpy"]
    body = function_body(source, "potential_energy")
    at, line = next((i, s) for i, s in enumerate(body.statements) if s.targets == ("energy[0]",))

    def mutant(value):
        return Mutant("potential_energy", "by hand", at, line.text, line.targets, value)

    by_hand = [
        mutant(f"({line.value}) + 0.0"),
        mutant(f"({line.value}) * 1.0000000000000002"),
        mutant(f"({line.value}) + 1.0"),
    ]
    monkeypatch.setattr(campaigns, "chosen", lambda found, count, seed: by_hand)
    cases = draw_cases(planar.model, 6, 0)
    same, below, wrong = run_campaign(planar.model, planar.programs, [source], cases, planar.gravity, count=3).fates
    assert same.equivalent
    assert "computes the same" in same.reason
    assert below.equivalent
    assert "below rounding" in below.reason
    assert wrong.killed
    monkeypatch.setattr(Trial, "_oracle_that_objects", lambda self, function, number: None)
    *_, blind = run_campaign(planar.model, planar.programs, [source], cases, planar.gravity, count=3).fates
    assert blind.escaped  # a constant added to a potential breaks no law
    assert "times what rounding may do" in blind.reason


def test_a_schema_that_is_wrong_by_itself_is_refused(planar, sources, monkeypatch):
    ready = bench(planar.model, draw_cases(planar.model, 2, 0), planar.gravity)
    judged = {p.name: ready.prepared(p) for p in planar.programs}

    class Wrong:
        def run(self, function, mutant, states):
            return tuple(1.1 * x for x in planar.runners[-1].run(function, states))

    source = sources["c"]
    with pytest.raises(AssertionError, match=f"{next(iter(judged))} without a mutant is refused"):
        Trial(
            planar.model, planar.programs, source, Wrong(), function_bodies(source), ready, judged
        ).require_original_passes()
