"""Profile `entity`: a device's sensors by the names of its parts (ENTITY-MIB, RFC 6933; ENTITY-SENSOR-MIB,
RFC 3433)."""

from collections import Counter

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
from backstay_wire.metrics.entity import METRICS

_PART = oid("1.3.6.1.2.1.47.1.1.1.1")
_DESCR, _NAME = (*_PART, 2), (*_PART, 7)
_SENSOR = oid("1.3.6.1.2.1.99.1.1.1")
_TYPE, _SCALE, _PRECISION, _VALUE, _STATUS = ((*_SENSOR, column) for column in (1, 2, 3, 4, 5))
_METRIC = {
    3: "entity.voltage",
    4: "entity.voltage",
    5: "entity.current",
    6: "entity.power",
    8: "entity.temperature",
    10: "entity.fan_speed",
    14: "entity.optical_power",
}
"""EntitySensorDataType."""
_UNITS = 9
"""EntitySensorDataScale: powers of a thousand around units(9), from yocto(1) to yotta(17)."""
_OK = 1
_STATE = next(item for item in objects(METRICS) if item.metric.name == "entity.sensor")


def _read(rows: Rows, _: DeviceFacts) -> Findings:
    reading = ProfileReading()
    for index, subject in _subjects(rows).items():
        metric = _METRIC.get(number(rows, _TYPE, index) or 0)
        value, status = number(rows, _VALUE, index), number(rows, _STATUS, index)
        reading.take(_STATE, subject, status)
        if metric is not None and value is not None and status in (None, _OK):
            reading.level(metric, subject, _scaled(rows, index, value))
    return reading.findings()


def _subjects(rows: Rows) -> dict[Oid, str]:
    """The name of each sensor; sensors of the same name also get their number."""
    names = {
        index: (text_at(rows, _NAME, index) or text_at(rows, _DESCR, index) or "sensor")[:110]
        for index in rows.get(_TYPE, {})
    }
    several = {name for name, count in Counter(names.values()).items() if count > 1 or name == "sensor"}
    return {
        index: f"{name} {'.'.join(map(str, index))}" if name in several else name
        for index, name in names.items()
    }


def _scaled(rows: Rows, index: Oid, value: int) -> float:
    scale, precision = number(rows, _SCALE, index), number(rows, _PRECISION, index)
    exponent = 3 * ((scale if scale is not None and 1 <= scale <= 17 else _UNITS) - _UNITS)
    digits = precision if precision is not None and -8 <= precision <= 9 else 0
    return float(value * 10.0 ** (exponent - digits))


PROFILE = Profile(
    name="entity",
    fits=lambda device: True,
    read=_read,
    columns=[_DESCR, _NAME, _TYPE, _SCALE, _PRECISION, _VALUE, _STATUS],
)
