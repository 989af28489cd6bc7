"""Parses a saved output: the only list of kinds, and the input limits. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from pydantic import BaseModel

from backstay_agent.engines import ENGINES
from backstay_agent.offline_parse import hosts, infiniband
from backstay_agent.parsers import text
from backstay_agent.parsers.saved_output import OutputKind

LIMIT = 16 * 1024 * 1024
"""Maximum octets of a saved output."""
_LONGEST_LINE = 4096
_HEAD = 64 * 1024
"""Number of characters searched for a kind's mark."""
_SHOWN = 200
"""Maximum number of unknown lines shown."""

_OF_ENGINES = [engine.saved_outputs for engine in ENGINES.values()]
KINDS: Mapping[str, OutputKind] = {
    name: kind for kinds in (hosts.KINDS, infiniband.KINDS, *_OF_ENGINES) for name, kind in kinds.items()
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


def read(data: bytes, name: str | None = None) -> ParsedOutput:
    """Parse `data` as the kind `name`, or as the detected kind. Raises ReadError."""
    output = _text(data)
    name = name or _known(output)
    if name not in KINDS:
        raise ReadError(f"no kind {name}: {', '.join(KINDS)}")
    found = KINDS[name]
    if not found.one_line and max(map(len, output.splitlines()), default=0) > _LONGEST_LINE:
        raise ReadError(f"a line is longer than {_LONGEST_LINE} characters")
    try:
        values, unparsed = found.read(output)
    except (ValueError, RecursionError) as error:
        raise ReadError(f"not {name}, or cut off: {text.text(str(error))}") from error
    shown = [text.text(line) for line in unparsed[:_SHOWN]]
    return ParsedOutput(name, {key: plain(value) for key, value in values.items()}, shown, len(unparsed))


def _text(data: bytes) -> str:
    """Decode UTF-8, or Latin-1 as old systems write it. Raises ReadError."""
    if len(data) > LIMIT:
        raise ReadError(f"more than {LIMIT // (1024 * 1024)} MiB")
    if b"\0" in data:
        raise ReadError("not text: it contains NUL octets")
    try:
        output = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        output = data.decode("latin-1")
    return output.replace("\r\n", "\n")


def _known(output: str) -> str:
    """The kind whose mark matches. Raises ReadError if none or more than one does."""
    head = "\n".join(line[:_LONGEST_LINE] for line in output[:_HEAD].split("\n"))
    names = [name for name, one in KINDS.items() if one.mark.search(head)]
    if len(names) != 1:
        choice = ", ".join(names or KINDS)
        raise ReadError(
            f"{'several kinds match' if names else 'no kind matches'}; use --as with one of: {choice}"
        )
    return names[0]
