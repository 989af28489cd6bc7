"""What expired is removed in batches, what is open, current or referenced stays, and rounds continue."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any, cast
from uuid import uuid4

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone
from pytest_django import DjangoDbBlocker, Settings

from backstay.accounts.models import Agent, ApiToken, EnrolmentToken, SignInAttempts, User
from backstay.alerts.models import Flip, Incident
from backstay.api.models import KeptAnswer
from backstay.api.tests.world import World, kept
from backstay.core.retention import BY_NAME, Table
from backstay.inventory.models import Site
from backstay.policy.models import Decision, FailoverPolicy, Hold, Path, PathGap, PathOutage, PathSwitch
from backstay.policy.outage_totals import outage_totals
from backstay.policy.timeline import timelines
from backstay.retention import services
from backstay.retention.conditions import CONDITIONS, Condition
from backstay.retention.models import RetentionRun
from backstay.retention.services import expired, expired_rows, limit_statements, remove_batch, remove_expired
from backstay.rollout.models import Drill, Move
from backstay.telemetry.models import Event
from backstay.throughput.models import TestCell, TestPlan, TestRun

NOW = datetime(2031, 5, 10, 12, 0, tzinfo=UTC)
EVENTS, PATHS = BY_NAME["events"], BY_NAME["path_history"]


def ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with kept(django_db_blocker):
        yield World.make(now=NOW)


@pytest.fixture
def site(made: World, db: None) -> Site:
    return Site.objects.get(pk=made.site.pk)


@pytest.fixture
def path(site: Site) -> Path:
    row = Path.objects.filter(policy__site=site).order_by("pk")[0]
    Path.objects.filter(pk=row.pk).update(observed_from=ago(900), at=NOW, active_text="grf1")
    return Path.objects.select_related("policy", "node").get(pk=row.pk)


def event(site: Site, days: float, incident: Incident | None = None) -> Event:
    return Event.objects.create(
        site=site,
        kind="a",
        at=ago(days),
        subject="a",
        message="a",
        incident_id=incident.pk if incident else None,
    )


def incident(site: Site, number: int, resolved: float | None, **more: Any) -> Incident:
    return Incident.objects.create(
        **{
            "site": site,
            "rule": site.rules.all()[0],
            "fingerprint": f"a:{number}",
            "phase": "open" if resolved is None else "resolved",
            "opened_at": ago(900),
            "last_seen": NOW,
            "resolved_at": None if resolved is None else ago(resolved),
            **more,
        }
    )


def run(plan: TestPlan, days: float | None, state: str = "done") -> TestRun:
    row = TestRun.objects.create(
        plan=plan, state=state, priority=5, asked_at=ago(days or 0), source="lab", asked={},
        ended_at=None if days is None else ago(days),
    )  # fmt: skip
    TestCell.objects.create(run=row, index=0, flows=[], spec={}, seconds=1.0)
    return row


def plan(site: Site, name: str = "p", **more: Any) -> TestPlan:
    return TestPlan.objects.create(
        site=site, name=name, shape="pair", senders=["a"], matrix={}, created_at=NOW, changed_at=NOW, **more
    )


def outage(path: Path, start: float, end: float | None) -> PathOutage:
    return PathOutage.objects.create(
        path=path, uid=uuid4(), start=ago(start), end=None if end is None else ago(end), cause="switch",
        duration_ms=None if end is None else (start - end) * 86_400_000, measured_by="probes",
        probe_interval_ms=50, at=ago(end or 0),
    )  # fmt: skip


def switch(path: Path, days: float) -> PathSwitch:
    return PathSwitch.objects.create(
        path=path, uid=uuid4(), at=ago(days), from_gateway="grf1", to_gateway="atmgw", probe_interval_ms=50
    )


def test_events_go_after_their_days_and_those_of_open_incidents_stay(site: Site) -> None:
    open_one = incident(site, 1, None)
    kept_ones = [event(site, 89), event(site, 500, open_one)]
    event(site, 91)
    assert remove_expired(NOW)["telemetry.Event"] == 1
    assert set(Event.objects.filter(kind="a")) == set(kept_ones)


def test_a_site_keeps_its_own_days(site: Site, settings: Settings) -> None:
    settings.RETENTION_DAYS = {"events": 10}
    other = World.make(2, "other", now=NOW).site
    Event.objects.all().delete()
    Site.objects.filter(pk=other.pk).update(retention={"events": 50}, archived_at=NOW)
    for place in (site, other):
        for days in (5, 20, 60):
            event(place, days)
    remove_expired(NOW)
    rows = Event.objects.order_by("-at").values_list("site__name", "at")
    assert set(rows) == {("argonne", ago(5)), ("other", ago(5)), ("other", ago(20))}


def test_incidents_go_with_their_flips_and_after_effects_and_events(site: Site) -> None:
    cause = incident(site, 1, 500)
    effect = incident(site, 2, 450, cause=cause)
    Flip.objects.create(incident=effect, from_phase="open", to_phase="resolved", at=ago(450), comment="why")
    young = incident(site, 3, 100)
    cause_of_young = incident(site, 4, 500)
    Incident.objects.filter(pk=young.pk).update(cause=cause_of_young)
    never_resolved = incident(site, 5, None)
    named = incident(site, 6, 500)
    event(site, 10, named)
    assert remove_expired(NOW)["alerts.Incident"] == 2, "the cause, once its effect is gone"
    left = {young.pk, cause_of_young.pk, never_resolved.pk, named.pk}
    assert set(Incident.objects.values_list("pk", flat=True)) == left
    assert not Flip.objects.exists()


def test_the_newest_outage_and_switch_of_a_path_and_an_ongoing_outage_stay(path: Path, site: Site) -> None:
    other = Path.objects.filter(policy__site=site).exclude(pk=path.pk).order_by("pk")[0]
    for days in (800, 700, 600):
        outage(path, days, days - 0.1)
        switch(path, days)
    ongoing = outage(other, 650, None)
    remove_expired(NOW)
    assert list(PathOutage.objects.filter(path=path).values_list("start", flat=True)) == [ago(600)]
    assert list(PathSwitch.objects.filter(path=path).values_list("at", flat=True)) == [ago(600)]
    assert PathOutage.objects.filter(path=other).get() == ongoing


def test_the_parts_of_an_outage_over_restarts_stay_as_long_as_it_lasts(path: Path) -> None:
    parts = [outage(path, 700, 600), outage(path, 600, 500), outage(path, 500, None)]
    PathOutage.objects.filter(pk__in=[row.pk for row in parts[1:]]).update(earlier_start=ago(700))
    remove_expired(NOW)
    assert set(PathOutage.objects.filter(path=path)) == set(parts)
    outage(path, 1, 0.9)
    PathOutage.objects.filter(pk=parts[2].pk).update(end=ago(450))
    remove_expired(NOW)
    assert list(PathOutage.objects.filter(path=path).values_list("start", flat=True)) == [ago(1)]


def test_time_whose_records_were_removed_is_unknown_not_free_of_outages(path: Path) -> None:
    outage(path, 800, 799)
    outage(path, 500, 499)
    PathGap.objects.create(path=path, start=ago(450), end=ago(440))
    outage(path, 3, 2.9)
    remove_expired(NOW)
    path.refresh_from_db()
    assert path.observed_from == ago(440)
    (line,) = timelines([path], ago(460), ago(430), NOW)
    assert [(item.is_known, item.end) for item in line.segments] == [(False, ago(440)), (True, ago(430))]
    policy = FailoverPolicy.objects.get(pk=path.policy_id)
    Path.objects.filter(policy=policy).exclude(pk=path.pk).update(observed_from=None)
    before = outage_totals(policy, "day", ago(500), ago(499), NOW)[0]
    assert (before.outages, before.observed_s) == (0, 0), "nothing is known about that day"
    assert outage_totals(policy, "day", ago(3.5), ago(2), NOW)[0].observed_s > 0


def test_decisions_gaps_holds_moves_and_drills(path: Path) -> None:
    for days in (200, 150, 120):
        Decision.objects.create(path=path, at=ago(days), reason="dead", evidence="", took_ms=1)
    node, end = path.node, {"seconds": 60, "person": "ann", "since": ago(500)}
    for number, state in enumerate(("ended", "failed", "held")):
        Hold.objects.create(
            node=node, uid=str(number), origin="node", at=ago(500), until=ago(500), state=state, **end
        )
    drills = [
        Drill.objects.create(policy=path.policy, seconds=60, at=ago(days), state=state, since=ago(days))
        for days, state in ((900, "passed"), (800, "running"), (700, "failed"))
    ]
    for drill, state in (
        (drills[0], "returned"),
        (drills[2], "returned"),
        (None, "returned"),
        (None, "moved"),
    ):
        Move.objects.create(path=path, drill=drill, gateway="grf1", at=ago(500), state=state, **end)
    remove_expired(NOW)
    assert list(Decision.objects.values_list("at", flat=True)) == [ago(120)]
    assert list(Hold.objects.values_list("state", flat=True)) == ["held"]
    assert set(Drill.objects.values_list("pk", flat=True)) == {drills[1].pk, drills[2].pk}
    assert set(Move.objects.values_list("drill", "state")) == {(drills[2].pk, "returned"), (None, "moved")}


def test_runs_that_the_next_one_is_compared_with_stay(site: Site) -> None:
    mine = plan(site)
    old = [run(mine, 600 - number) for number in range(32)]
    failed = run(mine, 500, "failed")
    waiting = run(mine, None, "waiting")
    gone = plan(site, "gone", removed_at=ago(900))
    run(gone, 500)
    alone = plan(site, "alone")
    only = run(alone, 900, "failed")
    assert remove_expired(NOW)["throughput.TestRun"] == 4
    left = {row.pk for row in (*old[2:], waiting, only)}
    assert set(TestRun.objects.values_list("pk", flat=True)) == left, failed
    assert set(TestCell.objects.values_list("run", flat=True)) == left, "cells go with their run"
    remove_expired(NOW)
    assert set(TestPlan.objects.values_list("name", flat=True)) == {"p", "alone"}


def test_sessions_tokens_agents_counters_and_stored_responses(site: Site) -> None:
    user = User.objects.create(username="u")
    for days in (-1, 0.5, 2):
        Session.objects.create(session_key=f"s{days}", session_data="", expire_date=ago(days))
    for name, expiry in (("old", ago(91)), ("new", ago(80)), ("lasting", None)):
        ApiToken.objects.create(user=user, name=name, digest=name, role="viewer", expires_at=expiry)
    for days in (91, 10):
        EnrolmentToken.objects.create(digest=str(days), site="s", node="n", expires_at=ago(days))
    Agent.objects.create(site="s", node="gone", public_key=b"", version="", revoked_at=ago(500))
    Agent.objects.create(site="s", node="here", public_key=b"", version="")
    for key, succeeded in (("lost", None), ("known", ago(3))):
        SignInAttempts.objects.create(key=key, failures=1, ends_at=ago(40), succeeded_at=succeeded)
    for key, days in (("a", 2), ("b", 0.5)):
        KeptAnswer.objects.create(user=user, key=key, request="r", at=ago(days))
    remove_expired(NOW)
    assert set(Session.objects.values_list("session_key", flat=True)) == {"s-1", "s0.5"}
    assert set(ApiToken.objects.values_list("name", flat=True)) == {"new", "lasting"}
    assert list(EnrolmentToken.objects.values_list("digest", flat=True)) == ["10"]
    assert list(Agent.objects.filter(site="s").values_list("node", flat=True)) == ["here"]
    assert list(SignInAttempts.objects.values_list("key", flat=True)) == ["known"]
    assert list(KeptAnswer.objects.values_list("key", flat=True)) == ["b"]


def many_events(site: Site, number: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO telemetry_event (site_id, kind, severity, at, recorded_at, subject, message, data)"
            " SELECT %s, 'a', 'ok', %s - n * interval '1 second', now(), 'a', 'a', '{}'"
            " FROM generate_series(1, %s) AS n",
            [site.pk, ago(100), number],
        )


def test_a_round_ends_in_time_says_what_is_left_and_the_next_continues(site: Site) -> None:
    many_events(site, 2500)
    assert remove_expired(NOW, table_s=0.0, rules=[EVENTS]) == {"telemetry.Event": 1000}
    state = RetentionRun.objects.get(table="telemetry.Event")
    assert (state.removed, state.behind_since) == (1000, NOW)
    later = NOW + timedelta(minutes=1)
    assert remove_expired(later, rules=[EVENTS]) == {"telemetry.Event": 1500}
    state.refresh_from_db()
    assert (state.at, state.removed, state.removed_total, state.behind_since) == (later, 1500, 2500, None)


def test_the_table_that_waited_longest_is_first(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    first = next(iter(remove_expired(NOW, round_s=1e-9) or {"none": 0}))
    assert first == "none", "no time, no work"
    remove_expired(NOW)
    RetentionRun.objects.filter(table="policy.Hold").update(at=ago(1))
    RetentionRun.objects.filter(table="alerts.Incident").update(at=ago(2))
    order = list(remove_expired(NOW + timedelta(minutes=1)))
    assert order[:2] == ["alerts.Incident", "policy.Hold"]


def test_a_failing_table_is_recorded_and_stops_no_other(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(cutoff: datetime) -> Q:
        raise RuntimeError("no such thing")

    monkeypatch.setitem(cast(dict[str, Condition], CONDITIONS), "alerts.Incident", fail)
    event(site, 100)
    with caplog.at_level(logging.ERROR):
        done = remove_expired(NOW)
    assert (done["alerts.Incident"], done["telemetry.Event"]) == (0, 1)
    assert "retention of alerts.Incident failed" in caplog.text
    state = RetentionRun.objects.get(table="alerts.Incident")
    assert (state.failing_since, state.failure) == (NOW, "RuntimeError: no such thing")
    monkeypatch.undo()
    remove_expired(NOW + timedelta(minutes=1))
    state.refresh_from_db()
    assert (state.failing_since, state.failure) == (None, "")


def test_statements_that_take_too_long_are_repeated_with_fewer_rows(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    many_events(site, 50)
    sizes: list[int] = []
    real = services.remove_batch

    def slow(table: Table, group: services.Expired, size: int) -> int:
        sizes.append(size)
        if size > 10:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("SET LOCAL statement_timeout = '20ms'")
                cursor.execute("SELECT pg_sleep(5)")
        return real(table, group, size)

    monkeypatch.setattr(services, "remove_batch", slow)
    assert remove_expired(NOW, rules=[EVENTS]) == {"telemetry.Event": 50}
    assert sizes == [1000, 200, 40, *[8] * 8], "the last one finds nothing"


def test_no_table_is_read_whole_to_find_what_expired(path: Path, site: Site) -> None:
    """100,000 rows each: nothing expired, and some."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO telemetry_event (site_id, kind, severity, at, recorded_at, subject, message, data)"
            " SELECT %s, 'a', 'ok', %s - n * interval '1 minute', now(), 'a', 'a', '{}'"
            " FROM generate_series(1, 100000) AS n",
            [site.pk, NOW],
        )
        cursor.execute(
            "INSERT INTO policy_pathswitch (path_id, uid, at, from_gateway, to_gateway, probe_interval_ms)"
            " SELECT path.id, gen_random_uuid(), %s - n * interval '1 hour', 'a', 'b', 50"
            " FROM policy_path AS path, generate_series(1, 100000 / (SELECT count(*) FROM policy_path)) AS n",
            [NOW],
        )
        cursor.execute("ANALYZE telemetry_event, policy_pathswitch, policy_path, alerts_incident")
    for rule in (EVENTS, PATHS):
        for days in (30, 5000):
            (group,) = expired(rule, NOW + timedelta(days=rule.days - days))
            with transaction.atomic():
                limit_statements()
                text = expired_rows(rule.tables[0], group)[:1000].explain()
            name = services.model_of(rule.tables[0])._meta.db_table
            assert f"Seq Scan on {name}" not in text, text
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 0")  # The rollback of the test takes its time.


