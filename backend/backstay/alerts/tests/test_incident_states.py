"""Incidents that are snoozed, assigned, commented, worse, or come back."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from backstay.accounts.models import User
from backstay.alerts import services
from backstay.alerts.models import Flip, Incident, IncidentComment
from backstay.alerts.selectors import incidents as selectors
from backstay.alerts.selectors.incidents import Selection, selection
from backstay.alerts.selectors.muted_incidents import muted_incidents
from backstay.alerts.services import Bulk
from backstay.api.tests.world import World, person
from backstay.core.errors import Conflict, Invalid
from backstay.core.model.progress import Phase
from backstay.core.roles import Role
from backstay.telemetry.models import Event

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("shown_at_once")]
PORT = "sp01:css0"
HOUR = timedelta(hours=1)


@pytest.fixture
def operator(world: World) -> User:
    return person("ada", Role.OPERATOR)


def port_of(world: World) -> str:
    """An end of a link of a node that no other incident explains."""
    link = world.link("grf1:ga030")
    assert link.b is not None
    return f"{link.b.node.name}:{link.b.name}"


def fail(world: World, port: str, seconds: float = 10) -> Incident:
    """The port loses its carrier, and is evaluated."""
    world.forward(seconds)
    world.down.add(port)
    world.describe()
    services.run_round(world.now)
    return Incident.objects.filter(rule__kind="port_down").latest("opened_at")


def mend(world: World, seconds: float = 10) -> None:
    world.forward(seconds)
    world.down.clear()
    world.describe()
    services.run_round(world.now)


def flips(incident: Incident) -> list[tuple[str, str]]:
    return list(Flip.objects.filter(incident=incident).order_by("pk").values_list("from_phase", "to_phase"))


def kinds(incident: Incident) -> list[str]:
    return list(Event.objects.filter(incident_id=incident.pk).order_by("pk").values_list("kind", flat=True))


def test_snoozed_incident_stays_open_in_every_count_and_does_not_notify(world: World, operator: User) -> None:
    incident = fail(world, port_of(world))
    before = selectors.incident_counts(world.site)
    services.snooze(incident, operator, world.now + HOUR, "cable ordered", world.now)
    assert selectors.incident_counts(world.site) == before
    assert incident.pk in muted_incidents(world.site, world.now)
    assert incident.pk not in muted_incidents(world.site, world.now + HOUR)
    (comment,) = IncidentComment.objects.filter(incident=incident)
    assert (comment.author_name, comment.text) == ("ada", "cable ordered")
    assert kinds(incident)[-1] == "incident.snoozed"
    assert len(flips(incident)) == 1, "a snooze notifies nobody"


def test_end_of_a_snooze_is_a_flip_once(world: World, operator: User) -> None:
    incident = fail(world, port_of(world))
    services.snooze(incident, operator, world.now + timedelta(seconds=30), "", world.now)
    for _ in range(3):
        fail(world, port_of(world), 20)
    assert flips(incident) == [("", "open"), ("open", "open")]
    incident.refresh_from_db()
    assert incident.snoozed_until is None


@pytest.mark.parametrize("hours", [-1, 0, 24 * 31])
def test_snooze_ends_in_the_next_30_days(world: World, operator: User, hours: int) -> None:
    incident = fail(world, port_of(world))
    with pytest.raises(Invalid) as refused:
        services.snooze(incident, operator, world.now + hours * HOUR, "", world.now)
    assert list(refused.value.fields) == ["until"]


def test_resolved_incident_is_neither_snoozed_nor_assigned_but_takes_comments(
    world: World, operator: User
) -> None:
    incident = fail(world, port_of(world))
    mend(world)
    with pytest.raises(Conflict):
        services.snooze(incident, operator, world.now + HOUR, "", world.now)
    with pytest.raises(Conflict):
        services.assign(incident, operator, operator, "", world.now)
    services.add_comment(incident, operator, "a bad connector", world.now)
    assert incident.comments.get().text == "a bad connector"


def test_owner_needs_a_role_at_the_site(world: World, operator: User) -> None:
    incident = fail(world, port_of(world))
    services.assign(incident, operator, operator, "mine", world.now)
    incident.refresh_from_db()
    assert incident.owner == operator
    stranger = User.objects.create_user("eve")
    with pytest.raises(Invalid):
        services.assign(incident, operator, stranger, "", world.now)


@pytest.mark.parametrize("action", ["acknowledge", "snooze"])
def test_seen_incident_that_becomes_critical_is_open_again_with_one_flip(
    world: World, operator: User, action: str
) -> None:
    incident = fail(world, port_of(world))
    Incident.objects.filter(pk=incident.pk).update(severity="warning", own_severity="warning")
    if action == "snooze":
        services.snooze(incident, operator, world.now + HOUR, "", world.now)
    else:
        services.acknowledge(incident, operator, "", world.now)
    for _ in range(2):  # The rule finds it critical.
        fail(world, port_of(world))
    incident.refresh_from_db()
    assert (incident.phase, incident.severity, incident.snoozed_until) == (Phase.OPEN, "critical", None)
    before = "acknowledged" if action == "acknowledge" else "open"
    assert flips(incident)[-1] == (before, "open")
    assert kinds(incident).count("incident.reopened") == 1


def test_seen_critical_incident_stays_acknowledged_while_it_lasts(world: World, operator: User) -> None:
    incident = fail(world, port_of(world))
    services.acknowledge(incident, operator, "on it", world.now)
    for _ in range(3):
        fail(world, port_of(world))
    incident.refresh_from_db()
    assert incident.phase == Phase.ACKNOWLEDGED
    assert incident.comments.get().text == "on it"


def test_object_that_fails_again_within_a_minute_reopens_its_incident(world: World, operator: User) -> None:
    first = fail(world, port_of(world))
    began = first.opened_at
    services.acknowledge(first, operator, "", world.now)
    mend(world)
    again = fail(world, port_of(world))
    assert again.pk == first.pk
    assert (again.phase, again.returns, again.flapping_since) == (Phase.OPEN, 1, began)
    assert again.opened_at > began
    assert again.acknowledged_by is None
    assert again.resolved_at is None
    assert flips(again)[-2:] == [("acknowledged", "resolved"), ("resolved", "open")]
    assert kinds(again)[-1] == "incident.reopened"


def test_object_that_fails_again_later_has_a_new_incident(world: World) -> None:
    first = fail(world, port_of(world))
    mend(world)
    assert fail(world, port_of(world), 90).pk != first.pk


def test_port_that_flaps_every_36_s_is_one_incident_that_opens_six_times(world: World) -> None:
    port = port_of(world)
    for _ in range(12):
        fail(world, port, 26)
        mend(world, 10)
    (incident,) = Incident.objects.filter(rule__kind="port_down")
    assert (incident.returns, incident.phase) == (11, Phase.OPEN)
    assert [after for _, after in flips(incident)].count("open") == 6
    assert incident.quiet_since is not None
    assert incident.severity == "warning", "nobody can do more about it than wait"
    mend(world, 800)
    incident.refresh_from_db()
    assert incident.phase == Phase.OPEN
    mend(world, 120)
    incident.refresh_from_db()
    assert incident.phase == Phase.RESOLVED


def test_bulk_action_changes_exactly_what_was_seen(world: World, operator: User) -> None:
    for port in (port_of(world), "sp01:css0", "sp02:css0"):
        fail(world, port)
    chosen = selectors.matching(world.site, phase="current")
    seen = selection(chosen.values_list("pk", flat=True))
    assert seen.count >= 3
    done = services.change_all(
        world.site, chosen, seen, Bulk("acknowledge", "storm"), user=operator, now=world.now
    )
    assert done == (seen.count, 0)
    assert set(Incident.objects.filter(selectors.CURRENT).values_list("phase", flat=True)) == {"acknowledged"}
    assert IncidentComment.objects.count() == seen.count
    until = world.now + HOUR
    done = services.change_all(
        world.site, chosen, seen, Bulk("snooze", until=until), user=operator, now=world.now
    )
    assert done == (seen.count, 0)
    assert len(muted_incidents(world.site, world.now)) == seen.count


def test_bulk_action_on_another_set_does_nothing(world: World, operator: User) -> None:
    fail(world, "sp01:css0")
    chosen = selectors.matching(world.site, phase="current")
    seen = selection(chosen.values_list("pk", flat=True))
    fail(world, "sp02:css0")
    for other in (seen, Selection(selectors.incident_counts(world.site).total, seen.digest)):
        with pytest.raises(Conflict):
            services.change_all(world.site, chosen, other, Bulk("acknowledge"), user=operator, now=world.now)
    assert not Incident.objects.filter(phase=Phase.ACKNOWLEDGED).exists()


def test_bulk_action_takes_as_many_queries_for_many_incidents_as_for_one(
    world: World, operator: User
) -> None:
    fail(world, port_of(world))

    def queries() -> int:
        chosen = selectors.matching(world.site, phase="open")
        seen = selection(chosen.values_list("pk", flat=True))
        with CaptureQueriesContext(
            connection,
        ) as context:
            services.change_all(
                world.site, chosen, seen, Bulk("acknowledge", "x"), user=operator, now=world.now
            )
        return len(context)

    one = queries()
    row = Incident.objects.first()
    assert row is not None
    row.pk, row.phase = None, Phase.OPEN
    Incident.objects.bulk_create(
        Incident(
            **{
                field.attname: getattr(row, field.attname)
                for field in Incident._meta.concrete_fields
                if field.name not in {"id", "fingerprint"}
            },
            fingerprint=f"port_down:{number}",
        )
        for number in range(10_000, 10_200)
    )
    assert queries() == one
