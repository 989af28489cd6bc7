"""Interface of a device profile: columns to read, and a pure function from them to metrics and neighbours."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from backstay_agent.parsers import text
from backstay_agent.parsers.ifmib import Oid, Rows, Value
from backstay_wire import Adjacency, ForwardingEntry, Metric, MetricValue, PortState

_OID = re.compile(r"\b\d+(?:\.\d+){6,}\b")
ETHERNET, FDDI, ATM, SONET, AGGREGATE = 6, 15, 37, 39, 161
"""IANAifType."""


@dataclass(frozen=True, slots=True)
class Device:
    """Facts about a device known before its profiles are read."""

    object_id: Oid = ()
    """sysObjectID."""
    ports: Sequence[PortState] = ()

    def is_a(self, prefix: Oid) -> bool:
        """Whether sysObjectID is below `prefix`."""
        return self.object_id[: len(prefix)] == prefix

    def has_type(self, *types: int) -> bool:
        """Whether a port is of one of these IANAifTypes."""
        return any(port.if_type in types for port in self.ports)

    def port_names(self) -> dict[int, str]:
        """Port names by ifIndex."""
        return {port.index: port.name for port in self.ports}


@dataclass(frozen=True, slots=True)
class Counter:
    """A raw counter whose growth is reported."""

    subject: str
    metric: str
    value: int
    width: int = 32


@dataclass(frozen=True, slots=True)
class Findings:
    """Content of a profile's columns."""

    metrics: Sequence[MetricValue] = ()
    """Levels and states."""
    counters: Sequence[Counter] = ()
    adjacencies: Sequence[Adjacency] | None = None
    """None: this profile does not know any. Empty: the device has no neighbours."""
    forwarding: Sequence[ForwardingEntry] | None = None


@dataclass(frozen=True, slots=True)
class Profile:
    """One kind of table that some devices have."""

    name: str
    fits: Callable[[Device], bool]
    read: Callable[[Rows, Device], Findings]
    columns: Sequence[Oid]
    """Walked once a minute. A scalar is a column with one row, 0."""
    polled: Sequence[Oid] = ()
    """Those that change quickly and are never negative: the rows known from the walk are read at each
    poll."""


@dataclass(frozen=True, slots=True)
class Object:
    """A metric with the column named in its source."""

    metric: Metric
    column: Oid


def oid(dotted: str) -> Oid:
    """`1.3.6` as a tuple."""
    return tuple(int(part) for part in dotted.split("."))


def column(metric: Metric) -> Oid | None:
    """The only object identifier in the metric's source; None if it names none or several."""
    found = _OID.findall(metric.source)
    return oid(found[0]) if len(found) == 1 else None


def objects(metrics: Sequence[Metric]) -> list[Object]:
    """The metrics that are read from exactly one object."""
    found = [(metric, column(metric)) for metric in metrics]
    return [Object(metric, where) for metric, where in found if where is not None]


@dataclass(slots=True)
class Reading:
    """Collects metrics and counters of objects."""

    metrics: list[MetricValue] = field(default_factory=list)
    counters: list[Counter] = field(default_factory=list)

    def take(self, item: Object, subject: str, value: Value | None, *, width: int = 32) -> None:
        """Add a value by the metric's kind. An absent value, or one of the wrong type, is left out."""
        if not isinstance(value, int):
            return
        metric = item.metric
        if metric.kind == "growth":
            self.counters.append(Counter(subject[:128], metric.name, value % (1 << width), width))
        elif metric.kind == "level":
            self.level(metric.name, subject, value)
        else:
            self.state(metric.name, subject, metric.states.get(value, str(value)))

    def level(self, metric: str, subject: str, value: float) -> None:
        """Add a level."""
        self.metrics.append(MetricValue(subject=subject[:128], metric=metric, value=value))

    def state(self, metric: str, subject: str, label: str) -> None:
        """Add a state."""
        self.metrics.append(MetricValue(subject=subject[:128], metric=metric, value=label[:256]))

    def findings(self) -> Findings:
        """The collected values."""
        return Findings(metrics=self.metrics, counters=self.counters)


def number(rows: Rows, where: Oid, index: Oid) -> int | None:
    """A number of a table; None if absent or of another type."""
    value = rows.get(where, {}).get(index)
    return value if isinstance(value, int) else None


def text_at(rows: Rows, where: Oid, index: Oid) -> str:
    """A text of a table; empty if absent or of another type."""
    value = rows.get(where, {}).get(index)
    return text.from_octets(value) if isinstance(value, bytes) else ""


def by_row(
    rows: Rows, items: Sequence[Object], subject: Callable[[Oid], str | None], *, width: int = 32
) -> Findings:
    """Every object of every row; rows without a subject are left out."""
    reading = Reading()
    subjects: Mapping[Oid, str | None] = {
        index: subject(index) for index in sorted({i for item in items for i in rows.get(item.column, {})})
    }
    for item in items:
        for index, value in rows.get(item.column, {}).items():
            about = subjects[index]
            if about is not None:
                reading.take(item, about, value, width=width)
    return reading.findings()
