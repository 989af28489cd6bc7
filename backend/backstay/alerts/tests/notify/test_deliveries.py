"""Deliveries: claimed once, retried with growing pauses, not lost with a worker, in order of their route."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_network
from typing import Any

import pytest
import redis
from django.utils import timezone
from pytest_django import Settings

from backstay.accounts import secrets
from backstay.alerts.models import Channel, Delivery, Notification, NotificationRoute
from backstay.alerts.notify import delivery as deliveries
from backstay.alerts.notify import services
from backstay.alerts.notify.receipts import Receipt
from backstay.alerts.notify.transport import DeliveryFailed
from backstay.alerts.notify.transports import TRANSPORTS
from backstay.api.tests.world import site_file
from backstay.core.errors import Conflict
from backstay.intake.site_files import import_text
from backstay.inventory.models import Site
from backstay.live import bus


@dataclass
class Sink:
    """A webhook's receiver: its requests, and the statuses that it gives to the next ones."""

    url: str = ""
    requests: list[tuple[dict[str, str], dict[str, Any]]] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)


@pytest.fixture
def sink(settings: Settings) -> Iterator[Sink]:
    """A real HTTP server on the loopback address, which the settings allow."""
    found = Sink()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.requests.append((dict(self.headers), json.loads(body)))
            self.send_response(found.statuses.pop(0) if found.statuses else 200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (its base's name)
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    found.url = f"http://127.0.0.1:{server.server_port}/hook"
    settings.NOTIFY_ALLOWED = [ip_network("127.0.0.0/8")]
    yield found
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def site(db: None) -> Site:
    import_text(site_file(), "argonne.yaml", timezone.now())
    return Site.objects.get(name="argonne")


def channel(site: Site, url: str, name: str = "hook", **config: str) -> Channel:
    spec = services.ChannelSpec(name, "webhook", {"url": url, **config}, "", enabled=True)
    return services.create_channel(site, spec, timezone.now())


def queued(
    to: Channel, route: NotificationRoute | None = None, title: str = "grf1 is unreachable"
) -> Delivery:
    now = timezone.now()
    content = deliveries._test_content(to, "tester", now)
    content["incidents"][0]["title"] = title  # type: ignore[index]
    message = Notification.objects.create(
        site=to.site, route=route, reason="opened", content=content, created_at=now
    )
    return Delivery.objects.create(
        notification=message, channel=to, target=to.name, status="queued", next_at=now, created_at=now
    )


def run_due(now: datetime | None = None) -> list[int]:
    """What one tick and its tasks do."""
    sent = []
    for _ in range(deliveries.tasks_needed(now or timezone.now())):
        while (delivery := deliveries.claim_next(now or timezone.now())) is not None:
            deliveries.send(delivery)
            sent.append(delivery.pk)
    return sent


def test_message_reaches_the_webhook_with_its_key(site: Site, sink: Sink) -> None:
    row = queued(channel(site, sink.url))
    assert run_due() == [row.pk]
    ((headers, body),) = sink.requests
    assert headers["Idempotency-Key"] == body["key"] == str(row.key)
    assert body["incidents"][0]["title"] == "grf1 is unreachable"
    row.refresh_from_db()
    assert (row.status, row.attempts, row.reason, row.lease) == ("sent", 1, "", None)
    assert row.took_ms is not None
    assert Channel.objects.get().worked_at is not None
    assert run_due() == []


def test_failed_attempt_is_repeated_later_under_the_same_key(site: Site, sink: Sink) -> None:
    row = queued(channel(site, sink.url))
    sink.statuses = [503]
    run_due()
    row.refresh_from_db()
    assert (row.status, row.attempts) == ("queued", 1)
    assert "503" in row.reason
    assert timedelta(seconds=3) < row.next_at - timezone.now() < timedelta(seconds=6)
    assert run_due() == []
    Delivery.objects.update(next_at=timezone.now())
    run_due()
    row.refresh_from_db()
    assert (row.status, row.attempts, row.reason) == ("sent", 2, "")
    assert len({headers["Idempotency-Key"] for headers, _ in sink.requests}) == 1


def test_one_failure_does_not_mark_the_channel_and_two_do_until_a_success(site: Site, sink: Sink) -> None:
    row = queued(channel(site, sink.url))
    sink.statuses = [503, 503, 200]
    marks = []
    for _ in range(3):
        Delivery.objects.update(next_at=timezone.now())
        run_due()
        marks.append(Channel.objects.get().failing_since is not None)
    assert marks == [False, True, False]
    row.refresh_from_db()
    assert row.status == "sent"


def test_permanent_failure_is_not_repeated_and_marks_the_channel(site: Site, sink: Sink) -> None:
    row = queued(channel(site, sink.url))
    sink.statuses = [404]
    run_due()
    row.refresh_from_db()
    assert (row.status, row.attempts) == ("failed", 1)
    assert row.ended_at is not None
    assert "404" in Channel.objects.get().failure


def test_attempts_end(site: Site, sink: Sink) -> None:
    row = queued(channel(site, sink.url))
    sink.statuses = [503] * 20
    for _ in range(12):
        Delivery.objects.filter(status="queued").update(next_at=timezone.now())
        run_due()
    row.refresh_from_db()
    assert (row.status, row.attempts) == ("failed", len(deliveries.RETRIES_S) + 1)


def test_pauses_grow_and_the_receiver_may_lengthen_them_within_limits() -> None:
    pauses = [deliveries.pause_s(attempt, None) for attempt in range(1, 8)]
    assert pauses == sorted(pauses)
    assert deliveries.pause_s(1, 60.0) == 60.0
    assert deliveries.pause_s(7, 1.0) == 900.0
    assert deliveries.pause_s(1, 1e9) == deliveries.MAX_RETRY_AFTER_S


def test_a_claimed_delivery_is_not_claimed_again_until_its_lease_ends(site: Site, sink: Sink) -> None:
    row, now = queued(channel(site, sink.url)), timezone.now()
    assert deliveries.claim(row.pk, now) is not None
    assert deliveries.claim(row.pk, now + timedelta(seconds=deliveries.LEASE_S - 1)) is None
    again = deliveries.claim(row.pk, now + timedelta(seconds=deliveries.LEASE_S + 1))
    assert again is not None
    assert again.attempts == 2


def test_a_worker_that_lost_its_lease_does_not_overwrite_the_result_of_the_next(
    site: Site, sink: Sink
) -> None:
    row, now = queued(channel(site, sink.url)), timezone.now()
    slow = deliveries.claim(row.pk, now - timedelta(seconds=0))
    assert slow is not None
    Delivery.objects.update(next_at=now - timedelta(seconds=1))
    assert run_due() == [row.pk]
    assert not deliveries._failed(slow, DeliveryFailed("too late", permanent=True), 1.0, timezone.now())
    assert not deliveries._succeeded(slow, Receipt(timezone.now(), 1.0))
    row.refresh_from_db()
    assert row.status == "sent"


@pytest.fixture
def killed_before_commit(monkeypatch: pytest.MonkeyPatch, site: Site, sink: Sink) -> Delivery:
    """A delivery that the receiver accepted; its worker stored no success, and its lease is over."""
    monkeypatch.setattr(bus, "breaker", bus.Breaker())
    delivery = queued(channel(site, sink.url))
    claimed = deliveries.claim(delivery.pk, timezone.now())
    assert claimed is not None
    with monkeypatch.context() as patch:
        patch.setattr(deliveries, "_succeeded", lambda *_: False)
        deliveries.send(claimed)
    assert len(sink.requests) == 1
    return delivery


def test_a_receipt_keeps_a_killed_workers_message_from_being_sent_twice(
    killed_before_commit: Delivery, sink: Sink
) -> None:
    before = timezone.now()
    later = before + timedelta(seconds=deliveries.LEASE_S + 1)
    assert deliveries.claim_next(later) is None
    killed_before_commit.refresh_from_db()
    assert (killed_before_commit.status, killed_before_commit.attempts) == ("sent", 1)
    assert killed_before_commit.ended_at is not None
    assert killed_before_commit.ended_at <= before
    assert killed_before_commit.took_ms is not None
    assert len(sink.requests) == 1


def test_without_its_receipt_the_message_is_sent_again_under_the_same_key(
    killed_before_commit: Delivery, sink: Sink, settings: Settings
) -> None:
    redis.Redis.from_url(settings.REDIS_URL).flushdb()
    again = deliveries.claim_next(timezone.now() + timedelta(seconds=deliveries.LEASE_S + 1))
    assert again is not None
    deliveries.send(again)
    keys = {body["key"] for _, body in sink.requests}
    assert len(sink.requests) == 2
    assert keys == {str(killed_before_commit.key)}


def test_without_redis_messages_are_sent_and_repeated(
    killed_before_commit: Delivery, sink: Sink, settings: Settings
) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    again = deliveries.claim_next(timezone.now() + timedelta(seconds=deliveries.LEASE_S + 1))
    assert again is not None
    deliveries.send(again)
    killed_before_commit.refresh_from_db()
    assert (killed_before_commit.status, len(sink.requests)) == ("sent", 2)


def test_an_old_receipt_does_not_hide_a_newer_failure_of_its_channel(
    killed_before_commit: Delivery,
) -> None:
    rows = Channel.objects.filter(deliveries=killed_before_commit)
    rows.update(failing_since=timezone.now(), failure="The receiver answered 500")
    assert deliveries.claim_next(timezone.now() + timedelta(seconds=deliveries.LEASE_S + 1)) is None
    assert rows.get().failing_since is not None


def test_one_task_sends_what_is_due_even_if_those_of_the_others_were_lost(site: Site, sink: Sink) -> None:
    rows = [queued(channel(site, sink.url, f"hook {number}")) for number in range(20)]
    assert deliveries.tasks_needed(timezone.now()) == deliveries.MAX_TASKS
    assert deliveries.deliver_due() == len(rows)
    assert deliveries.tasks_needed(timezone.now()) == 0
    assert deliveries.deliver_due() == 0


def test_a_task_ends_in_time_for_the_rounds_of_its_worker(
    site: Site, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "AT_WORK_S", 0.0)
    queued(channel(site, sink.url))
    assert deliveries.deliver_due() == 0


def test_one_channel_gets_few_at_the_same_time_and_others_are_not_held_up(site: Site, sink: Sink) -> None:
    slow, other = channel(site, sink.url), channel(site, sink.url, "other")
    many = [queued(slow) for _ in range(10)]
    last = queued(other)
    now = timezone.now()
    claimed = [deliveries.claim_next(now), deliveries.claim_next(now)]
    assert [one.pk for one in claimed if one] == [many[0].pk, many[1].pk]
    assert deliveries.claim(many[2].pk, now) is None
    next_one = deliveries.claim_next(now)
    assert next_one is not None
    assert next_one.pk == last.pk
    assert deliveries.claim_next(now) is None
    assert deliveries.tasks_needed(now) == 0


def test_messages_of_a_route_arrive_in_order(site: Site, sink: Sink) -> None:
    hook = channel(site, sink.url)
    route = NotificationRoute.objects.create(site=site, name="all", changed_at=timezone.now())
    first, second = queued(hook, route, "first"), queued(hook, route, "second")
    sink.statuses = [503]
    assert run_due() == [first.pk]
    assert run_due() == []
    Delivery.objects.update(next_at=timezone.now())
    assert run_due() == [first.pk, second.pk]
    titles = [body["incidents"][0]["title"] for _, body in sink.requests]
    assert titles == ["first", "first", "second"]


def test_a_deleted_channel_ends_its_deliveries(site: Site, sink: Sink) -> None:
    hook = channel(site, sink.url)
    row = queued(hook)
    services.remove_channel(hook)
    assert run_due() == []
    row.refresh_from_db()
    assert (row.status, row.reason) == ("failed", "The channel was deleted.")


def test_a_channel_in_use_is_not_deleted(site: Site, sink: Sink) -> None:
    hook = channel(site, sink.url)
    NotificationRoute.objects.create(
        site=site,
        name="all",
        changed_at=timezone.now(),
        steps=[{"after_s": 0, "channels": [hook.pk], "schedules": []}],
    )
    with pytest.raises(Conflict, match="used by all"):
        services.remove_channel(hook)


def test_a_defect_of_a_transport_is_a_failed_attempt_that_reveals_no_secret(
    site: Site, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ValueError("token=s3cret")

    row = queued(channel(site, sink.url))
    patched = TRANSPORTS["webhook"]
    monkeypatch.setitem(
        TRANSPORTS, "webhook", type(patched)("webhook", "Webhook", patched.config, patched.secrets, broken)
    )
    run_due()
    row.refresh_from_db()
    assert row.status == "queued"
    assert "s3cret" not in row.reason


def test_secrets_are_stored_encrypted_and_kept_by_an_edit_without_them(site: Site, sink: Sink) -> None:
    hook = channel(site, sink.url, secret="0123456789abcdef")
    assert "0123456789abcdef" not in json.dumps(hook.config)
    assert hook.secrets is not None
    assert b"0123456789abcdef" not in bytes(hook.secrets)
    spec = services.ChannelSpec("renamed", "webhook", {"url": sink.url}, "", enabled=True)
    services.update_channel(hook, spec, timezone.now())
    stored = Channel.objects.get(name="renamed")
    assert secrets.decrypt(stored.secrets) == {"secret": "0123456789abcdef"}
    queued(stored)
    run_due()
    ((headers, _),) = sink.requests
    assert headers["X-Backstay-Signature"].startswith("sha256=")


def test_disabled_channel_gets_no_message_but_a_test(site: Site, sink: Sink) -> None:
    hook = channel(site, sink.url)
    Channel.objects.update(enabled=False)
    row = queued(hook)
    run_due()
    row.refresh_from_db()
    assert (row.status, row.reason) == ("failed", "The channel is disabled.")
    assert sink.requests == []


def test_test_message_is_sent_at_once_and_once(site: Site, sink: Sink) -> None:
    hook = channel(site, sink.url)
    done = deliveries.send_test(hook, "ann", timezone.now())
    assert (done.status, done.reason) == ("sent", "")
    ((_, body),) = sink.requests
    assert (body["reason"], body["acknowledge_link"]) == ("test", "")
    sink.statuses = [503]
    failed = deliveries.send_test(hook, "ann", timezone.now())
    assert failed.status == "failed"
    assert "503" in failed.reason
