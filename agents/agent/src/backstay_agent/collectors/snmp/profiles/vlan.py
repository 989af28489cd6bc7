"""Profile `vlan`: the VLANs of each port of a switch (Q-BRIDGE-MIB, RFC 4363)."""

from backstay_agent.collectors.snmp.profiles.bridge import BASE_PORT, bridge_ports
from backstay_agent.collectors.snmp.profiles.profile import (
    ETHERNET,
    DeviceFacts,
    Findings,
    Identity,
    Profile,
    ProfileReading,
    oid,
)
from backstay_agent.parsers.ifmib import Rows

_EGRESS = oid("1.3.6.1.2.1.17.7.1.4.2.1.4")
_UNTAGGED = oid("1.3.6.1.2.1.17.7.1.4.2.1.5")
_VLANS = 4094
_MOST = 20_000


def _read(rows: Rows, device: DeviceFacts) -> Findings:
    """One row per VLAN, indexed by time mark and VLAN; in its port list the highest bit is bridge port 1."""
    reading = ProfileReading()
    ports = bridge_ports(rows, device)
    untagged = rows.get(_UNTAGGED, {})
    for index, members in sorted(rows.get(_EGRESS, {}).items()):
        if len(index) != 2 or not 0 < index[1] <= _VLANS or not isinstance(members, bytes):
            continue
        plain = untagged.get(index)
        bare = _members(plain) if isinstance(plain, bytes) else set()
        for number in sorted(_members(members)):
            if number in ports and len(reading) < _MOST:
                token = "untagged" if number in bare else "tagged"
                reading.state("vlan.member", f"{ports[number]} {index[1]}", token, row=(number, index[1]))
    return reading.findings()


def _members(ports: bytes) -> set[int]:
    """Bridge port numbers of a PortList."""
    return {
        8 * place + bit + 1 for place, octet in enumerate(ports) for bit in range(8) if octet & (0x80 >> bit)
    }


PROFILE = Profile(
    name="vlan",
    fits=lambda device: device.has_type(ETHERNET),
    read=_read,
    columns=[BASE_PORT, _EGRESS, _UNTAGGED],
    identities=dict.fromkeys((_EGRESS, _UNTAGGED), Identity.NOTHING),
)
