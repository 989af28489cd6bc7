"""Tokens of a gated.conf with their positions, and a cursor that parses statements from them.

White space separates tokens. `#` starts a comment to the end of the line; C comments are comments too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from dataclasses import dataclass
from ipaddress import IPv4Address
from typing import NamedTuple, TypeVar

T = TypeVar("T")
_TOKEN = re.compile(
    r"(?P<comment>#[^\n]*|/\*.*?\*/)|(?P<string>\"[^\"\n]*\")|(?P<sign>[{};])|"
    r"(?P<word>(?:(?!/\*)[^\s{};\"#])+)|(?P<open>\S)",
    re.DOTALL,
)


class ConfError(ValueError):
    """The text is not valid gated.conf; the message names the line.

    `problem` is the message without the line. `file` is empty for the main file, otherwise the name of the
    included file.
    """

    def __init__(self, problem: str, line: int, file: str = "") -> None:
        super().__init__(f"line {line}: {problem}")
        self.problem, self.line, self.file = problem, line, file


class Token(NamedTuple):
    """`kind` is `word`, `string` (`text` with its quotation marks), `sign` (`{`, `}`, `;`) or `end`."""

    kind: str
    text: str
    start: int
    end: int
    line: int
    file: str = ""
    """Name of the included file; empty for the main one."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """All tokens of a text and the spans of its comments."""

    tokens: tuple[Token, ...]
    comments: tuple[tuple[int, int], ...]


def tokenize(text: str, file: str = "") -> Tokens:
    """Raises ConfError for an unterminated comment or string."""
    tokens: list[Token] = []
    comments: list[tuple[int, int]] = []
    at, line = 0, 1
    for match in _TOKEN.finditer(text):
        kind = str(match.lastgroup)
        before, (at, end) = at, match.span()
        line += text.count("\n", before, at)
        if kind == "open":
            raise ConfError("unterminated string or comment", line, file)
        if kind == "comment":
            comments.append((at, end))
        else:
            tokens.append(Token(kind, match[0], at, end, line, file))
    line += text.count("\n", at)
    tokens.append(Token("end", "the end of the file", len(text), len(text), line, file))
    return Tokens(tuple(tokens), tuple(comments))


class Cursor:
    """Reads tokens one after the other; methods that cannot read what they expect raise ConfError."""

    def __init__(self, tokens: tuple[Token, ...]) -> None:
        self._tokens = tokens
        self._at = 0
        self.spans: tuple[tuple[int, int], ...] = ()
        """Spans of the items of the body read last, each including its `;`."""

    @property
    def here(self) -> Token:
        """The next token."""
        return self._tokens[self._at]

    @property
    def previous(self) -> Token:
        """The token read last."""
        return self._tokens[self._at - 1]

    def fail(self, expected: str) -> ConfError:
        """The error for the next token."""
        return ConfError(f"{self.here.text!r} where {expected} is expected", self.here.line, self.here.file)

    def take(self) -> Token:
        """The next token, whatever it is."""
        token = self.here
        if token.kind == "end":
            raise self.fail("more")
        self._at += 1
        return token

    def sees(self, *texts: str) -> bool:
        """Whether the next token is one of these words or signs."""
        token = self._tokens[self._at]
        return token.text in texts and token.kind in {"word", "sign"}

    def has(self, text: str) -> bool:
        """Takes the next token if it is this."""
        found = self.sees(text)
        self._at += found
        return found

    def expect(self, text: str) -> None:
        """Takes exactly this."""
        if not self.has(text):
            raise self.fail(repr(text))

    def choice(self, *texts: str) -> str:
        """Takes one of these."""
        if not self.sees(*texts):
            raise self.fail(" or ".join(map(repr, texts)))
        return self.take().text

    def maybe(self, *texts: str) -> str:
        """Takes one of these if it is next; otherwise empty."""
        return self.take().text if self.sees(*texts) else ""

    def number(self, low: int, high: int) -> int:
        """A decimal number within bounds."""
        text = self.here.text
        if (
            self.here.kind != "word"
            or not text.isascii()
            or not text.isdigit()
            or not low <= int(text) <= high
        ):
            raise self.fail(f"a number from {low} to {high}")
        return int(self.take().text)

    def number_after(self, keyword: str, low: int, high: int) -> int | None:
        """`KEYWORD N` if the keyword is next."""
        return self.number(low, high) if self.has(keyword) else None

    def string(self) -> str:
        """The text between quotation marks."""
        if self.here.kind != "string":
            raise self.fail("a string in quotation marks")
        return self.take().text[1:-1]

    def address(self) -> IPv4Address:
        """A dotted IPv4 address; host names are refused."""
        try:
            address = IPv4Address(self.here.text)
        except ValueError:
            raise self.fail("an address") from None
        self._at += 1
        return address

    def addresses(self) -> tuple[IPv4Address, ...]:
        """One or more addresses."""
        found = [self.address()]
        while self.here.kind == "word" and re.fullmatch(r"[\d.]+", self.here.text):
            found.append(self.address())
        return tuple(found)

    def names(self, stop: Container[str]) -> tuple[str, ...]:
        """One or more interface names, wildcards or addresses, up to a keyword of the statement."""
        found: list[str] = []
        while self.here.kind == "word" and self.here.text not in stop:
            found.append(self.take().text)
        if not found:
            raise self.fail("an interface")
        return tuple(found)

    def body(self, read: Callable[[Cursor], T]) -> tuple[T, ...]:
        """`{ ITEM; ... }`, each item read by `read` up to its `;`."""
        self.expect("{")
        found, spans = [], []
        while not self.has("}"):
            start = self.here.start
            found.append(read(self))
            self.expect(";")
            spans.append((start, self.previous.end))
        self.spans = tuple(spans)
        return tuple(found)
