"""Computes a site's forecasts once a day and stores them.

They are stored, not computed for a page: a list that begins with the links that fill soonest needs the
forecast of every link, and the values change once a day. Links are computed in groups, each in a transaction
of its own, for at most `BUDGET_S`: the next task continues, and a site of any size needs bounded memory.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import date, datetime, timedelta

import numpy as np
from django.db import OperationalError
from django.db.models import Exists, OuterRef, QuerySet

from backstay.core.planning.forecast.exhaustion import HISTORY_DAYS, ExhaustionForecast, forecasts
from backstay.core.rollups.levels import DAY_S, closed_until
from backstay.inventory import snapshot
from backstay.inventory.models import Link, Site
from backstay.telemetry.forecast_models import ForecastRun, LinkForecast
from backstay.telemetry.forecasts.load_history import day_loads
from backstay.telemetry.rollups.store import moment
from backstay.telemetry.selectors.ports import usable

log = logging.getLogger(__name__)
GROUP = 500
"""Links that are read and computed at once."""
BUDGET_S = 30.0
ROLLED_UP_AFTER_S = 3600.0
"""The roll-ups of a day are awaited for so long."""
_VALUES = (
    "day", "usable_rate", "state", "reason", "current_bps", "utilisation", "full_on", "earliest", "latest",
    "error", "naive_error", "line",
)  # fmt: skip


def newest_day(now: datetime) -> date:
    """The newest day whose roll-ups are complete (UTC)."""
    return moment(closed_until(now.timestamp() - ROLLED_UP_AFTER_S, DAY_S) - DAY_S).date()


def first_day(day: date) -> date:
    """The day of the first column of a forecast that rests on values up to `day`."""
    return day - timedelta(days=HISTORY_DAYS - 1)


def refresh(site: Site, now: datetime, budget_s: float = BUDGET_S) -> int:
    """Compute the forecasts that are due, for at most `budget_s` and a group; returns the number of links.

    A failure is recorded; stored forecasts stay, with their day. Raises OperationalError.
    """
    run, _ = ForecastRun.objects.get_or_create(site=site)
    try:
        return _refresh(site, run, now, budget_s)
    except OperationalError:
        raise
    except Exception as cause:
        log.exception("the forecasts of %s cannot be computed", site.name)
        run.error = f"{type(cause).__name__}: {cause}"[:1000]
        run.failing_since = run.failing_since or now
        run.save(update_fields=["error", "failing_since"])
        return 0


def _refresh(site: Site, run: ForecastRun, now: datetime, budget_s: float) -> int:
    day = newest_day(now)
    ends_at, started, done = time.monotonic() + budget_s, time.process_time(), 0
    for links in _due(site, day):
        _store(site, links, day)
        done += len(links)
        if time.monotonic() > ends_at:
            break
    else:
        run.day = day
    if done:
        run.computed_at, run.cpu_ms = now, (time.process_time() - started) * 1000
    run.error, run.failing_since = "", None
    run.save()
    return done


def _due(site: Site, day: date) -> Iterator[list[int]]:
    """Ids of links without a forecast for this day and today's usable rate, in groups."""
    after = 0
    while True:
        group = list(_outdated(site, day).filter(pk__gt=after)[:GROUP])
        if not group:
            return
        yield group
        after = group[-1]


def _outdated(site: Site, day: date) -> QuerySet[Link, int]:
    known = LinkForecast.objects.filter(link=OuterRef("pk"), day=day, usable_rate=OuterRef("usable"))
    rows = Link.objects.filter(site=site).annotate(usable=usable("fabric__usable_rate", site))
    return rows.filter(~Exists(known)).order_by("pk").values_list("pk", flat=True)


def _store(site: Site, idents: Sequence[int], day: date) -> None:
    topology = snapshot.load(site)
    links = [topology.links[ident] for ident in idents if ident in topology.links]
    if not links:
        return
    rates = [float(topology.fabrics[link.fabric_id].usable_rate) for link in links for _ in range(2)]
    values = day_loads(topology, links, first_day(day), HISTORY_DAYS).reshape(-1, HISTORY_DAYS)
    found = forecasts(values, np.array(rates), first_day(day).weekday())
    LinkForecast.objects.bulk_create(
        [
            _row(links[number // 2].id, number % 2 == 1, day, rate, item)
            for number, (rate, item) in enumerate(zip(rates, found, strict=True))
        ],
        update_conflicts=True,
        unique_fields=["link", "is_back"],
        update_fields=_VALUES,
    )


def _row(link: int, is_back: bool, day: date, usable_rate: float, item: ExhaustionForecast) -> LinkForecast:
    current = item.current
    return LinkForecast(
        link_id=link,
        is_back=is_back,
        day=day,
        usable_rate=round(usable_rate),
        state=item.state,
        reason=item.reason,
        current_bps=None if current is None else round(current),
        utilisation=None if current is None or usable_rate <= 0 else round(current / usable_rate, 4),
        full_on=_date(day, item.full_on),
        earliest=_date(day, item.earliest),
        latest=_date(day, item.latest),
        error=item.error,
        naive_error=item.naive_error,
        line=None if item.line is None else asdict(item.line),
    )


def _date(day: date, column: float | None) -> date | None:
    """The day on which it happens."""
    return None if column is None else first_day(day) + timedelta(days=math.ceil(column))
