"""`rip`, `redirect`, `icmp`, `kernel`, `snmp` and `routerdiscovery`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from backstay_lab.labgated.conf.config import Config, RipPorts
from backstay_lab.labgated.conf.cursor import Cursor
from backstay_lab.labgated.conf.interfaces import trace

_RIP_WORDS = (
    "noripin",
    "ripin",
    "noripout",
    "ripout",
    "metricin",
    "metricout",
    "version",
    "secondary",
    "authentication",
)
_REMNANT_MAX_S = 86_400


def _switch(at: Cursor) -> bool:
    return at.one_of("yes", "no", "on", "off") in {"yes", "on"}


def rip(at: Cursor, config: Config) -> None:
    """`rip yes|no [{ ... }];`."""
    found = config.rip
    found.on = _switch(at)

    def preference() -> None:
        found.preference = at.preference()
        at.end()

    def no_check() -> None:
        found.check_zero = False
        at.end()

    def trusted() -> None:
        found.trusted = at.addresses()
        at.end()

    statements: dict[str, Callable[[], None]] = {
        "broadcast": at.end,
        "nobroadcast": at.end,
        "nocheckzero": no_check,
        "preference": preference,
        "defaultmetric": lambda: _skip_number(at, 1, 16),
        "interface": lambda: found.ports.append(_rip_ports(at)),
        "trustedgateways": trusted,
        "sourcegateways": lambda: _skip_addresses(at),
        "traceoptions": lambda: trace(at),
    }
    _optional_body(at, statements)


def _rip_ports(at: Cursor) -> RipPorts:
    found = RipPorts(at.names(_RIP_WORDS))
    while at.peek() != ";":
        word = at.one_of(*_RIP_WORDS)
        if word in {"noripin", "ripin"}:
            found = replace(found, listens=word == "ripin")
        elif word == "metricin":
            found = replace(found, metric_in=at.number(0, 16))
        elif word == "metricout":
            at.number(0, 16)
        elif word == "version":
            found = replace(found, version=at.number(1, 2))
            at.take("multicast", "broadcast")
        elif word == "secondary":
            at.one_of("authentication")
            _password(at)
        elif word == "authentication":
            found = replace(found, password=_password(at))
    at.end()
    return found


def _password(at: Cursor) -> str:
    if at.take("none"):
        return ""
    if at.peek() == "md5":
        at.fail("this stand-in knows simple passwords only")
    at.take("simple")
    return at.quoted()


def redirect(at: Cursor, _config: Config) -> None:
    """`redirect yes|no [{ ... }];`: checked; this stand-in hears no redirects."""
    _switch(at)

    def ports() -> None:
        at.names(("redirects", "noredirects"))
        at.one_of("redirects", "noredirects")
        at.end()

    _optional_body(
        at,
        {
            "preference": lambda: _skip_number(at, 0, 255),
            "interface": ports,
            "trustedgateways": lambda: _skip_addresses(at),
            "traceoptions": lambda: trace(at),
        },
    )


def icmp(at: Cursor, _config: Config) -> None:
    """`icmp { traceoptions ...; };`."""
    at.body({"traceoptions": lambda: trace(at)})
    at.end()


def kernel(at: Cursor, config: Config) -> None:
    """`kernel { ... };`."""

    def choices() -> None:
        while at.peek() != ";":
            if at.one_of("nochange", "noflushatexit") == "noflushatexit":
                config.flush_at_exit = False
        at.end()

    def remnants() -> None:
        config.remnant_s = at.number(0, _REMNANT_MAX_S)
        at.end()

    at.body(
        {
            "options": choices,
            "remnantholdtime": remnants,
            "routes": lambda: _skip_number(at, 0, 10_000_000),
            "flash": lambda: _limits(at, "type", ("interface", "interior", "all")),
            "background": lambda: _limits(at, "priority", ("flash", "higher", "lower")),
            "traceoptions": lambda: trace(at),
        }
    )
    at.end()


def _limits(at: Cursor, choice: str, values: tuple[str, ...]) -> None:
    while at.peek() != ";":
        if at.one_of("limit", choice) == "limit":
            at.number(0, 10_000_000)
        else:
            at.one_of(*values)
    at.end()


def snmp(at: Cursor, _config: Config) -> None:
    """`snmp yes|no [{ ... }];`: checked; this stand-in answers no SNMP."""
    _switch(at)
    _optional_body(
        at,
        {
            "preference": lambda: _skip_number(at, 0, 255),
            "port": lambda: _skip_number(at, 1, 65535),
            "debug": at.end,
            "traceoptions": lambda: trace(at),
        },
    )


def router_discovery(at: Cursor, config: Config) -> None:
    """`routerdiscovery server|client yes|no [{ ... }];`."""
    if at.one_of("server", "client") == "server":
        if _switch(at):
            at.fail("this stand-in is a client of router discovery only")
        at.end()
        return
    found = config.discovery
    found.on = _switch(at)
    words = ("enable", "disable", "broadcast", "multicast", "quiet", "solicit")

    def preference() -> None:
        found.preference = at.preference()
        at.end()

    def ports() -> None:
        names, chosen = at.names(words), []
        while at.peek() != ";":
            chosen.append(at.one_of(*words))
        found.ports.append((names, "disable" not in chosen, "quiet" not in chosen))
        at.end()

    _optional_body(at, {"preference": preference, "interface": ports, "traceoptions": lambda: trace(at)})


def _optional_body(at: Cursor, statements: dict[str, Callable[[], None]]) -> None:
    if at.has_body():
        at.body(statements)
    at.end()


def _skip_number(at: Cursor, low: int, high: int) -> None:
    at.number(low, high)
    at.end()


def _skip_addresses(at: Cursor) -> None:
    at.addresses()
    at.end()
