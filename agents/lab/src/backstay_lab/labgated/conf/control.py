"""`import` and `export`: what is believed, and what is told; the latter is checked only, for we listen."""

from __future__ import annotations

from ipaddress import IPv4Address

from backstay_lab.labgated.conf.config import Config, Filter, Import
from backstay_lab.labgated.conf.cursor import Cursor
from backstay_lab.labgated.conf.interfaces import destination

_AFTER_PORTS = ("preference", "metric", "restrict")
_SOURCES = ("static", "direct", "kernel", "default", "aggregate", "rip")


def import_(at: Cursor, config: Config) -> None:
    """`import proto rip|redirect [interface L | gateway L] (restrict; | [preference P] { filters };)`."""
    at.one_of("proto")
    protocol = at.one_of("rip", "redirect")
    ports, gateways = _peers(at)
    if at.take("restrict"):
        at.end()
        config.imports.append(Import(protocol, ports, gateways))
        return
    preference = at.preference() if at.take("preference") else None
    filters = []
    at.mark("{")
    while at.peek() != "}":
        filters.append(_filter(at))
    at.mark("}")
    at.end()
    config.imports.append(Import(protocol, ports, gateways, preference, tuple(filters)))


def _peers(at: Cursor) -> tuple[tuple[str, ...], tuple[IPv4Address, ...]]:
    kind = at.take("interface", "gateway")
    if kind == "interface":
        return at.names(_AFTER_PORTS), ()
    return (), at.addresses() if kind else ()


def _filter(at: Cursor) -> Filter:
    where = destination(at)
    if at.take("restrict"):
        at.end()
        return Filter(where, restrict=True)
    preference = at.preference() if at.take("preference") else None
    at.end()
    return Filter(where, preference)


def export(at: Cursor, _config: Config) -> None:
    """`export proto rip ...`."""
    at.one_of("proto")
    at.one_of("rip")
    _peers(at)
    if at.take("restrict"):
        return at.end()
    if at.take("metric"):
        at.number(0, 16)
    at.mark("{")
    while at.peek() != "}":
        _source(at)
    at.mark("}")
    return at.end()


def _source(at: Cursor) -> None:
    at.one_of("proto")
    at.one_of(*_SOURCES)
    if at.take("interface"):
        at.names(_AFTER_PORTS)
    if at.take("restrict"):
        return at.end()
    if at.take("metric"):
        at.number(0, 16)
    at.mark("{")
    while at.peek() != "}":
        destination(at)
        if not at.take("restrict") and at.take("metric"):
            at.number(0, 16)
        at.end()
    at.mark("}")
    return at.end()
