"""Profile `grf`: GigaRouter 400 and 1600 (NETSTAR-MIB): chassis, cards, gated, ATM circuits and their next
hops."""

from ipaddress import IPv4Address

from backstay_agent.collectors.snmp.profiles.profile import (
    DeviceFacts,
    Findings,
    IndexPart,
    Object,
    Profile,
    ProfileReading,
    number,
    objects,
    oid,
    text_at,
)
from backstay_agent.parsers.ifmib import Oid, Rows
from backstay_wire.metrics.grf import METRICS

NETSTAR = oid("1.3.6.1.4.1.1080")
_HARDWARE = oid("1.3.6.1.4.1.1080.1.1.1.5.1.2")
_MEDIA = {
    3: "HIPPI",
    4: "FDDI",
    7: "ATM",
    8: "HSSI",
    9: "SP switch",
    10: "ATM OC-3",
    11: "FDDI",
    12: "ATM OC-12",
    13: "Ethernet",
    14: "SONET OC-3",
    15: "CDDI",
}
_BY_NAME = {item.metric.name: item for item in objects(METRICS)}
_CHASSIS = [_BY_NAME[name] for name in ("grf.power_supply", "grf.temperature", "grf.fan", "grf.gated")]
_BACKUP = [_BY_NAME[name] for name in ("grf.last_operation", "grf.backup_status")]
"""Two texts; no object of the MIB shows whether the running configuration was saved."""
_CARD, _VC, _NEXT_HOP = _BY_NAME["grf.card_state"], _BY_NAME["grf.circuits"], _BY_NAME["grf.next_hop"]
_VC_TYPE = _BY_NAME["grf.vc"]
_HOP = _NEXT_HOP.column[:-1]
_HOP_VPI, _HOP_VCI = (*_HOP, 3), (*_HOP, 4)


def _read(rows: Rows, device: DeviceFacts) -> Findings:
    reading = ProfileReading()
    for item in _CHASSIS:
        for value in rows.get(item.column, {}).values():
            reading.take(item, "", value)
    for item in _BACKUP:
        text = text_at(rows, item.column, (0,)).strip()
        if text:
            reading.state(item.metric.name, "", text)
    for index, value in rows.get(_CARD.column, {}).items():
        reading.take(_CARD, _card(rows, index), value)
    _circuits(rows, device, reading)
    for index, value in rows.get(_NEXT_HOP.column, {}).items():
        reading.take(_NEXT_HOP, _hop(rows, device, index), value)
    return reading.findings()


def _card(rows: Rows, index: Oid) -> str:
    media = _MEDIA.get(number(rows, _HARDWARE, index) or 0, "")
    slot = ".".join(map(str, index))
    return f"card {slot} ({media})" if media else f"card {slot}"


def _circuits(rows: Rows, device: DeviceFacts, reading: ProfileReading) -> None:
    """Count circuits by port: rows are indexed by ifIndex, VPI, VCI."""
    names = device.port_names()
    count: dict[str, int] = {}
    for index in rows.get(_VC.column, {}):
        port = names.get(index[0], f"if{index[0]}") if index else ""
        count[port] = count.get(port, 0) + 1
    for port, circuits in count.items():
        reading.level(_VC.metric.name, port, circuits)
    for index, value in rows.get(_VC_TYPE.column, {}).items():
        if len(index) == 3:
            port = names.get(index[0], f"if{index[0]}")
            reading.take(_VC_TYPE, f"{port} {index[1]}/{index[2]}", value)


def _hop(rows: Rows, device: DeviceFacts, index: Oid) -> str:
    """`ga000 10.70.1.2 over 0/32`; rows are indexed by ifIndex and network address."""
    port = device.port_names().get(index[0], f"if{index[0]}") if index else ""
    known = len(index) == 5 and all(part < 256 for part in index[1:])
    address = str(IPv4Address(bytes(index[1:]))) if known else ".".join(map(str, index[1:]))
    vpi, vci = number(rows, _HOP_VPI, index), number(rows, _HOP_VCI, index)
    over = f" over {vpi}/{vci}" if vpi is not None and vci is not None else ""
    return f"{port} {address}{over}".strip()


def _columns() -> list[Oid]:
    items: list[Object] = [*_CHASSIS, *_BACKUP, _CARD, _VC, _VC_TYPE, _NEXT_HOP]
    return [*(item.column for item in items), _HARDWARE, _HOP_VPI, _HOP_VCI]


PROFILE = Profile(
    name="grf",
    fits=lambda device: device.is_a(NETSTAR),
    read=_read,
    columns=_columns(),
    polled=[*(item.column for item in _CHASSIS), _CARD.column, _VC_TYPE.column, _NEXT_HOP.column],
    indexes=dict.fromkeys((_NEXT_HOP.column, _HOP_VPI, _HOP_VCI), IndexPart.IPV4),
)
