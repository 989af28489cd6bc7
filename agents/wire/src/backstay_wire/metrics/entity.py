"""Family `entity`: a device's physical sensors (ENTITY-MIB, RFC 6933; ENTITY-SENSOR-MIB, RFC 3433)."""

from collections.abc import Sequence

from backstay_wire.metrics.metric import Metric

_VALUE = "entPhySensorValue 1.3.6.1.2.1.99.1.1.1.4"


def _sensor(name: str, title: str, unit: str, sentence: str) -> Metric:
    return Metric(f"entity.{name}", title, "level", unit, sentence, _VALUE)


METRICS: Sequence[Metric] = (
    _sensor("temperature", "Temperature", "°C", "Temperature at this sensor."),
    _sensor("fan_speed", "Fan speed", "rpm", "Revolutions per minute; 0 means that the fan has stopped."),
    _sensor("voltage", "Voltage", "V", "Voltage at this sensor."),
    _sensor("current", "Current", "A", "Current at this sensor; of an optical module, the laser's bias."),
    _sensor("power", "Power", "W", "Power at this sensor."),
    _sensor("optical_power", "Optical power", "dBm", "Light that an optical module receives or sends."),
    Metric(
        "entity.sensor",
        "Sensor",
        "state",
        "",
        "Whether the sensor itself can be read.",
        "entPhySensorOperStatus 1.3.6.1.2.1.99.1.1.1.5",
        good=frozenset({"ok"}),
        states={1: "ok", 2: "unavailable", 3: "nonoperational"},
    ),
)
