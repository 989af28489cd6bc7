"""The statement of all paths of a site has the states and the history of the list of a page, row by row."""

from __future__ import annotations

import random
import uuid
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from backstay.alerts.models import Incident, SiteRule
from backstay.alerts.selectors.history.history_paths import paths_at
from backstay.alerts.selectors.paths.listed import (
    ListedPaths,
    outage_key,
    past_paths,
    present_paths,
    switches_of_day,
)
from backstay.alerts.tests.test_state_parity import scramble
from backstay.api.tests.world import World
from backstay.inventory.sql import fetch_rows
from backstay.policy import path_states
from backstay.policy.models import (
    FailoverPolicy,
    Hold,
    Path,
    PathGap,
    PathOutage,
    PathSwitch,
    PolicyGateway,
)
from backstay.policy.selectors import PathState, policies

SEEDS = range(8)
FILTERS: tuple[dict[str, str], ...] = ({}, {"node": "sp01"}, {"policy": "sp-default"}, {"text": "atmgw"})


@pytest.fixture
def world(db: None) -> World:
    world = World.make(now=timezone.now())
    world.describe()
    world.all_paths()
    return world


def remember(world: World, seed: int) -> list[datetime]:
    """States as `scramble`, and a history at random; moments at, before and after its edges."""
    scramble(world, seed)
    chance = random.Random(seed)
    moments = [world.now - timedelta(minutes=minutes) for minutes in (1, 10, 30, 60, 1440, 1500)]
    if seed % 2:
        FailoverPolicy.objects.filter(name="sp-default").update(stripe={"gateways": ["grf1", "atmgw"]})
    if seed % 3 == 0:
        PolicyGateway.objects.filter(policy__name="router-to-sp").delete()
    if seed % 4 == 0:
        FailoverPolicy.objects.filter(name="origin1-to-sp").update(target=None)
    kinds = list(SiteRule.objects.filter(site=world.site, kind__in=("redundancy_lost", "port_down")))
    for path in Path.objects.order_by("pk"):
        path.since, path.target_since = (chance.choice([None, *moments]) for _ in range(2))
        path.observed_from = chance.choice([None, moments[2], moments[-1], moments[-1]])
        path.save()
        for _ in range(chance.randrange(4)):
            PathSwitch.objects.create(
                path=path, uid=uuid.uuid4(), at=chance.choice(moments), probe_interval_ms=50,
                from_gateway=chance.choice(["grf1", "atmgw", ""]),
                to_gateway=chance.choice(["grf1", "atmgw", ""]),
            )  # fmt: skip
        for _ in range(chance.randrange(4)):
            start, end = sorted(chance.sample(moments, 2))
            is_over = chance.random() < 0.6
            PathOutage.objects.create(
                path=path, uid=uuid.uuid4(), start=start, end=end if is_over else None, at=end,
                duration_ms=chance.choice([0.0, 1500.25]) if is_over else None, cause="target_dead",
                measured_by=chance.choice(["probes", "route", "reports"]), probe_interval_ms=50,
                earlier_start=chance.choice([None, start - timedelta(seconds=90)]),
            )  # fmt: skip
        if chance.random() < 0.3:
            start, end = sorted(chance.sample(moments, 2))
            PathGap.objects.create(path=path, start=start, end=end)
        if chance.random() < 0.4:
            opened, resolved = sorted(chance.sample(moments, 2))
            incident = Incident.objects.create(
                site=world.site, rule=chance.choice(kinds), fingerprint=str(path.pk), subject="x", title="x",
                phase=chance.choice(["pending", "open", "resolved"]), severity="warning",
                own_severity="warning", opened_at=opened, last_seen=resolved,
                resolved_at=chance.choice([None, resolved]),
            )  # fmt: skip
            incident.paths.add(path)
    for name in ("sp01", "sp02"):
        Hold.objects.create(
            node=world.node(name), uid=name, origin="backend", person="oli", seconds=60,
            at=chance.choice(moments), until=world.now, state=chance.choice(["held", "ended"]),
            since=chance.choice(moments),
        )  # fmt: skip
    return moments


def read(listed: ListedPaths, at: datetime | None, now: datetime) -> dict[int, tuple[Any, ...]]:
    """By path id."""
    rows = fetch_rows(
        f"""
        WITH {listed.tables}
        SELECT listed.id, active_text, since, end_to_end, placement, status, target_since, outage.key,
            coalesce(switches.number, 0), preferred, standby
        FROM ({listed.paths}) AS listed
        LEFT JOIN ({switches_of_day(at, now)}) AS switches ON switches.path_id = listed.id
        LEFT JOIN LATERAL ({outage_key(at)}) AS outage ON true
        """,
        listed.parameters,
    )
    return {row[0]: row[1:] for row in rows}


@pytest.mark.parametrize("seed", SEEDS)
def test_present_paths_are_those_of_the_list(world: World, seed: int) -> None:
    remember(world, seed)
    known = policies(world.site)
    for filters in FILTERS:
        rows: Any = path_states.paths(world.site, world.now, **filters)
        expected = {}
        for row in rows:
            path, policy = PathState.of(row), known[row.policy_id]
            gateways = path.gateways(policy)
            expected[row.pk] = (
                row.active_text, row.since, row.end_to_end, row.placement, row.status, row.target_since,
                row.last_outage_key, row.switches_24h, next(iter(gateways.values()), None),
                path.best_standby(policy),
            )  # fmt: skip
        assert read(present_paths(world.site, world.now, **filters), None, world.now) == expected


@pytest.mark.parametrize("seed", SEEDS)
def test_past_paths_are_those_of_the_list(world: World, seed: int) -> None:
    moments = remember(world, seed)
    for at in (*moments, *(moment + timedelta(seconds=1) for moment in moments)):
        for filters in FILTERS:
            rows: Any = paths_at(world.site, at, world.now, **filters)
            expected = {
                row.pk: (
                    row.active_then, row.since_then, row.end_to_end, row.placement, row.status,
                    row.dead_since, row.last_outage_key, row.switches_24h,
                )
                for row in rows
            }  # fmt: skip
            found = read(past_paths(world.site, at, world.now, **filters), at, world.now)
            assert {path: values[:8] for path, values in found.items()} == expected, at
            assert {values[9] for values in found.values()} <= {None}


def test_a_path_of_a_policy_without_gateways_has_no_standby(world: World) -> None:
    PolicyGateway.objects.filter(policy__name="sp-default").delete()
    found = read(present_paths(world.site, world.now, policy="sp-default"), None, world.now)
    assert {(values[3], *values[8:]) for values in found.values()} == {("preferred", None, "none")}
