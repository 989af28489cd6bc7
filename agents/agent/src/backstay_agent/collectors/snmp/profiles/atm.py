"""Profile `atm`: virtual channel links and cell delineation of ATM ports (ATM-MIB, RFC 2515)."""

from backstay_agent.collectors.snmp.profiles.profile import ATM, Device, Findings, Profile, by_row, objects
from backstay_agent.parsers.ifmib import Oid, Rows
from backstay_wire.metrics.atm import METRICS

_AAL5, _LOGICAL, _SUB = 49, 80, 134
_ITEMS = objects(METRICS)
_QUICK = {"atm.vcl", "atm.cell_delineation", "atm.out_of_cell_delineation"}


def _subject(device: Device, index: Oid) -> str | None:
    """`ga000`, or for a link `ga000 0/32` (VPI/VCI)."""
    if not index:
        return None
    port = device.port_names().get(index[0], f"if{index[0]}")
    return f"{port} {'/'.join(map(str, index[1:]))}" if len(index) > 1 else port


def _read(rows: Rows, device: Device) -> Findings:
    return by_row(rows, _ITEMS, lambda index: _subject(device, index))


PROFILE = Profile(
    name="atm",
    fits=lambda device: device.has_type(ATM, _AAL5, _LOGICAL, _SUB),
    read=_read,
    columns=[item.column for item in _ITEMS],
    polled=[item.column for item in _ITEMS if item.metric.name in _QUICK],
)
