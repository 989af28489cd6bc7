"""The chart of a message: the load of its first saturated link around the time at which it began."""

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
    listed = [item["id"] for item in notification.content["incidents"] if item["kind"] == KIND]
    rows = Incident.objects.filter(pk__in=listed, link__isnull=False).select_related("site")
    incident = rows.order_by("opened_at", "pk").first() if listed else None
    if incident is None:
        return None
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SELECT set_config('statement_timeout', %s, true)", [str(STATEMENT_MS)])
            points = _points(incident, now)
    except DatabaseError as problem:
        log.warning("no chart of incident %s: %s", incident.pk, problem)
        return None
    return chart(points, incident.threshold, incident.title, "share", incident.opened_at)


def _points(incident: Incident, now: datetime) -> list[Point]:
    """The share of the usable rate in the incident's direction, None for gaps."""
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
    means = (history.bins.outward if is_sent else history.bins.inward).mean
    # At least 1 bit/s: an unknown capacity never saturates.
    usable = max(float(topology.fabrics[link.fabric_id].usable_rate), 1.0)
    return [
        (datetime.fromtimestamp(at, start.tzinfo), None if mean is None else mean / usable)
        for at, mean in zip(history.bins.at, means, strict=True)
    ]
