r"""Parser for `/etc/gratm.conf`: statements with a documented format; others are skipped.

`\` at a line's end continues it, `#` begins a comment. `Service` and `Signalling`, whose syntax is not
confirmed, are skipped; any other unknown statement is rejected with its line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from backstay.core.model.circuit import Label, Qos, Shape, read_label

Proto = Literal["ip", "raw", "vc", "ipnllc", "isis", "llc", "llc,bridging", "vcmux_bridge,bpro", "vc_atmp"]
PROTOS: tuple[Proto, ...] = (
    "ip",
    "raw",
    "vc",
    "ipnllc",
    "isis",
    "llc",
    "llc,bridging",
    "vcmux_bridge,bpro",
    "vc_atmp",
)
AALS = ("3", "5", "NONE")
PASSED_OVER = ("Service", "Signalling")
_COMMENT = re.compile(r"#[^\n]*")
_CONTINUED = re.compile(r"\\[ \t]*\r?\n")


@dataclass(frozen=True, slots=True)
class Interface:
    """Defaults of one logical interface."""

    port: str
    service: str | None = None
    shape: str | None = None


@dataclass(frozen=True, slots=True)
class Pvc:
    """One permanent circuit on one interface."""

    port: str
    label: Label
    proto: Proto
    input_aal: str | None = None
    shape: str | None = None
    dest_if: str | None = None
    dest_vc: Label | None = None


@dataclass(frozen=True, slots=True)
class Statements:
    """The known statements of a file."""

    shapes: tuple[Shape, ...] = ()
    interfaces: tuple[Interface, ...] = ()
    pvcs: tuple[Pvc, ...] = ()


def read(text: str) -> Statements:
    """The statements of a file, in order. Raises ValueError with line and reason."""
    shapes: list[Shape] = []
    interfaces: list[Interface] = []
    pvcs: list[Pvc] = []
    into: Mapping[str, Callable[[list[str]], None]] = {
        "Traffic_Shape": lambda fields: shapes.append(_shape(fields)),
        "Interface": lambda fields: interfaces.append(_interface(fields)),
        "PVC": lambda fields: pvcs.append(_pvc(fields)),
    }
    for number, fields in _lines(text):
        verb, rest = fields[0], fields[1:]
        if verb in PASSED_OVER:
            continue
        try:
            if verb not in into:
                raise ValueError(f"{verb!r} is not a statement of gratm.conf")
            into[verb](rest)
        except ValueError as problem:
            raise ValueError(f"line {number}: {problem}") from problem
    return Statements(tuple(shapes), tuple(interfaces), tuple(pvcs))


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Number of each statement's first line, and its words."""
    joined = _CONTINUED.sub(lambda match: " \x00", _COMMENT.sub("", text))
    number = 1
    for line in joined.split("\n"):
        fields = line.replace("\x00", " ").split()
        if fields:
            yield number, fields
        number += 1 + line.count("\x00")


def _settings(fields: list[str], known: frozenset[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for keyword in fields:
        name, equals, value = keyword.partition("=")
        if not equals or not value or name not in known:
            raise ValueError(f"{keyword!r} is not a setting of this statement")
        if name in found:
            raise ValueError(f"{name} occurs twice")
        found[name] = value
    return found


def _shape(fields: list[str]) -> Shape:
    values = _settings(fields, frozenset({"name", "peak", "sustain", "burst", "qos"}))
    if "name" not in values or "peak" not in values:
        raise ValueError("a Traffic_Shape needs name and peak")
    qos: Qos | None = None
    if "qos" in values:
        qos = "high" if values["qos"] == "high" else "low"
        if values["qos"] != qos:
            raise ValueError(f"qos must be high or low, not {values['qos']}")
    return Shape(
        values["name"],
        _number(values["peak"]) * 1000,
        _number(values["sustain"]) * 1000 if "sustain" in values else None,
        _number(values["burst"]) if "burst" in values else None,
        qos,
    )


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"{text!r} is not a number")
    return int(text)


def _interface(fields: list[str]) -> Interface:
    if not fields:
        raise ValueError("an Interface needs its name")
    values = _settings(fields[1:], frozenset({"service", "traffic_shape", "bridge_method"}))
    return Interface(fields[0], values.get("service"), values.get("traffic_shape"))


def _pvc(fields: list[str]) -> Pvc:
    if len(fields) < 2:
        raise ValueError("a PVC needs an interface and VPI/VCI")
    values = _settings(fields[2:], frozenset({"proto", "input_aal", "traffic_shape", "dest_if", "dest_vc"}))
    proto = next((known for known in PROTOS if known == values.get("proto")), None)
    if proto is None:
        raise ValueError(f"proto must be one of {', '.join(PROTOS)}")
    if values.get("input_aal", "5") not in AALS:
        raise ValueError(f"input_aal must be one of {', '.join(AALS)}")
    if "dest_vc" in values and "dest_if" not in values:
        raise ValueError("dest_vc needs dest_if")
    return Pvc(
        fields[0],
        _label(fields[1]),
        proto,
        values.get("input_aal"),
        values.get("traffic_shape"),
        values.get("dest_if"),
        _label(values["dest_vc"]) if "dest_vc" in values else None,
    )


def _label(text: str) -> Label:
    try:
        return read_label("pvc", text)
    except ValueError as expected:
        raise ValueError(f"{text!r} is not {expected}") from expected
