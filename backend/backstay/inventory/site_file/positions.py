"""Where the nodes of a site file begin in its text, and which of them an edit concerns.

An edited file is compared with digests of the file before. Between two unchanged nodes, only the text between
them is read. That is sound because a YAML scanner works from left to right: up to the first edited node its
state is that of the file before. The edited part is read in the same context, followed by a sentinel. If the
sentinel is read as the next item of the list, at its position, then the state behind the part is the same as
before too, and so is everything that follows.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

_DASH = re.compile(r"( *)- +(?=[^\s#])")


@dataclass(frozen=True, slots=True)
class Layout:
    """How the list `nodes` is written."""

    is_block: bool
    """Each item begins with a dash on a line of its own; otherwise the list is in brackets."""
    indent: int
    """Spaces before each dash; 0 in brackets."""
    in_braces: bool
    """The file is one mapping in braces, such as JSON."""

    def isolated(self, part: str, *, at_margin: bool) -> tuple[str, int]:
        """A file of its own with these items and a sentinel, and where the items begin in it.

        `at_margin`: the part begins at the first column of its line.
        """
        if self.is_block:
            head = "nodes:\n"
            return f"{head}{part}{' ' * self.indent}- {{}}\n", len(head)
        head = ('{"nodes": [' if self.in_braces else "nodes: [") + ("\n" if at_margin else " ")
        return f"{head}{part}{{}}\n{']}' if self.in_braces else ' ]'}\n", len(head)


@dataclass(frozen=True, slots=True)
class NodePositions:
    """Where each node begins: its dash's line, or its brace."""

    layout: Layout
    starts: tuple[int, ...]


def block_positions(text: str, values: Sequence[int]) -> NodePositions | None:
    """Positions of a list with dashes; `values`: where each item's value begins. None unless each follows its
    dash on the same line and all dashes have the same indent.
    """
    starts: list[int] = []
    indents: set[int] = set()
    for at in values:
        line = text.rfind("\n", 0, at) + 1
        dash = _DASH.match(text, line)
        if dash is None or dash.end() != at:
            return None
        indents.add(len(dash[1]))
        starts.append(line)
    if len(indents) != 1 or text.startswith("\ufeff"):
        return None
    return NodePositions(Layout(is_block=True, indent=indents.pop(), in_braces=False), tuple(starts))


def flow_positions(text: str, starts: Sequence[int], *, is_flow: bool) -> NodePositions | None:
    """Positions of a list in brackets; None unless each item is in braces. `is_flow`: the file is, too."""
    if any(text[at : at + 1] != "{" for at in starts) or text.startswith("\ufeff"):
        return None
    return NodePositions(Layout(is_block=False, indent=0, in_braces=is_flow), tuple(starts))


@dataclass(frozen=True, slots=True)
class TextDigests:
    """Keyed digests of a file: before the first node, each node but the last, and all that follows.

    Keyed, because a node may hold a secret that can be guessed.
    """

    positions: NodePositions
    length: int
    """Characters of the file."""
    head: str
    nodes: tuple[str, ...]
    tail: str
    """From the last node on: an edit of it is never isolated."""


def digests(text: str, positions: NodePositions, key: bytes) -> TextDigests:
    """Digests of a file with these nodes."""
    starts = positions.starts
    return TextDigests(
        positions=positions,
        length=len(text),
        head=digest(text[: starts[0]], key),
        nodes=tuple(digest(text[a:b], key) for a, b in pairwise(starts)),
        tail=digest(text[starts[-1] :], key),
    )


def digest(text: str, key: bytes) -> str:
    """128 bits as hex."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16, key=key).hexdigest()


@dataclass(frozen=True, slots=True)
class Window:
    """The edited part of a text, of whole nodes; empty if nothing was edited."""

    first: int
    after: int
    """Indexes of the nodes before the edit that it replaces: `first` up to, not including, `after`."""
    begin: int
    end: int
    """Where the part is in the new text."""


def edited_window(text: str, before: TextDigests, key: bytes) -> Window | None:
    """The smallest part of a new text that may differ; None if anything but nodes differs."""
    starts, count = before.positions.starts, len(before.nodes)
    moved = len(text) - before.length
    if len(text) < starts[0] + before.length - starts[-1]:
        return None
    if (
        digest(text[: starts[0]], key) != before.head
        or digest(text[starts[-1] + moved :], key) != before.tail
    ):
        return None
    first = 0
    while first < count and digest(text[starts[first] : starts[first + 1]], key) == before.nodes[first]:
        first += 1
    after = count
    while (
        after > first
        and starts[after - 1] + moved >= starts[first]
        and digest(text[starts[after - 1] + moved : starts[after] + moved], key) == before.nodes[after - 1]
    ):
        after -= 1
    if first == after and moved:
        if moved < 0 or first == 0:
            return None  # Whole nodes were removed, or the first one is new.
        first -= 1  # Text was added at the end of a node.
    return Window(first, after, starts[first], starts[after] + moved)
