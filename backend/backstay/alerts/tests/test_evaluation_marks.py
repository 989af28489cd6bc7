"""Rounds that leave out rules without changes find what rounds find that evaluate everything."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections, transaction

from backstay.alerts import evaluation, evaluation_marks, services
from backstay.alerts.models import EvaluationMark, Flip, Incident, SiteRule
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.alerts.windows.models import MaintenanceTarget, MaintenanceWindow
from backstay.api.tests.world import World
from backstay.core.model.progress import Phase
from backstay.inventory.models import Site
from backstay.policy.models import Hold, Path
from backstay.telemetry.models import NodeState, PortState
from backstay.telemetry.row_cache import new_process
from backstay.telemetry.selectors.current_samples import newest_samples

pytestmark = [pytest.mark.slow]

STEPS = 20
WAITS_S = (0.5, 2, 2, 2, 4, 7, 21, 46, 61, 130)
Seen = dict[str, Any]
Step = Callable[[World, random.Random], object]


@pytest.fixture
def world(own_world: World) -> World:
    return own_world


def carrier(world: World, chance: random.Random) -> None:
    """A port loses or regains its carrier."""
    port = chance.choice(list(PortState.objects.filter(port__node__site=world.site).order_by("pk")))
    port.oper_up, port.since, port.at = not port.oper_up, world.now, world.now
    port.save()


def unchanged_port(world: World, chance: random.Random) -> None:
    """A port is reported again."""
    port = chance.choice(list(PortState.objects.order_by("pk")))
    PortState.objects.filter(pk=port.pk).update(at=world.now)


def probe(world: World, chance: random.Random) -> None:
    """A path's probes, target or gateway change."""
    path = chance.choice(list(Path.objects.select_related("policy").order_by("pk")))
    gateways = list(path.policy.gateways.order_by("order").values_list("node_id", "node__name"))
    path.at = world.now
    if chance.random() < 0.4:
        path.active_id, path.active_text = chance.choice([*gateways, (None, "")])
        path.since = world.now
    if chance.random() < 0.4:
        path.target_alive, path.target_since = chance.choice([True, True, False]), world.now
    since = (world.now - timedelta(seconds=chance.choice([0, 3, 30]))).isoformat()
    path.liveness = {
        name: {"alive": chance.random() < 0.6, "forwards": chance.choice([True, None, False]), "since": since}
        for _, name in gateways
    }
    path.save()


def recovery(world: World, _: random.Random) -> None:
    """Everything works again."""
    PortState.objects.filter(oper_up=False).update(oper_up=True, since=world.now)
    world.all_paths()


