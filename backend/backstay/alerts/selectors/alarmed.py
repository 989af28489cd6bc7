"""Alarms whose part also answers when it is asked: trap and poll tell of one trouble, one incident."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from backstay.core.alerting.unhealthy_states import part_of
from backstay.core.model.figure import figure_state
from backstay.inventory.models import Site
from backstay.telemetry import catalogue
from backstay.telemetry.models import Alarm
from backstay.telemetry.selectors.figures import figures_now

ASKED = {"card_down": "grf.card_state", "gated_down": "grf.gated", "over_temperature": "grf.temperature"}
"""Alarm -> the metric that says the same when the device is asked."""

Key = tuple[int, str]
"""(node id, part)."""


def alarmed_parts(nodes: Collection[int]) -> set[Key]:
    """Parts of these devices that an alarm speaks for."""
    if not nodes:
        return set()
    rows = Alarm.objects.filter(node_id__in=nodes, name__in=ASKED).values_list("node_id", "subject")
    return {(node, part_of(subject)) for node, subject in rows}


def taken_back(site: Site, alarms: Iterable[Alarm]) -> set[int]:
    """Ids of the alarms whose part was asked since and is well: surer than the notice that it is up again."""
    asked = [alarm for alarm in alarms if alarm.name in ASKED]
    if not asked:
        return set()
    told = figures_now(site, {alarm.node_id for alarm in asked}, {ASKED[alarm.name] for alarm in asked})
    well = {
        (item.node_id, item.metric, part_of(item.subject)): item.reading.at
        for item in told
        if figure_state(item.reading, catalogue.metric(item.metric), fresh=True) == "ok"
    }
    return {
        alarm.pk
        for alarm in asked
        if (at := well.get((alarm.node_id, ASKED[alarm.name], part_of(alarm.subject)))) and at > alarm.at
    }
