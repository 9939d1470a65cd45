"""C as soagen emits it, read as a tree of blocks, loops, choices and simple statements with their places in the text.

It reads what is emitted, however that is divided into functions, and is no parser of C: there are no types and no expressions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

_FUNCTION = re.compile(r"^(?:static )?(?:inline )?(?:void|double|int) (\w+)\(([^;{}]*)\)\s*\{", re.MULTILINE)
_UNREAD = re.compile(r"//[^\n]*|/\*.*?\*/|^[ \t]*#(?:[^\n\\]|\\.)*", re.DOTALL | re.MULTILINE)
_HEADED = re.compile(r"(for|while|if|switch)\s*\(")
_LABEL = re.compile(r"\s*(?:case (\w+)|default):")


@dataclass(frozen=True)
class Simple:
    """A statement without its semicolon, on one line; `start` is where it stands in the text."""

    start: int
    text: str


@dataclass(frozen=True)
class Block:
    """Statements in braces."""

    items: tuple[Node, ...]


@dataclass(frozen=True)
class Loop:
    """for (first; condition; step) body; `first` and `step` are empty for while."""

    first: str
    condition: str
    step: str
    body: Node


@dataclass(frozen=True)
class Choice:
    """switch (subject), or if (subject), whose labels are then 1 and none: labels with what they lead to."""

    subject: str
    cases: tuple[tuple[tuple[str, ...], Block], ...]


Node: TypeAlias = Simple | Block | Loop | Choice


@dataclass(frozen=True)
class Function:
    """A function's name, parameters, and where its body is, from after its brace to before the other."""

    name: str
    parameters: tuple[str, ...]
    start: int
    end: int


def blanked(text: str) -> str:
    """The text with spaces for comments and for the preprocessor's lines: places stay."""
    return _UNREAD.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def functions(text: str) -> dict[str, Function]:
    """Every function that is defined in a (blanked) text; emitted ones end with a brace at the start of a line."""
    found = {}
    for match in _FUNCTION.finditer(text):
        parameters = re.findall(r"(\w+)(?:\[\w*\])?\s*(?:,|$)", match[2]) if match[2] != "void" else []
        found[match[1]] = Function(match[1], tuple(parameters), match.end(), text.index("\n}", match.end()) + 1)
    return found


def parsed(text: str, function: Function) -> Block:
    """The body of a function of a (blanked) text."""
    return _Reader(text, function.start, function.end).block()


def top_level(text: str, separator: str) -> list[tuple[int, str]]:
    """The pieces between separators outside of brackets, with where each starts."""
    pieces, depth, start = [], 0, 0
    for i, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == separator and not depth:
            pieces.append((start, text[start:i]))
            start = i + 1
    return [*pieces, (start, text[start:])]


@dataclass
class _Reader:
    text: str
    at: int
    end: int

    def block(self) -> Block:
        """Statements up to the end, or to a brace or label that is not theirs."""
        items: list[Node] = []
        while self._more() and self.text[self.at] != "}" and not _LABEL.match(self.text, self.at, self.end):
            items.append(self._statement())
        return Block(tuple(items))

    def _more(self) -> bool:
        while self.at < self.end and self.text[self.at].isspace():
            self.at += 1
        return self.at < self.end

    def _statement(self) -> Node:
        self._more()
        if self.text[self.at] == "{":
            self.at += 1
            inside = self.block()
            self._closing()
            return inside
        if headed := _HEADED.match(self.text, self.at, self.end):
            self.at = headed.end()
            head = self._until(")")
            if headed[1] == "switch":
                return self._switch(head)
            body = self._statement()
            if headed[1] == "if":
                return self._if(head, body)
            parts = [part.strip() for part in head.split(";")] if headed[1] == "for" else ["", head, ""]
            return Loop(parts[0], parts[1], parts[2], body)
        start = self.at
        return Simple(start, self._until(";"))

    def _until(self, closing: str) -> str:
        """The text before a closing letter outside of brackets; goes on after it."""
        start, depth = self.at, 0
        while depth or self.text[self.at] != closing:
            depth += (self.text[self.at] in "([{") - (self.text[self.at] in ")]}")
            self.at += 1
        self.at += 1
        return self.text[start : self.at - 1].replace("\n", " ")

    def _closing(self) -> None:
        self._more()
        assert self.text[self.at] == "}", self.text[self.at : self.at + 40]
        self.at += 1

    def _switch(self, subject: str) -> Choice:
        self._more()
        self.at += 1
        cases = []
        while self._more() and self.text[self.at] != "}":
            labels = []
            while label := _LABEL.match(self.text, self.at, self.end):
                labels.append(label[1] or "")
                self.at = label.end()
            cases.append((tuple(labels), self.block()))
        self._closing()
        return Choice(subject, tuple(cases))

    def _if(self, subject: str, body: Node) -> Choice:
        cases = [(("1",), Block((body,)))]
        self._more()
        if self.text.startswith("else", self.at):
            self.at += len("else")
            cases.append((("",), Block((self._statement(),))))
        return Choice(f"1 if ({subject}) else 0", tuple(cases))