def test_the_command_shows_days_counts_and_problems(site: Site, settings: Settings) -> None:
    def shown() -> tuple[int, str]:
        out = StringIO()
        with pytest.raises(SystemExit) as ended:
            call_command("retention", stdout=out)
        return int(str(ended.value.code)), out.getvalue()

    settings.RETENTION_DAYS = {"events": 30}
    Site.objects.filter(pk=site.pk).update(retention={"events": 20})
    code, text = shown()
    assert (code, text.count("was not run for 15 min")) == (1, len(text.splitlines()) - 1)
    remove_expired(timezone.now())
    code, text = shown()
    assert code == 0, text
    (line,) = [line for line in text.splitlines() if line.startswith("telemetry.Event")]
    assert "30, argonne: 20" in line
    assert "up to date" in line
    RetentionRun.objects.filter(table="telemetry.Event").update(
        failing_since=timezone.now(), failure="Timeout: too long"
    )
    code, text = shown()
    assert (code, "Timeout: too long" in text) == (1, True)


def test_one_batch_is_bounded(site: Site) -> None:
    many_events(site, 30)
    (group,) = expired(EVENTS, NOW)
    assert remove_batch(EVENTS.tables[0], group, 10) == 10
    assert Event.objects.filter(site=site, at__lt=ago(90)).count() == 20
