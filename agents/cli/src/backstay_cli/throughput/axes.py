"""What the cells of a run differ in: each parameter with its words. Pure."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from backstay_cli.models import TestCellOut
from backstay_cli.text import rate
from backstay_cli.throughput.labels import ends, octets


@dataclass(frozen=True, slots=True)
class Axis:
    """One parameter that cells differ in."""

    name: str
    of: Callable[[TestCellOut], Hashable]
    words: Callable[[TestCellOut], str]
    across: bool = True
    """Whether it may stand across: a figure."""


def _figure(name: str, field: str, words: Callable[[int], str] = str, absent: str = "-") -> Axis:
    def of(cell: TestCellOut) -> Hashable:
        found: Hashable = getattr(cell.parameters, field)
        return found

    def told(cell: TestCellOut) -> str:
        value = getattr(cell.parameters, field)
        return absent if value is None else words(value)

    return Axis(name, of, told)


def _choice(name: str, field: str, words: dict[object, str]) -> Axis:
    def of(cell: TestCellOut) -> Hashable:
        found: Hashable = getattr(cell.parameters, field)
        return found

    return Axis(name, of, lambda cell: words.get(of(cell), str(of(cell) or "system's")), across=False)


AXES = (
    _figure("streams", "streams"),
    _figure("senders", "senders"),
    _figure("receivers", "receivers"),
    _figure("size", "size", octets),
    _figure("buffer", "buffer", octets, "system's"),
    _figure("window", "window", octets, "system's"),
    _figure("send buffer", "send_buffer", octets, "system's"),
    _figure("offered", "offered_rate", rate, "all it can"),
    _figure("echoes/s", "offered_pps", "{:g}".format, "all it can"),
    _figure("MTU", "mtu"),
    _figure("MSS", "mss", str, "path's"),
    _choice("Nagle", "no_delay", {True: "off", False: "on", None: "-"}),
    _choice("acks", "quick_ack", {True: "quick", False: "delayed"}),
    _choice("congestion", "congestion", {}),
    _choice("program", "program", {}),
    _choice("direction", "direction", {"forward": "there", "reverse": "back", "both": "both ways"}),
    Axis("ends", lambda cell: ends(cell.flows), lambda cell: ends(cell.flows), across=False),
)


def essential(cells: Sequence[TestCellOut]) -> list[Axis]:
    """What the cells differ in, less what the axes before it tell already."""
    kept: list[Axis] = []
    for axis in AXES:
        known: dict[tuple[Hashable, ...], Hashable] = {}
        keys = [(tuple(one.of(cell) for one in kept), axis.of(cell)) for cell in cells]
        if any(known.setdefault(key, value) != value for key, value in keys):
            kept.append(axis)
    return kept
