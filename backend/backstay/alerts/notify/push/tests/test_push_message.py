"""Push messages to a real push service: content, permission, subscriptions that end, forbidden addresses."""

from __future__ import annotations

import ipaddress
import json
from dataclasses import dataclass
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from backstay.accounts.models import RoleGrant, User
from backstay.alerts.models import Channel, Delivery, Notification, PushDevice, PushKey
from backstay.alerts.notify import delivery as deliveries
from backstay.alerts.notify import services
from backstay.alerts.notify.push import devices, vapid
from backstay.alerts.notify.push.devices import Subscription
from backstay.alerts.notify.push.tests.receiver import Receiver
from backstay.alerts.notify.tests.sinks import HttpSink, answer
from backstay.api.tests.world import person, site_file
from backstay.core.errors import Refused
from backstay.core.roles import Role
from backstay.intake.site_files import import_text
from backstay.inventory.models import Site

CONTACT = {"contact": "mailto:ops@example.org"}


@dataclass(frozen=True, slots=True)
class Phone:
    """A device with the keys that only it has."""

    device: PushDevice
    keys: Receiver


@pytest.fixture
def site(db: None) -> Site:
    import_text(site_file(), "argonne.yaml", timezone.now())
    return Site.objects.get(name="argonne")


@pytest.fixture
def channel(site: Site) -> Channel:
    spec = services.ChannelSpec("phones", "push", CONTACT, "", enabled=True)
    return services.create_channel(site, spec, timezone.now())


@pytest.fixture
def ann(site: Site) -> User:
    return person("ann", Role.VIEWER, "argonne")


def subscription(url: str, keys: Receiver) -> Subscription:
    return Subscription(url, vapid.encoded(keys.point), vapid.encoded(keys.auth))


def phone(owner: User, url: str, label: str = "Firefox on Android") -> Phone:
    keys = Receiver.make()
    return Phone(devices.add_device(owner, label, subscription(url, keys), timezone.now()), keys)


def queued(channel: Channel, device: PushDevice, **changed: Any) -> Delivery:
    """A delivery of one critical incident."""
    now = timezone.now()
    content = deliveries._test_content(channel, "tester", now)
    content["incidents"][0] |= {  # type: ignore[index]
        "id": 7,
        "title": "grf1 is unreachable",
        "severity": "critical",
        "labels": {"rack": "secret place"},
        **changed,
    }
    message = Notification.objects.create(site=channel.site, reason="opened", content=content, created_at=now)
    return Delivery.objects.create(
        notification=message,
        channel=channel,
        device=device,
        target="phones",
        status="queued",
        next_at=now,
        created_at=now,
    )


def sent(row: Delivery) -> Delivery:
    """The delivery after its attempt."""
    claimed = deliveries.claim(row.pk, timezone.now())
    assert claimed is not None
    deliveries.send(claimed)
    return Delivery.objects.get(pk=row.pk)


def test_the_device_reads_title_site_and_page_and_nothing_more(
    channel: Channel, ann: User, service: HttpSink
) -> None:
    mine = phone(ann, f"{service.url}/send/abc")
    row = sent(queued(channel, mine.device))
    assert (row.status, row.reason) == ("sent", "")
    (request,) = service.requests
    assert request.path == "/send/abc"
    assert request.headers["Content-Encoding"] == "aes128gcm"
    assert (request.headers["Urgency"], request.headers["TTL"]) == ("high", "86400")
    assert len(request.headers["Topic"]) == 32
    scheme, token, key = request.headers["Authorization"].replace(",", "").split(" ")
    assert scheme == "vapid"
    assert token.startswith("t=")
    assert key == f"k={vapid.public_key()}"
    assert json.loads(mine.keys.read(request.body)) == {
        "title": "Critical: grf1 is unreachable",
        "body": "argonne",
        "tag": "incident-7",
        "path": "/incidents/7?site=argonne",
    }
    mine.device.refresh_from_db()
    assert mine.device.delivered_at is not None


def test_a_newer_message_of_an_incident_replaces_the_older_one_and_no_other(
    channel: Channel, ann: User, service: HttpSink
) -> None:
    mine = phone(ann, f"{service.url}/send/abc")
    for changed in ({}, {"resolved_at": timezone.now().isoformat()}, {"id": 8}):
        sent(queued(channel, mine.device, **changed))
    first, second, other = (request.headers["Topic"] for request in service.requests)
    assert first == second != other
    titles = [json.loads(mine.keys.read(request.body))["title"] for request in service.requests]
    assert titles[1] == "Resolved: grf1 is unreachable"


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_has_ended_is_deleted_and_the_channel_still_works(
    channel: Channel, ann: User, service: HttpSink, status: int
) -> None:
    mine = phone(ann, service.url)
    service.reply = answer(status)
    row = sent(queued(channel, mine.device))
    assert row.status == "failed"
    assert "ended" in row.reason
    assert not PushDevice.objects.exists()
    channel.refresh_from_db()
    assert channel.failing_since is None


def test_a_person_without_a_role_gets_no_message(channel: Channel, ann: User, service: HttpSink) -> None:
    row = queued(channel, phone(ann, service.url).device)
    RoleGrant.objects.filter(user=ann).delete()
    assert devices.devices_at(channel.site) == []
    assert sent(row).status == "failed"
    assert service.connections == 0


def test_a_person_who_was_deactivated_gets_no_message(channel: Channel, ann: User, service: HttpSink) -> None:
    row = queued(channel, phone(ann, service.url).device)
    User.objects.filter(pk=ann.pk).update(is_active=False)
    assert sent(row).status == "failed"
    assert service.connections == 0


