"""Applies a node's address resolution: table limits and settings first, then each port's flag followed by its
entries. Idempotent; the state reached is read back, and each refused item is named.
"""

import asyncio
import contextlib
import errno
from collections.abc import Iterator, Sequence

from backstay_agent.actuators import arp_checks, arp_state, boot_file_writer
from backstay_agent.actuators.actuator import ActuatorError, RefusedError
from backstay_agent.actuators.arp_steps import PortSteps, steps, wanted_rows
from backstay_agent.host.kernel import arp_tables, sysctl
from backstay_agent.host.kernel.arp_tables import ArpTables
from backstay_agent.host.kernel.port_rows import NUD_PERMANENT, NUD_PROBE
from backstay_agent.host.kernel.rtnetlink import RtNetlink
from backstay_wire import ArpFiles, Evidence, FileIntent, NodeArp, PortArp

_NAMED = 200
"""Maximum number of evidence items in a report."""
_SHOWN = 4


async def running(files: ArpFiles | None) -> arp_state.ArpState:
    """The node's running and saved state. Raises OSError."""
    return await asyncio.to_thread(arp_state.read, files)


async def prepare(wanted: NodeArp, files: ArpFiles | None) -> str:
    """Dry run: touches nothing. Raises RefusedError with each impossible item, OSError."""
    if files is None:
        raise RefusedError("this node's ARP settings are not managed")
    now = await asyncio.to_thread(arp_tables.read)
    everywhere = arp_tables.settings(["all"])["all"]
    _raise(RefusedError, "cannot be", arp_checks.check(wanted, now, everywhere, files))
    entries = sum(len(port.neighbours) for port in wanted.ports)
    settings = sum(len(port.settings) for port in wanted.ports) + len(wanted.table)
    return f"{len(wanted.ports)} ports, {entries} static entries and {settings} settings fit this host"


async def apply(wanted: NodeArp) -> None:
    """Apply without saving, and read back.

    Raises ActuatorError naming each refused item, OSError.
    """
    await asyncio.to_thread(_apply, wanted)


async def save(files: Sequence[FileIntent]) -> None:
    """Write the boot files, each atomically, and read them back. Raises ActuatorError."""
    await asyncio.to_thread(boot_file_writer.save, files)


def _apply(wanted: NodeArp) -> None:
    now = arp_tables.read()
    # A refused setting is known before a port is touched.
    _raise(ActuatorError, "the kernel refused", list(_set_settings(wanted, now)))
    links = {link.name: link for link in now.links}
    refused: list[Evidence] = []
    with contextlib.closing(RtNetlink()) as netlink:
        for port in wanted.ports:
            if port.port not in links:
                refused.append(Evidence(what=f"port {port.port}", ok=False, found="is gone"))
                continue
            link = links[port.port]
            mine = [row for row in now.neighbours if row.port == port.port]
            refused += _set_port(netlink, link.index, steps(port, link.arp, mine))
    _raise(ActuatorError, "the kernel refused", refused)
    _raise(ActuatorError, "not as requested when read back", list(_differences(wanted, arp_tables.read())))


def _set_settings(wanted: NodeArp, now: ArpTables) -> Iterator[Evidence]:
    have = {sysctl.table_path(key): value for key, value in now.table.items()}
    want = {sysctl.table_path(key): value for key, value in wanted.table.items()}
    for port in wanted.ports:
        for key, value in now.settings.get(port.port, {}).items():
            have[sysctl.path(key, port.port)] = value
        for key, value in port.settings.items():
            want[sysctl.path(key, port.port)] = value
    for path, value in want.items():
        if have.get(path) == value:
            continue
        try:
            sysctl.write(path, str(value))
        except OSError as error:
            yield Evidence(what=f"{path} = {value}"[:1000], ok=False, found=_error_text(error))


def _set_port(netlink: RtNetlink, index: int, todo: PortSteps) -> Iterator[Evidence]:
    if todo.empty:
        return
    try:
        refused = netlink.resolve(index, on=todo.flag, entries=todo.put, state=NUD_PERMANENT)
    except OSError as error:
        arp_state = "on" if todo.flag else "off"
        yield Evidence(what=f"ARP {arp_state} on {todo.port}", ok=False, found=_error_text(error))
        return
    # These only help: an entry that is refused is learnt on use.
    netlink.resolve(index, on=None, entries=todo.probe, state=NUD_PROBE)
    for row, why in refused:
        yield Evidence(what=f"{row.ip} {row.mac} on {row.port}", ok=False, found=_error_text(why))
    for row in todo.drop:
        try:
            netlink.delete(row, {row.port: index})
        except OSError as error:
            yield Evidence(what=f"no {row.ip} on {row.port}", ok=False, found=_error_text(error))


def _differences(wanted: NodeArp, now: ArpTables) -> Iterator[Evidence]:
    for key, value in wanted.table.items():
        if now.table.get(key) != value:
            yield Evidence(what=f"{key} = {value}", ok=False, found=f"the kernel has {now.table.get(key)}")
    for port in wanted.ports:
        yield from _port_differences(port, now)


def _port_differences(wanted: PortArp, now: ArpTables) -> Iterator[Evidence]:
    name = wanted.port
    arp = next((link.arp for link in now.links if link.name == name), None)
    if wanted.arp is not None and arp != wanted.arp:
        yield Evidence(what=f"ARP of {name}", ok=False, found={True: "on", False: "off", None: "gone"}[arp])
    for key, value in wanted.settings.items():
        kept = now.settings.get(name, {}).get(key)
        if kept != value:
            yield Evidence(what=f"{key} = {value} of {name}", ok=False, found=f"the kernel keeps {kept}")
    have = {row.key: row for row in now.neighbours if row.port == name}
    for row in wanted_rows(wanted):
        found = have.pop(row.key, None)
        if found is None or found.hardware != row.hardware:
            found_text = f"the kernel keeps {found.mac}" if found else "is not there"
            yield Evidence(what=f"{row.ip} {row.mac} on {name}", ok=False, found=found_text)
    if wanted.arp is not None:
        for extra in have.values():
            yield Evidence(what=f"no {extra.ip} on {name}", ok=False, found=f"still at {extra.mac}")


def _raise(kind: type[ActuatorError], what: str, evidence: list[Evidence]) -> None:
    if not evidence:
        return
    shown = "; ".join(f"{item.what}: {item.found}" for item in evidence[:_SHOWN])
    more = f"; and {len(evidence) - _SHOWN} more" if len(evidence) > _SHOWN else ""
    error = kind(f"{what}: {shown}{more}"[:1000])
    error.evidence = tuple(evidence[:_NAMED])
    raise error


def _error_text(error: OSError) -> str:
    """Includes the errno's name, which users can look up."""
    name, text = errno.errorcode.get(error.errno or 0, ""), error.strerror or str(error)
    return (text if name in text else f"{name}: {text}")[:1000]
