"""`/capacity/forecast`: from stored roll-ups of days to dates, reasons and charts."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta

import numpy as np
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from backstay.api.tests.world import Json, World, bearer, person
from backstay.core.model.history import Floats
from backstay.core.planning.forecast.exhaustion import HISTORY_DAYS
from backstay.core.roles import Role
from backstay.core.rollups.bins import Rows, coarse_rows
from backstay.core.rollups.levels import DAILY, DAY_S, FINE, HOUR_S
from backstay.inventory import snapshot
from backstay.inventory.models import Link, Node, Site
from backstay.telemetry import partitions
from backstay.telemetry.forecast_models import ForecastRun, LinkForecast
from backstay.telemetry.forecasts import services
from backstay.telemetry.forecasts.load_history import day_loads
from backstay.telemetry.models import PortLayout
from backstay.telemetry.rollups import execution
from backstay.telemetry.rollups.partitions import ensure_rollups
from backstay.telemetry.rollups.store import SeriesRows, replace_rows
from backstay.telemetry.tasks import forecast_site_loads
from backstay.telemetry.tests.test_rollups import insert

BINS = DAY_S // FINE.width_s
FALLBACK = "atmgw:at0-router:at1"


@pytest.fixture
def world(db: None) -> World:
    return World.make(now=timezone.now())


def newest() -> date:
    return services.newest_day(timezone.now())


def link(name: str) -> Link:
    return Link.objects.get(site__name="argonne", label=name)


def usable(of: Link) -> int:
    topology = snapshot.load(Site.objects.get(name="argonne"))
    return topology.fabrics[of.fabric_id].usable_rate


def roll_up(node: str, loads: Mapping[str, Floats]) -> None:
    """Rows of 1 day up to the newest one; `loads`: port -> bit/s that it sends, NaN: not observed."""
    row = Node.objects.get(site__name="argonne", name=node)
    ports = list(row.ports.order_by("pk").values_list("pk", "name"))
    layout, _ = PortLayout.objects.get_or_create(
        node=row, digest=b"days", defaults={"ports": [ident for ident, _ in ports]}
    )
    days = len(next(iter(loads.values())))
    for number in range(days):
        day = newest() - timedelta(days=days - 1 - number)
        ensure_rollups(day)
        sent = np.array([loads[name][number] if name in loads else 0.0 for _, name in ports])
        seconds = np.full((1, BINS), 0.0 if np.isnan(sent).any() else float(FINE.width_s))
        octets = np.repeat(np.nan_to_num(sent)[None, :, None] * FINE.width_s / 8, BINS, axis=2)
        fine = Rows(seconds, np.ones((1, BINS), np.int64))
        for direction, values in (("in", octets / 8), ("out", octets)):
            fine.arrays[f"{direction}_octets"] = values.astype(np.int64)
            fine.arrays[f"{direction}_missing"] = None
            rates = np.full(values.shape, 1.0)
            fine.arrays[f"{direction}_min"] = fine.arrays[f"{direction}_max"] = rates
        at = datetime.combine(day, time(), UTC).timestamp()
        replace_rows(DAILY, [row.pk], at, [SeriesRows([(row.pk, layout.pk)], coarse_rows(fine, DAILY.bins))])


def growing(days: int = 60, level: float = 0.4, slope: float = 0.004, noise: float = 0.01) -> Floats:
    """Shares of the usable rate."""
    return level + slope * np.arange(days) + np.random.default_rng(4).normal(0, noise, days)


def refresh() -> int:
    return services.refresh(Site.objects.get(name="argonne"), timezone.now())


class Forecasts:
    """Requests of a viewer."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._headers = bearer(person("vera", Role.VIEWER, "argonne"), Role.VIEWER)

    def get(self, path: str = "", **query: str) -> Json:
        answer = self._client.get(f"/api/v1/capacity/forecast{path}", query, headers=self._headers)
        assert answer.status_code == 200, answer.content
        found: Json = answer.json()
        return found


@pytest.fixture
def api(world: World, client: Client) -> Forecasts:
    return Forecasts(client)


