"""AIX's `netstat -rn`, `arp -an` and `ifconfig -a`, and the SP switch's `vdidl3 -i`. Pure.

AIX prints networks without their trailing zero octets (`172.31/20`) and hardware addresses without leading
zeros. Every parser keeps the unknown lines.
"""

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Interface, IPv4Network, IPv6Address, IPv6Network, ip_address

from backstay_agent.parsers import text
from backstay_agent.parsers.systems.netstat import hardware_address
from backstay_wire import NextHop, Route

_ROUTE_NOISE = re.compile(
    r"\s*|Destination\s+Gateway\s+Flags\s.*|Routing tables|Only the root user can specify the Z flag"
    r"|(?:Route Tree for Protocol Family \d+)?\s*\(Internet(?: v6)?\):"
)
_ROUTE = re.compile(
    r"(?P<to>\S+)\s+(?P<via>\S+)\s+(?P<flags>[A-Za-z]+)\s+\d+\s+\d+\s+(?P<port>[a-z]\w*)"
    r"(?:\s+\S+\s+\S+)?(?:\s+=>)?\s*"
)
_ARP = re.compile(r"\s*\S+ \((?P<address>[\d.]+)\) at (?P<mac>[0-9a-f:]+|\(incomplete\)).*")
_ARP_NOISE = re.compile(r"\s*|bucket:\s+\d+\s+contains:\s+\d+ entries|There (?:are|is) \d+ entr.*")
_PORT = re.compile(r"(?P<name>\w+): flags=[0-9a-f,]+<(?P<flags>[^>]*)>.*")
_INET = re.compile(r"\s+inet (?P<address>[\d.]+)(?: netmask (?P<mask>0x[0-9a-f]{8}))?(?: broadcast \S+)?\s*")
_PORT_NOISE = re.compile(r"\s*|\s+inet6 \S+|\s+tcp_sendspace .*")
_POOL = re.compile(r"(?P<pool>send|rsvd|recv) pool: size=\d+ .*")
_POOL_NOISE = re.compile(r"\s*|\s*bkt\s+allocd\s+free\s+success\s+fail\s.*")
_BUCKET = re.compile(r"\s*\d+\s+\d+\s+\d+\s+\d+\s+(?P<fail>\d+)\s+\d+\s+\d+\s+\d+\s*")


_LOOPBACKS = {"lo0"}


@dataclass(frozen=True, slots=True)
class AixPort:
    """One port as ifconfig shows it."""

    name: str
    flags: frozenset[str]
    addresses: tuple[IPv4Interface, ...]


def routes(output: str) -> tuple[list[Route], list[str]]:
    """The unicast routes of `netstat -rn` in both families, and the unknown lines.

    Routes that AIX adds for itself are left out: broadcast addresses (flag b) and routes to the loopback.
    """
    found: list[Route] = []
    unparsed: list[str] = []
    for line in output.splitlines():
        if _ROUTE_NOISE.fullmatch(line):
            continue
        match = _ROUTE.fullmatch(line)
        prefix = _prefix(match["to"], match["flags"], match["via"]) if match else None
        if match is None or prefix is None:
            unparsed.append(line)
        elif "b" not in match["flags"] and match["port"] not in _LOOPBACKS:
            try:
                found.append(_route(match, prefix))
            except ValueError:
                unparsed.append(line)
    return found, unparsed


def _route(match: re.Match[str], prefix: IPv4Network | IPv6Network) -> Route:
    via = ip_address(_without_zone(match["via"])) if "G" in match["flags"] else None
    return Route(
        prefix=prefix,
        protocol=_origin(match["flags"]),
        next_hops=[NextHop(via=via, port=text.name(match["port"]))],
    )


def _origin(flags: str) -> str:
    """S: set by hand; D, M: by a redirect; else by the interface's address."""
    if "S" in flags:
        return "static"
    if "D" in flags or "M" in flags:
        return "redirect"
    return "boot" if "G" in flags else "kernel"


def _prefix(destination: str, flags: str, via: str) -> IPv4Network | IPv6Network | None:
    """`default`, `172.31/20`, `10.1.2.3` (flag H: a host), `::1%1`; None for anything else."""
    address, _, length = destination.partition("/")
    try:
        if address == "default":
            return IPv6Network("::/0") if ":" in via else IPv4Network("0.0.0.0/0")
        if ":" in address:
            return IPv6Network((IPv6Address(_without_zone(address)), int(length or 128)))
        padded = ".".join((*address.split("."), "0", "0", "0")[:4])
        whole = 32 if "H" in flags else classful(padded)
        return IPv4Network((IPv4Address(padded), int(length or whole)))
    except ValueError:
        return None


def classful(address: str) -> int:
    """Prefix length of a network without a mask, by its class (RFC 791; class D, multicast: RFC 1112)."""
    first = int(address.split(".", 1)[0])
    return 8 if first < 128 else 16 if first < 192 else 24 if first < 224 else 4


def _without_zone(address: str) -> str:
    return address.split("%", 1)[0]


def neighbours(output: str) -> tuple[list[tuple[IPv4Address, str]], list[str]]:
    """Address and hardware address of each entry of `arp -an`, "" if incomplete; and unknown lines."""
    found: list[tuple[IPv4Address, str]] = []
    unparsed: list[str] = []
    for line in output.splitlines():
        if match := _ARP.fullmatch(line):
            mac = "" if match["mac"].startswith("(") else hardware_address(match["mac"])
            try:
                found.append((IPv4Address(match["address"]), mac))
            except ValueError:
                unparsed.append(line)
        elif not _ARP_NOISE.fullmatch(line):
            unparsed.append(line)
    return found, unparsed


def ports(output: str) -> tuple[list[AixPort], list[str]]:
    """The ports of `ifconfig -a` with their IPv4 addresses, and the unknown lines.

    An address without a netmask is an alias: it has the mask of the previous address.
    """
    found: list[AixPort] = []
    unparsed: list[str] = []
    length = 32
    for line in output.splitlines():
        if match := _PORT.fullmatch(line):
            flags = frozenset(re.split(r"[,()]+", match["flags"])) - {""}
            found.append(AixPort(text.name(match["name"]), flags, ()))
        elif found and (match := _INET.fullmatch(line)):
            length = int(match["mask"], 16).bit_count() if match["mask"] else length
            try:
                address = IPv4Interface((match["address"], length))
            except ValueError:
                unparsed.append(line)
                continue
            last = found[-1]
            found[-1] = AixPort(last.name, last.flags, (*last.addresses, address))
        elif not _PORT_NOISE.fullmatch(line):
            unparsed.append(line)
    return found, unparsed


def send_pool_failures(output: str) -> tuple[int | None, list[str]]:
    """How often the SP switch adapter's send pool was exhausted (`vdidl3 -i`), and the unknown lines.

    None without such a pool. The receive pool belongs to the microcode and is independent of the host.
    """
    pool, failures = "", None
    unparsed: list[str] = []
    for line in output.splitlines():
        if head := _POOL.fullmatch(line.strip()):
            pool = head["pool"]
        elif pool and (row := _BUCKET.fullmatch(line)):
            if pool == "send":
                failures = (failures or 0) + int(row["fail"])
        elif not _POOL_NOISE.fullmatch(line):
            unparsed.append(line)
    return failures, unparsed
