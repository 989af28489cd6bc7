"""A trouble that a device told of unasked and has not taken back: a card, a power supply, gated, a PVC.

A link that went down is left to the rule of ports where the device is polled: what it answers when asked is
surer than a trap, whose opposite may be lost. For the same reason an alarm ends when its part is asked and
well.
"""

from __future__ import annotations

from backstay.alerts.finding import Finding, Verdict
from backstay.alerts.models import Incident, Rule
from backstay.alerts.selectors.alarmed import taken_back
from backstay.alerts.selectors.situation import Situation
from backstay.telemetry.models import Alarm, PortState

POLLED = frozenset({"link_down"})


def evaluate(situation: Situation, rule: Rule, present: dict[str, Incident]) -> Verdict:
    """One finding an alarm."""
    alarms = list(Alarm.objects.filter(node__site=situation.site).select_related("node").order_by("pk"))
    known, well = _described(alarms), taken_back(situation.site, alarms)
    return Verdict(
        tuple(
            _finding(alarm)
            for alarm in alarms
            if alarm.pk not in well and not (alarm.name in POLLED and (alarm.node_id, alarm.subject) in known)
        )
    )


def _described(alarms: list[Alarm]) -> set[tuple[int, str]]:
    """(node id, port name) of the ports that answer when asked."""
    nodes = {alarm.node_id for alarm in alarms if alarm.name in POLLED}
    if not nodes:
        return set()
    rows = PortState.objects.filter(port__node__in=nodes)
    return set(rows.values_list("port__node_id", "port__name"))


def _finding(alarm: Alarm) -> Finding:
    what = alarm.name.replace("_", " ")
    subject = f"{alarm.node.name}:{alarm.subject}" if alarm.subject else alarm.node.name
    return Finding(
        fingerprint=f"device_alarm:{alarm.pk}",
        severity="critical" if alarm.severity == "critical" else "warning",
        subject=subject,
        title=f"{subject}: {what}",
        detail=f"The device said so by itself and has not taken it back: {alarm.text}",
        since=alarm.since,
        node_id=alarm.node_id,
    )
