"""The words of a gated.conf with their places, and a cursor that reads statements from them.

White space is free; `#` begins a comment to the end of the line, C's comments are comments too; `;`, `{`, `}`
and strings stand for themselves.
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
    """Not gated's language; the message names the line."""


class Token(NamedTuple):
    """One word, string or sign; `kind` is `word`, `string`, `sign` or `end`."""

    kind: str
    text: str
    start: int
    end: int
    line: int


@dataclass(frozen=True, slots=True)
class Tokens:
    """All words of a text, and where its comments are."""

    words: tuple[Token, ...]
    comments: tuple[tuple[int, int], ...]


def tokens(text: str) -> Tokens:
    """Raises ConfError for a comment or string that never ends."""
    words: list[Token] = []
    comments: list[tuple[int, int]] = []
    at, line = 0, 1
    for match in _TOKEN.finditer(text):
        kind = str(match.lastgroup)
        before, (at, end) = at, match.span()
        line += text.count("\n", before, at)
        if kind == "open":
            raise ConfError(f"line {line}: a string or comment that never ends")
        if kind == "comment":
            comments.append((at, end))
        else:
            words.append(Token(kind, match[0], at, end, line))
    line += text.count("\n", at)
    words.append(Token("end", "the end of the file", len(text), len(text), line))
    return Tokens(tuple(words), tuple(comments))


class Cursor:
    """Reads tokens one after the other; every method that cannot raises ConfError with the line."""

    def __init__(self, words: tuple[Token, ...]) -> None:
        self._words = words
        self._at = 0
        self.spans: tuple[tuple[int, int], ...] = ()
        """Where the items of the body read last stand, each from its first word behind its `;`."""

    @property
    def here(self) -> Token:
        """The next token."""
        return self._words[self._at]

    @property
    def behind(self) -> Token:
        """The token read last."""
        return self._words[self._at - 1]

    def fail(self, expected: str) -> ConfError:
        """An error that says what was expected here."""
        return ConfError(f"line {self.here.line}: {self.here.text!r} where {expected} is expected")

    def take(self) -> Token:
        """The next token, whatever it is."""
        token = self.here
        if token.kind == "end":
            raise self.fail("more")
        self._at += 1
        return token

    def sees(self, *texts: str) -> bool:
        """Whether the next token is one of these words or signs."""
        token = self._words[self._at]
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

    def number_after(self, word: str, low: int, high: int) -> int | None:
        """`WORD N` if the word is next."""
        return self.number(low, high) if self.has(word) else None

    def string(self) -> str:
        """What stands between quotation marks."""
        if self.here.kind != "string":
            raise self.fail("a string in quotation marks")
        return self.take().text[1:-1]

    def address(self) -> IPv4Address:
        """A dotted address; names are refused: what they mean is decided elsewhere."""
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
        """One or more interface names, wildcards or addresses, up to a word of the statement's own."""
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
            spans.append((start, self.behind.end))
        self.spans = tuple(spans)
        return tuple(found)
