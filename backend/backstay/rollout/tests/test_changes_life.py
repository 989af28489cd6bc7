"""Changes in the database: permissions, waves, confirmation, rollback, fencing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker

from backstay.accounts.models import Agent
from backstay.api.tests.world import kept
from backstay.core.errors import BackstayError, Conflict, Forbidden, Invalid, Refused
from backstay.core.model.change import GRACE_S, PREPARE_S
from backstay.core.roles import Role
from backstay.inventory.models import Node, Site
from backstay.policy.models import FailoverPolicy, Path
from backstay.rollout import desired, tasks
from backstay.rollout.changes import services
from backstay.rollout.changes.services import Begin, ChangeProposal
from backstay.rollout.models import Application, Change, Drift, Intended, Move, Step
from backstay.rollout.tasks import tick_once
from backstay.rollout.tests.cluster import TWO, Cluster
from backstay.telemetry.models import Event
from config.celery import app


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Cluster]:
    with kept(django_db_blocker):
        yield Cluster.make()


@pytest.fixture
def cluster(made: Cluster, db: None) -> Cluster:
    return made.copy()


def rolling(cluster: Cluster, *, auto: bool = False) -> tuple[Change, list[list[str]]]:
    """A change whose nodes have prepared; the canary is applying."""
    change = cluster.begin(cluster.approved(), auto=auto)
    return cluster.report_phase(change, "prepared", *cluster.names), cluster.waves(change)


def confirm(cluster: Cluster, change: Change) -> Change:
    services.confirm(change.pk, cluster.actor(), cluster.now)
    return cluster.fresh(change)


def history(change: Change) -> list[tuple[str, str]]:
    return list(Step.objects.filter(change=change).values_list("person", "text"))


def kinds(change: Change) -> list[str]:
    rows = Event.objects.filter(data__change_id=change.pk).order_by("pk")
    return list(rows.values_list("kind", flat=True))


def test_change_runs_its_waves_and_sets_the_intended_state(cluster: Cluster) -> None:
    change, waves = rolling(cluster)
    assert [len(wave) for wave in waves] == [1, 1, 2]
    for wave in waves:
        assert [cluster.asked(name) for name in wave] == [["apply"]] * len(wave)
        change = cluster.report_phase(change, "applied", *wave)
        assert change.state == "confirming"
        change = confirm(cluster, change)
        assert [cluster.asked(name) for name in wave] == [["verify"]] * len(wave)
        change = cluster.report_phase(change, "verified", *wave)
        assert [cluster.asked(name) for name in wave] == [["confirm"]] * len(wave)
        change = cluster.report_phase(change, "confirmed", *wave)
    assert change.state == "done"
    assert set(cluster.states(change).values()) == {"confirmed"}
    assert not any(cluster.asked(name) for name in cluster.names)
    for name in cluster.names:
        intended = desired.routing(cluster.world.node(name))
        assert intended is not None
        assert intended["revision"] == change.revision
        assert [hop["gateway"] for hop in intended["routes"][0]["hops"]] == ["grf1", "atmgw"]
    assert kinds(change)[-1] == "change.done"
    assert not Drift.objects.exists(), "nobody has told since what it runs: that is no drift yet"
    cluster.report_routing("sp01")
    assert [row.node.name for row in Drift.objects.all()] == ["sp01"]


def test_history_records_actions_and_results(cluster: Cluster) -> None:
    change, waves = rolling(cluster)
    change = cluster.report_phase(change, "applied", *waves[0])
    services.roll_back(change.pk, cluster.actor(cluster.bob), "looks wrong", cluster.now)
    change = cluster.report_phase(change, "rolled_back", *waves[0])
    reported = history(change)
    assert [person for person, _ in reported[:3]] == ["ann", "bob", "ann"]
    assert ("bob", "Roll back: looks wrong") in reported
    assert reported[-1] == ("", "Result: rolled back: requested by bob: looks wrong")
    assert kinds(change) == [
        "change.planned",
        "change.approved",
        "change.rolling",
        "change.confirming",
        "change.rolled_back",
    ]


def test_history_records_automatic_confirmation(cluster: Cluster) -> None:
    by_itself = ("", "Wave 1 was confirmed automatically: all probes passed.")
    change, waves = rolling(cluster, auto=True)
    assert by_itself not in history(change)
    change = cluster.report_phase(change, "applied", *waves[0])
    change = cluster.report_phase(change, "confirmed", *waves[0])
    assert history(change).count(by_itself) == 1


def test_operator_confirmation_is_not_recorded_as_automatic(cluster: Cluster) -> None:
    change, waves = rolling(cluster)
    change = confirm(cluster, cluster.report_phase(change, "applied", *waves[0]))
    assert ("ann", "Confirmed wave 1.") in history(change)
    assert not [text for _, text in history(change) if "by itself" in text]


def test_rollback_of_one_node_rolls_back_its_wave(cluster: Cluster) -> None:
    change, waves = rolling(cluster, auto=True)
    for wave in waves[:2]:
        change = cluster.report_phase(change, "applied", *wave)
        change = cluster.report_phase(change, "confirmed", *wave)
    first, second = waves[2]
    change = cluster.report_phase(change, "applied", first)
    change = cluster.report_phase(change, "rolled_back", second, reason="10.9.0.1 through grf1: no answer")
    assert cluster.asked(first) == ["roll_back"]
    change = cluster.report_phase(change, "rolled_back", first)
    assert (change.state, change.outcome) == ("stopped", "10.9.0.1 through grf1: no answer")
    result = "stopped at wave 3 of 3; 2 of 4 nodes keep the change: 10.9.0.1 through grf1: no answer"
    assert history(change)[-1] == ("", f"Result: {result}")
    assert kinds(change)[-1] == "change.stopped"
    assert [cluster.states(change)[name] for name in (*waves[0], first)] == ["confirmed", "rolled_back"]
    assert Intended.objects.count() == 2, "waves confirmed before stay"


def test_rollback_after_confirmation_restores_the_intended_state(cluster: Cluster) -> None:
    change = cluster.begin(cluster.approved(nodes=["sp01", "sp02", "sp03"]), auto=True)
    change = cluster.report_phase(change, "prepared", "sp01", "sp02", "sp03")
    waves = cluster.waves(change)
    for name in waves[0]:
        change = cluster.report_phase(change, "applied", name)
        change = cluster.report_phase(change, "confirmed", name)
    assert Intended.objects.filter(node__name=waves[0][0]).exists()
    change = cluster.report_phase(change, "rolled_back", waves[0][0], reason="its guard acted")
    assert not Intended.objects.filter(node__name=waves[0][0]).exists()


def test_wave_confirmed_by_half_rolls_back_for_all(cluster: Cluster) -> None:
    change, waves = rolling(cluster, auto=True)
    for wave in waves[:2]:
        change = cluster.report_phase(change, "applied", *wave)
        change = cluster.report_phase(change, "confirmed", *wave)
    first, second = waves[2]
    change = cluster.report_phase(change, "applied", first, second)
    change = cluster.report_phase(change, "verified", first, second)
    change = cluster.report_phase(change, "confirmed", first)
    change = cluster.report_phase(change, "rolled_back", second, reason="its guard acted first")
    assert cluster.asked(first) == ["roll_back"]
    change = cluster.report_phase(change, "rolled_back", first)
    assert not Intended.objects.filter(node__name=first).exists()


def test_no_node_saves_before_all_nodes_of_its_wave_have_verified(cluster: Cluster) -> None:
    change, waves = rolling(cluster, auto=True)
    for wave in waves[:2]:
        change = cluster.report_phase(change, "applied", *wave)
        change = cluster.report_phase(change, "confirmed", *wave)
    first, second = waves[2]
    change = cluster.report_phase(change, "applied", first, second)
    change = cluster.report_phase(change, "verified", first)
    assert [cluster.asked(name) for name in (first, second)] == [["verify"], ["verify"]]
    change = cluster.report_phase(
        change, "rolled_back", second, reason="before saving: running state differs"
    )
    assert cluster.asked(first) == ["roll_back"]
    change = cluster.report_phase(change, "rolled_back", first)
    assert (change.state, change.outcome) == ("stopped", "before saving: running state differs")
    assert not Intended.objects.filter(node__name__in=(first, second)).exists()


def test_each_step_raises_the_agents_generation(cluster: Cluster) -> None:
    def generation(name: str) -> int:
        return Agent.objects.get(node=name).generation

    before = {name: generation(name) for name in cluster.names}
    change, waves = rolling(cluster)
    (canary,) = waves[0]
    assert all(generation(name) > before[name] for name in cluster.names)
    asked = generation(canary)
    change = cluster.report_phase(change, "applied", canary)
    assert generation(canary) == asked, "it is asked for nothing else yet"
    confirm(cluster, change)
    assert generation(canary) == asked + 1


def test_nodes_of_the_next_wave_learn_that_they_ask_often(cluster: Cluster) -> None:
    def interval(name: str) -> object:
        node = Node.objects.get(site=cluster.world.site, name=name)
        return [item["ask_every_s"] for item in desired.assignments(node)]

    def generation(name: str) -> int:
        return Agent.objects.get(node=name).generation

    change, waves = rolling(cluster, auto=True)
    (canary,), second, third = waves[0], waves[1], waves[2]
    assert (interval(canary), interval(second[0]), interval(third[0])) == ([0.3], [0.3], [None])
    before = generation(third[0])
    change = cluster.report_phase(change, "applied", canary)
    change = cluster.report_phase(change, "verified", canary)
    change = cluster.report_phase(change, "confirmed", canary)
    assert (interval(second[0]), interval(third[0])) == ([0.3], [0.3])
    assert generation(third[0]) == before + 1


def test_reply_to_a_report_announces_the_next_step(
    cluster: Cluster,
) -> None:
    change = cluster.begin(cluster.approved(nodes=["sp01"]), auto=True)
    generations = []
    for phase in ("prepared", "applied", "verified", "confirmed"):
        guard = cluster.world.forward(50) + timedelta(seconds=60)
        (outcome,) = cluster.world.report([cluster.report("sp01", change, phase, guard=guard)])
        generations.append(outcome.generation)
    assert generations == sorted(set(generations)), "each answer asks for the next step"


def test_evidence_and_states_before_and_after_are_stored(cluster: Cluster) -> None:
    change, waves = rolling(cluster)
    change = cluster.report_phase(change, "applied", *waves[0])
    row = change.applications.get(node__name=waves[0][0])
    assert row.evidence == [{"what": "10.9.0.1", "ok": True, "found": "answers", "stage": ""}]
    assert row.guard_until is not None
    assert (row.guard_until - cluster.now).total_seconds() == pytest.approx(change.timeout_s, abs=0.001)


def test_reports_of_another_revision_are_ignored(cluster: Cluster) -> None:
    change = cluster.begin(cluster.approved())
    report = cluster.report("sp01", change, "prepared").model_copy(update={"revision": 99})
    cluster.world.report([report])
    assert cluster.states(change)["sp01"] == "preparing"


def test_late_confirmation_is_refused(cluster: Cluster) -> None:
    change, waves = rolling(cluster)
    change = cluster.report_phase(change, "applied", *waves[0])
    cluster.world.forward(57.5)
    with pytest.raises(Conflict, match="guard timeout has passed"):
        confirm(cluster, change)


def test_double_click_confirms_one_wave(cluster: Cluster) -> None:
    change, waves = rolling(cluster)
    change = cluster.report_phase(change, "applied", *waves[0])
    services.confirm(change.pk, cluster.actor(), cluster.now, wave=0)
    change = cluster.report_phase(change, "confirmed", *waves[0])
    change = cluster.report_phase(change, "applied", *waves[1])
    with pytest.raises(Refused, match="Wave 2 awaits confirmation, not wave 1"):
        services.confirm(change.pk, cluster.actor(), cluster.now, wave=0)


def test_tick_times_out_unreachable_nodes(cluster: Cluster) -> None:
    change = cluster.begin(cluster.approved())
    change = cluster.report_phase(change, "prepared", *cluster.names[:3])
    assert tasks.run_due(cluster.world.forward(PREPARE_S + 1)) == []
    change = cluster.fresh(change)
    assert (change.state, change.outcome) == ("failed", "no report for 120 s")
    assert set(cluster.states(change).values()) == {"pending", "refused"}


def test_beat_schedules_the_tick_every_second(cluster: Cluster) -> None:
    change = cluster.begin(cluster.approved())
    Application.objects.filter(change=change).update(since=cluster.now - timedelta(hours=1))
    (entry,) = [item for item in app.conf.beat_schedule.values() if item["task"] == tick_once.name]
    assert entry["schedule"] == 1.0
    assert tick_once() is True
    assert cluster.fresh(change).state == "failed"


def test_unreachable_node_fails_and_can_report_later(
    cluster: Cluster,
) -> None:
    change, waves = rolling(cluster)
    tasks.run_due(cluster.world.forward(change.timeout_s + GRACE_S + 1))
    assert cluster.fresh(change).state == "failed"
    change = cluster.report_phase(change, "rolled_back", *waves[0])
    assert cluster.states(change)[waves[0][0]] == "rolled_back"


def test_failing_tick_part_does_not_stop_the_others(cluster: Cluster) -> None:
    done: list[object] = []

    def broken(_: object) -> None:
        raise ValueError("broken")

    assert tasks.run_due(cluster.now, {"a": broken, "b": done.append}) == ["a"]
    assert done == [cluster.now]


def test_stale_plan_is_not_applied(cluster: Cluster) -> None:
    change = cluster.approved()
    cluster.report_routing("sp02", TWO)
    with pytest.raises(
        Refused, match=r"Changed since planning: the running or saved state of sp02\. Plan again\."
    ):
        cluster.begin(change)
    assert cluster.fresh(change).state == "approved"
    services.plan_again(change.pk, cluster.actor(), cluster.now)
    with pytest.raises(Conflict, match="not approved"):
        cluster.begin(cluster.fresh(change))


def test_plan_with_another_digest_is_neither_approved_nor_applied(cluster: Cluster) -> None:
    change = cluster.propose()
    with pytest.raises(Refused, match="A newer plan exists"):
        services.approve(change.pk, cluster.actor(cluster.bob), "0" * 64, cluster.now)
    change = cluster.approved()
    with pytest.raises(Refused, match="A newer plan exists"):
        services.apply(change.pk, cluster.actor(), Begin("0" * 64), cluster.now)


def test_blocked_plan_can_only_be_replanned(cluster: Cluster) -> None:
    node = cluster.world.node("sp03")
    node.routing = {}
    node.save()
    change = cluster.propose()
    with pytest.raises(Refused, match="A check of the plan failed"):
        services.approve(change.pk, cluster.actor(cluster.bob), cluster.plan(change).digest, cluster.now)


def test_warnings_must_be_accepted_explicitly(cluster: Cluster) -> None:
    change = cluster.propose()
    plan = cluster.plan(change)
    plan.warnings = 2
    plan.save()
    with pytest.raises(Refused, match="2 warnings"):
        services.approve(change.pk, cluster.actor(cluster.bob), plan.digest, cluster.now)
    services.approve(change.pk, cluster.actor(cluster.bob), plan.digest, cluster.now, accept_warnings=True)
    assert ("bob", f"Approved plan {plan.digest[:12]}, 2 warnings accepted.") in history(change)


def test_author_cannot_approve_if_a_second_person_is_required(cluster: Cluster) -> None:
    Site.objects.filter(pk=cluster.world.site.pk).update(second_person=True)
    change = cluster.propose()
    digest = cluster.plan(change).digest
    with pytest.raises(Refused, match="another approver is required"):
        services.approve(change.pk, cluster.actor(cluster.ann), digest, cluster.now, accept_warnings=True)
    services.approve(change.pk, cluster.actor(cluster.bob), digest, cluster.now, accept_warnings=True)
    assert cluster.fresh(change).state == "approved"


def test_one_person_is_enough_by_default(cluster: Cluster) -> None:
    change = cluster.propose()
    digest = cluster.plan(change).digest
    services.approve(change.pk, cluster.actor(cluster.ann), digest, cluster.now, accept_warnings=True)
    assert cluster.fresh(change).state == "approved"


def test_operator_proposes_and_applies_but_cannot_approve(cluster: Cluster) -> None:
    change = cluster.propose()
    digest = cluster.plan(change).digest
    with pytest.raises(Forbidden, match="needs the role approver"):
        services.approve(change.pk, cluster.actor(role=Role.OPERATOR), digest, cluster.now)
    with pytest.raises(Forbidden, match="needs the role operator"):
        services.discard(change.pk, cluster.actor(role=Role.VIEWER), cluster.now)


def test_one_change_at_a_time_per_node(cluster: Cluster) -> None:
    first, second = cluster.approved(nodes=["sp01", "sp02"]), cluster.approved(nodes=["sp02", "sp03"])
    third = cluster.approved(nodes=["sp04"])
    cluster.begin(first)
    with pytest.raises(Refused, match=rf"Change #{first.pk} is in progress on sp02"):
        cluster.begin(second)
    third = cluster.begin(third)
    assert (cluster.fresh(first).revision, third.revision) == (1, 2)


def test_node_with_an_active_move_is_not_changed(cluster: Cluster) -> None:
    change = cluster.approved(nodes=["sp01"])
    path = Path.objects.get(node__name="sp01", policy=cluster.policy)
    Move.objects.create(
        path=path, gateway="atmgw", seconds=60, person="bob", at=cluster.now, since=cluster.now
    )
    with pytest.raises(Refused, match="A move or drill is in progress on sp01"):
        cluster.begin(change)


def test_adoption_sets_the_intended_state_without_node_steps(cluster: Cluster) -> None:
    cluster.report_routing("sp01", (("10.1.0.15", 60), ("10.1.0.16", 90)))
    change = cluster.begin(cluster.approved("adopt", ["sp01"]))
    assert change.state == "done"
    assert cluster.asked("sp01") == []
    intended = desired.routing(cluster.world.node("sp01"))
    assert intended is not None
    assert [hop["preference"] for hop in intended["routes"][0]["hops"]] == [60, 90]
    path = Path.objects.get(node__name="sp01", policy=cluster.policy)
    assert path.order == [cluster.world.node("atmgw").pk, cluster.world.node("grf1").pk]


def test_restore_of_an_undeployed_node_is_refused(cluster: Cluster) -> None:
    with pytest.raises(Refused, match="Nothing was deployed on sp01 yet"):
        cluster.propose("restore", ["sp01"])


def test_proposal_must_name_existing_objects(cluster: Cluster) -> None:
    def propose(**about: Any) -> BackstayError:
        proposal = ChangeProposal(**{"kind": "policies", **about})
        with pytest.raises(Invalid) as refused:
            services.propose(cluster.world.site, cluster.actor(), proposal, cluster.now)
        return refused.value

    assert "argonne has no policy 999" in propose(policies=[999]).message
    assert "at least one policy" in propose().message
    assert "argonne has no node sp77" in propose(policies=[cluster.policy.pk], nodes=["sp77"]).message
    assert "at least one node" in propose(kind="restore").message
    assert (
        "a change of kind restore takes nodes"
        in propose(kind="restore", policies=[cluster.policy.pk]).message
    )


def test_removed_policy_makes_the_plan_stale(cluster: Cluster) -> None:
    change = cluster.approved()
    FailoverPolicy.objects.filter(pk=cluster.policy.pk).delete()
    with pytest.raises(Refused, match=r"Changed since planning: the policies"):
        cluster.begin(change)


def test_ended_change_is_not_modified(cluster: Cluster) -> None:
    change = cluster.propose()
    services.discard(change.pk, cluster.actor(), cluster.now)
    assert cluster.fresh(change).state == "superseded"
    with pytest.raises(Conflict, match="create a new change"):
        services.plan_again(change.pk, cluster.actor(), cluster.now)
    with pytest.raises(Conflict, match="nothing to roll back"):
        services.roll_back(change.pk, cluster.actor(), "", cluster.now)


def test_rollback_while_preparing_changes_no_node(cluster: Cluster) -> None:
    change = cluster.begin(cluster.approved())
    services.roll_back(change.pk, cluster.actor(), "", cluster.now)
    change = cluster.fresh(change)
    assert change.state == "rolled_back"
    assert set(cluster.states(change).values()) == {"pending"}
