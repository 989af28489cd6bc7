"""The outbox: from flips of real rounds to messages and deliveries, each decided once."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from backstay.accounts.models import User
from backstay.alerts import services
from backstay.alerts.models import (
    Channel,
    Delivery,
    Flip,
    Incident,
    Notification,
    NotificationRoute,
    ReportedIncident,
    Schedule,
    SiteRule,
)
from backstay.alerts.notify import outbox
from backstay.alerts.tests.test_root_causes import CUT
from backstay.alerts.windows import services as windows
from backstay.alerts.windows.recurrence import Recurrence
from backstay.alerts.windows.services import Target, WindowSpec
from backstay.api.tests.world import World, person
from backstay.core.model.progress import Phase
from backstay.core.roles import Role

pytestmark = pytest.mark.slow


def channel(world: World, name: str, owner: User | None = None, **more: Any) -> Channel:
    """A channel whose deliveries stay in the queue: no worker runs here."""
    return Channel.objects.create(
        site=world.site, name=name, kind="webhook", person=owner, changed_at=world.now, **more
    )


def route(world: World, name: str = "all", **values: Any) -> NotificationRoute:
    """A route to everything; `steps`: lists of channels, with the seconds."""
    values.setdefault("matchers", {})
    return NotificationRoute.objects.create(site=world.site, name=name, changed_at=world.now, **values)


def step(*channels: Channel, after_s: float = 0.0, schedules: tuple[int, ...] = ()) -> dict[str, Any]:
    return {"after_s": after_s, "channels": [row.pk for row in channels], "schedules": list(schedules)}


def play(world: World, seconds: float) -> None:
    """Time passes: the outbox every second, rounds every four seconds after new samples."""
    for second in range(int(seconds)):
        world.forward(1)
        if second % 4 == 1:
            world.sample()
            services.run_round(world.now)
        outbox.notify_site(world.site, world.now)


def cut(world: World) -> None:
    """grf1 loses all links; everything that is affected reports."""
    world.down |= CUT
    world.describe()
    world.fail_over()


def sent() -> list[tuple[str, list[str], int]]:
    """(reason, kinds of the listed incidents, further ones) of every message in order."""
    return [
        (row.reason, [item["kind"] for item in row.content["incidents"]], row.content["more"])
        for row in Notification.objects.order_by("pk")
    ]


@pytest.fixture
def ops(world: World) -> Channel:
    return channel(world, "ops")


def test_a_cut_gateway_is_one_message_about_its_root_cause(world: World, ops: Channel) -> None:
    route(world, steps=[step(ops)])
    cut(world)
    play(world, 24)
    assert sent() == [("opened", ["gateway_unreachable"], 0)]
    (message,) = Notification.objects.all()
    (listed,) = message.content["incidents"]
    assert listed["title"].startswith("grf1 is unreachable")
    assert listed["effects"] != []
    (delivery,) = message.deliveries.all()
    assert (delivery.channel, delivery.status, delivery.target) == (ops, "queued", "ops")
    began = Incident.objects.get(rule__kind="gateway_unreachable").flips.get(to_phase="open").at
    assert message.created_at - began <= timedelta(seconds=12)


def test_every_flip_is_read_once_also_without_routes(world: World) -> None:
    cut(world)
    play(world, 10)
    assert Flip.objects.exists()
    assert not Flip.objects.filter(processed_at=None).exists()
    assert not Notification.objects.exists()


def test_the_same_tick_again_decides_nothing_more(world: World, ops: Channel) -> None:
    route(world, steps=[step(ops)])
    cut(world)
    play(world, 30)
    before = Delivery.objects.count()
    assert before == 1
    for _ in range(3):
        assert outbox.notify_site(world.site, world.now) == 0
    assert Delivery.objects.count() == before


def test_a_tick_that_fails_after_its_messages_has_done_nothing(
    world: World, ops: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    route(world, steps=[step(ops)])
    cut(world)
    play(world, 10)
    unread = set(Flip.objects.filter(processed_at=None).values_list("pk", flat=True))

    def killed(*_: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(outbox, "_forget", killed)
        for _ in range(15):
            world.forward(1)
            with pytest.raises(SystemExit):
                outbox.notify_site(world.site, world.now)
    assert not Notification.objects.exists()
    assert set(Flip.objects.filter(processed_at=None).values_list("pk", flat=True)) >= unread
    play(world, 2)
    assert len(sent()) == 1


def test_resolution_follows_and_the_group_ends(world: World, ops: Channel) -> None:
    route(world, steps=[step(ops)], group_interval_s=20)
    cut(world)
    play(world, 30)
    repair(world)
    play(world, 60)
    assert [reason for reason, _, _ in sent()] == ["opened", "resolved"]
    assert sent()[-1][1] == ["gateway_unreachable"]
    play(world, 2)
    world.forward(3700)
    outbox.notify_site(world.site, world.now)
    assert not ReportedIncident.objects.exists()


def test_what_opened_and_was_resolved_while_nothing_ran_is_reported(world: World, ops: Channel) -> None:
    route(world, steps=[step(ops)])
    cut(world)
    for _ in range(8):
        world.forward(4)
        world.sample()
        services.run_round(world.now)
    repair(world)
    for _ in range(8):
        world.forward(4)
        world.sample()
        services.run_round(world.now)
    assert not Incident.objects.filter(phase=Phase.OPEN, rule__kind="gateway_unreachable").exists()
    play(world, 40)
    assert ("resolved", ["gateway_unreachable"], 0) in sent()
    assert len([one for one in sent() if "gateway_unreachable" in one[1]]) == 1


def test_a_short_incident_is_not_reported(world: World, ops: Channel) -> None:
    route(world, steps=[step(ops)])
    cut(world)
    play(world, 5)
    repair(world)
    play(world, 60)
    assert [one for one in sent() if "gateway_unreachable" in one[1]] == []


def test_acknowledged_incidents_do_not_escalate(world: World, ops: Channel) -> None:
    boss, admin = channel(world, "boss"), person("admin", Role.ADMIN)
    route(world, steps=[step(ops), step(boss, after_s=60)])
    cut(world)
    play(world, 30)
    root = Incident.objects.get(rule__kind="gateway_unreachable")
    services.acknowledge(root, admin, "seen", world.now)
    play(world, 60)
    assert [reason for reason, _, _ in sent()] == ["opened"]
    assert not Delivery.objects.filter(channel=boss).exists()


def test_what_nobody_acknowledges_reaches_the_person_on_call(world: World, ops: Channel) -> None:
    ann = person("ann", Role.OPERATOR)
    phone = channel(world, "phone", ann)
    on_call = schedule(world, ["ann"])
    route(world, steps=[step(ops), step(after_s=60, schedules=(on_call.pk,))])
    cut(world)
    play(world, 90)
    assert [reason for reason, _, _ in sent()] == ["opened", "escalated"]
    (delivery,) = Delivery.objects.filter(notification__reason="escalated")
    assert (delivery.channel, delivery.target) == (phone, "phone (primary: ann)")


def schedule(world: World, people: list[str]) -> Schedule:
    return Schedule.objects.create(
        site=world.site,
        name="primary",
        people=people,
        zone="Europe/Zurich",
        starts_on=date(2020, 1, 1),
        handover="09:00:00",
        changed_at=world.now,
    )


@pytest.mark.parametrize(
    ("people", "reason"),
    [
        ([], "Nobody is on call in the schedule primary."),
        (["ann"], "ann is on call and has no enabled channel."),
    ],
)
def test_nobody_to_reach_is_a_failed_delivery_and_not_silence(
    world: World, people: list[str], reason: str
) -> None:
    person("ann", Role.OPERATOR)
    route(world, steps=[step(schedules=(schedule(world, people).pk,))])
    Schedule.objects.update(people=people)
    cut(world)
    play(world, 30)
    (delivery,) = Delivery.objects.all()
    assert (delivery.status, delivery.channel, delivery.reason) == ("failed", None, reason)


def test_muted_incidents_do_not_notify(world: World, ops: Channel) -> None:
    route(world, steps=[step(ops)])
    recurrence = Recurrence(world.now - timedelta(minutes=1), 3600, "UTC", "")
    spec = WindowSpec("card swap", recurrence, (Target("site"),))
    window = windows.create(world.site, spec, person("planner", Role.OPERATOR), world.now)
    cut(world)
    play(world, 30)
    assert sent() == []
    windows.end(window, person("closer", Role.OPERATOR), world.now)
    play(world, 2)
    assert sent() == [("opened", ["gateway_unreachable"], 0)]


def repair(world: World) -> None:
    """Everything reports that it is well again."""
    world.down.clear()
    world.describe()
    world.all_paths()


def test_what_began_and_ended_in_maintenance_is_not_reported(world: World, ops: Channel) -> None:
    route(world, steps=[step(ops)])
    recurrence = Recurrence(world.now - timedelta(minutes=1), 3600, "UTC", "")
    spec = WindowSpec("card swap", recurrence, (Target("site"),))
    windows.create(world.site, spec, person("planner", Role.OPERATOR), world.now)
    cut(world)
    play(world, 30)
    repair(world)
    play(world, 60)
    assert Incident.objects.get(rule__kind="gateway_unreachable").phase == Phase.RESOLVED
    assert sent() == []


def test_what_began_and_ended_between_two_messages_is_not_reported(world: World, ops: Channel) -> None:
    """It waited for the interval after another message: "resolved" would be the first that anybody reads."""
    route(world, steps=[step(ops)], group_interval_s=300)
    warning = Incident.objects.create(
        site=world.site,
        rule=SiteRule.objects.get(site=world.site, kind="fallback_would_not_hold"),
        fingerprint="fallback_would_not_hold:x",
        phase=Phase.OPEN,
        severity="warning",
        own_severity="warning",
        title="Fallback would not hold",
        opened_at=world.now,
        last_seen=world.now,
    )

    def moved(to: Phase) -> None:
        Flip.objects.create(incident=warning, from_phase=warning.phase, to_phase=to, at=world.now)
        warning.phase, warning.resolved_at = to, world.now if to == Phase.RESOLVED else None
        warning.save()

    services.run_round(world.now)
    Notification.objects.create(
        site=world.site,
        route=NotificationRoute.objects.get(),
        reason="opened",
        content={"incidents": [], "more": 0},
        created_at=world.now,
    )
    moved(Phase.OPEN)
    for _ in range(60):
        world.forward(1)
        outbox.notify_site(world.site, world.now)
    moved(Phase.RESOLVED)
    for _ in range(400):
        world.forward(1)
        outbox.notify_site(world.site, world.now)
    assert [reason for reason, _, _ in sent()] == ["opened"]


def test_a_failing_channel_is_reported_through_the_others_and_never_through_itself(
    world: World, ops: Channel
) -> None:
    other, own = channel(world, "other"), channel(world, "own", person("ann", Role.OPERATOR))
    route(world, steps=[step(ops)])
    Channel.objects.filter(pk=ops.pk).update(failing_since=world.now, failure="Refused.")
    play(world, 30)
    incident = Incident.objects.get(rule__kind="channel_failed")
    assert incident.title == "The channel ops does not deliver messages"
    assert [row.channel for row in Delivery.objects.all()] == [other]
    assert own.pk not in Delivery.objects.values_list("channel", flat=True)
    Channel.objects.filter(pk=ops.pk).update(failing_since=None, failure="")
    play(world, 4)
    incident.refresh_from_db()
    assert incident.phase == Phase.RESOLVED


def test_a_message_about_a_failing_channel_and_a_fault_is_split(world: World, ops: Channel) -> None:
    other = channel(world, "other")
    route(world, steps=[step(ops, other)])
    Channel.objects.filter(pk=ops.pk).update(failing_since=world.now, failure="Refused.")
    cut(world)
    for _ in range(4):
        world.forward(4)
        world.sample()
        services.run_round(world.now)
    play(world, 8)
    kinds = [
        (row.target, sorted(item["kind"] for item in row.notification.content["incidents"]))
        for row in Delivery.objects.select_related("notification").order_by("target")
    ]
    assert kinds == [("ops", ["gateway_unreachable"]), ("other", ["channel_failed", "gateway_unreachable"])]


def test_routes_select_by_severity_kind_and_label(world: World, ops: Channel) -> None:
    hosts, rest = channel(world, "hosts"), channel(world, "rest")
    route(world, "gateways", position=0, matchers={"roles": [world.node("grf1").role]}, steps=[step(ops)])
    route(world, "never", position=1, matchers={"kinds": ["clock"]}, steps=[step(hosts)])
    route(world, "rest", position=2, steps=[step(rest)])
    cut(world)
    play(world, 30)
    assert {row.channel for row in Delivery.objects.all()} == {ops}


def test_many_incidents_are_listed_up_to_a_limit_in_few_queries(world: World, ops: Channel) -> None:
    route(world, steps=[step(ops)])
    rule = SiteRule.objects.get(site=world.site, kind="port_down")

    def opened(number: int, first: int) -> None:
        rows = Incident.objects.bulk_create(
            Incident(
                site=world.site,
                rule=rule,
                fingerprint=f"port_down:x{index}",
                phase=Phase.OPEN,
                severity="critical",
                own_severity="critical",
                subject=f"port {index}",
                title=f"port {index} is down",
                opened_at=world.now,
                last_seen=world.now,
                node=world.node("grf1"),
            )
            for index in range(first, first + number)
        )
        Flip.objects.bulk_create(
            Flip(incident=row, from_phase="pending", to_phase="open", at=world.now) for row in rows
        )

    queries = []
    for first, number in ((0, 30), (1000, 1000)):
        opened(number, first)
        world.forward(20)
        with CaptureQueriesContext(connection) as captured:
            assert outbox.notify_site(world.site, world.now) == 1
        queries.append(len(captured))
    assert sent()[0] == ("opened", ["port_down"] * 20, 10)
    assert sent()[1] == ("opened", ["port_down"] * 20, 980)
    assert queries[1] <= queries[0] + 2
