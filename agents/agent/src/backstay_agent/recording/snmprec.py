"""The format of recordings: snmpsim's `.snmprec`, `OID|tag|value`, a line per object, in order of the OIDs.

The tag is the decimal tag of the object's type (X.690, RFC 2578). An `x` behind it means that the value is
hexadecimal, an `e` that it has escapes of Python's strings; addresses are dotted or hexadecimal. snmpsim
skips lines that begin with `#`: the first ones hold what the recording is, as `# KEY: VALUE`.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from backstay_agent.host.snmp import ber
from backstay_agent.host.snmp.values import Oid, Value

_TEXTS = (ber.OCTETS, ber.ADDRESS, ber.OPAQUE)
_MOST_ARCS, _MOST_ARC = 128, 1 << 32
_DIGITS = 20
"""Digits of the greatest 64-bit number."""
_SEPARATOR = ": "
Header = Mapping[str, list[str]]
"""Key -> its values, in the order of the lines."""


class Record(NamedTuple):
    """One object."""

    oid: Oid
    tag: int
    value: Value


def dotted(oid: Oid) -> str:
    """`1.3.6`."""
    return ".".join(map(str, oid))


def write(header: Header, records: Iterable[Record]) -> bytes:
    """The file's octets (ASCII)."""
    lines = [f"# {key}{_SEPARATOR}{_line(value)}" for key, values in header.items() for value in values]
    lines += [line(record) for record in sorted(records)]
    return ("\n".join(lines) + "\n").encode("ascii", "backslashreplace")


def line(record: Record) -> str:
    """One object as a line, readable where that is unambiguous."""
    value = record.value
    if isinstance(value, int):
        return f"{dotted(record.oid)}|{record.tag}|{value}"
    if isinstance(value, tuple):
        return f"{dotted(record.oid)}|{record.tag}|{dotted(value)}"
    if record.tag == ber.ADDRESS and len(value) == 4:
        return f"{dotted(record.oid)}|{record.tag}|{'.'.join(map(str, value))}"
    if record.tag == ber.OCTETS and _is_plain(value):
        return f"{dotted(record.oid)}|{record.tag}|{value.decode('ascii')}"
    return f"{dotted(record.oid)}|{record.tag}x|{value.hex()}"


def _is_plain(value: bytes) -> bool:
    """Printable ASCII without blanks at its ends, which readers strip."""
    return value == value.strip() and all(0x20 <= octet < 0x7F for octet in value)


def _line(text: str) -> str:
    return " ".join(text.split())


def parse(text: str) -> tuple[Header, list[Record], list[str]]:
    """The header, the objects in the order of their OIDs, and the lines that are neither.

    Of several lines with the same OID, the first counts.
    """
    header: dict[str, list[str]] = {}
    found: dict[Oid, Record] = {}
    odd: list[str] = []
    for whole in text.split("\n"):
        stripped = whole.strip()
        if stripped.startswith("#"):
            key, separator, value = stripped[1:].strip().partition(_SEPARATOR)
            if separator:
                header.setdefault(key, []).append(value)
        elif stripped:
            record = _record(stripped)
            if record is None or record.oid in found:
                odd.append(whole)
            else:
                found[record.oid] = record
    return header, sorted(found.values()), odd


def _record(text: str) -> Record | None:
    """One object; None if the line is none, or of a simulator's variation module (`4:counter`)."""
    name, _, rest = text.partition("|")
    kind, separator, value = rest.partition("|")
    form = kind[-1:] if kind[-1:] in ("x", "e") else ""
    number = kind.removesuffix(form)
    if not separator or not number.isascii() or not number.isdigit() or len(number) > 3:
        return None
    try:
        return Record(_oid(name), int(number), _value(int(number), form, value))
    except ValueError:
        return None


def _oid(text: str) -> Oid:
    """Raises ValueError."""
    parts = text.strip(".").split(".")
    if len(parts) < 2 or len(parts) > _MOST_ARCS or any(len(part) > _DIGITS for part in parts):
        raise ValueError("not an object identifier")
    oid = tuple(int(part) for part in parts)
    if min(oid) < 0 or max(oid) >= _MOST_ARC:
        raise ValueError("not an object identifier")
    return oid


def _value(tag: int, form: str, text: str) -> Value:
    """Raises ValueError."""
    if form == "x":
        octets = bytes.fromhex(text)
        if tag not in _TEXTS:
            raise ValueError("hexadecimal digits of a type without octets")
        return octets
    if tag == ber.ADDRESS:
        return bytes(int(part) for part in text.split("."))
    if tag in _TEXTS:
        return _octets(text, escaped=form == "e")
    if tag == ber.OBJECT:
        return _oid(text)
    if tag != ber.INTEGER and tag not in ber.UNSIGNED:
        raise ValueError("an unknown type")
    if len(text.lstrip("-")) > _DIGITS:
        raise ValueError("a number of too many digits")
    number = int(text)
    if tag in ber.UNSIGNED and not 0 <= number < 1 << (64 if tag == ber.COUNTER64 else 32):
        raise ValueError("a number wider than its type")
    return number


def _octets(text: str, *, escaped: bool) -> bytes:
    """Files are read as UTF-8, or as Latin-1; their octets were either. Raises ValueError."""
    if escaped:
        text = text.encode("latin-1", "backslashreplace").decode("unicode_escape")
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode("utf-8")
