"""The only writer of device metrics: the newest set of each collector, and the history of numbers.

A set is two rows: a `MetricSet`, replaced by newer reports, and one of `telemetry_metrichistory`, which is
kept as long as samples. Both refer to a `MetricLayout`. A batch without metrics costs nothing here; the sweep
of a whole fabric takes two pipelined statements.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from django.db import transaction
from django.utils import timezone

from backstay.core.alerting.unhealthy_states import unhealthy_positions
from backstay.core.model.circuit_table import METRICS as CIRCUIT_METRICS
from backstay.telemetry import partitions
from backstay.telemetry.ingest import store
from backstay.telemetry.ingest.layouts import CACHED_S, USE_RESOLUTION, TooManyLayoutsError, touched
from backstay.telemetry.models import DeviceMetric, MetricLayout
from backstay.telemetry.selectors.extension import METRICS as EXTENSION_METRICS
from backstay_wire import METRICS, DeltaOutcome, MetricReport, MetricValue

MAX_LAYOUTS, MAX_COLLECTORS, MAX_LAYOUT_BYTES = 5000, 64, 128 * 1024 * 1024
"""Per device, within the retention of samples: layouts, collectors that have some, their stored size.

Of the older ones, `retention.conditions` keeps those of roll-ups within further limits.
"""
JUDGED = frozenset({*CIRCUIT_METRICS, *EXTENSION_METRICS})
"""Metrics on which the evidence of circuits and extension nodes depends."""
COUNTED = frozenset({DeltaOutcome.OK, DeltaOutcome.WRAPPED, DeltaOutcome.GAP})
"""Outcomes with a known growth (wire: MetricValue.outcome)."""

MOST_ORDERS, MOST_REMEMBERED = 256, 1000
"""Sets of metrics whose order and digest are remembered, and the metrics of such a set."""
Pair = tuple[str, str]
"""(metric, subject): identifies a metric of a collector."""
CollectorKey = tuple[int, str]
"""(node id, collector)."""
Key = tuple[int, str, bytes]
"""(node id, collector, digest): identifies a layout."""

# Texts are passed as JSON, which is encoded and decoded in C; an array of texts would be quoted one by one.
_NEWEST = f"""
INSERT INTO telemetry_metricset AS known
    (node_id, collector, layout_id, at, duration_ns, numbers, states, outcomes, unhealthy)
SELECT node, collector, layout, {store.MOMENT.format("us")}, duration, numbers::float8[], states::text[],
    outcomes::smallint[], unhealthy::integer[]
FROM ROWS FROM (
    unnest(%s::bigint[]), json_array_elements_text(%s::json), unnest(%s::bigint[]), unnest(%s::bigint[]),
    unnest(%s::bigint[]), json_array_elements_text(%s::json), json_array_elements_text(%s::json),
    json_array_elements_text(%s::json), json_array_elements_text(%s::json)
) AS reported (node, collector, layout, us, duration, numbers, states, outcomes, unhealthy)
ON CONFLICT (node_id, collector) DO UPDATE SET layout_id = EXCLUDED.layout_id, at = EXCLUDED.at,
    duration_ns = EXCLUDED.duration_ns, numbers = EXCLUDED.numbers, states = EXCLUDED.states,
    outcomes = EXCLUDED.outcomes, unhealthy = EXCLUDED.unhealthy
WHERE known.at < EXCLUDED.at
RETURNING 1
"""  # noqa: S608 - only constants are put in
_PAST = f"""
INSERT INTO telemetry_metrichistory (node_id, ts, duration_ns, layout_id, places, numbers)
SELECT node, {store.MOMENT.format("us")}, duration, layout, places::integer[], numbers::float8[]
FROM ROWS FROM (
    unnest(%s::bigint[]), unnest(%s::bigint[]), unnest(%s::bigint[]), unnest(%s::bigint[]),
    json_array_elements_text(%s::json), json_array_elements_text(%s::json)
) AS reported (node, us, duration, layout, places, numbers)
RETURNING 1
"""  # noqa: S608 - only constants are put in

_NEWEST_TEXTS, _PAST_TEXTS, _AT = frozenset({1, 5, 6, 7, 8}), frozenset({4, 5}), 3
"""Positions of the columns that are passed as JSON, and of the time."""
_TOUCH = "UPDATE telemetry_metriclayout SET used_at = %s WHERE id = ANY(%s::bigint[]) RETURNING id"
_STORED = """
SELECT node_id, count(*), array_agg(DISTINCT collector),
    sum(pg_column_size(subjects) + pg_column_size(metrics))
FROM telemetry_metriclayout WHERE node_id = ANY(%s::bigint[]) AND used_at >= %s GROUP BY node_id
"""
_layouts: dict[CollectorKey, tuple[bytes, int, float]] = {}
"""The newest layout of each: (digest, layout id, monotonic seconds up to which it is trusted)."""


@dataclass(frozen=True, slots=True)
class MetricRow:
    """One accepted report with its device's id and its time by our clock, microseconds."""

    node: int
    at_us: int
    report: MetricReport


