"""Marked blocks: all other text stays unchanged byte for byte."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from backstay.core.rendering import blocks

NAME = ("sp-default", "0.0.0.0/0")
_lines = st.lists(st.sampled_from(["", "a b;", "# c", "\tx { y }", "! z", "é\u2028q", "\x0b"]), max_size=6)
files = st.builds(
    lambda lines, ending, last: ending.join(lines) + (ending if last and lines else ""),
    _lines,
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
contents = st.lists(st.sampled_from(["one", "  two;", ""]), max_size=3).map(
    lambda lines: "".join(f"{line}\n" for line in lines)
)


def starts(text: str) -> list[int]:
    return sorted({0, len(text), *(at + 1 for at, item in enumerate(text) if item == "\n")})


@settings(deadline=None)
@given(files, contents, st.data())
def test_insert_and_remove_restore_the_file(text: str, content: str, data: st.DataObject) -> None:
    offset = data.draw(st.sampled_from(starts(text)))
    assume(offset < len(text) or not text.endswith("\r"))
    there = blocks.insert(text, offset, NAME, content)

    assert blocks.remove(there, NAME) == text
    (block,) = blocks.find(there)
    assert block.name == NAME
    assert block.content(there) == content


@settings(deadline=None)
@given(files, contents, contents, st.data())
def test_replace_changes_only_the_block(text: str, old: str, new: str, data: st.DataObject) -> None:
    offset = data.draw(st.sampled_from(starts(text)))
    there = blocks.insert(text, offset, NAME, old)
    after = blocks.replace(there, NAME, new)

    assert blocks.remove(after, NAME) == blocks.remove(there, NAME)
    assert blocks.find(after)[0].content(after) == new
    assert blocks.replace(after, NAME, new) == after


@settings(deadline=None)
@given(files, contents)
def test_masking_keeps_offsets_and_lines(text: str, content: str) -> None:
    there = blocks.insert(text, 0, NAME, content)
    blank = blocks.masked(there)

    assert len(blank) == len(there)
    assert blank.count("\n") == there.count("\n")
    assert blocks.find(blank) == ()
    assert blank.endswith(text)


def test_block_uses_the_files_line_ends() -> None:
    text = blocks.insert("a;\r\nb;\r\n", 4, NAME, "route;\n")

    block = "# BEGIN backstay sp-default 0.0.0.0/0\r\nroute;\r\n# END backstay sp-default 0.0.0.0/0\r\n"
    assert text == f"a;\r\n{block}b;\r\n"


def test_missing_final_newline_stays_missing() -> None:
    text = blocks.insert("last", 4, NAME, "route;\n")

    assert text.startswith("last\n# BEGIN")
    assert not text.endswith("\n")
    assert blocks.remove(text, NAME) == "last"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("# BEGIN backstay a 0.0.0.0/0\n", "line 1: the block is never closed"),
        ("x\n# END backstay a 0.0.0.0/0\n", "line 2: the mark closes a block that was not opened"),
        (
            "# BEGIN backstay a 0.0.0.0/0\n# BEGIN backstay b 0.0.0.0/0\n",
            "line 1: the block is not closed before the next one opens",
        ),
        ("# BEGIN backstay a 0.0.0.0/0\n# END backstay a ::/0\n", "line 2"),
        (2 * "# BEGIN backstay a ::/0\n# END backstay a ::/0\n", "line 3: the block a ::/0 occurs twice"),
        ("# BEGIN backstay ::/0\n", "line 1: '# BEGIN backstay ::/0' is an incomplete mark"),
    ],
)
def test_unmatched_marks_are_refused_with_their_line(text: str, why: str) -> None:
    with pytest.raises(ValueError, match="line") as caught:
        blocks.find(text)
    assert why in str(caught.value)


def test_cut_removes_only_empty_lines() -> None:
    text = "  one;  \ntwo; # kept\nthree; four;\nfive"
    spans = [(text.index(item), text.index(item) + len(item)) for item in ("one;", "two;", "four;", "five")]

    assert blocks.cut(text, spans) == " # kept\nthree; \n"


def test_cut_removes_a_multi_line_statement() -> None:
    text = "a;\nstatic {\n  x;\n};\nb;\n"
    start, end = text.index("static"), text.index("};") + 2

    assert blocks.cut(text, [(start, end)]) == "a;\nb;\n"


def test_missing_block_cannot_be_replaced() -> None:
    with pytest.raises(KeyError):
        blocks.replace("a\n", NAME, "b\n")
