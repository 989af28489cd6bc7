"""Numbers as text, and escaped text from the network."""

import json
from pathlib import Path

import pytest
from rich.text import Text

from backstay_cli import text
from backstay_cli.errors import Usage
from backstay_cli.text import (
    byte_size,
    count,
    length,
    milliseconds,
    names,
    percent,
    rate,
    seconds_of,
    shown,
)


@pytest.mark.parametrize(
    ("given", "seen"),
    [
        ("sp01", "sp01"),
        ("Düsseldorf 北", "Düsseldorf 北"),
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("a\nb\tc", "a\\x0ab\\x09c"),
        ("\x9b2J", "\\x9b2J"),
        ("\u202egpj", "\\u202egpj"),
        ("\u2028", "\\u2028"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_control_and_direction_characters_are_escaped(given: str, seen: str) -> None:
    assert shown(given) == seen
    assert "\x1b" not in Text(shown(given)).plain


def test_diff_keeps_its_tabs() -> None:
    assert shown("+\tmetric\x07", keep="\t") == "+\tmetric\\x07"


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90", 90),
        ("90s", 90),
        ("10m", 600),
        ("10 min", 600),
        ("1h30m", 5400),
        ("500ms", 0.5),
        ("2d", 172_800),
    ],
)
def test_durations_are_parsed(text: str, seconds: float) -> None:
    assert seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["", "soon", "-5s", "5x", "10m later", "1e9"])
def test_invalid_duration_is_reported(text: str) -> None:
    with pytest.raises(Usage, match="is not a duration"):
        seconds_of(text)


def test_values_are_formatted_briefly() -> None:
    assert [length(s) for s in (None, 0.15, 4.4, 125, 3600, 11_045, 190_800)] == [
        "-", "150 ms", "4 s", "2 min 5 s", "1 h", "3 h 4 min", "2 d 5 h",
    ]  # fmt: skip
    assert [milliseconds(s) for s in (None, 0.412, 148.4)] == ["-", "0.41 ms", "148 ms"]
    assert [rate(s) for s in (None, 900, 53_800_000, 2.4e9)] == ["-", "900 b/s", "53.8 Mb/s", "2.4 Gb/s"]
    assert (count(1, "node"), count(2, "node")) == ("1 node", "2 nodes")
    assert names([f"sp{n}" for n in range(10)], 3) == "sp0, sp1 and 8 more"


EXAMPLES = json.loads((Path(text.__file__).parent / "spec.json").read_text())["formatting"]["examples"]
FORMATS = {
    "rate": rate,
    "bytes": byte_size,
    "share": percent,
    "milliseconds": milliseconds,
    "duration": length,
}


@pytest.mark.parametrize(("kind", "value", "expected"), [(k, *e) for k in FORMATS for e in EXAMPLES[k]])
def test_numbers_are_formatted_as_the_server_does(kind: str, value: float, expected: str) -> None:
    assert FORMATS[kind](value) == expected
