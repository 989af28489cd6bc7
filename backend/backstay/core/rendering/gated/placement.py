"""Position of our blocks in a gated.conf, whose statements are ordered by class."""

from __future__ import annotations

from backstay.core.rendering import blocks
from backstay_gatedconf import ConfError, Document, parse
from backstay_gatedconf.document import ANYWHERE


def place(text: str, order: int) -> int:
    """Offset of the line before which a block with statements of this class is inserted.

    That is after all statements of its class and of earlier classes. Raises ConfError if the block would have
    to be inserted between statements on one line.
    """
    document = parse(text)
    ordered = [statement for statement in document.statements if statement.order != ANYWHERE]
    before = [item for item in ordered if item.order <= order]
    if before:
        offset = _line_behind(text, before[-1].end, document)
    elif ordered:
        offset = text.rfind("\n", 0, ordered[0].start) + 1
    else:
        offset = len(text)
    offset = _outside(text, offset, behind=bool(before))
    for statement in document.statements:
        if statement.start < offset < statement.end:
            line = blocks.line_number(text, offset)
            raise ConfError("statements of two kinds are on one line; put each on its own line", line)
    if before and any(
        before[-1].end <= item.start < offset for item in ordered if not _ours(text, item.start)
    ):
        line = blocks.line_number(text, before[-1].end)
        raise ConfError("statements of two kinds are on one line; put each on its own line", line)
    return offset


def _line_behind(text: str, offset: int, document: Document) -> int:
    """The next line that does not begin inside a comment."""
    offset = blocks.line_after(text, offset)
    for start, end in document.comments:
        if start < offset < end:
            return blocks.line_after(text, end)
    return offset


def _outside(text: str, offset: int, *, behind: bool) -> int:
    """The offset moved out of our blocks."""
    for block in blocks.find(text):
        if block.start < offset < block.end:
            return block.end if behind else block.start
    return offset


def _ours(text: str, offset: int) -> bool:
    return any(block.start <= offset < block.end for block in blocks.find(text))


def check(text: str) -> None:
    """Raises ConfError if one of our blocks is inside a statement or comment of the operator."""
    found = blocks.find(text)
    operator = parse(blocks.masked(text))
    spans = [(statement.start, statement.end) for statement in operator.statements] + list(operator.comments)
    for block in found:
        for start, end in spans:
            if start < block.start < end:
                line = blocks.line_number(text, block.start)
                raise ConfError(f"the block {block.policy} {block.prefix} is inside another statement", line)
