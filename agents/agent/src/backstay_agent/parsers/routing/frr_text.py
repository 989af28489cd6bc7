"""FRR's `show ip route` as text, and `show interface json` (FRR 8.4), as operators save them. Pure.

Of a route's codes only `>` (selected) is read: the rest of its line repeats the others in text.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from ipaddress import ip_network

from backstay_agent.parsers import text
from backstay_agent.parsers.json_object import JsonObject, ShapeError, load
from backstay_agent.parsers.routing.candidates import Candidate, Prefix
from backstay_agent.parsers.routing.frr import FrrError

_PROTOCOLS: Mapping[str, str] = {
    "K": "kernel",
    "C": "connected",
    "L": "local",
    "S": "static",
    "R": "rip",
    "O": "ospf",
    "I": "isis",
    "B": "bgp",
    "E": "eigrp",
    "N": "nhrp",
    "T": "table",
    "v": "vnc",
    "V": "vnc",
    "A": "babel",
    "F": "pbr",
    "f": "openfabric",
}
_HOP = (
    r"(?:via (?P<via>[0-9a-f.:]+)(?:, (?P<port>[\w.:@-]+)(?: onlink)?)?"
    r"|is directly connected, (?P<own>[\w.:@-]+)|(?P<dead>unreachable \([\w ]+\)))"
    r"(?P<lost>(?: \((?:recursive|inactive|recursive lookup failed)\)| inactive)*)(?P<rest>(?:, .*)?)"
)
_ROUTE = re.compile(
    r"(?P<code>[A-Za-z])(?P<marks>[ >*qrtbo]*) "
    r"(?P<prefix>[0-9a-f.:]+/\d+)(?: \[(?P<preference>\d+)/\d+\])? " + _HOP
)
_MORE = re.compile(r"[ >*qrtb]+" + _HOP)
_NOISE = re.compile(r"\s*|Codes: .*| {7}\S.*|(?:IPv[46] unicast )?VRF \S+:|.*[#>] ?show ip(?:v6)? route.*")


def routes(output: str) -> tuple[list[Candidate], list[str]]:
    """The candidates of every destination, and the unknown lines."""
    found: list[Candidate] = []
    unparsed: list[str] = []
    prefix: Prefix | None = None
    for line in output.splitlines():
        try:
            if (match := _ROUTE.fullmatch(line.rstrip())) and match["code"] in _PROTOCOLS:
                found.append(_candidate(match))
                prefix = found[-1].prefix
            elif prefix is not None and (more := _MORE.fullmatch(line.rstrip())):
                found[-1] = replace(found[-1], via=text.text(f"{found[-1].via}, {_via(more)}"))
            elif not _NOISE.fullmatch(line):
                unparsed.append(line)
        except ValueError:
            unparsed.append(line)
    return found, unparsed


def _candidate(match: re.Match[str]) -> Candidate:
    source = _PROTOCOLS[match["code"]]
    return Candidate(
        prefix=ip_network(match["prefix"]),
        via=_via(match),
        source=source,
        preference=int(match["preference"] or 0),
        selected=">" in match["marks"],
        usable="inactive" not in match["lost"] and match["dead"] is None,
    )


def _via(match: re.Match[str]) -> str:
    return match["via"] or match["own"] or "unreachable"


@dataclass(frozen=True, slots=True)
class FrrPort:
    """One port as zebra knows it."""

    name: str
    index: int
    admin_up: bool
    oper_up: bool
    mtu: int
    speed: int
    """Bit/s; 0 if unknown to zebra."""
    mac: str
    vrf: str
    addresses: tuple[str, ...]
    link_ups: int
    link_downs: int


def ports(output: str) -> tuple[list[FrrPort], list[str]]:
    """The ports of `show interface json`, and why others are unreadable. Raises FrrError."""
    try:
        document = load(output)
        if not isinstance(document, dict):
            raise ShapeError("not an object of ports")
    except ShapeError as error:
        raise FrrError(text.text(str(error))) from error
    found: list[FrrPort] = []
    unparsed: list[str] = []
    whole = JsonObject(document)
    for name in document:
        try:
            if (part := whole.part(name)) is not None:
                found.append(_port(name, part))
        except ShapeError as error:
            unparsed.append(text.text(str(error)))
    return found, unparsed


def _port(name: str, part: JsonObject) -> FrrPort:
    return FrrPort(
        name=text.name(name),
        index=part.whole("index"),
        admin_up=part.text("administrativeStatus") == "up",
        oper_up=part.text("operationalStatus") == "up",
        mtu=part.whole("mtu", 0),
        speed=part.whole("speed", 0) * 1_000_000,
        mac=part.text("hardwareAddress")[:64],
        vrf=text.name(part.text("vrfName")),
        addresses=tuple(_addresses(part.parts("ipAddresses"))),
        link_ups=part.whole("linkUps", 0),
        link_downs=part.whole("linkDowns", 0),
    )


def _addresses(parts: Iterable[JsonObject]) -> list[str]:
    found: list[str] = []
    for part in parts:
        try:
            found.append(text.own_address(part.text("address")))
        except ValueError as error:
            raise ShapeError(f"unreadable address: {error}") from error
    return found
