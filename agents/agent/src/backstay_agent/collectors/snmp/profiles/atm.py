"""Profile `atm`: virtual channel links and cell delineation of ATM ports (ATM-MIB, RFC 2515)."""

from backstay_agent.collectors.snmp.profiles.profile import (
    ATM,
    DeviceFacts,
    Findings,
    Profile,
    ProfileReading,
    by_row,
    number,
    objects,
)
from backstay_agent.parsers.ifmib import Oid, Rows
from backstay_wire.metrics.atm import METRICS

_AAL5, _LOGICAL, _SUB = 49, 80, 134
_CROSS = next(item for item in objects(METRICS) if item.metric.name == "atm.cross_connect")
_BACK = (*_CROSS.column[:-1], 10)
"""atmVcCrossConnectH2LOperStatus: the other direction."""
_ITEMS = [item for item in objects(METRICS) if item.metric is not _CROSS.metric]
_QUICK = {"atm.vcl", "atm.cell_delineation", "atm.out_of_cell_delineation"}
_UP = 1


def _subject(device: DeviceFacts, index: Oid) -> str | None:
    """`ga000`, or for a link `ga000 0/32` (VPI/VCI)."""
    if not index:
        return None
    port = device.port_names().get(index[0], f"if{index[0]}")
    return f"{port} {'/'.join(map(str, index[1:]))}" if len(index) > 1 else port


def _read(rows: Rows, device: DeviceFacts) -> Findings:
    found = by_row(rows, _ITEMS, lambda index: _subject(device, index))
    crossed = _crossed(rows, device)
    return Findings(metrics=[*found.metrics, *crossed.metrics], counters=found.counters)


def _crossed(rows: Rows, device: DeviceFacts) -> Findings:
    """`p1 0/130 to p2 0/131`: the worse state of both directions. Indexed by number, then port, VPI, VCI
    twice."""
    reading = ProfileReading()
    for index, there in sorted(rows.get(_CROSS.column, {}).items()):
        if len(index) == 7:
            back = number(rows, _BACK, index)
            low, high = _subject(device, index[1:4]), _subject(device, index[4:7])
            worse = back if there == _UP and back is not None else there
            reading.take(_CROSS, f"{low} to {high}", worse, row=index)
    return reading.findings()


PROFILE = Profile(
    name="atm",
    fits=lambda device: device.has_type(ATM, _AAL5, _LOGICAL, _SUB),
    read=_read,
    columns=[*(item.column for item in _ITEMS), _CROSS.column, _BACK],
    polled=[*(item.column for item in _ITEMS if item.metric.name in _QUICK), _CROSS.column, _BACK],
)
