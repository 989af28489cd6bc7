"""`import proto ...`: which routes are accepted at which preference; `export proto ...`: which are announced.

Once a protocol has an import statement, only routes that an import statement names are accepted from it. A
gateway's preference here is how one RIP router is preferred to another.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address

from backstay_gatedconf.destinations import Destination, parse_destination, render_destination
from backstay_gatedconf.tokens import Cursor

_SOURCES = ("static", "direct", "kernel", "default", "aggregate", "rip", "ospf", "ospfase", "bgp")
_STOP = {"restrict", "preference", "metric"}


@dataclass(frozen=True, slots=True)
class DestinationRule:
    """One destination; `value` is its own preference (import) or metric (export)."""

    to: Destination
    value: int | None = None
    restrict: bool = False


@dataclass(frozen=True, slots=True)
class Peers:
    """The peers of a statement: interfaces or gateways, otherwise all. `tag` and `kind` belong to OSPF."""

    interfaces: tuple[str, ...] = ()
    gateways: tuple[IPv4Address, ...] = ()
    tag: int | None = None
    kind: str = ""
    system: int | None = None
    """The neighbour's autonomous system, with BGP."""


ALL_PEERS = Peers()


@dataclass(frozen=True, slots=True)
class Import:
    """One `import` statement; with `restrict` nothing is accepted."""

    protocol: str
    peers: Peers = ALL_PEERS
    preference: int | None = None
    rules: tuple[DestinationRule, ...] = ()
    restrict: bool = False


@dataclass(frozen=True, slots=True)
class ExportSource:
    """The routes that an export announces."""

    protocol: str
    peers: Peers = ALL_PEERS
    metric: int | None = None
    rules: tuple[DestinationRule, ...] = ()
    restrict: bool = False


@dataclass(frozen=True, slots=True)
class Export:
    """One `export` statement."""

    protocol: str
    peers: Peers = ALL_PEERS
    metric: int | None = None
    sources: tuple[ExportSource, ...] = ()
    restrict: bool = False


def parse_import(cursor: Cursor) -> Import:
    """After the keyword `import`."""
    cursor.expect("proto")
    protocol = cursor.choice("rip", "redirect", "ospfase")
    peers = _peers(cursor, protocol)
    if cursor.has("restrict"):
        return Import(protocol, peers, restrict=True)
    preference = cursor.number_after("preference", 0, 255)
    if preference is not None and cursor.sees(";"):
        # SCO's manual: without rules, everything from these peers at this preference.
        return Import(protocol, peers, preference, (DestinationRule(Destination(None)),))
    return Import(protocol, peers, preference, cursor.body(lambda inner: _rule(inner, "preference", 255)))


def parse_export(cursor: Cursor) -> Export:
    """After the keyword `export`."""
    cursor.expect("proto")
    protocol = cursor.choice("rip", "ospfase", "bgp")
    peers = _peers(cursor, protocol)
    if cursor.has("restrict"):
        return Export(protocol, peers, restrict=True)
    metric = cursor.number_after("metric", 0, 2**24 - 1)
    return Export(protocol, peers, metric, cursor.body(_source))


def _source(cursor: Cursor) -> ExportSource:
    cursor.expect("proto")
    protocol = cursor.choice(*_SOURCES)
    peers = _peers(cursor, protocol)
    if cursor.has("restrict"):
        return ExportSource(protocol, peers, restrict=True)
    metric = cursor.number_after("metric", 0, 2**24 - 1)
    return ExportSource(protocol, peers, metric, cursor.body(lambda inner: _rule(inner, "metric", 2**24 - 1)))


def _peers(cursor: Cursor, protocol: str) -> Peers:
    system = None
    kind = ""
    if protocol == "bgp":
        cursor.expect("autonomoussystem")
        system = cursor.number(1, 65_535)
    if protocol == "ospfase" and cursor.has("type"):
        kind = cursor.choice("1", "2")
    tag = cursor.number_after("tag", 0, 2**31 - 1) if protocol == "ospfase" else None
    interfaces = cursor.names(_STOP) if cursor.has("interface") else ()
    gateways = cursor.addresses() if not interfaces and protocol != "bgp" and cursor.has("gateway") else ()
    return Peers(interfaces, gateways, tag, kind, system)


def _rule(cursor: Cursor, keyword: str, most: int) -> DestinationRule:
    to = parse_destination(cursor)
    if cursor.has("restrict"):
        return DestinationRule(to, restrict=True)
    return DestinationRule(to, cursor.number_after(keyword, 0, most))


def render_import(value: Import) -> str:
    head = _head("import proto", value.protocol, value.peers)
    if value.restrict:
        return f"{head} restrict"
    return _with_rules(head, "preference", value.preference, value.rules, "    ")


def render_export(value: Export) -> str:
    head = _head("export proto", value.protocol, value.peers)
    if value.restrict:
        return f"{head} restrict"
    if value.metric is not None:
        head += f" metric {value.metric}"
    lines = "".join(f"    {_render_source(source)};\n" for source in value.sources)
    return f"{head} {{\n{lines}}}"


def _render_source(value: ExportSource) -> str:
    head = _head("proto", value.protocol, value.peers)
    if value.restrict:
        return f"{head} restrict"
    return _with_rules(head, "metric", value.metric, value.rules, "        ")


def _head(start: str, protocol: str, peers: Peers) -> str:
    parts = [start, protocol]
    parts += [] if peers.system is None else ["autonomoussystem", str(peers.system)]
    parts += ["type", peers.kind] if peers.kind else []
    parts += [] if peers.tag is None else ["tag", str(peers.tag)]
    parts += ["interface", *peers.interfaces] if peers.interfaces else []
    parts += ["gateway", *map(str, peers.gateways)] if peers.gateways else []
    return " ".join(parts)


def _with_rules(
    head: str, keyword: str, value: int | None, rules: tuple[DestinationRule, ...], indent: str
) -> str:
    if value is not None:
        head += f" {keyword} {value}"
    lines = "".join(f"{indent}{_render_rule(rule, keyword)};\n" for rule in rules)
    return f"{head} {{\n{lines}{indent[4:]}}}"


def _render_rule(rule: DestinationRule, keyword: str) -> str:
    own = " restrict" if rule.restrict else "" if rule.value is None else f" {keyword} {rule.value}"
    return render_destination(rule.to) + own
