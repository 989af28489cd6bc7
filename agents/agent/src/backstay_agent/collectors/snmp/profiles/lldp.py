"""Profile `lldp`: the neighbour of each port (LLDP-MIB, IEEE 802.1AB)."""

from backstay_agent.collectors.snmp.profiles.profile import (
    AGGREGATE,
    ETHERNET,
    DeviceFacts,
    Findings,
    Identity,
    Profile,
    number,
    oid,
    text_at,
)
from backstay_agent.parsers import text
from backstay_agent.parsers.ifmib import Oid, Rows
from backstay_wire import Adjacency

_LOCAL = oid("1.0.8802.1.1.2.1.3.7.1")
_LOCAL_KIND, _LOCAL_ID, _LOCAL_TEXT = (*_LOCAL, 2), (*_LOCAL, 3), (*_LOCAL, 4)
_REMOTE = oid("1.0.8802.1.1.2.1.4.1.1")
_CHASSIS_KIND, _CHASSIS = (*_REMOTE, 4), (*_REMOTE, 5)
_PORT_KIND, _PORT, _PORT_TEXT, _NAME = (*_REMOTE, 6), (*_REMOTE, 7), (*_REMOTE, 8), (*_REMOTE, 9)
_CHASSIS_MAC, _PORT_MAC = 4, 3
_NAMED = (1, 5)
"""LldpPortIdSubtype interfaceAlias and interfaceName: the names operators use for the port."""
_MOST = 4096


def _read(rows: Rows, device: DeviceFacts) -> Findings:
    """Rows are indexed by time mark, local port number and neighbour; the newest mark of each counts."""
    newest: dict[tuple[int, int], Oid] = {}
    for index in rows.get(_CHASSIS, {}).keys() | rows.get(_NAME, {}).keys():
        if len(index) == 3:
            key = (index[1], index[2])
            newest[key] = max(newest.get(key, index), index)
    found = [_adjacency(rows, device, index) for _, index in sorted(newest.items())]
    named = [one for one in found if one.peer_name or one.peer_id]
    listed = {port.name for port in device.ports}
    unlisted = sum(one.port not in listed for one in named)
    return Findings(
        adjacencies=named[:_MOST],
        not_understood={"neighbours on ports that the device does not list": unlisted} if unlisted else {},
    )


def _adjacency(rows: Rows, device: DeviceFacts, index: Oid) -> Adjacency:
    return Adjacency(
        port=_local_port(rows, device, index[1]),
        peer_name=text_at(rows, _NAME, index)[:256],
        peer_id=_identity(rows, _CHASSIS, number(rows, _CHASSIS_KIND, index) == _CHASSIS_MAC, index).lower(),
        peer_port=_remote_port(rows, index),
    )


def _identity(rows: Rows, column: Oid, is_mac: bool, index: Oid) -> str:
    value = rows.get(column, {}).get(index)
    if is_mac and isinstance(value, bytes) and value:
        return text.hardware_address(value)
    return text_at(rows, column, index)[:256]


def _remote_port(rows: Rows, index: Oid) -> str:
    kind = number(rows, _PORT_KIND, index)
    identity = _identity(rows, _PORT, kind == _PORT_MAC, index)
    described = text_at(rows, _PORT_TEXT, index)[:256]
    return identity if kind in _NAMED else described or identity


def _local_port(rows: Rows, device: DeviceFacts, place: int) -> str:
    """The device's own name of an lldpLocPortNum: by the port's identity, else as an ifIndex."""
    names = device.port_names()
    known = {port.name for port in device.ports}
    identity = _identity(rows, _LOCAL_ID, number(rows, _LOCAL_KIND, (place,)) == _PORT_MAC, (place,))
    described = text_at(rows, _LOCAL_TEXT, (place,))
    for candidate in (identity, described):
        if candidate in known:
            return candidate
    if identity.isdigit() and int(identity) in names:
        return names[int(identity)]
    macs = [port.name for port in device.ports if identity and port.mac == identity]
    if len(macs) == 1:
        return macs[0]
    return names.get(place) or text.name(identity or f"port {place}")


PROFILE = Profile(
    name="lldp",
    fits=lambda device: device.has_type(ETHERNET, AGGREGATE),
    read=_read,
    columns=[
        _LOCAL_KIND,
        _LOCAL_ID,
        _LOCAL_TEXT,
        _CHASSIS_KIND,
        _CHASSIS,
        _PORT_KIND,
        _PORT,
        _PORT_TEXT,
        _NAME,
    ],
    identities={
        _LOCAL_ID: Identity.PORT_ID,
        _LOCAL_TEXT: Identity.PORT,
        _CHASSIS: Identity.CHASSIS_ID,
        _PORT: Identity.PORT_ID,
        _PORT_TEXT: Identity.PORT,
        _NAME: Identity.HOST,
    },
)
