"""Parses a saved output: the only list of kinds, and the input limits. Pure."""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from pydantic import BaseModel

from backstay_agent.engines import ENGINES
from backstay_agent.offline_parse import hosts, infiniband
from backstay_agent.offline_parse.json_repair import repairs
from backstay_agent.parsers import text
from backstay_agent.parsers.saved_output import Found, OutputKind
from backstay_agent.recording import replay

LIMIT = 16 * 1024 * 1024
"""Maximum octets of a saved output."""
_LONGEST_LINE = 4096
_HEAD = 64 * 1024
"""Number of characters searched for a kind's mark."""
_SHOWN = 200
"""Maximum number of unknown lines shown."""

_OF_ENGINES = [engine.saved_outputs for engine in ENGINES.values()]
KINDS: Mapping[str, OutputKind] = {
    name: kind
    for kinds in (hosts.KINDS, infiniband.KINDS, replay.KINDS, *_OF_ENGINES)
    for name, kind in kinds.items()
}


def plain(value: object) -> Any:
    """Convert to JSON values: objects to dictionaries, sets to sorted lists, addresses and other keys to
    text."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(plain, value))
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


class ReadError(Exception):
    """The input is unreadable as the given kind; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class ParsedOutput:
    """Result of parsing one output, in JSON values."""

    kind: str
    values: dict[str, Any]
    unparsed: list[str]
    """The first 200 unknown lines."""
    unparsed_count: int
    understood: dict[str, int]
    """Number of entries of each group of values."""
    lost_characters: int = 0
    """Characters from a damage of a JSON text to its end: they are not read."""


def read(data: bytes, name: str | None = None) -> ParsedOutput:
    """Parse `data` as the kind `name`, or as the detected kind. What is damaged is counted, the rest is kept.

    Raises ReadError if nothing can be read.
    """
    output = _text(data)
    name = name or _known(output)
    if name not in KINDS:
        raise ReadError(f"no kind {name}: {', '.join(KINDS)}")
    kind = KINDS[name]
    output, odd = _whole_json(output) if kind.one_line else _whole_lines(output)
    try:
        (values, unparsed), lost = _parsed(kind, output)
    except (ValueError, RecursionError) as error:
        raise ReadError(f"not {name}, or cut off: {text.text(str(error))}") from error
    unparsed = [*unparsed, *odd]
    plain_values = {key: plain(value) for key, value in values.items()}
    return ParsedOutput(
        kind=name,
        values=plain_values,
        unparsed=[text.text(line) for line in unparsed[:_SHOWN]],
        unparsed_count=len(unparsed),
        understood={key: _size(value) for key, value in plain_values.items()},
        lost_characters=lost,
    )


def _parsed(kind: OutputKind, output: str) -> tuple[Found, int]:
    """What the kind's parser finds, and the number of characters lost to a damage of a JSON text. Raises
    ValueError, RecursionError."""
    try:
        return kind.read(output), 0
    except ValueError:
        for part in repairs(output) if kind.one_line else ():
            with contextlib.suppress(ValueError):
                return kind.read(part.output), len(output) - part.kept
        raise


def _whole_json(output: str) -> tuple[str, list[str]]:
    """The text up to the first NUL octet, and a sentence about the rest: a crash leaves them at the end."""
    whole, nul, rest = output.partition("\0")
    return whole, [f"{len(rest) + 1} characters from the first NUL octet"] if nul else []


def _whole_lines(output: str) -> tuple[str, list[str]]:
    """The lines without those that no tool prints: with NUL octets, or too long. Raises ReadError if none is
    left."""
    if "\0" not in output and max(map(len, output.splitlines()), default=0) <= _LONGEST_LINE:
        return output, []
    kept: list[str] = []
    odd: list[str] = []
    for line in output.splitlines():
        (odd if "\0" in line or len(line) > _LONGEST_LINE else kept).append(line)
    if not any(line.strip() for line in kept):
        if "\0" in output:
            raise ReadError("not text: it contains NUL octets")
        raise ReadError(f"a line is longer than {_LONGEST_LINE} characters")
    return "\n".join([*kept, ""]), odd


def _size(value: Any) -> int:
    """Number of entries of a group: of a list its length, of anything else 1, of nothing 0."""
    if isinstance(value, list):
        return len(value)
    return 0 if value is None or value == {} else 1


def _text(data: bytes) -> str:
    """Decode UTF-8, or Latin-1 as old systems write it. Raises ReadError."""
    if len(data) > LIMIT:
        raise ReadError(f"more than {LIMIT // (1024 * 1024)} MiB")
    try:
        output = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        output = data.decode("latin-1")
    return output.replace("\r\n", "\n")


def _known(output: str) -> str:
    """The kind whose mark matches. Raises ReadError if none or more than one does."""
    head = "\n".join(line[:_LONGEST_LINE] for line in output[:_HEAD].replace("\0", "").split("\n"))
    names = [name for name, one in KINDS.items() if one.mark.search(head)]
    if not names and "\0" in output:
        raise ReadError("not text: it contains NUL octets, and no kind matches")
    if len(names) != 1:
        choice = ", ".join(names or KINDS)
        raise ReadError(
            f"{'several kinds match' if names else 'no kind matches'}; use --as with one of: {choice}"
        )
    return names[0]
