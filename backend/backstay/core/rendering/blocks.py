"""Find, insert, replace and remove our marked blocks in a file of the operator.

All other text stays unchanged byte for byte: line ends of either kind, a last line without an end, unusual
characters. Lines end at LF only; a CR before it belongs to the line. Inserting a block and removing it
restores the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from backstay.core.rendering.marks import marks

_MARK = re.compile(
    r"^[ \t]*# (?P<verb>BEGIN|END) backstay (?P<policy>\S.*) (?P<prefix>\S+)[ \t]*\r?$", re.MULTILINE
)
_OURS = " backstay"
"""Part of every mark: a text without it is not searched."""
_LIKE_A_MARK = re.compile(r"^[ \t]*# (?:BEGIN|END) backstay\b.*$", re.MULTILINE)

Name = tuple[str, str]
"""(policy, prefix) as in the marks."""


@dataclass(frozen=True, slots=True)
class Block:
    """One complete block of a text."""

    policy: str
    prefix: str
    start: int
    """Offset of the opening mark's line."""
    end: int
    """Offset after the closing mark's line and its end."""
    inner: tuple[int, int]
    """Offsets of the text between the marks' lines."""

    @property
    def name(self) -> Name:
        return self.policy, self.prefix

    def content(self, text: str) -> str:
        """The text between the marks, with LF line ends."""
        return text[self.inner[0] : self.inner[1]].replace("\r\n", "\n")


def find(text: str) -> tuple[Block, ...]:
    """Every block in order. Raises ValueError for unmatched, nested or repeated marks.

    Cached for a few texts, because rendering a file searches the same text several times.
    """
    return _find(text) if _OURS in text else ()


@lru_cache(maxsize=16)
def _find(text: str) -> tuple[Block, ...]:
    found: dict[Name, Block] = {}
    opened: re.Match[str] | None = None
    for mark in _marks(text):
        name = mark["policy"], mark["prefix"]
        if mark["verb"] == "BEGIN":
            if opened is not None:
                raise ValueError(f"{_line(text, opened)}: the block is not closed before the next one opens")
            if name in found:
                raise ValueError(f"{_line(text, mark)}: the block {name[0]} {name[1]} occurs twice")
            opened = mark
            continue
        if opened is None or (opened["policy"], opened["prefix"]) != name:
            raise ValueError(f"{_line(text, mark)}: the mark closes a block that was not opened")
        found[name] = _block(text, opened, mark)
        opened = None
    if opened is not None:
        raise ValueError(f"{_line(text, opened)}: the block is never closed")
    return tuple(found.values())


def _marks(text: str) -> list[re.Match[str]]:
    found = list(_MARK.finditer(text))
    whole = {match.start() for match in found}
    for match in _LIKE_A_MARK.finditer(text):
        if match.start() not in whole:
            raise ValueError(f"{_line(text, match)}: {match[0].strip()!r} is an incomplete mark")
    return found


def _line(text: str, match: re.Match[str]) -> str:
    return f"line {line_number(text, match.start())}"


def line_number(text: str, offset: int) -> int:
    """From 1."""
    return text.count("\n", 0, offset) + 1


def _block(text: str, opened: re.Match[str], closed: re.Match[str]) -> Block:
    first, last = line_after(text, opened.end()), line_after(text, closed.end())
    return Block(opened["policy"], opened["prefix"], opened.start(), last, (first, closed.start()))


def line_after(text: str, offset: int) -> int:
    """Start of the line after the one at `offset`; the text's end if there is none."""
    end = text.find("\n", offset)
    return len(text) if end < 0 else end + 1


def masked(text: str) -> str:
    """The text with our blocks blanked, so that the operator's text keeps its offsets and line numbers."""
    found = find(text)
    if not found:
        return text
    parts, at = [], 0
    for block in found:
        parts += [text[at : block.start], re.sub(r"[^\n]", " ", text[block.start : block.end])]
        at = block.end
    return "".join([*parts, text[at:]])


def line_end(text: str) -> str:
    """The kind of line end of the first line."""
    end = text.find("\n")
    return "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"


def written(name: Name, content: str, ending: str = "\n") -> str:
    """A block with its marks."""
    opening, closing = marks(*name)
    lines = [opening, *content.removesuffix("\n").split("\n"), closing] if content else [opening, closing]
    return "".join(f"{line}{ending}" for line in lines)


def replace(text: str, name: Name, content: str) -> str:
    """`text` with this content in the block. Raises KeyError if there is no such block."""
    block = _named(text, name)
    if block.content(text) == _ended(content):
        return text
    inner = _ended(content).replace("\n", line_end(text))
    return text[: block.inner[0]] + inner + text[block.inner[1] :]


def replace_all(text: str, contents: Mapping[Name, str]) -> str:
    """`text` with these contents in the blocks of these names; names without a block are ignored."""
    parts, at = [], 0
    for block in find(text):
        content = _ended(contents.get(block.name, ""))
        if block.name in contents and content != block.content(text):
            parts += [text[at : block.inner[0]], content.replace("\n", line_end(text))]
            at = block.inner[1]
    return "".join([*parts, text[at:]])


def insert_all(text: str, offset: int, contents: Iterable[tuple[Name, str]]) -> str:
    """`text` with new blocks in order before the line that begins at `offset`."""
    for name, content in contents:
        before = len(text)
        text = insert(text, offset, name, content)
        offset += len(text) - before
    return text


def _ended(content: str) -> str:
    return content if not content or content.endswith("\n") else f"{content}\n"


def _named(text: str, name: Name) -> Block:
    for block in find(text):
        if block.name == name:
            return block
    raise KeyError(f"no block {name[0]} {name[1]}")


def insert(text: str, offset: int, name: Name, content: str) -> str:
    """`text` with a new block before the line that begins at `offset`."""
    ending = line_end(text)
    block = written(name, content, ending)
    before, after = text[:offset], text[offset:]
    if before and not before.endswith("\n"):
        # The last line has no end: the block becomes the last line and has no end either.
        return f"{before}{ending}{block.removesuffix(ending)}"
    return before + block + after


def remove(text: str, name: Name) -> str:
    """`text` without that block. Raises KeyError if there is no such block."""
    block = _named(text, name)
    before, after = text[: block.start], text[block.end :]
    if not after and not text.endswith("\n"):
        before = before.removesuffix("\n").removesuffix("\r")
    return before + after


def cut(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """`text` without these spans; lines that become empty are removed."""
    for start, end in sorted(spans, reverse=True):
        head = text.rfind("\n", 0, start) + 1
        tail = line_after(text, end)
        if text[head:start].strip(" \t\r") or text[end:tail].strip(" \t\r\n"):
            text = text[:start] + text[end:]
        else:
            text = text[:head] + text[tail:]
    return text
