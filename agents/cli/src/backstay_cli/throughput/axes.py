"""The varied parameters of a run with their labels. Pure."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from backstay_cli.models import TestCellOut
from backstay_cli.text import byte_size, rate
from backstay_cli.throughput.labels import DIRECTIONS, ends


@dataclass(frozen=True, slots=True)
class Axis:
    """One varied parameter."""

    name: str
    of: Callable[[TestCellOut], Hashable]
    label: Callable[[TestCellOut], str]
    across: bool = True
    """Whether it can be the horizontal axis: a number."""


def _value(name: str, field: str, label: Callable[[int], str] = str, absent: str = "-") -> Axis:
    def of(cell: TestCellOut) -> Hashable:
        found: Hashable = getattr(cell.parameters, field)
        return found

    def label_of(cell: TestCellOut) -> str:
        value = getattr(cell.parameters, field)
        return absent if value is None else label(value)

    return Axis(name, of, label_of)


def _choice(name: str, field: str, label: Mapping[Any, str]) -> Axis:
    def of(cell: TestCellOut) -> Hashable:
        found: Hashable = getattr(cell.parameters, field)
        return found

    return Axis(name, of, lambda cell: label.get(of(cell), str(of(cell) or "default")), across=False)


AXES = (
    _value("streams", "streams"),
    _value("senders", "senders"),
    _value("receivers", "receivers"),
    _value("size", "size", byte_size),
    _value("buffer", "buffer", byte_size, "default"),
    _value("window", "window", byte_size, "default"),
    _value("send buffer", "send_buffer", byte_size, "default"),
    _value("offered", "offered_rate", rate, "unlimited"),
    _value("echoes/s", "offered_pps", "{:g}".format, "unlimited"),
    _value("MTU", "mtu"),
    _value("MSS", "mss", str, "path MSS"),
    _choice("Nagle", "no_delay", {True: "off", False: "on", None: "-"}),
    _choice("acks", "quick_ack", {True: "quick", False: "delayed"}),
    _choice("congestion", "congestion", {}),
    _choice("program", "program", {}),
    _choice("other", "other", {}),
    _choice("direction", "direction", DIRECTIONS),
    Axis("ends", lambda cell: ends(cell.flows), lambda cell: ends(cell.flows), across=False),
)


def essential(cells: Sequence[TestCellOut]) -> list[Axis]:
    """The varied parameters without those that follow from earlier axes."""
    kept: list[Axis] = []
    for axis in AXES:
        known: dict[tuple[Hashable, ...], Hashable] = {}
        keys = [(tuple(one.of(cell) for one in kept), axis.of(cell)) for cell in cells]
        if any(known.setdefault(key, value) != value for key, value in keys):
            kept.append(axis)
    return kept
