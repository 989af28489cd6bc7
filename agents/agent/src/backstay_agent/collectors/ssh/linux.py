"""Linux without an agent: ports and traffic from `ip`, routes, neighbours (`arp` if `ip` lacks them)."""

from backstay_agent.collectors.deltas import COLUMNS, Values
from backstay_agent.collectors.ssh.view import HostView, Shell
from backstay_agent.parsers import text
from backstay_agent.parsers.linux import ip_routes, linux_text
from backstay_agent.parsers.linux.ip_links import IpLink, links
from backstay_wire import Neighbour, PortState, Route

_NAME = "/bin/uname -n"
_SYSTEM = "/bin/uname -srm"
_LINKS = "/sbin/ip -s link show"
_ADDRESSES = "/sbin/ip address show"
ROUTES = {4: "/sbin/ip -4 route show", 6: "/sbin/ip -6 route show"}
"""The main table's commands by family."""
_NEIGHBOURS = "/sbin/ip neighbour show"
_ARP = "/usr/sbin/arp -an"
_SPEEDS = "/bin/grep -s . /sys/class/net/*/device/net/*/speed"
COMMANDS = (_NAME, _SYSTEM, _LINKS, _ADDRESSES, *ROUTES.values(), _NEIGHBOURS, _ARP, _SPEEDS)
"""All commands run there. No output of a host becomes part of a command."""

# IANAifType-MIB by the keyword after `link/`.
_IF_TYPES = {"ether": 6, "fddi": 15, "ppp": 23, "atm": 37, "hippi": 47, "infiniband": 199}
_IF_TYPES |= {"ipip": 131, "sit": 131, "gre": 131, "tunnel6": 131, "gre6": 131}
_OTHER = 1
_FIGURES = {
    "linux.missed": ("received", ("missed", "overrun")),
    "linux.carrier_errors": ("sent", ("carrier",)),
    "linux.collisions": ("sent", ("collsns",)),
}


async def read(shell: Shell) -> HostView:
    """Read once. Raises SshError, TimeoutError."""
    ports, ports_rest = links(await shell.run(_LINKS))
    addressed, addresses_rest = links(await shell.run(_ADDRESSES))
    routes, routes_rest = await main_routes(shell)
    neighbours, neighbours_rest = await _neighbours(shell)
    addresses = {port.name: port.addresses for port in addressed}
    speeds = linux_text.speeds(await shell.run(_SPEEDS))
    known = [port for port in ports if "LOOPBACK" not in port.flags]
    return HostView(
        name=text.text((await shell.run(_NAME)).strip()),
        description=text.text((await shell.run(_SYSTEM)).strip()),
        ports=[state(port, addresses.get(port.name, []), speeds.get(port.name, 0)) for port in known],
        counters={port.name: counters(port) for port in known},
        widths=(64,) * len(COLUMNS),
        routes=routes,
        neighbours=neighbours,
        growing=growing(known),
        unparsed=sum(map(len, (ports_rest, addresses_rest, routes_rest, neighbours_rest))),
    )


async def main_routes(shell: Shell) -> tuple[list[Route], list[str]]:
    """The main table of both families, and the unknown lines. Raises SshError, TimeoutError."""
    found: list[Route] = []
    unparsed: list[str] = []
    for version, command in ROUTES.items():
        routes, rest = ip_routes.routes(await shell.run(command), version)
        found += routes
        unparsed += rest
    return found, unparsed


async def _neighbours(shell: Shell) -> tuple[list[Neighbour], list[str]]:
    if output := await shell.run(_NEIGHBOURS):
        return linux_text.neighbours(output)
    return linux_text.arp(await shell.run(_ARP))


def state(port: IpLink, addresses: list[str], speed: int) -> PortState:
    """A port for the wire; `speed` in bit/s, 0 if unknown or a software port."""
    return PortState(
        name=port.name,
        index=port.index,
        if_type=_IF_TYPES.get(port.medium, _OTHER),
        speed=speed,
        mtu=port.mtu,
        admin_up="UP" in port.flags,
        oper_up={"UP", "LOWER_UP"} <= port.flags,
        mac=port.mac,
        alias=port.alias,
        addresses=addresses[:256],
    )


def counters(port: IpLink) -> Values:
    """In the order of deltas.COLUMNS."""
    sides = (port.received, port.sent)
    return tuple(side.get(column) for column in ("bytes", "packets", "errors", "dropped") for side in sides)


def growing(ports: list[IpLink]) -> dict[tuple[str, str], int]:
    """Counters of the ports beyond traffic, by port and metric."""
    found: dict[tuple[str, str], int] = {}
    for port in ports:
        sides = {"received": port.received, "sent": port.sent}
        for metric, (side, columns) in _FIGURES.items():
            for column in columns:
                if column in sides[side]:
                    found[port.name, metric] = sides[side][column]
    return found
