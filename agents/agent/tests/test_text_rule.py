"""One rule for text: what an agent replaces is what the wire forbids, and nothing else."""

from __future__ import annotations

import pytest

from backstay_agent.parsers import text
from backstay_wire.text import REPLACEMENT, complaint

FORBIDDEN = [
    *(chr(code) for code in range(0x20) if chr(code) not in "\t\n\r"),
    "\x7f",
    "\ud800",
    "\udfff",
]
ALLOWED = ["\t", "\n", "\r", " ", "~", "\x80", "\u2028", "\u00e9", "\ufffd", "\U0001f600"]


@pytest.mark.parametrize("character", FORBIDDEN)
def test_forbidden_character_is_replaced(character: str) -> None:
    assert text.text(f"a{character}b") == text.name(f"a{character}b") == f"a{REPLACEMENT}b"
    assert complaint(f"a{character}b")


@pytest.mark.parametrize("character", ALLOWED)
def test_other_character_stays(character: str) -> None:
    assert text.text(f"a{character}b") == f"a{character}b"
    assert complaint(f"a{character}b") is None


def test_octets_of_a_device_follow_the_rule() -> None:
    assert text.from_octets(b"\x1b[31mred\x07\0") == f"{REPLACEMENT}[31mred{REPLACEMENT}"
