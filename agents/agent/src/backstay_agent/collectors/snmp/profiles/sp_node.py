"""Profile `sp-node`: dependent nodes of an SP switch (DEPNODE-MIB), and the check of their addresses.

With ARP off, a node's host part less IPHostOffset must be its switch node number: the switch routes by that
number alone.
"""

from backstay_agent.collectors.snmp.profiles.grf import NETSTAR
from backstay_agent.collectors.snmp.profiles.profile import (
    DeviceFacts,
    Findings,
    Identity,
    Profile,
    ProfileReading,
    number,
    objects,
    oid,
    text_at,
)
from backstay_agent.parsers.ifmib import Oid, Rows
from backstay_wire.metrics.sp import METRICS

_IBM = oid("1.3.6.1.4.1.2")
_ENTRY = oid("1.3.6.1.4.1.2.6.117.4.1.1")
_NAME, _TOKEN, _ARP, _SWITCH_NODE = ((*_ENTRY, number) for number in (1, 3, 4, 5))
_ADDRESS, _MASK, _OFFSET = (*_ENTRY, 6), (*_ENTRY, 7), (*_ENTRY, 9)
_ARP_ON = 2
_RULE = "sp.address_rule"
_OCTETS = {_TOKEN: "sp.token", _ADDRESS: "sp.address", _MASK: "sp.mask"}
"""Columns of type octets, and the metric of each."""
_ITEMS = [item for item in objects(METRICS) if item.column not in _OCTETS]


def fits(device: DeviceFacts) -> bool:
    """A router that can sit in an SP frame, or a host with an SP switch adapter (css0)."""
    return device.is_a(NETSTAR) or device.is_a(_IBM) or any(p.name.startswith("css") for p in device.ports)


def _read(rows: Rows, _: DeviceFacts) -> Findings:
    reading = ProfileReading()
    indexes = sorted({index for item in _ITEMS for index in rows.get(item.column, {})})
    for index in indexes:
        subject = text_at(rows, _NAME, index) or "node " + ".".join(map(str, index))
        for item in _ITEMS:
            reading.take(item, subject, rows.get(item.column, {}).get(index), row=index)
        for where, metric in _OCTETS.items():
            octets = rows.get(where, {}).get(index)
            if isinstance(octets, bytes):
                label = octets.hex() if where == _TOKEN else _dotted(octets)
                reading.state(metric, subject, label, row=index)
        rule = _rule(rows, index)
        if rule:
            reading.state(_RULE, subject, rule, row=index)
    return reading.findings()


def _dotted(octets: bytes) -> str:
    return ".".join(str(octet) for octet in octets)


def _rule(rows: Rows, index: Oid) -> str:
    arp = number(rows, _ARP, index)
    if arp == _ARP_ON:
        return "not needed"
    address, mask = rows.get(_ADDRESS, {}).get(index), rows.get(_MASK, {}).get(index)
    node, offset = number(rows, _SWITCH_NODE, index), number(rows, _OFFSET, index)
    if not isinstance(address, bytes) or not isinstance(mask, bytes) or node is None or offset is None:
        return ""
    host = int.from_bytes(address, "big") & ~int.from_bytes(mask, "big")
    return "kept" if host - offset == node else "broken"


PROFILE = Profile(
    name="sp-node",
    fits=fits,
    read=_read,
    columns=[_NAME, *_OCTETS, *(item.column for item in _ITEMS)],
    polled=[item.column for item in _ITEMS if item.metric.kind == "state"],
    identities={
        _NAME: Identity.HOST,
        _TOKEN: Identity.NOTHING,
        _ADDRESS: Identity.ADDRESS,
        _MASK: Identity.MASK,
    },
)
