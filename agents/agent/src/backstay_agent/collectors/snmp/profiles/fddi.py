"""Profile `fddi`: an FDDI station's ring, configuration and ports (FDDI-SMT73-MIB, RFC 1512)."""

from backstay_agent.collectors.snmp.profiles.profile import (
    FDDI,
    DeviceFacts,
    Findings,
    Profile,
    ProfileReading,
    number,
    objects,
    oid,
)
from backstay_agent.parsers.ifmib import Oid, Rows
from backstay_wire.metrics.fddi import METRICS

_TREE = oid("1.3.6.1.2.1.10.15.73")
_STATION, _PORT = (*_TREE, 1), (*_TREE, 5)
_MAC_PORT = oid("1.3.6.1.2.1.10.15.73.2.2.1.3")
_ROTATION = "fddi.token_time"
_ITEMS = objects(METRICS)
_SLOW = {"fddi.link_error_rate", _ROTATION}


def _read(rows: Rows, device: DeviceFacts) -> Findings:
    reading = ProfileReading()
    for item in _ITEMS:
        for index, value in rows.get(item.column, {}).items():
            subject = _subject(rows, device, item.column, index)
            if item.metric.name == _ROTATION and isinstance(value, int):
                reading.level(_ROTATION, subject, value / 1e6)  # FddiTimeNano
            else:
                reading.take(item, subject, value)
    return reading.findings()


def _subject(rows: Rows, device: DeviceFacts, column: Oid, index: Oid) -> str:
    """A MAC is identified by its port through fddimibMACIfIndex; a station and its connectors by number."""
    if column[: len(_STATION)] == _STATION:
        return f"station {index[0]}" if index else "station"
    if column[: len(_PORT)] == _PORT:
        return "connector " + "/".join(map(str, index))
    port = number(rows, _MAC_PORT, index)
    return device.port_names().get(port or 0, "MAC " + "/".join(map(str, index)))


PROFILE = Profile(
    name="fddi",
    fits=lambda device: device.has_type(FDDI),
    read=_read,
    columns=[_MAC_PORT, *(item.column for item in _ITEMS)],
    polled=[item.column for item in _ITEMS if item.metric.name not in _SLOW],
)
