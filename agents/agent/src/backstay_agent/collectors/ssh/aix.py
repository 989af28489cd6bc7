"""AIX: adapters, routes and neighbours from `netstat`, `ifconfig` and `arp`, the SP switch's send pool,
and `vmstat`."""

from collections.abc import Mapping
from ipaddress import IPv4Address

from backstay_agent.collectors.deltas import COLUMNS
from backstay_agent.collectors.ssh.view import HostView, Shell, if_type
from backstay_agent.parsers import text
from backstay_agent.parsers.systems import aix, entstat, vmstat
from backstay_agent.parsers.systems.entstat import EntstatDevice
from backstay_agent.parsers.systems.netstat import Interface, interfaces
from backstay_wire import MetricValue, Neighbour, PortState

_NAME = "/usr/bin/uname -n"
_VERSION = "/usr/bin/oslevel"
_DEVICES = "/usr/bin/netstat -v"
_PORTS = "/usr/sbin/ifconfig -a"
_TABLE = "/usr/bin/netstat -in"
_ROUTES = "/usr/bin/netstat -rn"
_ARP = "/usr/sbin/arp -an"
_POOLS = tuple(f"/usr/lpp/ssp/css/{name} -i" for name in ("vdidl3", "vdidl3mx", "vdidl3pci"))
_VMSTAT = "/usr/bin/vmstat 1 2"
COMMANDS = (_NAME, _VERSION, _DEVICES, _PORTS, _TABLE, _ROUTES, _ARP, *_POOLS, _VMSTAT)
"""All commands run there. No output of a host becomes part of a command."""

_SWITCH = "css0"
_FIGURES = {
    "aix.no_mbuf": ("other", "No mbuf Errors"),
    "aix.adapter_resets": ("other", "Adapter Reset Count"),
    "aix.queue_overflow": ("sent", "S/W Transmit Queue Overflow"),
    "aix.no_carrier": ("sent", "No Carrier Sense"),
    "aix.timeouts": ("sent", "Timeout Errors"),
    "aix.late_collisions": ("sent", "Late Collision Errors"),
    "aix.no_resource": ("received", "No Resource Errors"),
    "aix.crc_errors": ("received", "CRC Errors"),
    "aix.adapter_discards": ("received", "Packets Discarded by Adapter"),
}


async def read(shell: Shell) -> HostView:
    """Read once. Raises SshError, TimeoutError."""
    statistics = entstat.statistics(await shell.run(_DEVICES))
    ports, ports_rest = aix.ports(await shell.run(_PORTS))
    table = interfaces(await shell.run(_TABLE))
    routes, routes_rest = aix.routes(await shell.run(_ROUTES))
    entries, entries_rest = aix.neighbours(await shell.run(_ARP))
    known = [port for port in ports if "LOOPBACK" not in port.flags]
    pool, pool_rest = await _pool(shell) if any(port.name == _SWITCH for port in known) else ({}, [])
    levels, levels_rest, trouble = _load(await shell.run(_VMSTAT))
    rests = (
        *(statistics.unparsed, ports_rest, table.unparsed, routes_rest, entries_rest, pool_rest),
        levels_rest,
    )
    devices = {device.name: device for device in statistics.devices}
    rows = {row.name: row for row in table.ports}
    growing = {key: value for name, device in devices.items() for key, value in _metrics(name, device)}
    return HostView(
        name=(await shell.run(_NAME)).strip(),
        description=f"AIX {(await shell.run(_VERSION)).strip()}".strip(),
        ports=[
            _state(index, port, devices.get(port.name), rows.get(port.name))
            for index, port in enumerate(known, start=1)
        ],
        counters={port.name: _counters(devices.get(port.name), rows.get(port.name)) for port in known},
        widths=(64,) * len(COLUMNS),
        routes=routes,
        neighbours=[_neighbour(address, mac, known) for address, mac in entries],
        growing=growing | pool,
        levels=levels,
        unparsed=sum(map(len, rests)),
        troubles=(*statistics.errors, *trouble),
    )


def _load(output: str) -> tuple[list[MetricValue], list[str], list[str]]:
    """Processors and memory, the unknown rows, and why there are none. A host may lack vmstat."""
    if not output.strip():
        return [], [], []
    try:
        return (*vmstat.levels(output), [])
    except vmstat.VmstatError as error:
        return [], [], [f"vmstat: {error}"]


async def _pool(shell: Shell) -> tuple[dict[tuple[str, str], int], list[str]]:
    """The send pool from the first tool that this adapter type has, and the unknown lines."""
    unparsed: list[str] = []
    for command in _POOLS:
        failures, rest = aix.send_pool_failures(await shell.run(command))
        unparsed += rest
        if failures is not None:
            return {(_SWITCH, "aix.send_pool_failures"): failures}, unparsed
    return {}, unparsed


def _state(index: int, port: aix.AixPort, device: EntstatDevice | None, row: Interface | None) -> PortState:
    mac = device.other.get("Hardware Address", "") if device else ""
    return PortState(
        name=port.name,
        index=index,
        if_type=if_type(port.name),
        speed=_speed(device.other) if device else 0,
        mtu=row.mtu if row else 0,
        admin_up="UP" in port.flags,
        oper_up="RUNNING" in port.flags,
        mac=mac[:64],
        alias=text.text(device.other.get("Device Type", "") if device else ""),
        addresses=[str(address) for address in port.addresses][:256],
    )


def _speed(values: Mapping[str, str]) -> int:
    """Bit/s: `Media Speed Running: 1000 Mbps Full Duplex`, else `Adapter Data Rate: 2000` in Mbit/s."""
    tokens = values.get("Media Speed Running", values.get("Adapter Data Rate", "")).split()
    return int(tokens[0]) * 1_000_000 if tokens and tokens[0].isdigit() else 0


def _counters(device: EntstatDevice | None, row: Interface | None) -> tuple[int | None, ...]:
    """In the order of deltas.COLUMNS: entstat's, else the packets and errors of netstat -in."""
    if device is not None and "Bytes" in device.sent:
        sent, received = device.sent, device.received
        pairs = (
            (received, "Bytes"),
            (sent, "Bytes"),
            (received, "Packets"),
            (sent, "Packets"),
            (received, "Receive Errors"),
            (sent, "Transmit Errors"),
            (received, "Packets Dropped"),
            (sent, "Packets Dropped"),
        )
        return tuple(_number(values, key) for values, key in pairs)
    if row is None:
        return (None,) * len(COLUMNS)
    return None, None, row.in_packets, row.out_packets, row.in_errors, row.out_errors, None, None


def _number(values: Mapping[str, str], key: str) -> int | None:
    value = values.get(key, "")
    return int(value) if value.isdigit() else None


def _metrics(name: str, device: EntstatDevice) -> list[tuple[tuple[str, str], int]]:
    parts = {"other": device.other, "sent": device.sent, "received": device.received}
    found = []
    for metric, (part, key) in _FIGURES.items():
        value = _number(parts[part], key)
        if value is not None:
            found.append(((name, metric), value))
    return found


def _neighbour(address: IPv4Address, mac: str, ports: list[aix.AixPort]) -> Neighbour:
    """AIX does not report the port: it is the one whose network contains the address."""
    names = [port.name for port in ports if any(address in own.network for own in port.addresses)]
    state = "dynamic" if mac else "incomplete"
    return Neighbour(port=names[0] if names else "?", address=address, mac=mac, state=state)
