"""Devices' unsolicited notices: rate-limited events, and alarms, which stay raised until they clear.

A notice repeated within one report is one event with a count. A device may record `MOST_A_MINUTE` events per
minute; further notices are only counted, and the count is recorded as an event once a minute. The alarms of
all devices of a batch are read and written together, however many notices it has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Count, Q

from backstay.telemetry import partitions
from backstay.telemetry.alarm_models import Alarm, AlarmClearing
from backstay.telemetry.facts import Facts, NoticesDropped, NoticeSeen
from backstay.telemetry.ingest.clock import Correction, moment
from backstay.telemetry.models import Event
from backstay_wire import Notice, NoticeReport

MOST_A_MINUTE = 30
MOST_ALARMS = 500
"""Per device: bounds a device that invents subjects."""
MINUTE = timedelta(minutes=1)
UNDOES: dict[str, str] = {
    "link_up": "link_down",
    "card_up": "card_down",
    "pvc_up": "pvc_down",
    "aggregate_up": "aggregate_down",
    "switch_node_up": "switch_node_down",
    "sm_up": "sm_down",
    "sm_restart": "sm_down",
}
"""Notice -> the alarm of the same subject that it clears."""
RAISES = frozenset(
    {*UNDOES.values(), "gated_down", "power_failure", "over_temperature", "fan_failure"},
)
"""Notices that raise an alarm; no notice clears the last four, which last until a restart."""
RESTARTS = frozenset({"cold_start", "warm_start"})
"""Notices that clear all of the device's alarms (RFC 3418)."""


@dataclass(frozen=True, slots=True)
class _RepeatedNotice:
    """One notice and its count in the report."""

    notice: Notice
    times: int


def apply_notices(reports: Sequence[tuple[int, NoticeReport]], correction: Correction, facts: Facts) -> None:
    """Store the notices of devices, (node id, report), oldest first."""
    nodes = {node for node, _ in reports}
    alarms, received = _Alarms.of(nodes), moment(correction.received_ns)
    recorded = _recorded(nodes, received)
    for node, report in reports:
        for notice in sorted(report.notices, key=lambda item: item.at):
            facts.alarms |= alarms.take(node, notice, moment(correction.ours(notice.at)))
        reported, room = _collapsed(report.notices), max(MOST_A_MINUTE - recorded[node], 0)
        facts.notices += [_seen(node, item, correction) for item in reported[:room]]
        recorded[node] += len(reported[:room])
        dropped = sum(item.times for item in reported[room:]) + report.suppressed
        if dropped:
            facts.dropped_notices.append(NoticesDropped(node, moment(correction.ours(report.at)), dropped))
    alarms.write(partitions.kept_from(received))


def _collapsed(notices: list[Notice]) -> list[_RepeatedNotice]:
    found: dict[tuple[str, str, str, str], list[Notice]] = {}
    for notice in notices:
        found.setdefault((notice.name, notice.subject, notice.severity, notice.text), []).append(notice)
    return [_RepeatedNotice(same[0], len(same)) for same in found.values()]


def _recorded(nodes: Collection[int], received: datetime) -> Counter[int]:
    """Node id -> number of notices recorded as events in the last minute."""
    rows = Event.objects.filter(node_id__in=nodes, kind="notice", recorded_at__gt=received - MINUTE)
    return Counter(dict(rows.values_list("node_id").annotate(number=Count("pk")).order_by()))


def _seen(node: int, reported: _RepeatedNotice, correction: Correction) -> NoticeSeen:
    notice = reported.notice
    return NoticeSeen(
        node_id=node,
        at=moment(correction.ours(notice.at)),
        name=notice.name,
        source=notice.source,
        severity=notice.severity,
        about=notice.subject,
        text=notice.text,
        times=reported.times,
    )


Key = tuple[str, str]
"""Name and subject: identifies an alarm of a device."""
ALL: Key = ("", "")
"""Of a clearing: every alarm of the device."""