def test_a_growing_link_has_its_date_first_and_others_their_reason(api: Forecasts) -> None:
    fallback = link(FALLBACK)
    roll_up("atmgw", {"at0": growing() * usable(fallback)})
    assert refresh() == Link.objects.filter(site__name="argonne").count()
    page = api.get()
    first = page["items"][0]
    assert (first["name"], first["start"], first["end"]) == (FALLBACK, "atmgw", "router")
    assert (first["forecast"], first["state"], first["reason"]) == ("within_year", "warning", "")
    full_on = newest() + timedelta(days=91)  # 0.4 + 0.004 d = 1 after 150 days, 59 of them are past.
    assert abs((date.fromisoformat(first["full_on"]) - full_on).days) <= 6
    assert first["earliest"] <= first["full_on"] <= first["latest"]
    assert first["error"] < first["naive_error"]
    assert first["utilisation"] == pytest.approx(0.624, abs=0.02)
    (back,) = api.get(q=FALLBACK, forecast="not_within_year")["items"]
    assert (back["is_back"], back["start"], back["state"]) == (True, "router", "ok")
    unknown = api.get(forecast="unknown")["items"]
    assert len(unknown) == page["status"]["counts"]["unknown"]
    assert {item["reason"] for item in unknown} >= {"No day has a value."}
    assert all(item["full_on"] is None and item["state"] == "unknown" for item in unknown)
    assert page["status"]["headline"].startswith("1 of ")
    assert not page["status"]["is_stale"]


def test_filters_search_and_sorts_agree_with_the_rows(api: Forecasts) -> None:
    refresh()
    every = api.get(limit="500")["items"]
    assert len(every) == 2 * Link.objects.filter(site__name="argonne").count()
    mine = [item for item in every if "atmgw" in {item["start"], item["end"]}]
    assert {item["id"] for item in api.get(node="atmgw")["items"]} == {item["id"] for item in mine}
    assert {item["name"] for item in api.get(q=FALLBACK)["items"]} == {FALLBACK}
    fabric = link(FALLBACK).fabric
    assert len(api.get(fabric=fabric.name)["items"]) == 2 * fabric.links.count()
    names = [item["name"] for item in api.get(sort="name", limit="500")["items"]]
    assert sorted(names) == sorted(item["name"] for item in every)
    page = api.get(limit="3")
    assert page["next"]
    assert len({item["id"] for item in page["items"] + api.get(limit="3", cursor=page["next"])["items"]}) == 6


def test_a_chart_has_its_days_and_a_poor_fit_no_line(api: Forecasts) -> None:
    fallback = link(FALLBACK)
    values = growing() * usable(fallback)
    values[10] = np.nan
    noisy = np.random.default_rng(1).exponential(0.3, 60) * usable(link("sp01:css0-sp-switch"))
    roll_up("atmgw", {"at0": values})
    roll_up("sp01", {"css0": noisy})
    refresh()
    chart = api.get(f"/{LinkForecast.objects.get(link=fallback, is_back=False).pk}")
    assert chart["days"][0] == (newest() - timedelta(days=59)).isoformat()
    assert len(chart["days"]) == 60 + 365
    assert {len(chart[name]) for name in ("values", "trend", "low", "high")} == {60 + 365}
    assert chart["values"][10] is None
    assert chart["values"][0] == pytest.approx(values[0], rel=0.001)
    assert chart["values"][60:] == [None] * 365
    crossing = next(
        day for day, rate in zip(chart["days"], chart["trend"], strict=True) if rate >= usable(fallback)
    )
    assert crossing == chart["full_on"]
    early = next(
        day for day, rate in zip(chart["days"], chart["high"], strict=True) if rate >= usable(fallback)
    )
    assert early == chart["earliest"]
    poor = api.get(f"/{LinkForecast.objects.get(link__label='sp01:css0-sp-switch', is_back=False).pk}")
    assert (poor["forecast"], len(poor["days"])) == ("unknown", 60)
    assert "was off by" in poor["reason"]
    assert set(poor["trend"]) == {None}
    assert poor["error"] is None


