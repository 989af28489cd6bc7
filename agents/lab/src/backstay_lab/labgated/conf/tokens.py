"""Words of a gated.conf with the line that each stands on; `%include` and `%directory` are followed here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_DEPTH = 10
"""Files that include one another."""
_TOKEN = re.compile(
    r"(?P<space>[ \t\r\n\f\v]+|#[^\n]*|/\*.*?\*/)"
    r'|"(?P<quoted>[^"\n]*)"'
    r"|(?P<mark>[{};])"
    r'|(?P<word>(?:(?!/\*)[^\s{};"#])+)',
    re.DOTALL,
)


class SyntaxFault(ValueError):  # noqa: N818 - not an error of ours but of the file's
    """A line that gated would refuse."""

    def __init__(self, file: str, line: int, said: str) -> None:
        super().__init__(f"parse: {file}:{line} {said}")
        self.line = line


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a quoted string without its quotes, or one of `{`, `}`, `;`."""

    text: str
    file: str
    line: int
    quoted: bool = False


def tokens(text: str, name: str, folder: Path, depth: int = 0) -> Iterator[Token]:
    """The tokens of a file and of what it includes. Raises SyntaxFault.

    `name` is the file's in messages; includes are looked for beside it, or where `%directory` says.
    """
    found = _plain(text, name)
    for token in found:
        if token.quoted or not token.text.startswith("%"):
            yield token
            continue
        argument = next(found, None)
        if argument is None or not argument.quoted:
            raise SyntaxFault(name, token.line, f"syntax error at '{token.text}': a quoted path must follow")
        if token.text == "%directory":
            folder = Path(argument.text)
        elif token.text == "%include":
            yield from _included(folder / argument.text, token, depth + 1)
        else:
            raise SyntaxFault(name, token.line, f"syntax error at '{token.text}': unknown directive")


def _included(path: Path, at: Token, depth: int) -> Iterator[Token]:
    if depth > _DEPTH:
        raise SyntaxFault(at.file, at.line, f"more than {_DEPTH} files include one another")
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise SyntaxFault(at.file, at.line, f"cannot include {path}: {error.strerror}") from error
    yield from tokens(text, path.name, path.parent, depth)


def _plain(text: str, name: str) -> Iterator[Token]:
    place, line = 0, 1
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            what = "comment" if text.startswith("/*", place) else "string"
            raise SyntaxFault(name, line, f"syntax error: this {what} has no end")
        if match["quoted"] is not None:
            yield Token(match["quoted"], name, line, quoted=True)
        elif match["space"] is None:
            yield Token(match[0], name, line)
        line += match[0].count("\n")
        place = match.end()
