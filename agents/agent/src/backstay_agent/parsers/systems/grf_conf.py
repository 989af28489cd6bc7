"""A GigaRouter's `/etc/grifconfig.conf` and `/etc/gratm.conf`: its ports and their ATM circuits. Pure.

Every parser keeps the unknown lines.
"""

import re
from dataclasses import dataclass
from ipaddress import IPv4Interface

from backstay_agent.parsers import text

_NAME = re.compile(r"(?P<name>g(?P<medium>[a-z])0(?P<slot>[0-9a-f])[0-9a-f])")
_MTU = re.compile(r"\bmtu (?P<mtu>\d+)\b")
_CONTINUED = re.compile(r"\\[ \t]*\n[ \t]*")
_SETTINGS = r"(?:\s+[A-Za-z_]\w*=\S+)*\s*"
_CIRCUIT = re.compile(rf"PVC\s+(?P<port>g[a-z]0[0-9a-f]{{2}})\s+(?P<circuit>\d+/\d+){_SETTINGS}")
# Statements other than PVC are ignored; the spelling of Service and Signalling is uncertain too.
_STATEMENT = re.compile(rf"(?:Traffic_Shape|Service|Signalling|Interface\s+g[a-z]0[0-9a-f]{{2}}){_SETTINGS}")

# Defaults of RFC 1374 and of the manufacturers for a port whose line has no MTU.
_MTUS = {"t": 65520, "h": 65280, "f": 4352, "a": 9180, "e": 1500}


@dataclass(frozen=True, slots=True)
class GrfPort:
    """One configured port."""

    name: str
    """`gt020`: g, medium, chassis, slot and logical port, the last two in hex."""
    medium: str
    """t SP switch, h HIPPI, f FDDI, a ATM, e Ethernet, s HSSI or SONET."""
    slot: int
    address: IPv4Interface
    mtu: int
    """0 if neither the line nor the medium defines it."""


@dataclass(frozen=True, slots=True)
class GrfCircuit:
    """One permanent circuit."""

    port: str
    channel: str
    """`VPI/VCI`."""


def ports(output: str) -> tuple[list[GrfPort], list[str]]:
    """The ports of grifconfig.conf in its order, and the unknown lines."""
    return text.parse_lines(output, _port)


def _port(line: str) -> GrfPort | None:
    """Name, address, netmask, broadcast or destination, arguments of ifconfig; `-` is an empty column."""
    tokens = line.partition("#")[0].split(maxsplit=4)
    if not tokens:
        return None
    name = _NAME.fullmatch(tokens[0])
    if name is None or len(tokens) < 3:
        raise ValueError("not a row of grifconfig.conf")
    address = IPv4Interface(tokens[1] if tokens[2] == "-" else f"{tokens[1]}/{tokens[2]}")
    argument = _MTU.search(tokens[4]) if len(tokens) > 4 else None
    mtu = int(argument["mtu"]) if argument else _MTUS.get(name["medium"], 0)
    return GrfPort(name["name"], name["medium"], int(name["slot"], 16), address, mtu)


def circuits(output: str) -> tuple[list[GrfCircuit], list[str]]:
    """The permanent circuits of gratm.conf, and the unknown lines."""
    return text.parse_lines(_CONTINUED.sub(" ", output), _circuit)


def _circuit(line: str) -> GrfCircuit | None:
    content = line.partition("#")[0].strip()
    if match := _CIRCUIT.fullmatch(content):
        return GrfCircuit(match["port"], match["circuit"])
    if content and not _STATEMENT.fullmatch(content):
        raise ValueError("not a statement of gratm.conf")
    return None
