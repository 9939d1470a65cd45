import numpy as np
import pytest

from codegen.pipeline import kernel_programs
from codegen.programs import robot_facts
from codegen.render import render
from codegen.source import function_facts
from codegen.trust.cases import draw_cases, random_cases
from codegen.trust.matrix import bench
from codegen.trust.mutants import campaign as campaigns
from codegen.trust.mutants.campaign import Trial, argument_sizes, run_campaign
from codegen.trust.mutants.exactly import equality, exact_outputs
from codegen.trust.mutants.in_python import UNDEFINED
from codegen.trust.mutants.schemata import c_schema, numpy_schema
from codegen.trust.mutants.sites import KINDS, Mutant, all_mutants, chosen
from codegen.trust.mutants.statements import emitted_files, statement
from codegen.trust.oracles.mpmath50 import SCALARS, exactly
from codegen.trust.runners import interpreter_runner
from derive import load_model, random_tree
from derive.random_models import ALL_KINDS

FILES = ["C", "C batch", "NumPy"]


@pytest.fixture(scope="module")
def sources(planar):
    return {s.backend: s for s in planar.sources if s.real == "double"}


@pytest.fixture(scope="module")
def files(sources):
    return {file.label: (source, file) for source in sources.values() for file in emitted_files(source)}


def mutants_in(source, file):
    return all_mutants(file, argument_sizes(source, file))


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


@pytest.mark.parametrize("label", FILES)
def test_every_file_has_mutants_of_every_kind(files, label):
    source, file = files[label]
    found = mutants_in(source, file)
    assert {m.kind for m in found} == set(KINDS)
    assert len(found) > 500
    assert all(file.text[m.start : m.end] != m.value for m in found)


@pytest.mark.parametrize("label", FILES)
def test_a_choice_takes_all_kinds_and_functions(files, label):
    source, file = files[label]
    found = mutants_in(source, file)
    some = chosen(found, 240, 0)
    assert {m.kind for m in some} == set(KINDS)
    mutated = {m.where for m in some}
    assert mutated == {m.where for m in found}
    for facts in source.functions:
        assert mutated.intersection(file.reached(facts.name)), facts.name
    assert some == chosen(found, 240, 0) != chosen(found, 240, 1)
    assert len({id(m) for m in some}) == 240


@pytest.mark.parametrize("label", FILES)
def test_switched_off_the_schema_is_the_kernel_and_on_it_is_the_mutant(planar, files, tmp_path, label):
    states = {"q": np.array([[0.3, 0.7], [1.0, -2.0]])}
    source, file = files[label]
    mutants = [m for m in mutants_in(source, file) if m.kind == "sign flipped" and m.where.startswith("christoffel")]
    make = c_schema if file.in_c else numpy_schema
    schema = make(source, file, mutants, tmp_path)
    (right,) = planar.runners[-1].run("christoffel", states)
    np.testing.assert_allclose(schema.run("christoffel", -1, states)[0], right, rtol=1e-15)
    np.testing.assert_allclose(schema.run("christoffel", 0, states)[0], -right, rtol=1e-14)


def rolled(model, functions, backend):
    programs = kernel_programs(model, functions, unroll="never")
    return programs, render(robot_facts(model), programs, backend, batch=True)


@pytest.mark.parametrize("backend", ["c", "numpy"])
def test_a_number_of_a_table_is_changed_and_changed_back(backend, tmp_path):
    model = load_model("planar_2r")
    programs, source = rolled(model, ["mass_matrix"], backend)
    (file,) = emitted_files(source)
    mutants = [m for m in mutants_in(source, file) if m.entry is not None]
    assert {m.where for m in mutants} >= {"inertia", "offset"}
    make = c_schema if backend == "c" else numpy_schema
    schema = make(source, file, mutants, tmp_path)
    states = {"q": np.array([[0.3, 0.7]])}
    (right,) = interpreter_runner(programs).run("mass_matrix", states)
    changed = [schema.run("mass_matrix", number, states)[0] for number in range(len(mutants))]
    np.testing.assert_allclose(schema.run("mass_matrix", -1, states)[0], right, rtol=1e-15)
    mass = next(i for i, m in enumerate(mutants) if m.where == "inertia" and m.entry == 10)
    np.testing.assert_allclose(changed[mass][0, 0, 0] - right[0, 0, 0], 1e-6, rtol=1e-6)  # 1 kg at 1 m


@pytest.mark.parametrize("label", FILES)
def test_what_was_not_written_is_no_number(planar, files, tmp_path, label):
    """An entry of a local array that nothing was put into yet, where a call before may have left the right one."""
    source, file = files[label]
    found = [m for m in mutants_in(source, file) if "Di[0]" in m.original and "Di[1]" in m.value]
    inner = [f for f in source.functions if f.name == "operational_space_inertia"]
    mutants = [m for m in found if m.where in file.reached(inner[0].name)]
    if label != "C":  # the others keep no such array
        assert not mutants
        return
    schema = c_schema(source, file, mutants, tmp_path)
    states = {"q": np.array([[0.3, 0.7], [1.0, -2.0]])}
    schema.run("mass_matrix_inverse", -1, states)
    assert mutants
    assert all(np.isnan(schema.run(inner[0].name, i, states)[0]).any() for i in range(len(mutants)))


