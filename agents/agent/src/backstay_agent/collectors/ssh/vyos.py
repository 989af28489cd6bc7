"""VyOS: ports, neighbours and BGP sessions from its own commands, traffic and routes as on Linux."""

from backstay_agent.collectors.daemon import DaemonView
from backstay_agent.collectors.deltas import COLUMNS
from backstay_agent.collectors.ssh import linux
from backstay_agent.collectors.ssh.view import HostView, Shell
from backstay_agent.parsers import text
from backstay_agent.parsers.linux import linux_text
from backstay_agent.parsers.linux.ip_links import IpLink, links
from backstay_agent.parsers.systems import vyos
from backstay_wire import MetricValue, PortState, Protocol

# The operational commands are functions of an interactive shell; this is the program behind them.
_SHOW = "/opt/vyatta/bin/vyatta-op-cmd-wrapper show"
_NAME = "/bin/uname -n"
_SYSTEM = "/bin/uname -srm"
_PORTS = f"{_SHOW} interfaces"
_ARP = f"{_SHOW} arp"
_BGP = f"{_SHOW} ip bgp summary"
_LINKS = "/sbin/ip -s link show"
COMMANDS = (_NAME, _SYSTEM, _PORTS, _ARP, _BGP, _LINKS, *linux.ROUTES.values())
"""All commands run there. No output of a router becomes part of a command."""

_LOOPBACKS = ("lo", "dum")
"""VyOS's loopback and dummy ports: they carry no network traffic."""


async def read(shell: Shell) -> HostView:
    """Read once. Raises SshError, TimeoutError."""
    ports, ports_rest = vyos.ports(await shell.run(_PORTS))
    kernel, kernel_rest = links(await shell.run(_LINKS))
    # Since 1.4 `show arp` is `ip neighbour show`; before, it is `arp -n`.
    neighbours, neighbours_rest = _neighbours(await shell.run(_ARP))
    routes, routes_rest = await linux.main_routes(shell)
    speaker = vyos.speaker(await shell.run(_BGP))
    known = [port for port in ports if port.name.rstrip("0123456789") not in _LOOPBACKS]
    by_name = {link.name: link for link in kernel}
    carried = [by_name[port.name] for port in known if port.name in by_name]
    rests = (ports_rest, kernel_rest, neighbours_rest, routes_rest, speaker.unparsed)
    return HostView(
        name=text.text((await shell.run(_NAME)).strip()),
        description=text.text(f"VyOS: {(await shell.run(_SYSTEM)).strip()}"),
        ports=[_state(port, by_name.get(port.name)) for port in known],
        counters={link.name: linux.counters(link) for link in carried},
        widths=(64,) * len(COLUMNS),
        routes=routes,
        neighbours=neighbours,
        growing=linux.growing(carried),
        levels=_prefixes(speaker),
        daemons={"bgp": _daemon(speaker)},
        unparsed=sum(map(len, rests)),
    )


def _neighbours(output: str) -> linux_text.Found:
    return linux_text.arp_table(output) if output.startswith("Address ") else linux_text.neighbours(output)


def _state(port: vyos.VyosPort, link: IpLink | None) -> PortState:
    """The router's ports, completed from its kernel; index 0 if the kernel does not know the port."""
    base = (
        linux.state(link, [], 0) if link else PortState(name=port.name, index=0, admin_up=True, oper_up=True)
    )
    return base.model_copy(
        update={
            "mtu": port.mtu or base.mtu,
            "admin_up": port.admin_up,
            "oper_up": port.oper_up,
            "mac": port.mac or base.mac,
            "alias": port.description,
            "addresses": port.addresses[:256],
        }
    )


def _daemon(speaker: vyos.Speaker) -> DaemonView:
    """One protocol per neighbour. Values that change by themselves (times, message counts) are left out."""
    return DaemonView(
        running=bool(speaker.router_id),
        version=f"router {speaker.router_id}, AS {speaker.number}" if speaker.router_id else "",
        protocols=[
            Protocol(name=peer.address, proto="BGP", state=peer.state, info=f"AS {peer.number}")
            for peer in speaker.peers
        ],
    )


def _prefixes(speaker: vyos.Speaker) -> list[MetricValue]:
    return [
        MetricValue(subject=peer.address, metric="bgp.prefixes", value=peer.prefixes)
        for peer in speaker.peers
        if peer.prefixes is not None
    ]