def test_a_message_for_a_removed_device_ends(channel: Channel, ann: User, service: HttpSink) -> None:
    mine = phone(ann, service.url)
    row = queued(channel, mine.device)
    assert devices.remove_device(ann, mine.device.pk)
    row = sent(row)
    assert (row.status, row.reason) == ("failed", "The device was removed.")
    assert service.connections == 0


def test_a_service_that_fails_is_tried_again_and_seen_at_device_and_channel(
    channel: Channel, ann: User, service: HttpSink
) -> None:
    mine = phone(ann, service.url)
    service.reply = answer(503)
    row = sent(queued(channel, mine.device))
    assert (row.status, row.reason) == ("queued", "The receiver answered 503 Service Unavailable")
    Delivery.objects.filter(pk=row.pk).update(next_at=timezone.now())
    sent(row)
    mine.device.refresh_from_db()
    channel.refresh_from_db()
    assert mine.device.failing_since is not None
    assert channel.failing_since is not None, "no device works"
    service.reply = answer(201)
    Delivery.objects.filter(pk=row.pk).update(next_at=timezone.now())
    assert sent(row).status == "sent"
    working = PushDevice.objects.get(pk=mine.device.pk)
    assert (working.failing_since, working.failure) == (None, "")


def test_one_bad_device_neither_fails_the_channel_nor_delays_another(
    channel: Channel, ann: User, service: HttpSink
) -> None:
    good, bad = phone(ann, f"{service.url}/good"), phone(ann, f"{service.url}/bad")
    sent(queued(channel, good.device))
    service.reply = answer(403)
    assert sent(queued(channel, bad.device)).status == "failed"
    channel.refresh_from_db()
    assert channel.failing_since is None
    bad.device.refresh_from_db()
    assert "403" in bad.device.failure


@pytest.mark.parametrize("host", ["127.0.0.3", "10.1.2.3", "192.168.0.9", "169.254.169.254", "[::1]"])
def test_an_endpoint_at_a_private_address_is_refused(
    channel: Channel, ann: User, settings: Settings, host: str
) -> None:
    settings.NOTIFY_ALLOWED = [ipaddress.ip_network("127.0.0.2/32")]
    settings.NOTIFY_REFUSE_PRIVATE = False
    with pytest.raises(Refused) as refused:
        phone(ann, f"https://{host}/send")
    assert set(refused.value.fields) == {"endpoint"}


def test_a_name_that_resolves_to_this_machine_is_refused_when_it_is_used(
    channel: Channel, ann: User, settings: Settings
) -> None:
    settings.NOTIFY_ALLOWED = []
    row = sent(queued(channel, phone(ann, "https://localhost:9/send").device))
    assert row.status == "failed"
    assert "loopback" in row.reason


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("endpoint", "http://push.example.org/send"),
        ("endpoint", "javascript:alert(1)"),
        ("p256dh", "AAAA"),
        ("p256dh", "not base64!"),
        ("auth", "AAAA"),
    ],
)
def test_an_invalid_subscription_is_refused_by_field(ann: User, field: str, value: str) -> None:
    good = subscription("https://push.example.org/send", Receiver.make())
    values = {name: getattr(good, name) for name in ("endpoint", "p256dh", "auth")} | {field: value}
    with pytest.raises(Refused) as refused:
        devices.add_device(ann, "phone", Subscription(**values), timezone.now())
    assert set(refused.value.fields) == {field}


def test_a_person_has_a_bounded_number_of_devices(ann: User) -> None:
    urls = [f"https://push.example.org/{number}" for number in range(devices.MAX_DEVICES)]
    for url in urls:
        phone(ann, url)
    with pytest.raises(Refused, match="10 devices"):
        phone(ann, "https://push.example.org/more")
    phone(ann, urls[0], "renamed")
    assert PushDevice.objects.count() == devices.MAX_DEVICES


def test_the_browser_that_another_person_uses_belongs_to_that_person(ann: User, site: Site) -> None:
    bob = person("bob", Role.VIEWER, "argonne")
    url = "https://push.example.org/shared"
    phone(ann, url)
    phone(bob, url)
    assert [row.person for row in PushDevice.objects.all()] == [bob]


def test_endpoint_and_keys_are_stored_encrypted(channel: Channel, ann: User) -> None:
    mine = phone(ann, "https://push.example.org/send/capability").device
    stored = PushDevice.objects.get(pk=mine.pk)
    assert b"capability" not in bytes(stored.secrets)
    assert b"PRIVATE" not in bytes(PushKey.objects.get().secrets)
    assert devices.subscription_of(stored).endpoint.endswith("/capability")


def test_the_key_pair_is_made_once(channel: Channel) -> None:
    before = vapid.public_key()
    vapid.ensure_key(timezone.now())
    spec = services.ChannelSpec("phones", "push", CONTACT, "", enabled=True)
    services.update_channel(channel, spec, timezone.now())
    assert vapid.public_key() == before != ""


def test_a_site_has_one_push_channel_which_is_nobodys_own(channel: Channel, ann: User) -> None:
    for name, owner in (("second", ""), ("own", "ann")):
        spec = services.ChannelSpec(name, "push", CONTACT, owner, enabled=True)
        with pytest.raises(Refused):
            services.create_channel(channel.site, spec, timezone.now())


def test_a_test_goes_to_the_newest_device_of_who_asks(channel: Channel, ann: User, service: HttpSink) -> None:
    with pytest.raises(Refused, match="turned on push"):
        deliveries.send_test(channel, "ann", timezone.now())
    mine = phone(ann, service.url)
    assert deliveries.send_test(channel, "ann", timezone.now()).status == "sent"
    assert json.loads(mine.keys.read(service.requests[0].body))["tag"] == "test"
