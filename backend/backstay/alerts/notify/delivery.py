"""Deliveries: claimed by a lease, sent, retried with growing pauses; a channel that fails is marked.

A delivery is sent outside of any transaction. A worker that is killed loses its lease after `LEASE_S`; the
next one sends the message again under the same key, unless the first one had stored its success or at least
left a receipt.
"""

from __future__ import annotations

import logging
import time
import uuid
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import Count, F, Min, Q, QuerySet
from django.utils import timezone
from pydantic import ValidationError

from backstay.accounts.secrets import SecretsUnreadableError
from backstay.alerts.notify import receipts
from backstay.alerts.notify.incident_chart import incident_chart
from backstay.alerts.notify.messages import message_of
from backstay.alerts.notify.models import Channel, Delivery, Notification, PushDevice
from backstay.alerts.notify.push.devices import target_name
from backstay.alerts.notify.push.message import note_failure, note_success, send_to_device
from backstay.alerts.notify.receipts import Receipt, ReceiptWriter
from backstay.alerts.notify.services import channel_settings, transport_of
from backstay.alerts.notify.transport import DeliveryFailed, RecipientLost
from backstay.alerts.notify.transports import push
from backstay.core.alerting.message import one_line
from backstay.core.errors import Refused
from backstay.live import publish

LEASE_S = 45.0
"""Twice what a transport may take. A message of a killed worker is sent again after it."""
AT_WORK_S = 2.0
"""A task begins no further delivery after this, so that rounds of the same worker have their turn."""
PER_CHANNEL = 2
"""Deliveries of one channel at the same time."""
MAX_TASKS = 4
"""Tasks that one tick queues; each sends many. The next tick's replace those that wait for slow channels."""
TASK_S = 300.0
"""A task that waited longer expires. One that waited less does as much as a new one: a worker that cannot
keep up would else take only expired tasks from the queue, and send nothing."""
CANDIDATES = 50
"""Due deliveries that a task tries to claim before it ends."""
RETRIES_S = (5.0, 15.0, 45.0, 120.0, 300.0, 600.0, 900.0)
"""Pauses between attempts; after the last one the delivery has failed: 33 minutes."""
MAX_RETRY_AFTER_S = 900.0
"""Longest pause that a receiver may demand."""
FAILING_ATTEMPTS = 2
"""Attempts after which the channel counts as failing: one lost connection is no fault."""
WORKED_FOR = timedelta(seconds=10)
"""A channel's last success is stored so often at most."""
DUE = Q(status__in=["queued", "sending"])
_SUCCESS = f"""
WITH quick AS (SELECT set_config('synchronous_commit', 'off', true)),
sent AS (
    UPDATE {Delivery._meta.db_table} AS delivery
    SET status = 'sent', ended_at = %s, took_ms = %s, reason = '', lease = NULL
    FROM quick WHERE delivery.id = %s AND delivery.lease = %s AND delivery.status = 'sending'
    RETURNING delivery.channel_id
), works AS (
    UPDATE {Channel._meta.db_table} AS channel SET worked_at = %s, failing_since = NULL, failure = ''
    FROM sent WHERE channel.id = sent.channel_id AND (failing_since IS NULL OR failing_since <= %s)
    AND (failing_since IS NOT NULL OR failure <> '' OR worked_at IS NULL
         OR worked_at < greatest(%s, channel.changed_at))
)
SELECT channel_id FROM sent
"""  # noqa: S608  (names of our own tables)

log = logging.getLogger(__name__)


def deliver_due() -> int:
    """Send what is due, one delivery after the other, until nothing is, or for `AT_WORK_S`; their number.

    Its task names no delivery: each sends what is due, however long it waited in the queue.
    """
    until, number = time.monotonic() + AT_WORK_S, 0
    while time.monotonic() < until and (delivery := claim_next(timezone.now())) is not None:
        send(delivery)
        number += 1
    return number


def tasks_needed(now: datetime) -> int:
    """How many tasks can send what is due now; deliveries of deleted channels end."""
    Delivery.objects.filter(DUE, channel=None).update(
        status="failed", ended_at=now, reason="The channel was deleted.", lease=None
    )
    return len(_ready(now)[:MAX_TASKS])


