"""Which incidents reach which device: critical ones one by one, the end of what was sent, no others."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from backstay.accounts.models import RoleGrant, User
from backstay.alerts.models import (
    Channel,
    Delivery,
    Incident,
    Notification,
    NotificationRoute,
    PushDevice,
)
from backstay.alerts.notify import outbox
from backstay.alerts.notify.audience import MAX_SINGLE, Audience, AudienceIncident, Target
from backstay.alerts.notify.records import group_times
from backstay.alerts.tests.notify.test_outbox import channel, cut, play, route, step
from backstay.api.tests.world import World, person
from backstay.core.alerting.message import Reason
from backstay.core.alerting.message_groups import PlannedMessage
from backstay.core.roles import Role

pytestmark = pytest.mark.slow


@pytest.fixture
def phones(world: World) -> Channel:
    row = channel(world, "phones")
    Channel.objects.filter(pk=row.pk).update(kind="push")
    return row


def device(owner: User, label: str = "phone") -> PushDevice:
    return PushDevice.objects.create(
        person=owner, label=label, digest=f"{owner}/{label}", secrets=b"", created_at=timezone.now()
    )


def incident(ident: int, severity: str = "critical", *, is_resolved: bool = False) -> AudienceIncident:
    return AudienceIncident(ident, "gateway_unreachable", severity, is_resolved)


def reached(
    world: World, of: NotificationRoute, reason: Reason, incidents: dict[str, AudienceIncident]
) -> list[tuple[list[str], list[Target]]]:
    keys = tuple(incidents)
    message = PlannedMessage(reason, keys, ((0, frozenset(keys)),))
    found = Audience(world.site, [of], world.now).of(of, message, incidents)
    return sorted((sorted(part), targets) for part, targets in found)


def test_a_critical_fault_reaches_the_devices_of_who_may_see_it(world: World, phones: Channel) -> None:
    ann = device(person("ann", Role.VIEWER, "argonne"))
    device(person("eve", Role.ADMIN, "elsewhere"))
    ops = channel(world, "ops")
    route(world, steps=[step(ops, phones)])
    cut(world)
    play(world, 24)
    (of_phone,) = Delivery.objects.filter(channel=phones)
    assert (of_phone.device, of_phone.target) == (ann, "phones: phone (ann)")
    (listed,) = of_phone.notification.content["incidents"]
    assert (listed["kind"], listed["severity"]) == ("gateway_unreachable", "critical")
    assert Delivery.objects.filter(channel=ops).count() == 1


def test_warnings_reach_no_device(world: World, phones: Channel) -> None:
    device(person("ann", Role.VIEWER, "argonne"))
    ops = channel(world, "ops")
    both = {"a": incident(1), "b": incident(2, "warning")}
    parts = reached(world, route(world, steps=[step(ops, phones)]), "opened", both)
    assert [(keys, [target.name for target in targets]) for keys, targets in parts] == [
        (["a"], ["phones: phone (ann)"]),
        (["a", "b"], ["ops"]),
    ]


def test_many_incidents_of_one_message_are_one_notification(world: World, phones: Channel) -> None:
    device(person("ann", Role.VIEWER, "argonne"))
    row = route(world, steps=[step(phones)])
    some = {f"k{number}": incident(number) for number in range(MAX_SINGLE)}
    assert len(reached(world, row, "opened", some)) == MAX_SINGLE
    ((keys, _),) = reached(world, row, "opened", some | {"one more": incident(99)})
    assert len(keys) == MAX_SINGLE + 1


def test_the_end_reaches_only_devices_that_got_the_incident(world: World, phones: Channel) -> None:
    ann = person("ann", Role.VIEWER, "argonne")
    first, later = device(ann), device(ann, "tablet")
    row = route(world, steps=[step(phones)])
    cut(world)
    play(world, 24)
    Delivery.objects.filter(device=later).update(status="failed")
    fault = Incident.objects.get(notifications__deliveries__device=first)
    # A fault that became a warning ends for whom it was critical.
    ended = {"a": incident(fault.pk, "warning", is_resolved=True), "b": incident(10**6, is_resolved=True)}
    ((keys, targets),) = reached(world, row, "resolved", ended)
    assert (keys, [target.device_id for target in targets]) == (["a"], [first.pk])


def test_a_route_that_reaches_nobody_is_a_failed_delivery(world: World, phones: Channel) -> None:
    ann = person("ann", Role.VIEWER, "argonne")
    device(ann)
    RoleGrant.objects.filter(user=ann).delete()
    row = route(world, steps=[step(phones)])
    ((_, (target,)),) = reached(world, row, "opened", {"a": incident(1)})
    assert target.problem == "Nobody who may see argonne has turned on push."
    assert reached(world, row, "resolved", {"a": incident(1, is_resolved=True)}) == []


def test_single_messages_to_devices_do_not_count_as_further_messages(world: World, phones: Channel) -> None:
    """Else five incidents at once would delay the next critical one by the group's interval."""
    row = route(world, steps=[step(phones)])
    for _ in range(5):
        Notification.objects.create(
            site=world.site,
            route=row,
            reason="opened",
            content={},
            created_at=world.now - timedelta(seconds=1),
        )
    assert outbox._group_state(row, group_times(row), world.now).in_interval == 1
