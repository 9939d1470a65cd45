"""The files of `templates/`, filled in. A template is a file's skeleton; what a function computes is decided before it."""

from __future__ import annotations

from dataclasses import Field, fields
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Protocol

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from codegen.errors import RenderError


class Context(Protocol):
    """A frozen dataclass whose fields are exactly the variables of the template it names."""

    template: ClassVar[str]
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


def template_root() -> Path:
    """The folder of templates: inside the package in a wheel, beside it in a checkout or an editable install."""
    package = Path(__file__).resolve().parent
    for root in (package / "templates", package.parent / "templates"):
        if root.is_dir():
            return root
    raise RenderError(f"no templates in {package} or beside it; this installation of soagen is incomplete")


@cache
def environment() -> Environment:
    """The one Jinja environment; a variable that is not given is an error."""
    return Environment(
        loader=FileSystemLoader(template_root()),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # C and Python, not HTML
    )


def fill(context: Context) -> str:
    """The text of the context's template."""
    values = {field.name: getattr(context, field.name) for field in fields(context)}
    return environment().get_template(context.template).render(values)
