from dataclasses import fields

import pytest
from jinja2 import meta

from codegen import skeletons
from codegen.backends import c, c_batch, c_python, numpy
from codegen.bench import clock, native
from codegen.bench.peers import mujoco_c, pinocchio_cpp_text
from codegen.errors import RenderError
from codegen.rolled import c as rolled_c
from codegen.rolled import numpy as rolled_numpy
from codegen.sheets import document
from codegen.skeletons import environment, template_root
from codegen.trust import selftest

CONTEXTS = [
    c.SourceContext,
    c.HeaderContext,
    c.MainContext,
    c_batch.BatchContext,
    c_batch.BatchHeaderContext,
    c_python.ModuleContext,
    numpy.ModuleContext,
    rolled_c.SourceContext,
    rolled_c.BodyContext,
    rolled_c.MainContext,
    rolled_numpy.BodyContext,
    clock.ClockContext,
    native.LoopContext,
    mujoco_c.MujocoContext,
    pinocchio_cpp_text.TimingContext,
    pinocchio_cpp_text.TracingContext,
    selftest.CSelftestContext,
    selftest.PythonSelftestContext,
    *document.DOCUMENTS.values(),
]


def undeclared(name):
    """Variables of a template and of those it includes."""
    tree = environment().parse((template_root() / name).read_text())
    included = [undeclared(other) for other in meta.find_referenced_templates(tree)]
    return meta.find_undeclared_variables(tree).union(*included)


@pytest.mark.parametrize("context", CONTEXTS, ids=lambda context: context.template)
def test_context_fields_are_the_variables_of_the_template(context):
    assert {field.name for field in fields(context)} == undeclared(context.template)


def test_every_template_is_short_and_used():
    def used(name):
        tree = environment().parse((template_root() / name).read_text())
        return {name}.union(*(used(other) for other in meta.find_referenced_templates(tree)))

    names = {path.relative_to(template_root()).as_posix() for path in template_root().rglob("*.jinja")}
    assert names == set().union(*(used(context.template) for context in CONTEXTS))
    for name in names:
        assert len((template_root() / name).read_text().splitlines()) <= 60, name


def test_templates_are_found_inside_an_installed_package(tmp_path, monkeypatch):
    monkeypatch.setattr(skeletons, "__file__", str(tmp_path / "codegen" / "skeletons.py"))
    with pytest.raises(RenderError, match="installation of soagen is incomplete"):
        template_root()
    (tmp_path / "templates").mkdir()
    assert template_root() == tmp_path / "templates"
    (tmp_path / "codegen" / "templates").mkdir(parents=True)
    assert template_root() == tmp_path / "codegen" / "templates"
