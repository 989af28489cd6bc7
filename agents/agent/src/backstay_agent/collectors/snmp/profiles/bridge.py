"""Profile `bridge`: learnt addresses (BRIDGE-MIB, RFC 4188; Q-BRIDGE-MIB, RFC 4363)."""

from backstay_agent.collectors.snmp.profiles.profile import (
    ETHERNET,
    DeviceFacts,
    Findings,
    IndexPart,
    Profile,
    number,
    oid,
)
from backstay_agent.parsers import text
from backstay_agent.parsers.ifmib import Oid, Rows
from backstay_wire import ForwardingEntry

BASE_PORT = oid("1.3.6.1.2.1.17.1.4.1.2")
"""dot1dBasePortIfIndex."""
_PORT, _STATUS = oid("1.3.6.1.2.1.17.4.3.1.2"), oid("1.3.6.1.2.1.17.4.3.1.3")
_Q_PORT, _Q_STATUS = oid("1.3.6.1.2.1.17.7.1.2.2.1.2"), oid("1.3.6.1.2.1.17.7.1.2.2.1.3")
_VLAN_FDB = oid("1.3.6.1.2.1.17.7.1.4.2.1.3")
_LEARNED = 3
_VLANS = 4095
_MOST = 100_000
_MAC_OCTETS = 6


def _read(rows: Rows, device: DeviceFacts) -> Findings:
    """Learnt addresses only: the device's own and configured ones do not show where a node is."""
    if not rows.get(_PORT) and not rows.get(_Q_PORT):
        return Findings()
    ports = device.port_names() | bridge_ports(rows, device)
    found = {(entry.port, entry.mac, entry.vlan): entry for entry in _with_vlans(rows, ports)}
    seen = {entry.mac for entry in found.values()}
    for entry in _without_vlans(rows, ports):
        if entry.mac not in seen:
            found[entry.port, entry.mac, 0] = entry
    unmapped = _unmapped(rows, ports)
    return Findings(
        forwarding=list(found.values())[:_MOST],
        not_understood={"addresses on bridge ports without an interface": unmapped} if unmapped else {},
    )


def _unmapped(rows: Rows, ports: dict[int, str]) -> int:
    """Number of learnt addresses on a port that is not known. Port 0: the device itself does not know it."""
    addresses = {
        _mac(index[skip:])
        for column, status, skip in ((_Q_PORT, _Q_STATUS, 1), (_PORT, _STATUS, 0))
        for index, value in rows.get(column, {}).items()
        if value not in (0, *ports) and number(rows, status, index) in (None, _LEARNED)
    }
    return len(addresses - {""})


def bridge_ports(rows: Rows, device: DeviceFacts) -> dict[int, str]:
    """Port names by bridge port number; if the device does not map them, the number is an ifIndex."""
    names = device.port_names()
    mapped = rows.get(BASE_PORT, {})
    if not mapped:
        return names
    return {
        index[0]: names[value]
        for index, value in mapped.items()
        if len(index) == 1 and isinstance(value, int) and value in names
    }


def _with_vlans(rows: Rows, ports: dict[int, str]) -> list[ForwardingEntry]:
    """Entries by forwarding database; where that is not the VLAN (dot1qVlanFdbId, or a Juniper's identifiers
    above 4095), and not mapped to one, the VLAN is unknown."""
    vlans = {
        value: index[1]
        for index, value in rows.get(_VLAN_FDB, {}).items()
        if len(index) == 2 and isinstance(value, int)
    }
    found: list[ForwardingEntry] = []
    for index, value in rows.get(_Q_PORT, {}).items():
        vlan = vlans.get(index[0], index[0]) if index else 0
        mac, port = _mac(index[1:]), ports.get(value) if isinstance(value, int) else None
        if mac and port and number(rows, _Q_STATUS, index) in (None, _LEARNED):
            found.append(ForwardingEntry(port=port, mac=mac, vlan=vlan if vlan <= _VLANS else 0))
    return found


def _without_vlans(rows: Rows, ports: dict[int, str]) -> list[ForwardingEntry]:
    found: list[ForwardingEntry] = []
    for index, value in rows.get(_PORT, {}).items():
        mac, port = _mac(index), ports.get(value) if isinstance(value, int) else None
        if mac and port and number(rows, _STATUS, index) in (None, _LEARNED):
            found.append(ForwardingEntry(port=port, mac=mac))
    return found


def _mac(index: Oid) -> str:
    """Six octets; some devices (Aruba CX, EdgeSwitch, Zyxel) put their number first, as if it varied."""
    octets = index[1:] if len(index) == _MAC_OCTETS + 1 and index[0] == _MAC_OCTETS else index
    if len(octets) != _MAC_OCTETS or any(part > 255 for part in octets):
        return ""
    return text.hardware_address(bytes(octets))


PROFILE = Profile(
    name="bridge",
    fits=lambda device: device.has_type(ETHERNET),
    read=_read,
    columns=[BASE_PORT, _PORT, _STATUS, _Q_PORT, _Q_STATUS, _VLAN_FDB],
    indexes=dict.fromkeys((_PORT, _STATUS, _Q_PORT, _Q_STATUS), IndexPart.MAC),
)
