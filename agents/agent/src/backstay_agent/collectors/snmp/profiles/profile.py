"""Interface of a device profile: columns to read, and a pure function from them to metrics and neighbours."""

import re
from collections import Counter as CountOf
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from backstay_agent.parsers import text
from backstay_agent.parsers.ifmib import Oid, Rows, Value
from backstay_wire import Adjacency, ForwardingEntry, Metric, MetricValue, PortState

_OID = re.compile(r"\b\d+(?:\.\d+){6,}\b")
ETHERNET, FDDI, ATM, SONET, AGGREGATE = 6, 15, 37, 39, 161
"""IANAifType."""
MAX_SUBJECT, _MAX_LABEL = 128, 256
"""Characters of a metric's subject and of a state on the wire."""


@dataclass(frozen=True, slots=True)
class DeviceFacts:
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
    not_understood: Mapping[str, int] = field(default_factory=dict)
    """Number of rows left out or without a known port, by what they are; only numbers above 0."""


class Identity(StrEnum):
    """What a column's values identify, so that a recording can be anonymised."""

    HOST = "host"
    """A host's name."""
    NOTE = "note"
    """A person's text about a host, port or place."""
    PORT = "port"
    """A port's name, or a person's text about it."""
    MAC = "mac"
    ADDRESS = "address"
    """An IPv4 address as four octets."""
    MASK = "mask"
    """Of the IPv4 address in the index, or else in the column before."""
    ADDRESS_POINTER = "address pointer"
    """A row of ipAddressPrefixTable."""
    CHASSIS_ID = "chassis id"
    """By LldpChassisIdSubtype in the column before (IEEE 802.1AB)."""
    PORT_ID = "port id"
    """By LldpPortIdSubtype in the column before."""
    NOTHING = "nothing"
    """Bits, masks, dates."""


class IndexPart(StrEnum):
    """What the end of a table's index identifies."""

    IPV4 = "ipv4"
    INET = "inet"
    """InetAddressType, length, octets (RFC 4001)."""
    MAC = "mac"


@dataclass(frozen=True, slots=True)
class Profile:
    """One kind of table that some devices have."""

    name: str
    fits: Callable[[DeviceFacts], bool]
    read: Callable[[Rows, DeviceFacts], Findings]
    columns: Sequence[Oid]
    """Walked once a minute. A scalar is a column with one row, 0."""
    polled: Sequence[Oid] = ()
    """Those that change quickly and are never negative: the rows known from the walk are read at each
    poll."""
    identities: Mapping[Oid, Identity] = field(default_factory=dict)
    """What the values of columns identify; other octets are free text."""
    indexes: Mapping[Oid, IndexPart] = field(default_factory=dict)
    """What the indexes of columns identify; others are numbers of ports, cards and the like."""


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


class _Entry(NamedTuple):
    """A value before its subject is made distinct."""

    subject: str
    row: Oid
    metric: str
    value: float | str
    width: int
    """Bits of a counter; 0: not a counter."""


@dataclass(slots=True)
class ProfileReading:
    """Collects metrics and counters of objects.

    Rows that share a subject within the wire's length are distinguished by `#INDEX`, as ports are, or by
    their order if the caller names no row: otherwise one would hide the other, and a counter's growth would
    be the difference between two rows.
    """

    _entries: list[_Entry] = field(default_factory=list)
    _skipped: CountOf[str] = field(default_factory=CountOf)

    def __len__(self) -> int:
        return len(self._entries)

    def take(
        self, item: Object, subject: str, value: Value | None, *, row: Oid = (), width: int = 32
    ) -> None:
        """Add a value by the metric's kind. An absent value, or one of the wrong type, is left out."""
        if not isinstance(value, int):
            return
        metric = item.metric
        if metric.kind == "growth":
            self._entries.append(_Entry(subject, row, metric.name, value % (1 << width), width))
        elif metric.kind == "level":
            self.level(metric.name, subject, value, row=row)
        else:
            self.state(metric.name, subject, metric.states.get(value, str(value)), row=row)

    def level(self, metric: str, subject: str, value: float, *, row: Oid = ()) -> None:
        """Add a level."""
        self._entries.append(_Entry(subject, row, metric, value, 0))

    def state(self, metric: str, subject: str, label: str, *, row: Oid = ()) -> None:
        """Add a state."""
        self._entries.append(_Entry(subject, row, metric, label[:_MAX_LABEL], 0))

    def skip(self, rows: str) -> None:
        """Count a row that is not understood; `rows` says what such rows are, in the plural."""
        self._skipped[rows] += 1

    def findings(self) -> Findings:
        """The collected values."""
        metrics: list[MetricValue] = []
        counters: list[Counter] = []
        for subject, entry in zip(self._subjects(), self._entries, strict=True):
            if entry.width:
                counters.append(Counter(subject, entry.metric, int(entry.value), entry.width))
            else:
                metrics.append(MetricValue(subject=subject, metric=entry.metric, value=entry.value))
        return Findings(metrics=metrics, counters=counters, not_understood=self._skipped)

    def _subjects(self) -> list[str]:
        """The subject of each entry, at most MAX_SUBJECT characters."""
        subjects = [entry.subject[:MAX_SUBJECT] for entry in self._entries]
        metrics = [entry.metric for entry in self._entries]
        times = CountOf(zip(subjects, metrics, strict=True))
        ambiguous = {subject for (subject, _), count in times.items() if count > 1}
        found: list[str] = []
        used: CountOf[tuple[str, str]] = CountOf()
        for subject, entry in zip(subjects, self._entries, strict=True):
            if subject in ambiguous and entry.row:
                subject = _marked(subject, ".".join(map(str, entry.row)))  # noqa: PLW2901
            used[subject, entry.metric] += 1
            ordinal = used[subject, entry.metric]
            found.append(subject if ordinal == 1 else _marked(subject, f"({ordinal})"))
        return found


def _marked(subject: str, mark: str) -> str:
    """The subject with a mark that survives the wire's length."""
    return f"{subject[: MAX_SUBJECT - len(mark) - 1]}#{mark}"


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
    reading = ProfileReading()
    subjects: Mapping[Oid, str | None] = {
        index: subject(index) for index in sorted({i for item in items for i in rows.get(item.column, {})})
    }
    for item in items:
        for index, value in rows.get(item.column, {}).items():
            about = subjects[index]
            if about is not None:
                reading.take(item, about, value, row=index, width=width)
    return reading.findings()
