"""`static { ... };`."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import IPv4Network

from backstay_lab.labgated.conf.config import Config, Static
from backstay_lab.labgated.conf.cursor import Cursor

_OPTIONS = ("preference", "retain", "reject", "blackhole", "noinstall")


def static(at: Cursor, config: Config) -> None:
    """Routes by gateways, or straight onto a port."""
    at.mark("{")
    while at.peek() != "}":
        config.statics.append(_route(at))
    at.mark("}")
    at.end()


def _route(at: Cursor) -> Static:
    by_port = False
    if at.take("host"):
        prefix = IPv4Network(at.address())
    elif at.take("default"):
        prefix = IPv4Network("0.0.0.0/0")
    else:
        prefix, by_port = at.network(), True
    if by_port and at.take("interface"):
        return _options(at, Static(prefix, ports=(at.word("an interface should stand here"),)))
    at.one_of("gateway", "interface") if by_port else at.one_of("gateway")
    found = Static(prefix, at.addresses())
    if at.take("interface"):
        found = replace(found, ports=at.names(_OPTIONS))
    return _options(at, found)


def _options(at: Cursor, found: Static) -> Static:
    while at.peek() != ";":
        match at.one_of(*_OPTIONS):
            case "preference":
                found = replace(found, preference=at.preference())
            case "retain":
                found = replace(found, retain=True)
            case "reject":
                found = replace(found, reject=True)
            case "blackhole":
                found = replace(found, blackhole=True)
            case "noinstall":
                found = replace(found, noinstall=True)
    at.end()
    return found