def claim_next(now: datetime) -> Delivery | None:
    """Lease the delivery that has been due longest, of a channel that is not busy; None: there is none."""
    for ident in _ready(now)[:CANDIDATES]:
        # Another process may have claimed it meanwhile.
        if (delivery := claim(ident, now)) is not None:
            return delivery
    return None


def _ready(now: datetime) -> QuerySet[Delivery, int]:
    """Ids of what may be sent now, due longest first.

    Of one channel or device, and one route, one after the other, so that nobody reads that an incident opened
    after its resolution.
    """
    # Grouped once: a subquery for each row would read all unfinished rows again and again.
    of_routes = Delivery.objects.filter(DUE, notification__route__isnull=False).order_by()
    heads = (
        of_routes.values("channel_id", "device_id", "notification__route_id")
        .annotate(head=Min("pk"))
        .values("head")
    )
    first = Q(pk__in=heads) | Q(notification__route=None)
    ready = Delivery.objects.filter(DUE, first, next_at__lte=now, channel__isnull=False)
    return ready.exclude(channel_id__in=_busy(now)).order_by("next_at", "pk").values_list("pk", flat=True)


def _busy(now: datetime) -> QuerySet[Delivery, Any]:
    """`channel_id` of the channels with as many deliveries being sent as are allowed at the same time."""
    rows = Delivery.objects.filter(status="sending", next_at__gt=now, channel__isnull=False).order_by()
    numbers = rows.values("channel_id").annotate(number=Count("pk"))
    return numbers.filter(number__gte=PER_CHANNEL).values("channel_id")


def claim(ident: int, now: datetime) -> Delivery | None:
    """Lease a due delivery for `LEASE_S`; None if it is finished, leased, not due, or its channel is busy.

    A lease that expired after the receiver had accepted the message ends here as a success.
    """
    due = Delivery.objects.filter(DUE, pk=ident, next_at__lte=now)
    row = due.only("channel_id", "device_id", "lease").first()
    if row is None or row.channel_id is None:
        return None
    if row.lease is not None and (receipt := receipts.find(row.lease)) is not None:
        _succeeded(row, receipt)
        return None
    with transaction.atomic():
        # The lock of the channel makes its claims take turns.
        channel = Channel.objects.select_for_update(no_key=True).filter(pk=row.channel_id).first()
        if channel is None or _busy(now).filter(channel=channel).exists():
            return None
        lease = uuid.uuid4()
        taken = due.update(
            status="sending",
            lease=lease,
            attempts=F("attempts") + 1,
            next_at=now + timedelta(seconds=LEASE_S),
        )
        return _loaded().get(pk=ident, lease=lease) if taken else None


def _loaded() -> QuerySet[Delivery]:
    return Delivery.objects.select_related("notification__site", "channel__site", "channel__person", "device")


def send(delivery: Delivery) -> None:
    """Send a claimed delivery and store the result."""
    assert delivery.lease is not None
    with ReceiptWriter(delivery.lease) as writer:
        began = time.monotonic()
        failed = _attempt(delivery)
        took_ms = (time.monotonic() - began) * 1000
        now = timezone.now()
        if failed is None:
            # First of all: a worker that is killed before it causes a second message.
            writer.note(Receipt(now, took_ms))
            is_mine = _succeeded(delivery, Receipt(now, took_ms))
        else:
            is_mine = _failed(delivery, failed, took_ms, now)
    if is_mine:
        publish.changed(delivery.notification.site.name, {"deliveries", "channels"})
    if failed is not None:
        log.warning("delivery %s to %s failed: %s", delivery.pk, delivery.target, failed.reason)


def _attempt(delivery: Delivery) -> DeliveryFailed | None:
    """None, or why it failed."""
    channel = delivery.channel
    assert channel is not None
    if not channel.enabled and delivery.notification.reason != "test":
        return DeliveryFailed("The channel is disabled.", permanent=True)
    try:
        transport, settings = transport_of(channel.kind), channel_settings(channel)
        if channel.kind == push.KIND:
            send_to_device(settings, delivery)
        else:
            chart = incident_chart(delivery.notification, timezone.now())
            transport.send(settings, message_of(delivery), chart)
    except (Refused, SecretsUnreadableError) as problem:
        return DeliveryFailed(str(problem), permanent=True)
    except ValidationError:
        return DeliveryFailed("The channel's settings are not valid any more: edit it.", permanent=True)
    except DeliveryFailed as problem:
        return problem
    except Exception as problem:
        # A defect of one transport: the others go on. Its text may hold a secret.
        log.exception("the transport %s failed", channel.kind)
        return DeliveryFailed(f"Internal error ({type(problem).__name__}); the worker's log has the details.")
    return None


