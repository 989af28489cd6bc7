"""`options`, `interfaces`, `traceoptions` and the definitions: everything that comes before the protocols."""

from __future__ import annotations

from ipaddress import IPv4Network

from backstay_lab.labgated.conf.config import Config, Destination, Martian, PortRule
from backstay_lab.labgated.conf.cursor import Cursor

_LEVELS = ("emerg", "alert", "crit", "err", "warning", "notice", "info", "debug")
_PORT_WORDS = ("preference", "down", "passive", "simplex", "reject", "blackhole", "autonomoussystem")
_TRACES = frozenset(
    (
        *("general", "state", "normal", "policy", "task", "timer", "route", "all", "detail", "send", "recv"),
        *("parse", "adv", "symbols", "iflist", "packets", "request", "response", "update", "other", "packet"),
    )
)
_SCAN_MAX_S = 3600


def trace(at: Cursor) -> None:
    """`traceoptions ...;`: checked, and otherwise ours: this stand-in logs into its own folder."""
    if at.take("none"):
        return at.end()
    if at.quoted_next():
        at.quoted()
        at.take("replace")
        if at.take("size"):
            _size(at)
            at.one_of("files")
            at.number(1, 1000)
    at.take("nostamp")
    while at.peek() != ";":
        if at.peek() != "except" and at.peek() not in _TRACES:
            at.fail("a trace option or ';' should stand here")
        at.word()
    return at.end()


def _size(at: Cursor) -> None:
    text = at.peek()
    if not text[:-1].isdigit() or not (text.isdigit() or text[-1] in "km"):
        at.fail("a size such as 200k should stand here")
    at.word()
    at.take("k", "m")


def options(at: Cursor, config: Config) -> None:
    """`options ...;`."""
    while at.peek() != ";":
        word = at.one_of("nosend", "noresolv", "gendefault", "syslog", "mark")
        if word == "nosend":
            config.send = False
        elif word == "gendefault":
            if at.take("preference"):
                at.preference()
            if at.take("gateway"):
                at.address()
        elif word == "syslog":
            at.take("upto")
            at.one_of(*_LEVELS)
        elif word == "mark":
            at.number(1, 86_400)
    at.end()


def interfaces(at: Cursor, config: Config) -> None:
    """`interfaces { ... };`."""
    at.body(
        {
            "options": lambda: _interface_options(at, config),
            "interface": lambda: config.port_rules.append(_rule(at)),
            "define": lambda: _define(at),
        }
    )
    at.end()


def _interface_options(at: Cursor, config: Config) -> None:
    while at.peek() != ";":
        if at.one_of("strictinterfaces", "scaninterval") == "strictinterfaces":
            config.strict = True
        else:
            config.scan_s = at.number(1, _SCAN_MAX_S)
    at.end()


def _rule(at: Cursor) -> PortRule:
    ports = at.names(_PORT_WORDS)
    preference, down, passive = 0, 120, False
    while at.peek() != ";":
        word = at.one_of(*_PORT_WORDS)
        if word == "preference":
            preference = at.preference()
        elif word == "down":
            at.one_of("preference")
            down = at.preference()
        elif word == "autonomoussystem":
            at.number(1, 65535)
        passive |= word == "passive"
    at.end()
    return PortRule(ports, preference, down, passive)


def _define(at: Cursor) -> None:
    at.address()
    while at.peek() != ";":
        if at.one_of("broadcast", "pointtopoint", "netmask", "multicast") != "multicast":
            at.address()
    at.end()


def autonomous_system(at: Cursor, _config: Config) -> None:
    """`autonomoussystem N [loops N];`."""
    at.number(1, 65534)
    if at.take("loops"):
        at.number(1, 10)
    at.end()


def router_id(at: Cursor, config: Config) -> None:
    """`routerid A;`."""
    config.router_id = at.address()
    at.end()


def martians(at: Cursor, config: Config) -> None:
    """`martians { ... };`."""
    at.mark("{")
    while at.peek() != "}":
        where = destination(at)
        config.martians.append(Martian(where, allow=bool(at.take("allow"))))
        at.end()
    at.mark("}")
    at.end()


def destination(at: Cursor) -> Destination:
    """`all | default | host A | NET [mask M | masklen N] [exact | refines]`."""
    if at.take("all"):
        return Destination(IPv4Network("0.0.0.0/0"))
    if at.take("default"):
        return Destination(IPv4Network("0.0.0.0/0"), "exact")
    if at.take("host"):
        return Destination(IPv4Network(at.address()), "exact")
    network = at.network()
    return Destination(network, at.take("exact", "refines"))
