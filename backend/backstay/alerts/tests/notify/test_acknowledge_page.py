"""The link in a message: it shows a page, and only its button acknowledges."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core import signing
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from backstay.accounts.models import User
from backstay.alerts import services
from backstay.alerts.models import Channel, Delivery, Flip, Incident, Notification
from backstay.alerts.notify.messages import acknowledge_token, content, message_of
from backstay.api.tests.world import World, person
from backstay.core.model.progress import Phase
from backstay.core.roles import Role
from backstay.telemetry.models import Event

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("shown_at_once")]


def delivery(world: World, owner: User | None = None) -> Delivery:
    """A message about everything that is open now."""
    now = timezone.now()
    channel = Channel.objects.create(
        site=world.site, name="ops", kind="webhook", person=owner, changed_at=now
    )
    incidents = list(Incident.objects.filter(phase=Phase.OPEN).select_related("rule", "node"))
    message = Notification.objects.create(
        site=world.site, reason="opened", content=content(incidents, {}), created_at=now
    )
    message.incidents.set(incidents)
    return Delivery.objects.create(
        notification=message, channel=channel, target="ops", status="sent", next_at=now, created_at=now
    )


@pytest.fixture
def opened(world: World) -> World:
    """A failover is open."""
    world.fail_over()
    services.run_round(world.now)
    assert Incident.objects.filter(phase=Phase.OPEN).exists()
    return world


@pytest.fixture
def stranger() -> Client:
    """Nobody who is signed in; checks CSRF as a browser would meet it."""
    return Client(enforce_csrf_checks=True)


def phases() -> set[str]:
    return set(Incident.objects.exclude(phase=Phase.PENDING).values_list("phase", flat=True))


def test_reading_the_link_acknowledges_nothing(opened: World, stranger: Client) -> None:
    url = f"/acknowledge/{acknowledge_token(delivery(opened))}"
    for reply in (stranger.get(url), stranger.head(url)):
        assert reply.status_code == 200
        assert reply["Referrer-Policy"] == "no-referrer"
        assert "no-store" in reply["Cache-Control"]
    assert b'<form method="post">' in stranger.get(url).content
    assert phases() == {"open"}


def test_its_button_acknowledges_without_a_session_in_the_name_of_the_channel(
    opened: World, stranger: Client
) -> None:
    row = delivery(opened)
    reply = stranger.post(f"/acknowledge/{acknowledge_token(row)}")
    assert reply.status_code == 200
    assert b"Acknowledged by channel ops" in reply.content
    assert phases() == {"acknowledged"}
    flip = Flip.objects.get(to_phase="acknowledged")
    assert (flip.from_phase, flip.actor) == ("open", "channel ops")
    assert Event.objects.filter(kind="incident.acknowledged", message__contains="channel ops").exists()
    again = stranger.post(f"/acknowledge/{acknowledge_token(row)}")
    assert (again.status_code, b"Nothing to acknowledge" in again.content) == (200, True)
    assert Flip.objects.filter(to_phase="acknowledged").count() == 1


def test_a_persons_own_channel_acknowledges_in_their_name(opened: World, stranger: Client) -> None:
    ann = person("ann", Role.OPERATOR)
    stranger.post(f"/acknowledge/{acknowledge_token(delivery(opened, ann))}")
    (incident,) = Incident.objects.filter(phase=Phase.ACKNOWLEDGED)
    assert incident.acknowledged_by == ann
    assert Flip.objects.get(to_phase="acknowledged").actor == "ann"


def test_forged_and_expired_links_are_not_valid(
    opened: World, stranger: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = delivery(opened)
    good = acknowledge_token(row)
    forged = [good[:-1] + ("a" if good[-1] != "a" else "b"), signing.dumps(row.pk, salt="other"), "x"]
    for token in forged:
        assert stranger.post(f"/acknowledge/{token}").status_code == 404
    later = timezone.now() + timedelta(days=8)
    monkeypatch.setattr("time.time", later.timestamp)
    assert stranger.post(f"/acknowledge/{good}").status_code == 404
    assert phases() == {"open"}


def test_titles_are_escaped(opened: World, stranger: Client) -> None:
    row = delivery(opened)
    Incident.objects.update(title="<script>alert(1)</script>\u202e")
    page = stranger.get(f"/acknowledge/{acknowledge_token(row)}").content.decode()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "\u202e" not in page


@pytest.mark.parametrize(
    ("reason", "base", "has_link"),
    [
        ("opened", "https://backstay.example.org", True),
        ("resolved", "https://backstay.example.org", False),
        ("test", "https://backstay.example.org", False),
        ("opened", "", False),
    ],
)
def test_messages_link_to_it_when_there_is_something_to_acknowledge(
    opened: World, settings: Settings, reason: Any, base: str, *, has_link: bool
) -> None:
    settings.PUBLIC_URL = base
    row = delivery(opened)
    row.notification.reason = reason
    link = message_of(row).acknowledge_link
    assert bool(link) is has_link
    if has_link:
        assert link.startswith("https://backstay.example.org/acknowledge/")
        assert message_of(row, may_acknowledge=False).acknowledge_link == ""