@lru_cache(maxsize=MOST_ORDERS)
def _ordered(pairs: tuple[Pair, ...]) -> tuple[tuple[Pair, ...], bytes]:
    """The pairs in a layout's order, and its digest: the same for hosts with the same ports."""
    ordered = tuple(sorted(pairs))
    return ordered, blake2b(json.dumps(ordered).encode(), digest_size=16).digest()


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A layout that a report needs."""

    collector_key: CollectorKey
    digest: bytes
    at_us: int
    pairs: tuple[Pair, ...]

    @classmethod
    def of(cls, row: MetricRow, pairs: Iterable[Pair]) -> _Wanted:
        """From a report's metrics in any order."""
        reported = tuple(pairs)
        ordered, digest = (_ordered if len(reported) <= MOST_REMEMBERED else _ordered.__wrapped__)(reported)
        return cls((row.node, row.report.collector), digest, row.at_us, ordered)

    @property
    def key(self) -> Key:
        return (*self.collector_key, self.digest)


def write_metrics(rows: Sequence[MetricRow]) -> set[int]:
    """Store the rows, in any order; the days' partitions must exist. TooManyLayoutsError.

    Returns the devices of which a metric changed that circuits or extension nodes depend on.
    """
    if not rows:
        return set()
    newest: dict[CollectorKey, tuple[Any, ...]] = {}
    past = []
    reported = [{(item.metric, item.subject): item for item in row.report.metrics} for row in rows]
    wanted = [_Wanted.of(row, metrics) for row, metrics in zip(rows, reported, strict=True)]
    changed = _changed(rows, wanted)
    layouts = _layout_ids(wanted)
    for row, metrics, want in zip(rows, reported, wanted, strict=True):
        layout = layouts[want.key]
        values = _Values.of([metrics[pair] for pair in want.pairs])
        known = newest.get(want.collector_key)
        if known is None or known[_AT] < row.at_us:
            head = (row.node, row.report.collector, layout, row.at_us, row.report.duration_ns)
            newest[want.collector_key] = (*head, *values.newest(), _worrying(want.pairs, values.states))
        if values.has_numbers:
            past.append((row.node, row.at_us, row.report.duration_ns, layout, *values.past()))
    # One order for all writers: no deadlocks.
    store.query(_NEWEST, _parameters([newest[key] for key in sorted(newest)], _NEWEST_TEXTS))
    if past:
        store.query(_PAST, _parameters(past, _PAST_TEXTS))
    return changed


def _parameters(rows: Sequence[Sequence[Any]], texts: Collection[int]) -> list[str]:
    """The columns of the rows; those at `texts` as JSON."""
    return [
        json.dumps(column, ensure_ascii=False)
        if place in texts
        else store.array("NULL" if value is None else value for value in column)
        for place, column in enumerate(zip(*rows, strict=True))
    ]


def _changed(rows: Sequence[MetricRow], wanted: Sequence[_Wanted]) -> set[int]:
    """Devices whose judged metrics differ from the stored ones, or are no longer reported.

    One query if any are reported, or if a set has another layout than before.
    """
    reported = {
        want.collector_key: _judged_values(row.report)
        for row, want in zip(rows, wanted, strict=True)
        if not JUDGED.isdisjoint(metric for metric, _ in want.pairs) or not _is_cached(want)
    }
    if not reported:
        return set()
    stored: dict[CollectorKey, dict[Pair, object]] = {key: {} for key in reported}
    known = DeviceMetric.objects.filter(node__in={node for node, _ in reported}, metric__in=JUDGED)
    columns = ("node_id", "collector", "metric", "subject", "state", "number")
    for node, collector, metric, subject, state, number in known.values_list(*columns):
        if (node, collector) in stored:
            stored[node, collector][metric, subject] = _judged_value(metric, state, number)
    return {key[0] for key in reported if reported[key] != stored[key]}


def _is_cached(want: _Wanted) -> bool:
    known = _layouts.get(want.collector_key)
    return known is not None and known[0] == want.digest


def _judged_values(report: MetricReport) -> dict[Pair, object]:
    return {
        (item.metric, item.subject): _judged_value(item.metric, _state_text(item), item.value)
        for item in report.metrics
        if item.metric in JUDGED
    }


def _judged_value(metric: str, state: str | None, number: float | str | None) -> object:
    """The value, except of circuit metrics: they only count as reported."""
    return state if state is not None else number if metric in EXTENSION_METRICS else None


def _worrying(pairs: Sequence[Pair], states: Sequence[str | None]) -> str | None:
    """Slots of unhealthy states, stored so that a round need not read every metric."""
    if not any(states):
        return None
    reported = [(metric, subject, state) for (metric, subject), state in zip(pairs, states, strict=True)]
    found = unhealthy_positions(reported, METRICS.get)
    return _array(map(str, found)) if found else None


