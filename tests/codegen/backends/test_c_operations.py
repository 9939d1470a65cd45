"""C does the operations that it says it does: counted as it runs."""

from dataclasses import astuple

import pytest
from oracles.counting_c import operations_done

from codegen.pipeline import generate
from derive import load_model


@pytest.mark.parametrize("robot", ["panda", "stanford", "iiwa14"])
def test_text_does_as_many_operations_as_it_says(robot, tmp_path):
    """On arms without parallel axes: a sum of angles is written twice, for libm's sine and for its cosine."""
    source = generate(load_model(robot), trig="libm")
    said = {function.name: astuple(function.operations) for function in source.functions}
    assert operations_done(source, tmp_path) == said
