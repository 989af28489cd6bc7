"""A GigaRouter's `/etc/grifconfig.conf` and `/etc/gratm.conf`: its ports and their ATM circuits. Pure.

Every parser keeps the lines that no rule knows.
"""

import re
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Interface, NetmaskValueError

_NAME = re.compile(r"(?P<name>g(?P<medium>[a-z])0(?P<slot>[0-9a-f])[0-9a-f])")
_MTU = re.compile(r"\bmtu (?P<mtu>\d+)\b")
_CONTINUED = re.compile(r"\\[ \t]*\n[ \t]*")
_SETTINGS = r"(?:\s+[A-Za-z_]\w*=\S+)*\s*"
_CIRCUIT = re.compile(rf"PVC\s+(?P<port>g[a-z]0[0-9a-f]{{2}})\s+(?P<circuit>\d+/\d+){_SETTINGS}")
# Of the statements beside PVC nothing is read; Service's and Signalling's spelling is not sure either.
_STATEMENT = re.compile(rf"(?:Traffic_Shape|Service|Signalling|Interface\s+g[a-z]0[0-9a-f]{{2}}){_SETTINGS}")

# RFC 1374's and the makers' defaults for a port whose line names no MTU.
_MTUS = {"t": 65520, "h": 65280, "f": 4352, "a": 9180, "e": 1500}


@dataclass(frozen=True, slots=True)
class Port:
    """One port as it is configured."""

    name: str
    """`gt020`: g, medium, chassis, slot and logical port, the last two in hex."""
    medium: str
    """t SP switch, h HIPPI, f FDDI, a ATM, e Ethernet, s HSSI or SONET."""
    slot: int
    address: IPv4Interface
    mtu: int
    """0 when neither the line nor the medium tells."""


def ports(said: str) -> tuple[list[Port], list[str]]:
    """The ports of grifconfig.conf in its order, and the lines that no rule knows."""
    found: list[Port] = []
    unparsed: list[str] = []
    for line in said.splitlines():
        content = line.partition("#")[0].strip()
        port = _port(content.split(maxsplit=4)) if content else None
        if port is not None:
            found.append(port)
        elif content:
            unparsed.append(line)
    return found, unparsed


def _port(words: list[str]) -> Port | None:
    """Name, address, netmask, broadcast or destination, arguments of ifconfig; `-` is an empty column."""
    name = _NAME.fullmatch(words[0])
    if name is None or len(words) < 3:
        return None
    try:
        address = IPv4Interface(words[1] if words[2] == "-" else f"{words[1]}/{words[2]}")
    except (AddressValueError, NetmaskValueError):
        return None
    argument = _MTU.search(words[4]) if len(words) > 4 else None
    mtu = int(argument["mtu"]) if argument else _MTUS.get(name["medium"], 0)
    return Port(name["name"], name["medium"], int(name["slot"], 16), address, mtu)


def circuits(said: str) -> tuple[list[tuple[str, str]], list[str]]:
    """Port and `VPI/VCI` of each permanent circuit of gratm.conf, and the lines that no rule knows."""
    found: list[tuple[str, str]] = []
    unparsed: list[str] = []
    for line in _CONTINUED.sub(" ", said).splitlines():
        content = line.partition("#")[0].strip()
        if match := _CIRCUIT.fullmatch(content):
            found.append((match["port"], match["circuit"]))
        elif content and not _STATEMENT.fullmatch(content):
            unparsed.append(line)
    return found, unparsed
