"""Maintenance windows: what they cover, and what they stop."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from backstay.accounts.models import User
from backstay.alerts import services
from backstay.alerts.models import Flip, Incident, MaintenanceWindow, SiteRule
from backstay.alerts.selectors import incidents as selectors
from backstay.alerts.selectors.muted_incidents import muted_incidents
from backstay.alerts.windows import services as windows
from backstay.alerts.windows.coverage import paused_resources
from backstay.alerts.windows.recurrence import Recurrence
from backstay.alerts.windows.services import Target, WindowSpec
from backstay.api.tests.world import World, person
from backstay.core.errors import Conflict, Invalid, Refused
from backstay.core.model.progress import Phase
from backstay.core.roles import Role
from backstay.inventory.models import Fabric, Port
from backstay.telemetry.models import Event

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("shown_at_once")]
HOUR = timedelta(hours=1)


@pytest.fixture
def operator(world: World) -> User:
    return person("ada", Role.OPERATOR)


def window(
    world: World, operator: User, *targets: Target, seconds: int = 3600, rule: str = "", **more: bool
) -> MaintenanceWindow:
    """A window that takes place since a minute."""
    recurrence = Recurrence(world.now - timedelta(seconds=60), seconds, "Europe/Zurich", rule)
    spec = WindowSpec("spare cables", recurrence, targets, **more)  # type: ignore[arg-type]
    return windows.create(world.site, spec, operator, world.now)


def break_port(world: World, port: str) -> None:
    world.forward()
    world.down.add(port)
    world.describe()
    services.run_round(world.now)


def mend(world: World) -> None:
    world.forward()
    world.down.clear()
    world.describe()
    services.run_round(world.now)


def port_incidents() -> list[Incident]:
    return list(Incident.objects.filter(selectors.CURRENT, rule__kind="port_down").order_by("pk"))


def node(world: World, name: str) -> Target:
    return Target("node", world.node(name).pk)


def target_of(world: World, kind: str) -> Target:
    """An object of this kind on which the link grf1:ga030 to origin1:at0 depends."""
    link = world.link("grf1:ga030")
    ids = {
        "site": None,
        "fabric": Fabric.objects.get(site=world.site, name="atm-oc12").pk,
        "node": world.node("origin1").pk,
        "port": Port.objects.get(node__name="grf1", name="ga030").pk,
        "link": link.pk,
    }
    return Target(kind, ids[kind])


@pytest.mark.parametrize("kind", ["site", "fabric", "node", "port", "link"])
def test_incident_of_an_object_or_its_dependant_is_muted_and_still_counted(
    world: World, operator: User, kind: str
) -> None:
    break_port(world, "origin1:at0")
    (incident,) = port_incidents()
    assert muted_incidents(world.site, world.now) == frozenset()
    window(world, operator, target_of(world, kind))
    assert incident.pk in muted_incidents(world.site, world.now)
    assert port_incidents() == [incident]
    assert incident.pk not in muted_incidents(world.site, world.now + HOUR)


def test_incident_of_another_object_is_not_muted(world: World, operator: User) -> None:
    break_port(world, "onyx1:hip0")
    window(world, operator, node(world, "origin1"))
    assert not muted_incidents(world.site, world.now)


def test_failover_from_a_gateway_in_maintenance_is_muted_and_the_loss_of_the_other_one_is_not(
    world: World, operator: User
) -> None:
    window(world, operator, node(world, "grf1"))
    world.forward()
    world.fail_over()
    services.run_round(world.now)
    (failover,) = Incident.objects.filter(selectors.CURRENT)
    assert muted_incidents(world.site, world.now) == {failover.pk}
    for port in ("atmgw:css0", "atmgw:at0"):
        break_port(world, port)
    lost = Incident.objects.filter(selectors.CURRENT, link=world.link("atmgw:at0"))
    others = set(lost.values_list("pk", flat=True))
    assert others
    assert not others & muted_incidents(world.site, world.now)


def test_effects_of_a_covered_incident_are_muted_with_it(world: World, operator: User) -> None:
    break_port(world, "origin1:at0")
    (cause,) = port_incidents()
    effect = Incident.objects.create(
        site=world.site,
        rule=SiteRule.objects.get(site=world.site, kind="device_alarm"),
        fingerprint="device_alarm:1",
        phase=Phase.OPEN,
        severity="warning",
        own_severity="warning",
        title="alarm",
        node=world.node("onyx1"),
        cause=cause,
        opened_at=world.now,
        last_seen=world.now,
    )
    window(world, operator, target_of(world, "link"))
    assert {cause.pk, effect.pk} <= muted_incidents(world.site, world.now)


def test_window_for_rules_opens_nothing_until_it_ends(world: World, operator: User) -> None:
    row = window(world, operator, node(world, "origin1"), pauses_rules=True)
    break_port(world, "origin1:at0")
    for _ in range(3):
        break_port(world, "onyx1:hip0")
    assert [item.link for item in port_incidents()] == [world.link("grf1:gh010")]
    assert selectors.suppressed(world.site) >= 1
    windows.end(row, operator, world.now)
    break_port(world, "onyx1:hip0")
    assert world.link("grf1:ga030") in [item.link for item in port_incidents()]
    assert selectors.suppressed(world.site) == 0


def test_fault_that_is_over_before_the_window_leaves_nothing(world: World, operator: User) -> None:
    window(world, operator, node(world, "origin1"), pauses_rules=True)
    break_port(world, "origin1:at0")
    mend(world)
    assert (selectors.suppressed(world.site), port_incidents(), Flip.objects.count()) == (0, [], 0)


def test_incident_raised_before_resolves_inside(world: World, operator: User) -> None:
    break_port(world, "origin1:at0")
    (incident,) = port_incidents()
    window(world, operator, Target("site"), pauses_rules=True)
    mend(world)
    incident.refresh_from_db()
    assert incident.phase == Phase.RESOLVED


def test_incident_about_the_evaluation_is_never_muted(world: World, operator: User) -> None:
    window(world, operator, Target("site"), pauses_rules=True)
    rule = SiteRule.objects.get(site=world.site, kind="rule_failed")
    incident = Incident.objects.create(
        site=world.site, rule=rule, fingerprint="rule_failed:x", phase=Phase.OPEN, severity="warning",
        own_severity="warning", title="x", opened_at=world.now, last_seen=world.now,
    )  # fmt: skip
    assert incident.pk not in muted_incidents(world.site, world.now)


def test_overlapping_windows_mute_until_the_last_of_them_ends(world: World, operator: User) -> None:
    break_port(world, "origin1:at0")
    window(world, operator, node(world, "origin1"), seconds=600)
    window(world, operator, node(world, "grf1"), seconds=1200)
    for minutes, is_muted in ((5, True), (15, True), (21, False)):
        assert bool(muted_incidents(world.site, world.now + timedelta(minutes=minutes))) is is_muted


def test_switches_are_independent(world: World, operator: User) -> None:
    break_port(world, "origin1:at0")
    window(world, operator, node(world, "origin1"), mutes_notifications=False, pauses_tests=True)
    assert not muted_incidents(world.site, world.now)
    assert f"node:{world.node('origin1').pk}" in paused_resources(world.site, world.now)
    window(world, operator, node(world, "grf1"), pauses_tests=False)
    assert f"node:{world.node('grf1').pk}" not in paused_resources(world.site, world.now)


def test_no_throughput_test_starts_on_what_is_in_maintenance(world: World, operator: User) -> None:
    from backstay.throughput.site_context import SiteContext

    row = window(world, operator, node(world, "origin1"))
    link = world.link("grf1:ga030").pk
    waits = SiteContext(world.site, world.now).pause([f"link:{link}"])
    assert waits.startswith("waits for the end of the maintenance window spare cables, ")
    assert SiteContext(world.site, world.now).pause(["link:999999"]) == ""
    windows.end(row, operator, world.now)
    assert SiteContext(world.site, world.now).pause([f"link:{link}"]) == ""


def test_recurring_window_moves_on_by_itself(world: World, operator: User) -> None:
    row = window(world, operator, node(world, "origin1"), seconds=600, rule="FREQ=DAILY")
    first = row.begins_at
    assert first is not None
    world.forward(700)
    services.run_round(world.now)
    row.refresh_from_db()
    assert row.begins_at == first + timedelta(days=1)


def test_window_ended_early_takes_place_again_next_time_and_only_once_now(
    world: World, operator: User
) -> None:
    row = window(world, operator, node(world, "origin1"), rule="FREQ=DAILY")
    first = row.begins_at
    windows.end(row, operator, world.now)
    row.refresh_from_db()
    assert first is not None
    assert row.begins_at == first + timedelta(days=1)
    with pytest.raises(Conflict):
        windows.end(row, operator, world.now)
    assert Event.objects.filter(kind="maintenance.ended").count() == 1


def test_single_window_that_was_ended_is_over(world: World, operator: User) -> None:
    row = window(world, operator, node(world, "origin1"))
    windows.end(row, operator, world.now)
    row.refresh_from_db()
    assert (row.begins_at, row.ends_at) == (None, None)


def test_window_about_nothing_or_about_another_sites_object_is_refused(world: World, operator: User) -> None:
    with pytest.raises(Invalid):
        window(world, operator)
    other = World.make(name="casa", now=world.now)
    with pytest.raises(Refused):
        window(world, operator, Target("node", other.node("origin1").pk))


def test_coverage_takes_the_same_queries_for_every_number_of_targets(world: World, operator: User) -> None:
    break_port(world, "origin1:at0")

    def queries() -> int:
        with CaptureQueriesContext(connection) as context:
            muted_incidents(world.site, world.now)
        return len(context)

    assert queries() <= 2
    window(world, operator, node(world, "origin1"))
    one = queries()
    window(world, operator, *(node(world, name) for name in ("grf1", "onyx1", "sp01", "sp02", "atmgw")))
    assert queries() == one <= 9