@dataclass(slots=True)
class _Clearings:
    """When some devices last cleared which alarms. The newest notices of a backlog arrive first, so that a
    notice of before a clearing may follow it."""

    _known: dict[int, dict[Key, datetime]]
    _changed: set[tuple[int, Key]] = field(default_factory=set)

    @classmethod
    def of(cls, nodes: Collection[int]) -> _Clearings:
        known: dict[int, dict[Key, datetime]] = {node: {} for node in nodes}
        rows = AlarmClearing.objects.filter(node_id__in=nodes)
        for node, name, subject, at in rows.values_list("node_id", "name", "subject", "at"):
            known[node][name, subject] = at
        return cls(known)

    def note(self, node: int, key: Key, at: datetime) -> None:
        """The device cleared this alarm, or ALL."""
        known = self._known[node]
        if key not in known or at > known[key]:
            known[key] = at
            self._changed.add((node, key))

    def is_before(self, node: int, key: Key, at: datetime) -> bool:
        """Whether the alarm was cleared after this time."""
        known = self._known[node]
        return any(at < known[one] for one in (key, ALL) if one in known)

    def write(self, kept_from: datetime) -> None:
        """Store the differences; older ones than `kept_from` and than MOST_ALARMS of a device are removed."""
        if not self._changed:
            return
        newest = {
            node: dict(sorted(known.items(), key=lambda item: item[1])[-MOST_ALARMS:])
            for node, known in self._known.items()
        }
        AlarmClearing.objects.bulk_create(
            [
                AlarmClearing(node_id=node, name=key[0], subject=key[1], at=newest[node][key])
                for node, key in sorted(self._changed)
                if key in newest[node]
            ],
            update_conflicts=True,
            unique_fields=["node", "name", "subject"],
            update_fields=["at"],
        )
        old = Q(at__lt=kept_from)
        for node, known in newest.items():
            if len(known) == MOST_ALARMS:
                old |= Q(node_id=node, at__lt=min(known.values()))
        AlarmClearing.objects.filter(old, node_id__in=self._known).delete()


@dataclass(slots=True)
class _Alarms:
    """The alarms of some devices. `take` changes them in memory, `write` in the database."""

    raised: dict[int, dict[Key, Alarm]]
    _clearings: _Clearings
    _gone: dict[tuple[int, Key], int] = field(default_factory=dict)
    _changed: dict[tuple[int, Key], Alarm] = field(default_factory=dict)

    @classmethod
    def of(cls, nodes: Collection[int]) -> _Alarms:
        raised: dict[int, dict[Key, Alarm]] = {node: {} for node in nodes}
        for alarm in Alarm.objects.filter(node_id__in=nodes):
            raised[alarm.node_id][alarm.name, alarm.subject] = alarm
        return cls(raised, _Clearings.of(nodes))

    def take(self, node: int, notice: Notice, at: datetime) -> bool:
        """Apply one notice; whether it raised or cleared an alarm."""
        known = self.raised[node]
        if notice.name in RESTARTS:
            self._clearings.note(node, ALL, at)
            return self._clear(node, [key for key, alarm in known.items() if alarm.at <= at])
        if notice.name in UNDOES:
            key = UNDOES[notice.name], notice.subject
            self._clearings.note(node, key, at)
            return key in known and known[key].at <= at and self._clear(node, [key])
        return notice.name in RAISES and self._raise(node, notice, at)

    def _clear(self, node: int, keys: Collection[Key]) -> bool:
        for key in keys:
            alarm = self.raised[node].pop(key)
            self._changed.pop((node, key), None)
            if alarm.pk is not None:
                self._gone[node, key] = alarm.pk
        return bool(keys)

    def _raise(self, node: int, notice: Notice, at: datetime) -> bool:
        known, key = self.raised[node], (notice.name, notice.subject)
        alarm = known.get(key)
        if self._clearings.is_before(node, key, at) or (alarm is None and len(known) >= MOST_ALARMS):
            return False
        if alarm is None:
            alarm = known[key] = Alarm(node_id=node, name=notice.name, subject=notice.subject, since=at)
        elif at <= alarm.at:
            return True
        alarm.severity, alarm.text, alarm.at = notice.severity, notice.text, at
        self._changed[node, key] = alarm
        return True

    def write(self, kept_from: datetime) -> None:
        """Store the differences, in the order of all writers; `kept_from`: older reports are refused."""
        self._clearings.write(kept_from)
        if self._gone:
            Alarm.objects.filter(pk__in=sorted(self._gone.values())).delete()
        changed = [self._changed[key] for key in sorted(self._changed)]
        for alarm in changed:
            alarm.pk = None  # The rows are found by their natural key.
        Alarm.objects.bulk_create(
            changed,
            update_conflicts=True,
            unique_fields=["node", "name", "subject"],
            update_fields=["severity", "text", "since", "at"],
        )
