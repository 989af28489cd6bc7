"""Profile `lag`: members of aggregated links and whether they carry traffic (IEEE8023-LAG-MIB)."""

from backstay_agent.collectors.snmp.profiles.profile import (
    AGGREGATE,
    ETHERNET,
    Device,
    Findings,
    Profile,
    Reading,
    number,
    oid,
)
from backstay_agent.parsers.ifmib import Rows, Value

_MEMBER = oid("1.2.840.10006.300.43.1.2.1.1")
_ATTACHED, _STATE = (*_MEMBER, 13), (*_MEMBER, 21)
# LacpState: the bits of one octet, most significant bit first.
_AGGREGATION, _SYNCHRONISED, _DISTRIBUTING, _DEFAULTED, _EXPIRED = 0x20, 0x10, 0x04, 0x02, 0x01


def _read(rows: Rows, device: Device) -> Findings:
    names, reading = device.port_names(), Reading()
    members: dict[int, int] = {}
    for index, value in rows.get(_STATE, {}).items():
        if len(index) != 1:
            continue
        label = _member_state(value)
        if label:
            reading.state("lag.member", names.get(index[0], f"if{index[0]}"), label)
        aggregate = number(rows, _ATTACHED, index)
        # A port that cannot aggregate is attached to itself.
        if aggregate and aggregate != index[0]:
            members[aggregate] = members.get(aggregate, 0) + (label == "distributing")
    for aggregate, count in members.items():
        reading.level("lag.members", names.get(aggregate, f"if{aggregate}"), count)
    return reading.findings()


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
    columns=[_ATTACHED, _STATE],
)