def report(world: World, chance: random.Random) -> None:
    """Some nodes report, paths that did not change among it."""
    nodes = list(NodeState.objects.order_by("pk").values_list("pk", flat=True))
    NodeState.objects.filter(pk__in=chance.sample(nodes, len(nodes) // 2)).update(
        last_reported_at=world.now, stale_since=None
    )
    Path.objects.exclude(at=None).update(at=world.now)


def all_report(world: World, _: random.Random) -> None:
    NodeState.objects.update(last_reported_at=world.now, stale_since=None)


def load(world: World, chance: random.Random) -> None:
    """Samples of some nodes, of which a link may be full."""
    full = {"grf1": {"ga030": (1e6, 53e6)}} if chance.random() < 0.6 else None
    world.sample(full, but=chance.sample(world.devices(), 2))


def setting(world: World, chance: random.Random) -> None:
    """A rule is disabled, enabled, or gets another parameter."""
    kind = chance.choice(["port_down", "path_dead", "saturation", "node_stale"])
    rule = SiteRule.objects.get(site=world.site, kind=kind)
    rule.enabled = chance.random() < 0.7
    if kind == "path_dead":
        rule.parameters = {"after_s": chance.choice([1.0, 3.0, 90.0])}
    rule.save()


def hold(world: World, chance: random.Random) -> None:
    """An operator holds a node, or releases it."""
    node = chance.choice(["sp01", "sp02"])
    if not Hold.objects.filter(node__name=node).delete()[0]:
        until = world.now + timedelta(hours=1)
        Hold.objects.create(
            node=world.node(node),
            uid=str(chance.random()),
            origin="backend",
            person="test",
            seconds=3600,
            at=world.now,
            until=until,
            state="held",
            since=world.now,
        )


def window(world: World, chance: random.Random) -> None:
    """A maintenance window of a node begins now, and ends later."""
    made = MaintenanceWindow.objects.create(
        site=world.site,
        uid=str(chance.random()),
        name=str(chance.random()),
        starts_at=world.now,
        begins_at=world.now,
        ends_at=world.now + timedelta(seconds=30),
        duration_s=30,
        zone="UTC",
        pauses_rules=True,
        created_at=world.now,
        changed_at=world.now,
    )
    MaintenanceTarget.objects.create(window=made, kind="node", node=world.node("grf1"))


def nothing(_: World, __: random.Random) -> None:
    """A quiet round."""


CHANGES: Sequence[Step] = (
    carrier, unchanged_port, probe, probe, recovery, recovery, report, all_report, all_report, all_report,
    load, setting, hold, window, nothing, nothing, nothing,
)  # fmt: skip


def seen(site: Site) -> list[Seen]:
    """Everything that clients see of the incidents, and how they came about."""
    rows = Incident.objects.filter(site=site).prefetch_related("paths").select_related("cause")
    found: list[Seen] = []
    for row in rows.order_by("fingerprint", "opened_at", "found_at"):
        values = {
            field.attname: getattr(row, field.attname)
            for field in Incident._meta.concrete_fields
            if field.attname not in {"id", "cause_id"}
        }
        cause = None if row.cause is None else (row.cause.fingerprint, row.cause.opened_at)
        found.append({**values, "cause": cause, "paths": sorted(path.pk for path in row.paths.all())})
    flips = Counter(
        Flip.objects.filter(incident__site=site).values_list(
            "incident__fingerprint", "from_phase", "to_phase", "at"
        )
    )
    return [*found, {"flips": flips}]


@contextmanager
def undone() -> Iterator[None]:
    """What happens in the block is rolled back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def full_round(world: World) -> list[Seen]:
    """What a round finds that evaluates everything in a new process; it leaves no trace."""
    with undone(), new_process():
        EvaluationMark.objects.all().delete()
        services.run_round(world.now)
        return seen(world.site)


@pytest.fixture
def left_out(monkeypatch: pytest.MonkeyPatch) -> Counter[bool]:
    """How often a group of rules was left out, and not."""
    found: Counter[bool] = Counter()
    before = evaluation_marks.leave_out

    def counted(*args: Any) -> bool:
        result = before(*args)
        found[result] += 1
        return result

    monkeypatch.setattr(evaluation_marks, "leave_out", counted)
    return found


@pytest.mark.parametrize("seed", range(6))
def test_incidents_are_those_of_rounds_that_evaluate_everything(
    world: World, left_out: Counter[bool], seed: int
) -> None:
    chance = random.Random(seed)
    world.site.refresh_from_db()
    for number in range(STEPS):
        steps = [chance.choice(CHANGES) for _ in range(chance.choice([1, 1, 1, 2]))]
        world.forward(chance.choice(WAITS_S))
        if chance.random() < 0.8:
            all_report(world, chance)
        for step in steps:
            step(world, chance)
        if chance.random() < 0.2:
            evaluation.evaluate_triggered(world.site, ["port_down", "node_stale"], world.now)
        world.site.refresh_from_db()
        expected = full_round(world)
        with new_process() if chance.random() < 0.2 else nullcontext():  # Sometimes another worker.
            services.run_round(world.now)
        assert seen(world.site) == expected, (seed, number, [step.__name__ for step in steps])


def test_a_quiet_site_is_left_out_until_a_minute_has_passed(world: World, left_out: Counter[bool]) -> None:
    def leaves_out(seconds: float) -> bool:
        world.forward(seconds)
        all_report(world, random.Random())
        left_out.clear()
        services.run_round(world.now)
        return left_out[True] == 2

    assert [leaves_out(2) for _ in range(3)] == [False, True, True]
    assert leaves_out(61) is False
    assert leaves_out(2) is True


def test_a_lost_carrier_is_found_by_the_next_round_and_its_incident_is_seen_while_left_out(
    world: World, left_out: Counter[bool]
) -> None:
    def round_after(seconds: float) -> None:
        world.forward(seconds)
        all_report(world, random.Random())
        left_out.clear()
        services.run_round(world.now)

    for _ in range(3):
        round_after(2)
    assert left_out == {True: 2}
    grf1 = PortState.objects.filter(port__node__name="grf1", port__name="ga030")
    grf1.update(oper_up=False, since=world.now)
    round_after(2)
    incident = Incident.objects.get(fingerprint__startswith="port_down:")
    assert left_out == {False: 2}
    for _ in range(4):
        round_after(2)
        assert left_out[False], "what follows from a lost carrier may follow later"
    round_after(64)
    round_after(2)
    assert left_out == {True: 2}
    incident.refresh_from_db()
    assert (incident.phase, incident.last_seen) == (Phase.OPEN, world.now)
    grf1.update(oper_up=True, since=world.now)
    round_after(2)
    incident.refresh_from_db()
    assert incident.phase == Phase.RESOLVED or incident.quiet_since == world.now


def test_samples_read_in_parts_are_those_read_at_once(world: World) -> None:
    chance = random.Random(1)
    for _ in range(12):
        world.forward(2)
        load(world, chance)
        kept = newest_samples(world.site)
        with new_process():
            whole = newest_samples(world.site)
        assert kept.samples.port.tolist() == whole.samples.port.tolist()
        assert kept.node.tolist() == whole.node.tolist()
        for name, values in whole.samples.counters.items():
            assert repr(kept.samples.counters[name].tolist()) == repr(values.tolist()), name
        assert kept.samples.at.tolist() == whole.samples.at.tolist()


@pytest.mark.django_db(transaction=True)
def test_a_change_that_an_older_transaction_commits_late_is_found() -> None:
    """The transaction begins and writes before a newer one that commits first and that a round evaluates."""
    world = World.make()
    world.describe()
    world.all_paths()
    world.sample()
    written, may_commit = threading.Event(), threading.Event()

    def older() -> None:
        try:
            with transaction.atomic():
                rows = PortState.objects.filter(port__node__name="grf1", port__name="ga030")
                rows.update(oper_up=False, since=world.now, at=world.now)
                written.set()
                assert may_commit.wait(30)
        finally:
            connections.close_all()

    def found() -> list[str]:
        world.forward(2)
        NodeState.objects.update(last_reported_at=world.now)
        services.run_round(world.now)
        rows = Incident.objects.filter(fingerprint__startswith="port_down:").order_by("subject")
        return [row.subject for row in rows]

    for _ in range(3):
        assert found() == []
    thread = threading.Thread(target=older)
    thread.start()
    assert written.wait(30)
    newer = PortState.objects.filter(port__node__name="origin2", port__name="at0")
    newer = newer if newer.exists() else PortState.objects.exclude(port__node__name="grf1")[:1]
    PortState.objects.filter(pk__in=[row.pk for row in newer]).update(at=world.now)
    for _ in range(3):
        assert found() == []
    assert EvaluationMark.objects.get(group="faults").evaluated_at < world.now, "the newest round left it out"
    may_commit.set()
    thread.join(30)
    assert found() == ["grf1:ga030-origin1:at0"]


def test_a_process_that_kept_old_rows_sees_what_others_stored(world: World) -> None:
    """Rows are compared with the database whenever they are used."""
    before = SiteSnapshot(world.site, world.now)
    assert all(end.oper_up for end in before.port_states.values())
    port = PortState.objects.get(port__node__name="grf1", port__name="ga030")
    PortState.objects.filter(pk=port.pk).update(oper_up=False)
    PortState.objects.filter(pk=port.pk).update(oper_up=True)
    PortState.objects.filter(pk=port.pk).update(oper_up=False)
    after = SiteSnapshot(world.site, world.now)
    assert [key for key, end in after.port_states.items() if not end.oper_up] == [port.port_id]
