"""Alarms whose part is also polled: trap and poll report one problem, so there is one incident."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from backstay.core.alerting.unhealthy_states import part_of
from backstay.core.model.device_metric import metric_state
from backstay.inventory.models import Site
from backstay.telemetry import catalogue
from backstay.telemetry.alarm_models import Alarm
from backstay.telemetry.selectors.metrics import metrics_now

METRICS = {
    "card_down": "grf.card_state",
    "gated_down": "grf.gated",
    "over_temperature": "grf.temperature",
}
"""Alarm -> the metric that reports the same condition."""

Key = tuple[int, str]
"""(node id, part)."""


def alarmed_parts(nodes: Collection[int]) -> set[Key]:
    """Parts of these devices with an alarm."""
    if not nodes:
        return set()
    rows = Alarm.objects.filter(node_id__in=nodes, name__in=METRICS).values_list("node_id", "subject")
    return {(node, part_of(subject)) for node, subject in rows}


def cleared_by_poll(site: Site, alarms: Iterable[Alarm]) -> set[int]:
    """Ids of the alarms whose part a later poll found healthy: more reliable than the clearing notice."""
    polled = [alarm for alarm in alarms if alarm.name in METRICS]
    if not polled:
        return set()
    metrics = metrics_now(
        site, {alarm.node_id for alarm in polled}, {METRICS[alarm.name] for alarm in polled}
    )
    healthy = {
        (item.node_id, item.metric, part_of(item.subject)): item.reading.at
        for item in metrics
        if metric_state(item.reading, catalogue.metric(item.metric), fresh=True) == "ok"
    }
    return {
        alarm.pk
        for alarm in polled
        if (at := healthy.get((alarm.node_id, METRICS[alarm.name], part_of(alarm.subject)))) and at > alarm.at
    }
