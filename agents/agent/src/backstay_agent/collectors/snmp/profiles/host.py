"""Profile `host`: processors, storage and devices of a host (HOST-RESOURCES-MIB, RFC 2790)."""

from backstay_agent.collectors.snmp.profiles.profile import (
    DeviceFacts,
    Findings,
    Profile,
    ProfileReading,
    number,
    objects,
    oid,
    text_at,
)
from backstay_agent.parsers.ifmib import Oid, Rows
from backstay_wire.metrics.host import METRICS

_DEVICE_TEXT = oid("1.3.6.1.2.1.25.3.2.1.3")
_STORAGE = oid("1.3.6.1.2.1.25.2.3.1")
_STORAGE_TEXT, _SIZE, _USED = (*_STORAGE, 3), (*_STORAGE, 5), (*_STORAGE, 6)
_WRAP = 1 << 32
_BY_NAME = {item.metric.name: item for item in objects(METRICS)}
_LOAD, _DEVICE = _BY_NAME["host.processor_load"], _BY_NAME["host.device"]
_SCALARS = [_BY_NAME["host.users"], _BY_NAME["host.processes"]]


def _read(rows: Rows, _: DeviceFacts) -> Findings:
    reading = ProfileReading()
    for place, (index, value) in enumerate(sorted(rows.get(_LOAD.column, {}).items())):
        reading.take(_LOAD, f"processor {place}", value)
        reading.take(_DEVICE, f"processor {place}", rows.get(_DEVICE.column, {}).get(index))
    for index, value in rows.get(_DEVICE.column, {}).items():
        if index not in rows.get(_LOAD.column, {}):
            described = text_at(rows, _DEVICE_TEXT, index)
            reading.take(_DEVICE, f"device {'.'.join(map(str, index))} {described}".strip(), value)
    for index in rows.get(_USED, {}):
        size, used = _blocks(rows, _SIZE, index), _blocks(rows, _USED, index)
        if size and used is not None and used <= size:
            subject = text_at(rows, _STORAGE_TEXT, index) or "storage " + ".".join(map(str, index))
            reading.level("host.storage_used", subject, round(100 * used / size, 2), row=index)
        elif used:
            reading.skip("storage areas fuller than their size")
    for item in _SCALARS:
        for value in rows.get(item.column, {}).values():
            reading.take(item, "", value)
    return reading.findings()


def _blocks(rows: Rows, column: Oid, index: Oid) -> int | None:
    """hrStorageSize and hrStorageUsed are Integer32; above 2^31 blocks agents let them wrap to negative."""
    blocks = number(rows, column, index)
    return None if blocks is None else blocks % _WRAP


PROFILE = Profile(
    name="host",
    fits=lambda device: True,
    read=_read,
    columns=[
        _DEVICE_TEXT,
        _STORAGE_TEXT,
        _SIZE,
        _USED,
        _LOAD.column,
        _DEVICE.column,
        *(item.column for item in _SCALARS),
    ],
    polled=[_LOAD.column],
)
