"""A small XML tree that knows its line numbers, on the standard library's expat. Entities are refused, not expanded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from derive.errors import ModelError

# What some exporters put before the XML declaration, where XML does not allow it.
PREAMBLE = re.compile(rb"\A(?:\xef\xbb\xbf)?(?:\s+|<!--.*?-->)*(?=<\?xml)", re.DOTALL)


@dataclass
class Element:
    """One element: its tag, attributes, children in order, and the line it starts on."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)

    def all(self, tag: str) -> Iterator[Element]:
        """Children with this tag."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> Element | None:
        """First child with this tag, if any."""
        return next(self.all(tag), None)


def parse_xml(content: bytes, source: str) -> Element:
    """The root element of `content`; ModelError with the line when it is not well-formed XML."""
    preamble = PREAMBLE.match(content)
    skipped = preamble.end() if preamble else 0
    builder = _Builder(source, content[:skipped].count(b"\n"))
    try:
        builder.parser.Parse(content[skipped:], True)
    except expat.ExpatError as error:
        where = f"{source}: line {error.lineno + builder.first_line}"
        raise ModelError(
            where, f"is not well-formed XML ({expat.errors.messages[error.code]})", "correct the file"
        ) from None
    except (ValueError, LookupError):  # an encoding that Python or expat does not know
        raise ModelError(source, "declares an encoding that cannot be read", "save the file as UTF-8") from None
    assert builder.root is not None  # expat refuses a document without one
    return builder.root


class _Builder:
    def __init__(self, source: str, first_line: int) -> None:
        self.source, self.first_line = source, first_line
        self.root: Element | None = None
        self.open: list[Element] = []
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.EntityDeclHandler = self._entity

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, self.parser.CurrentLineNumber + self.first_line)
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def _end(self, tag: str) -> None:
        self.open.pop()

    def _entity(self, name: str, *_: object) -> None:
        where = f"{self.source}: line {self.parser.CurrentLineNumber + self.first_line}"
        raise ModelError(where, f"declares the entity '{name}'", "robot files need none: write its text out")
