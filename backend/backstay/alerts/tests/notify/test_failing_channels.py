"""A channel whose receiver really fails: its incident leaves through the others, and ends when it answers."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from ipaddress import ip_network
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Sink as MailSink
from django.utils import timezone
from pytest_django import Settings

from backstay.alerts import services
from backstay.alerts.models import Channel, Delivery, Incident, NotificationRoute
from backstay.alerts.notify import delivery as deliveries
from backstay.alerts.notify import outbox
from backstay.alerts.notify.services import ChannelSpec, create_channel
from backstay.alerts.notify.tests.sinks import HttpSink, answer, http_sink
from backstay.alerts.tests.test_root_causes import CUT
from backstay.api.tests.world import World
from backstay.core.model.progress import Phase

pytestmark = pytest.mark.slow

ADDRESS = "127.0.0.2"


@pytest.fixture
def clock(world: World, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> World:
    """Deliveries and rounds share the world's clock, and the receivers' address may be reached."""
    monkeypatch.setattr(timezone, "now", lambda: world.now)
    settings.NOTIFY_ALLOWED = [ip_network("127.0.0.0/8")]
    return world


@pytest.fixture
def good() -> Iterator[HttpSink]:
    """The receiver of the other channel."""
    with http_sink() as running:
        yield running


def channel(world: World, name: str, kind: str, config: dict[str, Any]) -> Channel:
    return create_channel(world.site, ChannelSpec(name, kind, config, "", enabled=True), world.now)


def play(world: World, seconds: int, until: Callable[[], bool] = lambda: False) -> None:
    """The outbox and its deliveries every second, rounds every four; ends early when `until` holds."""
    for second in range(seconds):
        world.forward(1)
        if second % 4 == 1:
            world.sample()
            services.run_round(world.now)
        outbox.notify_site(world.site, world.now)
        while (delivery := deliveries.claim_next(world.now)) is not None:
            deliveries.send(delivery)
        if until():
            return


def cut(world: World) -> None:
    world.down |= CUT
    world.describe()
    world.fail_over()


def kinds(sink: HttpSink) -> list[tuple[str, str]]:
    """(reason, kind) of every incident that a receiver got, in order."""
    bodies = [json.loads(request.body) for request in sink.requests]
    return [(body["reason"], item["kind"]) for body in bodies for item in body["incidents"]]


def incident() -> Incident | None:
    return Incident.objects.filter(rule__kind="channel_failed").order_by("-pk").first()


def is_resolved() -> bool:
    row = incident()
    return row is not None and row.phase == Phase.RESOLVED


def story(world: World, bad: Channel, good: HttpSink, repair: Callable[[], None]) -> None:
    """A fault is sent to `bad`, which fails; `good` reports that; after the repair both are done."""
    channel(world, "other", "webhook", {"url": good.url})
    steps = [{"after_s": 0, "channels": [bad.pk], "schedules": []}]
    NotificationRoute.objects.create(site=world.site, name="all", steps=steps, changed_at=world.now)
    cut(world)
    play(world, 90, lambda: ("opened", "channel_failed") in kinds(good))
    row = incident()
    assert row is not None
    assert row.subject == bad.name
    assert kinds(good) == [("opened", "channel_failed")], "only this incident: the fault is not routed there"
    about_itself = Delivery.objects.filter(channel=bad, notification__incidents=row)
    assert not about_itself.exists()
    repair()
    play(world, 200, is_resolved)
    assert is_resolved()
    bad.refresh_from_db()
    assert (bad.failing_since, bad.failure) == (None, "")
    assert Delivery.objects.filter(channel=bad, status="sent").exists()


def test_a_webhook_that_answers_500_until_it_is_repaired(clock: World, good: HttpSink) -> None:
    with http_sink(ADDRESS) as broken:
        broken.reply = answer(500)
        bad = channel(clock, "hook", "webhook", {"url": broken.url})

        def repair() -> None:
            broken.reply = answer(200)

        story(clock, bad, good, repair)
        assert len(broken.requests) >= 3, "attempts under the same key until it answers"
        assert len({request.headers["Idempotency-Key"] for request in broken.requests[:3]}) == 1


def test_a_mail_server_that_refuses_connections_until_it_is_started(clock: World, good: HttpSink) -> None:
    with socket.socket() as free:
        free.bind((ADDRESS, 0))
        port = free.getsockname()[1]
    config = {
        "host": ADDRESS,
        "port": port,
        "security": "none",
        "sender": "backstay@example.org",
        "recipients": ["noc@example.org"],
    }
    server = Controller(MailSink(), hostname=ADDRESS, port=port)
    started: list[bool] = []

    def repair() -> None:
        server.start()
        started.append(True)

    try:
        story(clock, channel(clock, "mail", "mail", config), good, repair)
    finally:
        if started:
            server.stop()
