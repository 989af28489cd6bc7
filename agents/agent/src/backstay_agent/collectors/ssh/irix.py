"""IRIX: ports from `netstat -ina`: packets, errors and collisions. It does not count octets."""

from backstay_agent.collectors.ssh.view import HostView, Shell, if_type
from backstay_agent.parsers import text
from backstay_agent.parsers.systems.netstat import Interface, interfaces
from backstay_wire import PortState

_SYSTEM = "/sbin/uname -a"
_TABLE = "/usr/etc/netstat -ina"
COMMANDS = (_SYSTEM, _TABLE)
"""All commands run there."""

_BITS = 32


async def read(shell: Shell) -> HostView:
    """Read once. Raises SshError, TimeoutError."""
    table = interfaces(await shell.run(_TABLE))
    system = await shell.run(_SYSTEM)
    ports = [port for port in table.ports if not port.name.startswith("lo")]
    return HostView(
        name=text.text(system.split()[1]) if len(system.split()) > 1 else "",
        description=description(system),
        ports=[_state(index, port) for index, port in enumerate(ports, start=1)],
        counters={port.name: _counters(port) for port in ports},
        widths=(_BITS,) * 8,
        growing={(port.name, "irix.collisions"): port.collisions for port in ports},
        unparsed=len(table.unparsed),
    )


def _state(index: int, port: Interface) -> PortState:
    return PortState(
        name=text.name(port.name),
        index=index,
        if_type=if_type(port.name),
        mtu=port.mtu,
        admin_up=port.up,
        oper_up=port.up,
        mac=port.mac,
        addresses=[str(address) for address in port.addresses][:256],
    )


def _counters(port: Interface) -> tuple[int | None, ...]:
    """In the order of deltas.COLUMNS."""
    return None, None, port.in_packets, port.out_packets, port.in_errors, port.out_errors, None, None


def description(output: str) -> str:
    """From `uname -a`: system, release and machine, `IRIX64 6.5 IP27`; "" if it is not output of uname."""
    tokens = output.split()
    if len(tokens) < 5 or not tokens[0].startswith("IRIX"):
        return ""
    return text.text(f"{tokens[0]} {tokens[2]} {tokens[4]}")
