from dataclasses import fields

import pytest
from jinja2 import meta

from codegen import skeletons
from codegen.backends import c, c_python, numpy
from codegen.errors import RenderError
from codegen.skeletons import environment, template_root

CONTEXTS = [c.SourceContext, c.HeaderContext, c.MainContext, c_python.ModuleContext, numpy.ModuleContext]


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