TREE = random_tree(7, 11, ALL_KINDS[2:])


@pytest.mark.parametrize("unroll", ["always", "never"])
@pytest.mark.parametrize("backend", ["c", "numpy"])
def test_carried_out_exactly_a_file_is_its_program(backend, unroll):
    """With 50 digits, of a tree with every kind of joint: the reading of C as Python is right."""
    programs = kernel_programs(TREE, ["inverse_dynamics", "mass_matrix", "jacobian"], unroll=unroll)
    source = render(robot_facts(TREE), programs, backend, batch=True)
    (case,) = random_cases(TREE, 1, np.random.default_rng(0))
    run = interpreter_runner(programs).run
    for file in emitted_files(source):
        for facts in source.functions:
            inputs = {spec.name: list(exactly(case.inputs[spec.name])) for spec in facts.inputs}
            expected = run(facts.name, {name: array[None] for name, array in case.inputs.items()})
            entries = np.concatenate([x.ravel() for x in expected])
            found = exact_outputs(file, facts, inputs, SCALARS)
            pairs = [(a, float(b)) for a, b in zip(entries, found, strict=True) if b is not UNDEFINED]
            assert len(pairs) > 0.25 * len(entries)  # equal entries of a batch are written once
            np.testing.assert_allclose(*zip(*pairs, strict=True), rtol=1e-9, atol=1e-9 * np.abs(entries).max())


@pytest.mark.parametrize("label", FILES)
def test_equality_is_decided(files, label):
    """(a + b)(a − b) = a² − b², sin(−x) = −sin x and x/y·y = x are seen to hold, and nothing that is 1e-15 off."""
    source, file = files[label]
    facts = next(f for f in source.functions if f.name == "kinetic_energy")
    statements = ((n, s) for n in file.reached("kinetic_energy") for s in file.bodies[n].statements)
    name, line = next((n, s) for n, s in statements if s.targets == ("energy[0]",))

    def decided(value):
        return equality(file, facts, Mutant(name, "by hand", line.start, line.end, line.text, value, value))

    spread = "qd[0]*qd[0] - qd[1]*qd[1]"
    for more in (f"(qd[0] + qd[1])*(qd[0] - qd[1]) - ({spread})", "qd[0]/qd[1]*qd[1] - qd[0]"):
        found = decided(f"{line.value} + ({more})")
        assert found.holds
        assert found.chance < -400
        assert not decided(f"{line.value} + ({more}) * 1.5 + 1e-300").holds
    assert not decided(f"({line.value}) * 1.0000000000000002").holds


def test_loops_are_mutated_and_killed():
    model = load_model("planar_2r")
    for backend in ("c", "numpy"):
        programs, source = rolled(model, ["mass_matrix", "inverse_dynamics"], backend)
        cases = draw_cases(model, 4, 0)
        found = run_campaign(model, programs, [source], cases, (0.0, 0.0, -9.81), count=90)
        assert {fate.mutant.kind for fate in found.fates} == set(KINDS)
        assert any(fate.mutant.entry is not None for fate in found.fates)
        assert found.passes
        assert found.killed > 25
        assert function_facts(programs[0]).work


def test_mutants_of_every_file_are_killed(planar, sources):
    cases = draw_cases(planar.model, 12, 0)
    found = run_campaign(planar.model, planar.programs, list(sources.values()), cases, planar.gravity, count=120)
    assert len(found.fates) == 360
    assert {fate.backend for fate in found.fates} == set(FILES)
    assert found.kill_rate == 1.0
    assert found.passes


def test_equivalent_invisible_and_escaped_mutants_are_told_apart(planar, sources, monkeypatch):
    """Mutants made by hand: one that computes the same, one below rounding, one that is wrong before judges that are blind."""
    source = sources["numpy"]
    (file,) = emitted_files(source)
    line = next(s for s in file.bodies["potential_energy"].statements if s.targets == ("energy[0]",))

    def mutant(value):
        return Mutant("potential_energy", "by hand", line.start, line.end, line.text, value, value)

    by_hand = [
        mutant(f"({line.value}) + 0.0"),
        mutant(f"({line.value}) * 1.0000000000000002"),
        mutant(f"({line.value}) + 1.0"),
    ]
    monkeypatch.setattr(campaigns, "chosen", lambda found, count, seed: by_hand)
    cases = draw_cases(planar.model, 6, 0)
    same, below, wrong = run_campaign(planar.model, planar.programs, [source], cases, planar.gravity, count=3).fates
    assert same.equivalent
    assert same.proved
    assert "shown modulo a random prime of 521 bits" in same.reason
    assert below.equivalent
    assert not below.proved
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
    file = emitted_files(source)[0]
    trial = Trial(planar.model, planar.programs, source, Wrong(), file, ready, judged)
    with pytest.raises(AssertionError, match=f"{next(iter(judged))} without a mutant is refused"):
        trial.require_original_passes()
