import tomllib
from pathlib import Path

from codegen.programs import SOAGEN_VERSION, robot_facts
from derive import load_model


def test_version_is_the_projects():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    assert project["project"]["version"] == SOAGEN_VERSION


def test_facts_of_a_model():
    model = load_model("panda")
    facts = robot_facts(model)
    assert facts.identifier == "panda"
    assert facts.model_digest == model.digest
    assert facts.joint_names == model.joint_names
    assert facts.gravity == (0.0, 0.0, -9.81)
