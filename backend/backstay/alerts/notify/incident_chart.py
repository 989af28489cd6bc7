"""The chart of a message: the load of the link of its first incident around the time at which it began.

Saturated links come first: their chart shows the limit as well.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import DatabaseError, connection, transaction

from backstay.alerts.models import Incident
from backstay.alerts.notify.chart import Point, chart
from backstay.alerts.notify.models import Notification
from backstay.inventory import snapshot
from backstay.telemetry.selectors.history import best_measured, port_history

KIND = "saturation"
BEFORE, LONGEST = timedelta(hours=1), timedelta(hours=6)
"""Before the incident began; the whole range."""
POINTS = 400
STATEMENT_MS = 3000
"""A message does not wait longer for one statement of its chart."""

log = logging.getLogger(__name__)


def incident_chart(notification: Notification, now: datetime) -> bytes | None:
    """A PNG; None if no incident of the message has a chart, or it cannot be read in time."""
    listed = [item["id"] for item in notification.content["incidents"]]
    rows = Incident.objects.filter(pk__in=listed, link__isnull=False).select_related("site", "rule")
    found = sorted(rows, key=lambda row: (row.rule.kind != KIND, row.opened_at, row.pk)) if listed else ()
    if not found:
        return None
    incident = found[0]
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SELECT set_config('statement_timeout', %s, true)", [str(STATEMENT_MS)])
            points = _points(incident, now)
    except DatabaseError as problem:
        log.warning("no chart of incident %s: %s", incident.pk, problem)
        return None
    limit = incident.threshold if incident.rule.kind == KIND else None
    return chart(points, limit, incident.title, "share", incident.opened_at)


def _highest(pair: tuple[float | None, float | None]) -> float | None:
    """Of both directions."""
    return max((value for value in pair if value is not None), default=None)


def _points(incident: Incident, now: datetime) -> list[Point]:
    """The share of the usable rate in the incident's direction, else in the busier one; None for gaps."""
    topology = snapshot.load(incident.site)
    link = topology.links.get(incident.link_id or 0)
    if link is None:
        return []
    start = incident.opened_at - BEFORE
    end = min(incident.resolved_at or now, start + LONGEST)
    ends = [link.a, *([link.b] if link.b is not None else [])]
    port = topology.ports[best_measured(ends, start, end)]
    history = port_history(port, start, end, points=POINTS, interval_s=incident.site.interval_s)
    is_sent = (port.id == link.a) == (incident.direction != "back")
    sent, received = history.bins.outward.mean, history.bins.inward.mean
    busier = map(_highest, zip(sent, received, strict=True))
    means = busier if not incident.direction else sent if is_sent else received
    # At least 1 bit/s: an unknown capacity never saturates.
    usable = max(float(topology.fabrics[link.fabric_id].usable_rate), 1.0)
    return [
        (datetime.fromtimestamp(at, start.tzinfo), None if mean is None else mean / usable)
        for at, mean in zip(history.bins.at, means, strict=True)
    ]