def _layout_ids(wanted: Iterable[_Wanted]) -> dict[Key, int]:
    """Key -> layout id; the number of queries does not depend on the number of uncached layouts."""
    found: dict[Key, int] = {}
    unknown: dict[Key, _Wanted] = {}
    for item in wanted:
        known = _layouts.get(item.collector_key)
        if known is not None and known[0] == item.digest and time.monotonic() < known[2]:
            found[item.key] = known[1]
        else:
            unknown[item.key] = item
    if unknown:
        stored = _stored(unknown)
        found |= stored
        until = time.monotonic() + CACHED_S
        newest = {item.collector_key: (item.digest, stored[key], until) for key, item in unknown.items()}
        transaction.on_commit(_remember(newest))
    return found


def _remember(newest: dict[CollectorKey, tuple[bytes, int, float]]) -> Callable[[], None]:
    return lambda: _layouts.update(newest)


def _stored(wanted: dict[Key, _Wanted]) -> dict[Key, int]:
    """Layout ids; missing layouts are created."""
    known = _like(wanted.values())
    missing = [wanted[key] for key in sorted(wanted.keys() - known.keys())]
    if missing:
        _check_room(missing)
        MetricLayout.objects.bulk_create([_row(item) for item in missing], ignore_conflicts=True)
        known |= _like(missing)
    return known


def _like(wanted: Collection[_Wanted]) -> dict[Key, int]:
    """The stored ones, in use from now on."""
    now = timezone.now()
    rows = MetricLayout.objects.filter(
        node_id__in={item.collector_key[0] for item in wanted}, digest__in={item.digest for item in wanted}
    )
    values = list(rows.values_list("node_id", "collector", "digest", "pk", "used_at"))
    old = sorted(pk for *_, pk, used_at in values if used_at < now - USE_RESOLUTION)
    gone = set(old) - touched(_TOUCH, old, now)
    return {
        (node, collector, bytes(digest)): pk for node, collector, digest, pk, _ in values if pk not in gone
    }


def _check_room(missing: Collection[_Wanted]) -> None:
    """TooManyLayoutsError if a device would exceed its limits."""
    since = partitions.kept_from(timezone.now()) - 3 * USE_RESOLUTION  # Most that `used_at` is early.
    new: dict[int, list[str]] = {}
    for item in missing:
        new.setdefault(item.collector_key[0], []).append(item.collector_key[1])
    known = {node: row for node, *row in store.query(_STORED, [sorted(new), since])}
    for node, collectors in new.items():
        layouts, stored, size = known.get(node, (0, [], 0))
        if layouts + len(collectors) > MAX_LAYOUTS or size > MAX_LAYOUT_BYTES:
            raise TooManyLayoutsError(f"{collectors[0]}: too many different sets of metrics of one device")
        if len({*stored, *collectors}) > MAX_COLLECTORS:
            raise TooManyLayoutsError(f"{collectors[0]}: more than {MAX_COLLECTORS} collectors of one device")


def _row(wanted: _Wanted) -> MetricLayout:
    node, collector = wanted.collector_key
    return MetricLayout(
        node_id=node,
        collector=collector,
        digest=wanted.digest,
        metrics=[metric for metric, _ in wanted.pairs],
        subjects=[subject for _, subject in wanted.pairs],
    )


def forget_layouts() -> None:
    """Clear the layout cache (tests roll back their transactions)."""
    _layouts.clear()


@dataclass(frozen=True, slots=True)
class _Values:
    """A set's columns by slot."""

    numbers: list[float | None]
    states: list[str | None]
    outcomes: list[int]

    @classmethod
    def of(cls, metrics: Iterable[MetricValue]) -> _Values:
        numbers, states, outcomes = [], [], []
        for item in metrics:
            state = _state_text(item)
            numbers.append(float(item.value) if state is None else None)
            states.append(state)
            outcomes.append(int(item.outcome))
        return cls(numbers, states, outcomes)

    @property
    def has_numbers(self) -> bool:
        return any(number is not None for number in self.numbers)

    def newest(self) -> tuple[str, str | None, str | None]:
        """The array literals of a `MetricSet`."""
        states = (
            _array(map(_quoted, self.states)) if any(state is not None for state in self.states) else None
        )
        outcomes = _array(map(str, self.outcomes)) if any(self.outcomes) else None
        return _array(map(_number, self.numbers)), states, outcomes

    def past(self) -> tuple[str, str]:
        """Places and values of non-zero numbers."""
        places, reported = [], []
        for place, (number, outcome) in enumerate(zip(self.numbers, self.outcomes, strict=True), 1):
            if number is None:
                continue
            known = number if outcome in COUNTED else math.nan
            if known != 0:
                places.append(str(place))
                reported.append(repr(known))
        return _array(places), _array(reported)


def _state_text(item: MetricValue) -> str | None:
    """The text of a state; None for a number. The register maps numeric states to texts."""
    if isinstance(item.value, str):
        return item.value
    known = METRICS.get(item.metric)
    if known is not None and known.kind == "state":
        return known.states.get(int(item.value), str(item.value))
    return None if math.isfinite(item.value) else ""


def _array(items: Iterable[str]) -> str:
    return "{" + ",".join(items) + "}"


def _number(value: float | None) -> str:
    return "NULL" if value is None else repr(value)


def _quoted(text: str | None) -> str:
    """An element of a text array (PostgreSQL manual, "Array Input and Output Syntax")."""
    if text is None:
        return "NULL"
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
