from oracles import planar_functions as planar

from codegen.provenance import digest, program_digest, source_digest
from codegen.render import render


def test_digest_knows_where_parts_end():
    assert digest("ab", "c") != digest("a", "bc") != digest("abc")
    assert digest("é") == digest("é".encode())


def test_source_digest_does_not_depend_on_order():
    assert (
        source_digest({"a": "1", "b": "2"})
        == source_digest({"b": "2", "a": "1"})
        != source_digest({"a": "2", "b": "1"})
    )


def test_source_knows_its_provenance():
    source = render(planar.ROBOT, planar.functions())
    assert source.provenance.model == planar.ROBOT.model_digest
    assert dict(source.provenance.programs)["mass_matrix"] == program_digest(planar.mass_matrix().program)
    assert source.provenance.source == source_digest(source)
    assert source.provenance.source != render(planar.ROBOT, planar.functions(), "c", "float").provenance.source