def _succeeded(delivery: Delivery, receipt: Receipt) -> bool:
    """Store a success, and that the channel works; False if the lease was lost: another worker decides.

    One statement that does not wait for the disk. What a crash of the database forgets is sent again.
    """
    at = receipt.at
    with connection.cursor() as cursor:
        cursor.execute(_SUCCESS, [at, receipt.took_ms, delivery.pk, delivery.lease, at, at, at - WORKED_FOR])
        is_mine = bool(cursor.fetchall())
    if is_mine and delivery.device is not None:
        note_success(delivery.device, at)
    return is_mine


def _failed(delivery: Delivery, failed: DeliveryFailed, took_ms: float, now: datetime) -> bool:
    """Store a failure and when the next attempt is; False if the lease was lost: another worker decides."""
    mine = Delivery.objects.filter(pk=delivery.pk, lease=delivery.lease, status="sending")
    values: dict[str, object] = {"took_ms": took_ms, "lease": None, "reason": one_line(failed.reason)}
    is_last = failed.permanent or delivery.attempts > len(RETRIES_S)
    if is_last or delivery.notification.reason == "test":
        values |= {"status": "failed", "ended_at": now}
    else:
        pause = timedelta(seconds=pause_s(delivery.attempts, failed.retry_after_s))
        values |= {"status": "queued", "next_at": now + pause}
    with transaction.atomic():
        if not mine.update(**values):
            return False
        _mark_failing(delivery, failed, now)
    return True


def pause_s(attempts: int, retry_after_s: float | None) -> float:
    """Seconds until the next attempt; at least as long as the receiver demands, within limits."""
    pause = RETRIES_S[min(attempts, len(RETRIES_S)) - 1]
    return max(pause, min(retry_after_s or 0.0, MAX_RETRY_AFTER_S))


def _mark_failing(delivery: Delivery, failed: DeliveryFailed, now: datetime) -> None:
    """The channel's state: the rule `channel_failed` reads it."""
    if isinstance(failed, RecipientLost):
        return
    if failed.permanent or delivery.attempts >= FAILING_ATTEMPTS:
        if delivery.device is not None and not note_failure(delivery.device, failed, now):
            return
        rows = Channel.objects.filter(pk__in=[delivery.channel_id])
        rows.filter(failing_since=None).update(failing_since=now)
        rows.update(failure=one_line(failed.reason))


def send_test(channel: Channel, person: str, now: datetime) -> Delivery:
    """Send a test message in this process, once; the finished delivery.

    Of a push channel to the person's newest device; Refused if there is none.
    """
    device = _test_device(person) if channel.kind == push.KIND else None
    with transaction.atomic():
        notification = Notification.objects.create(
            site=channel.site, reason="test", content=_test_content(channel, person, now), created_at=now
        )
        made = Delivery.objects.create(
            notification=notification,
            channel=channel,
            device=device,
            target=channel.name if device is None else target_name(channel.name, device),
            status="sending",
            attempts=1,
            lease=uuid.uuid4(),
            next_at=now + timedelta(seconds=LEASE_S),
            created_at=now,
        )
    send(_loaded().get(pk=made.pk))
    return Delivery.objects.get(pk=made.pk)


def _test_device(person: str) -> PushDevice:
    newest = (
        PushDevice.objects.select_related("person").filter(person__username=person).order_by("-pk").first()
    )
    if newest is None:
        raise Refused("You have not turned on push on a device: a test has nobody to reach.")
    return newest


def _test_content(channel: Channel, person: str, now: datetime) -> dict[str, object]:
    return {
        "incidents": [
            {
                "id": 0,
                "title": f"Test of the channel {channel.name}",
                "detail": f"{person} sent it. Nothing is wrong.",
                "severity": "warning",
                "kind": "test",
                "subject": channel.name,
                "phase": "open",
                "since": now.isoformat(),
                "resolved_at": None,
                "effects": [],
                "link": "",
                "labels": {},
                "value": None,
                "threshold": None,
            }
        ],
        "more": 0,
    }