def test_a_forecast_is_computed_once_a_day_and_again_with_another_usable_rate(world: World) -> None:
    total = Link.objects.filter(site__name="argonne").count()
    assert refresh() == total
    assert refresh() == 0
    fabric = link(FALLBACK).fabric
    fabric.usable_rate *= 2
    fabric.save()
    Site.objects.filter(name="argonne").update(version=Site.objects.get(name="argonne").version + 1)
    assert refresh() == fabric.links.count()
    assert services.refresh(Site.objects.get(name="argonne"), timezone.now() + timedelta(days=1)) == total


def test_a_run_out_of_time_goes_on_with_the_rest(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "GROUP", 2)
    site = Site.objects.get(name="argonne")
    assert services.refresh(site, timezone.now(), budget_s=0.0) == 2
    assert ForecastRun.objects.get().day is None
    assert services.refresh(site, timezone.now()) == Link.objects.filter(site=site).count() - 2
    assert ForecastRun.objects.get().day == newest()


def test_a_failure_is_recorded_and_old_forecasts_are_unknown(
    api: Forecasts, monkeypatch: pytest.MonkeyPatch
) -> None:
    roll_up("atmgw", {"at0": growing() * usable(link(FALLBACK))})
    refresh()
    old = newest() - timedelta(days=3)
    LinkForecast.objects.update(day=old)
    ForecastRun.objects.update(day=old)

    def fail(*_: object) -> Floats:
        raise RuntimeError("no rows")

    monkeypatch.setattr(services, "day_loads", fail)
    assert refresh() == 0
    page = api.get()
    assert page["status"]["error"] == "RuntimeError: no rows"
    assert page["status"]["failing_since"]
    assert page["status"]["headline"] == "The forecasts are too old to rely on"
    assert {item["state"] for item in page["items"]} == {"unknown"}
    assert all(item["is_stale"] for item in page["items"])


def test_the_task_computes_a_site_that_is_not_archived(world: World) -> None:
    site = Site.objects.get(name="argonne")
    assert forecast_site_loads(site.pk)
    assert LinkForecast.objects.filter(link__site=site).exists()
    Site.objects.filter(pk=site.pk).update(archived_at=timezone.now())
    assert not forecast_site_loads(site.pk)


def test_nothing_computed_is_said_so(api: Forecasts) -> None:
    page = api.get()
    assert page["items"] == []
    assert (page["status"]["headline"], page["status"]["is_stale"]) == (
        "No forecast has been computed yet",
        True,
    )


def test_days_are_those_of_the_rolled_up_samples(world: World) -> None:
    """From samples through the roll-ups: p95 of the day in both directions, and a day of which a third is
    known."""
    fallback = link(FALLBACK)
    node = Node.objects.get(site__name="argonne", name="router")
    names = list(node.ports.order_by("pk").values_list("pk", "name"))
    layout = PortLayout.objects.create(node=node, digest=b"samples", ports=[ident for ident, _ in names])
    day = datetime.combine(newest() - timedelta(days=1), time(), UTC)
    for ahead in range(4):
        partitions.ensure_day((day + timedelta(days=ahead)).date())
    place = [name for _, name in names].index("at1")
    octets = [[0] * len(names) for _ in range(24 + 8)]
    for hour, row in enumerate(octets):
        row[place] = 4500 * (hour + 1)  # 10 bit/s more each hour; it sends twice as much.
    insert(layout, [day.timestamp() + HOUR_S * (hour + 1) for hour in range(32)], float(HOUR_S), octets)
    while execution.run_round(timezone.now()):
        pass
    topology = snapshot.load(Site.objects.get(name="argonne"))
    with CaptureQueriesContext(connection) as queries:
        found = day_loads(topology, [topology.links[fallback.pk]], newest() - timedelta(days=1), 2)
    assert len(queries) <= 2
    assert found.shape == (1, 2, 2)
    # The router is end b: forward is what it receives. 23 of 24 hours are below p95.
    assert found[0, :, 0].tolist() == pytest.approx([230, 460])
    assert np.isnan(found[0, :, 1]).all()


def test_half_a_year_is_read_at_most(world: World) -> None:
    roll_up("atmgw", {"at0": growing(HISTORY_DAYS + 20, 0.1, 0.001) * usable(link(FALLBACK))})
    refresh()
    row = LinkForecast.objects.get(link=link(FALLBACK), is_back=False)
    assert row.line is not None
    assert row.line["count"] == HISTORY_DAYS
