"""Profile `sonet`: errors and alarms of the current 15 minutes on SONET/SDH lines (SONET-MIB, RFC 3592)."""

from backstay_agent.collectors.snmp.profiles.profile import (
    ATM,
    SONET,
    DeviceFacts,
    Findings,
    Profile,
    ProfileReading,
    objects,
)
from backstay_agent.parsers.ifmib import Rows
from backstay_wire.metrics.sonet import METRICS

_POS, _PATH = 171, 50
_OK = 1
# The bits of each layer's CurrentStatus; 1 means no defect.
_ALARMS = {
    "sonet.section_status": {2: "LOS", 4: "LOF"},
    "sonet.line_status": {2: "AIS", 4: "RDI"},
    "sonet.path_status": {2: "LOP", 4: "AIS", 8: "RDI", 16: "unequipped", 32: "label mismatch"},
}
_ITEMS = objects(METRICS)


def _read(rows: Rows, device: DeviceFacts) -> Findings:
    names, reading = device.port_names(), ProfileReading()
    for item in _ITEMS:
        for index, value in rows.get(item.column, {}).items():
            if len(index) != 1 or not isinstance(value, int):
                continue
            port = names.get(index[0], f"if{index[0]}")
            if item.metric.name in _ALARMS:
                reading.state(item.metric.name, port, _alarms(item.metric.name, value))
            else:
                reading.take(item, port, value)
    return reading.findings()


def _alarms(metric: str, value: int) -> str:
    found = [alarm for bit, alarm in _ALARMS[metric].items() if value & bit]
    return " ".join(found) or ("ok" if value in (0, _OK) else str(value))


PROFILE = Profile(
    name="sonet",
    fits=lambda device: device.has_type(SONET, ATM, _POS, _PATH),
    read=_read,
    columns=[item.column for item in _ITEMS],
    polled=[item.column for item in _ITEMS if item.metric.name in _ALARMS],
)
