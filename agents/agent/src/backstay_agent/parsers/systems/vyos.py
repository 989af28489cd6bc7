"""VyOS's `show interfaces` and `show ip bgp summary` (the latter also FRR's and Quagga's). Pure.

`show interfaces` has two forms: name, address, state and description, and since 1.4 also the hardware
address, VRF and MTU. Further addresses follow on their own lines. Every parser keeps the unknown lines.
"""

import re
from dataclasses import dataclass, field

from backstay_agent.parsers import text

_ADDRESS = r"[0-9A-Fa-f.:]+(?:/\d+)?"
_PORT = re.compile(
    rf"(?P<name>\S+)\s+(?P<address>-|{_ADDRESS})(?:\s+(?P<mac>n/a|[0-9a-f:]+)\s+\S+\s+(?P<mtu>\d+))?"
    r"\s+(?P<state>[uDA])/(?P<link>[uD])(?:\s+(?P<description>.*?))?\s*"
)
_MORE = re.compile(rf"\s+(?P<address>{_ADDRESS})\s*")
_PORT_NOISE = re.compile(r"\s*|Codes: .*|Interface\s+IP Address\s+.*|-+(?:\s+-+)*\s*")
_SPEAKER = re.compile(r"BGP router identifier (?P<id>[\d.]+), local AS number (?P<number>\d+)(?: .*)?")
_PEER = re.compile(
    r"(?P<peer>\S+)\s+(?P<version>\d)\s+(?P<number>\d+)(?:\s+\d+){5}\s+(?P<since>\S+)\s+"
    r"(?:(?P<prefixes>\d+)|(?P<state>[A-Z]\w*(?: ?\([A-Za-z]+\))?|\(Policy\)))"
    r"(?:\s+(?:\d+|\(Policy\)).*|\s+N/A)?\s*"
)
_WRAPPED = re.compile(r"^(\S+)[ \t]*\n[ \t]+(?=\d\s)", re.MULTILINE)
_SUMMARY_NOISE = re.compile(
    r"\s*|(?:IPv[46]|L2VPN) \w+ Summary.*|BGP table version .*|RIB entries .*|Peers \d+, using .*"
    r"|Peer groups \d+, using .*|Neighbor\s+V\s+AS\s+.*|(?:Total number of|Displayed) neighbors .*"
    r"|% ?(?:No BGP neighbors found|BGP instance not found).*|BGP .*not (?:running|found).*"
)


@dataclass
class VyosPort:
    """One port."""

    name: str
    admin_up: bool
    oper_up: bool
    description: str
    mac: str = ""
    mtu: int = 0
    addresses: list[str] = field(default_factory=list)
    """`10.1.0.1/24`; a point-to-point port's own end is a /32 (/128)."""


@dataclass(frozen=True)
class Peer:
    """One neighbour of the BGP speaker."""

    address: str
    number: int
    """Its AS."""
    state: str
    """`Established`, or FRR's name of another state."""
    prefixes: int | None
    """Received from it; None while the session is not established."""


@dataclass
class Speaker:
    """The BGP speaker of this host; a router identifier of "" means that none runs."""

    router_id: str = ""
    number: int = 0
    peers: list[Peer] = field(default_factory=list)
    unparsed: list[str] = field(default_factory=list)


def ports(output: str) -> tuple[list[VyosPort], list[str]]:
    """The ports of `show interfaces`, and the unknown lines."""
    found: list[VyosPort] = []
    unparsed: list[str] = []
    for line in output.splitlines():
        if _PORT_NOISE.fullmatch(line):
            continue
        try:
            if match := _PORT.fullmatch(line):
                found.append(_port(match))
            elif found and (match := _MORE.fullmatch(line)):
                found[-1].addresses.append(text.own_address(match["address"]))
            else:
                unparsed.append(line)
        except ValueError:
            unparsed.append(line)
    return found, unparsed


def _port(match: re.Match[str]) -> VyosPort:
    return VyosPort(
        name=text.name(match["name"]),
        admin_up=match["state"] != "A",
        oper_up=match["state"] == "u" and match["link"] == "u",
        description=text.text(match["description"] or ""),
        mac=match["mac"][:64] if match["mac"] and ":" in match["mac"] else "",
        mtu=int(match["mtu"] or 0),
        addresses=[] if match["address"] == "-" else [text.own_address(match["address"])],
    )


def speaker(output: str) -> Speaker:
    """`show ip bgp summary`; a long neighbour address may be on a line of its own, before its numbers."""
    found = Speaker()
    for line in _WRAPPED.sub(r"\1 ", output).splitlines():
        if match := _SPEAKER.fullmatch(line):
            found.router_id, found.number = match["id"], int(match["number"])
        elif match := _PEER.fullmatch(line):
            found.peers.append(_peer(match))
        elif not _SUMMARY_NOISE.fullmatch(line):
            found.unparsed.append(line)
    return found


def _peer(match: re.Match[str]) -> Peer:
    prefixes = int(match["prefixes"]) if match["prefixes"] else None
    policy = match["state"] == "(Policy)"
    state = "Established" if prefixes is not None or policy else match["state"]
    return Peer(text.name(match["peer"]), int(match["number"]), state, 0 if policy else prefixes)
