"""Profile `lag`: members of aggregated links and whether they carry traffic (IEEE8023-LAG-MIB, IF-MIB)."""

from backstay_agent.collectors.snmp.profiles.profile import (
    AGGREGATE,
    ETHERNET,
    DeviceFacts,
    Findings,
    Identity,
    Profile,
    ProfileReading,
    number,
    oid,
)
from backstay_agent.parsers.ifmib import Rows, Value

_MEMBER = oid("1.2.840.10006.300.43.1.2.1.1")
_ATTACHED, _STATE = (*_MEMBER, 13), (*_MEMBER, 21)
_STACK = oid("1.3.6.1.2.1.31.1.2.1.3")
"""ifStackStatus (RFC 2863), by the ifIndex of the higher layer and of the lower one."""
_ACTIVE = 1
# LacpState: the bits of one octet, most significant bit first.
_AGGREGATION, _SYNCHRONISED, _DISTRIBUTING, _DEFAULTED, _EXPIRED = 0x20, 0x10, 0x04, 0x02, 0x01
_ACTIVITY = 0x80


def _read(rows: Rows, device: DeviceFacts) -> Findings:
    names, reading = device.port_names(), ProfileReading()
    up = {port.index for port in device.ports if port.oper_up}
    members = _stacked(rows, device) | _attached(rows)
    active: dict[int, list[bool]] = {}
    states = {index[0]: value for index, value in rows.get(_STATE, {}).items() if len(index) == 1}
    for port in sorted(states.keys() | members.keys()):
        label, aggregate = _member_state(states.get(port, b"")), members.get(port)
        if aggregate is not None and port in up and _is_static(states.get(port, b"")):
            label = "static"
        if label:
            reading.state("lag.member", names.get(port, f"if{port}"), label)
        if aggregate is not None:
            active.setdefault(aggregate, []).append(label in ("distributing", "static"))
    for aggregate, ports in active.items():
        reading.level("lag.members", names.get(aggregate, f"if{aggregate}"), sum(ports))
    return reading.findings()


def _attached(rows: Rows) -> dict[int, int]:
    """Port -> aggregate by IEEE8023-LAG-MIB; a port that cannot aggregate is attached to itself."""
    found = {index: number(rows, _ATTACHED, index) for index in rows.get(_ATTACHED, {}) if len(index) == 1}
    return {index[0]: value for index, value in found.items() if value and value != index[0]}


def _stacked(rows: Rows, device: DeviceFacts) -> dict[int, int]:
    """Port -> aggregate by ifStackTable: all that a device with static aggregates may have."""
    aggregates = {port.index for port in device.ports if port.if_type == AGGREGATE}
    links = {port.index for port in device.ports if port.if_type != AGGREGATE}
    return {
        index[1]: index[0]
        for index, value in rows.get(_STACK, {}).items()
        if len(index) == 2 and value == _ACTIVE and index[0] in aggregates and index[1] in links
    }


def _is_static(value: Value) -> bool:
    """Whether a member expects no LACP partner: it speaks no LACP, or carries traffic without one."""
    if not isinstance(value, bytes) or not value or not value[0] & _AGGREGATION:
        return True
    return bool(value[0] & _DEFAULTED) and (not value[0] & _ACTIVITY or bool(value[0] & _DISTRIBUTING))


def _member_state(value: Value) -> str:
    if not isinstance(value, bytes) or not value:
        return ""
    bits = value[0]
    for bit, label in ((_EXPIRED, "expired"), (_DEFAULTED, "defaulted")):
        if bits & bit and bits & _AGGREGATION:
            return label
    if bits & _DISTRIBUTING:
        return "distributing"
    if not bits & _AGGREGATION:
        return "individual"
    return "waiting" if not bits & _SYNCHRONISED else "collecting"


PROFILE = Profile(
    name="lag",
    fits=lambda device: device.has_type(AGGREGATE, ETHERNET),
    read=_read,
    columns=[_ATTACHED, _STATE, _STACK],
    identities={_STATE: Identity.NOTHING},
)
