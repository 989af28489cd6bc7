"""Devices' unsolicited notices: rate-limited events, and alarms, which stay raised until they clear.

A notice repeated within one report is one event with a count. A device may record `MOST_A_MINUTE` events per
minute; further notices are only counted, and the count is recorded as an event once a minute.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from backstay.telemetry.facts import Facts, NoticesDropped, NoticeSeen
from backstay.telemetry.ingest.clock import Correction, moment
from backstay.telemetry.models import Alarm, Event
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


def apply_notices(node: int, report: NoticeReport, correction: Correction, facts: Facts) -> None:
    """Store a device's notices in order of arrival."""
    _apply_alarms(node, report.notices, correction, facts)
    reported = _collapsed(report.notices)
    room = _room(node, moment(correction.received_ns), facts)
    for item in reported[:room]:
        facts.notices.append(_seen(node, item, correction))
    dropped = sum(item.times for item in reported[room:]) + report.suppressed
    if dropped:
        facts.dropped_notices.append(NoticesDropped(node, moment(correction.ours(report.at)), dropped))


def _collapsed(notices: list[Notice]) -> list[_RepeatedNotice]:
    found: dict[tuple[str, str, str, str], list[Notice]] = {}
    for notice in notices:
        found.setdefault((notice.name, notice.subject, notice.severity, notice.text), []).append(notice)
    return [_RepeatedNotice(same[0], len(same)) for same in found.values()]


def _room(node: int, received: datetime, facts: Facts) -> int:
    """Number of events that the device may still record in this minute."""
    recent = Event.objects.filter(node_id=node, kind="notice", recorded_at__gt=received - MINUTE).count()
    waiting = sum(seen.node_id == node for seen in facts.notices)
    return max(MOST_A_MINUTE - recent - waiting, 0)


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


def _apply_alarms(node: int, notices: list[Notice], correction: Correction, facts: Facts) -> None:
    for notice in sorted(notices, key=lambda item: item.at):
        at = moment(correction.ours(notice.at))
        if notice.name in RESTARTS:
            facts.alarms |= _clear(node, at)
        elif notice.name in UNDOES:
            facts.alarms |= _clear(node, at, name=UNDOES[notice.name], subject=notice.subject)
        elif notice.name in RAISES:
            facts.alarms |= _raise(node, notice, at)


def _clear(node: int, at: datetime, **which: str) -> bool:
    return bool(Alarm.objects.filter(node_id=node, at__lte=at, **which).delete()[0])


def _raise(node: int, notice: Notice, at: datetime) -> bool:
    known = Alarm.objects.filter(node_id=node)
    same = known.filter(name=notice.name, subject=notice.subject).first()
    if same is None and known.count() >= MOST_ALARMS:
        return False
    values = {"severity": notice.severity, "text": notice.text, "at": at}
    if same is None:
        Alarm.objects.create(node_id=node, name=notice.name, subject=notice.subject, since=at, **values)
    elif at > same.at:
        known.filter(pk=same.pk).update(**values)
    return True
