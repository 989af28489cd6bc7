"""Solaris: ports from `ifconfig`, traffic from `kstat`, routes and neighbours from `netstat`, `route` and
`arp`."""

from collections.abc import Mapping

from backstay_agent.collectors.deltas import Values
from backstay_agent.collectors.ssh.view import HostView, Shell
from backstay_agent.parsers import text
from backstay_agent.parsers.systems import solaris, solaris_routes
from backstay_wire import PortState

_NAME = "/usr/bin/uname -n"
_SYSTEM = "/usr/bin/uname -srm"
_PORTS = "/usr/sbin/ifconfig -a"
_ROUTES = "/usr/bin/netstat -rn"
_DEFAULT = "/usr/sbin/route -n get default"
_ARP = "/usr/sbin/arp -an"
_TRAFFIC = (
    "rbytes64",
    "obytes64",
    "ipackets64",
    "opackets64",
    "ierrors",
    "oerrors",
    "norcvbuf",
    "noxmtbuf",
)
"""In the order of deltas.COLUMNS: a packet without a buffer is discarded."""
_SPEED = "ifspeed"
_STATISTICS = " ".join(("/usr/bin/kstat -p", *(f"link:::{name}" for name in (*_TRAFFIC, _SPEED))))
COMMANDS = (_NAME, _SYSTEM, _PORTS, _STATISTICS, _ROUTES, _DEFAULT, _ARP)
"""All commands run there. No output of a host becomes part of a command."""

_ETHERNET, _TUNNEL, _OTHER = 6, 131, 1
_WIDTHS = (64, 64, 64, 64, 32, 32, 32, 32)


async def read(shell: Shell) -> HostView:
    """Read once. Raises SshError, TimeoutError."""
    ports, ports_rest = solaris.ports(await shell.run(_PORTS))
    statistics, statistics_rest = solaris.statistics(await shell.run(_STATISTICS))
    rows, rows_rest = solaris_routes.rows(await shell.run(_ROUTES))
    default, default_rest = solaris_routes.answer(await shell.run(_DEFAULT))
    neighbours, neighbours_rest = solaris.neighbours(await shell.run(_ARP))
    own = {port.name: port.addresses for port in ports}
    routes, unread = solaris_routes.routes(rows, default, own)
    known = [port for port in ports if "LOOPBACK" not in port.flags]
    rests = (ports_rest, statistics_rest, rows_rest, default_rest, neighbours_rest)
    return HostView(
        name=text.text((await shell.run(_NAME)).strip()),
        description=text.text((await shell.run(_SYSTEM)).strip()),
        ports=[_state(port, statistics.get(port.name, {})) for port in known],
        counters={port.name: _counters(statistics.get(port.name, {})) for port in known},
        widths=_WIDTHS,
        routes=routes,
        neighbours=neighbours,
        unparsed=sum(map(len, rests)) + len(unread),
    )


def _state(port: solaris.SolarisPort, statistics: Mapping[str, int]) -> PortState:
    return PortState(
        name=port.name,
        index=port.index,
        if_type=_if_type(port),
        speed=statistics.get(_SPEED, 0),
        mtu=port.mtu,
        admin_up="UP" in port.flags,
        oper_up={"UP", "RUNNING"} <= port.flags,
        mac=port.mac,
        addresses=port.addresses[:256],
    )


def _if_type(port: solaris.SolarisPort) -> int:
    """From its flags: ifconfig does not name the medium."""
    if "POINTOPOINT" in port.flags:
        return _TUNNEL
    return _ETHERNET if "BROADCAST" in port.flags else _OTHER


def _counters(statistics: Mapping[str, int]) -> Values:
    return [statistics.get(name) for name in _TRAFFIC]
