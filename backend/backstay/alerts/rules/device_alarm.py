"""An alarm that a device raised by a trap or syslog line and has not cleared: card, power supply, gated, PVC.

`link_down` is left to the rule `port_down` where the device is polled: a poll is more reliable than a trap,
whose clearing trap may be lost. For the same reason an alarm ends when a poll finds its part healthy.
"""

from __future__ import annotations

from dataclasses import replace

from backstay.alerts.evidence import MAX_EVIDENCE, observed
from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult
from backstay.alerts.rules import device_state
from backstay.alerts.selectors.polled_alarms import cleared_by_poll
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.alerts.storms import split
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.diagnosis.faults.fault import FaultEvidence
from backstay.core.formatting import count, listing
from backstay.core.thresholds import INCIDENTS_PER_DEVICE
from backstay.telemetry.alarm_models import Alarm
from backstay.telemetry.facts import Facts
from backstay.telemetry.models import PortState

POLLED = frozenset({"link_down"})


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """One finding per alarm; many alarms of one device share one."""
    alarms = list(Alarm.objects.filter(node__site=snapshot.site).select_related("node").order_by("pk"))
    polled, cleared = _polled_ports(alarms), cleared_by_poll(snapshot.site, alarms)
    lasting = [
        alarm
        for alarm in alarms
        if alarm.pk not in cleared and not (alarm.name in POLLED and (alarm.node_id, alarm.subject) in polled)
    ]
    single, shared = split(lasting, present, INCIDENTS_PER_DEVICE, _names)
    found = [(_finding(alarm), [alarm]) for alarm in single]
    found += [(_shared(name, items), items) for name, items in shared.items()]
    return RuleResult(
        tuple(replace(finding, evidence=_evidence(snapshot, items)) for finding, items in found)
    )


def _evidence(snapshot: SiteSnapshot, alarms: list[Alarm]) -> tuple[FaultEvidence, ...]:
    """The newest notice of each alarm."""
    newest = sorted(alarms, key=lambda alarm: (-alarm.at.timestamp(), alarm.pk))[:MAX_EVIDENCE]
    return tuple(observed(snapshot, alarm.node_id, alarm.text, alarm.at) for alarm in newest)


def _names(alarm: Alarm) -> tuple[str, str]:
    return f"device_alarm:{alarm.pk}", f"device_alarm:*:{alarm.node_id}"


def _shared(fingerprint: str, alarms: list[Alarm]) -> Finding:
    """One finding of many alarms of a device."""
    node, newest = alarms[0].node, max(alarms, key=lambda alarm: alarm.at)
    kinds = listing(sorted({alarm.name.replace("_", " ") for alarm in alarms}))
    return Finding(
        fingerprint=fingerprint,
        severity="critical" if any(alarm.severity == "critical" for alarm in alarms) else "warning",
        subject=node.name,
        title=f"{node.name}: {count(len(alarms), 'alarm')} ({kinds})"[:300],
        detail=f"The device raised these alarms and has not cleared them. The newest: {newest.text}"[:2000],
        since=min(alarm.since for alarm in alarms),
        node_id=node.pk,
        value=float(len(alarms)),
    )


def _polled_ports(alarms: list[Alarm]) -> set[tuple[int, str]]:
    """(node id, port name) of the ports that are polled."""
    nodes = {alarm.node_id for alarm in alarms if alarm.name in POLLED}
    if not nodes:
        return set()
    rows = PortState.objects.filter(port__node__in=nodes)
    return set(rows.values_list("port__node_id", "port__name"))


def _finding(alarm: Alarm) -> Finding:
    what = alarm.name.replace("_", " ")
    subject = f"{alarm.node.name}:{alarm.subject}" if alarm.subject else alarm.node.name
    return Finding(
        fingerprint=_names(alarm)[0],
        severity="critical" if alarm.severity == "critical" else "warning",
        subject=subject,
        title=f"{subject}: {what}",
        detail=f"The device raised this alarm and has not cleared it: {alarm.text}",
        since=alarm.since,
        node_id=alarm.node_id,
    )


def _has_alarm(facts: Facts) -> bool:
    return facts.alarms or bool(facts.restarts)


RULE = Rule(
    kind="device_alarm",
    title="Device alarm",
    severity="warning",
    evaluate=evaluate,
    triggers=_has_alarm,
    cause_rank=CauseRank.EFFECT,
    scope=device_state.scope,
    source="snmp",
    group="devices",
    about="node",
    summary="A device reports an alarm that lasts.",
    runbook="device-state",
)
