"""Life cycle of a run from request to verdict, with every way in which a cell or run can end."""

from __future__ import annotations

from datetime import timedelta
from threading import Thread
from typing import Any

import pytest
from django.db import connection, transaction

from backstay.accounts.models import Agent
from backstay.core.diagnosis.throughput.run import judge_run
from backstay.core.errors import Conflict
from backstay.telemetry.models import Event
from backstay.throughput import services, verdicts
from backstay.throughput.models import TestAssignment, TestPlan, TestRun
from backstay.throughput.plan_spec import TestPlanSpec
from backstay.throughput.tasks import tick_once
from backstay.throughput.tests.pitch import MATRIX, Pitch
from config.celery import app


@pytest.fixture
def pitch(db: None) -> Pitch:
    return Pitch.make()


@pytest.fixture
def run(pitch: Pitch) -> TestRun:
    return pitch.ask(pitch.plan())


def test_run_from_plan_to_verdict(pitch: Pitch, run: TestRun) -> None:
    before = Agent.objects.get(node="router").generation
    pitch.tick()
    assert Agent.objects.get(node="router").generation > before
    (client,), (server,) = pitch.assignments("origin1"), pitch.assignments("router")
    assert (client.role, server.role) == ("client", "server")
    assert (str(client.peer), str(server.local)) == ("10.3.0.14", "10.3.0.14")
    assert (str(client.local), client.port, client.ports) == ("10.3.0.13", server.port, ["at1"])
    assert client.start_at == server.start_at
    ahead_s = client.start_at / 1e9 - pitch.world.now.timestamp()
    assert 2.0 < ahead_s < 10.0
    pitch.report_all("origin1", "running")
    pitch.tick()
    assert pitch.fresh(run).state == "running"
    done = pitch.play(run)
    assert (done.state, done.outcome) == ("done", "")
    assert [cell.state for cell in done.cells.all()] == ["done"] * 4
    first = done.cells.get(index=0)
    assert first.measured is not None
    assert first.measured["rate"] == 400e6
    assert first.measured["rtt_s"] == pytest.approx(1.2e-3)
    assert [item["node"] for item in first.measured["cpu"]] == ["origin1", "router"]
    assert first.medium["usable"] == pytest.approx(53.8e6)
    assert first.medium["paths"] == [["origin1", "router"]]
    assert first.verdict is not None
    assert first.verdict["sentence"]
    assert done.verdict is not None
    assert done.verdict["cells"] == 4
    assert pitch.assignments("origin1") == pitch.assignments("router") == []
    kinds = Event.objects.filter(kind__startswith="test_run").order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["test_run.asked", "test_run.done"]


def test_assignment_id_is_never_reused(pitch: Pitch, run: TestRun) -> None:
    pitch.play(run)
    assignments = TestAssignment.objects.filter(cell__run=run)
    assert assignments.count() == 8
    fences = [cell.fence or 0 for cell in run.cells.order_by("index")]
    assert fences == sorted(set(fences))


def test_repeated_tick_starts_no_cell_twice(pitch: Pitch, run: TestRun) -> None:
    pitch.tick()
    pitch.tick(0.0)
    assert TestAssignment.objects.filter(cell__run=run).count() == 2
    assert run.cells.filter(state="running").count() == 1


def test_second_run_waits_with_a_reason(pitch: Pitch, run: TestRun) -> None:
    other = pitch.ask(pitch.plan("again"))
    pitch.tick()
    waiting = pitch.fresh(other)
    assert waiting.state == "waiting"
    assert waiting.waits_for == f"waits for run #{run.pk} on router: at2"
    services.cancel_run(run.pk, "ann", pitch.world.now)
    pitch.tick()
    assert (pitch.fresh(other).state, pitch.fresh(other).waits_for) == ("running", "")


def test_tests_that_share_nothing_run_together(pitch: Pitch, run: TestRun) -> None:
    other = pitch.ask(pitch.plan("sp", senders=("sp01",), receivers=("sp02",), fabric="sp-switch"))
    pitch.tick()
    assert {pitch.fresh(run).state, pitch.fresh(other).state} == {"running"}


def test_plan_has_one_run_at_a_time(pitch: Pitch, run: TestRun) -> None:
    with pytest.raises(Conflict, match="is active"):
        pitch.ask(run.plan)


def test_removed_plan_is_not_run_changed_or_removed(pitch: Pitch) -> None:
    """A user with a stale page gets the reason."""
    plan = pitch.plan(schedule="0 3 * * *")
    stale = TestPlan.objects.select_related("site").get(pk=plan.pk)
    services.remove_plan(plan, pitch.ann, pitch.world.now)
    spec = TestPlanSpec(
        "new", "pair", ("origin1",), ("router",), MATRIX, fabric="atm-oc12", schedule="0 3 * * *"
    )
    with pytest.raises(Conflict, match="was removed"):
        pitch.ask(stale)
    with pytest.raises(Conflict, match="was removed"):
        services.update_plan(stale, spec, pitch.ann, pitch.world.now)
    with pytest.raises(Conflict, match="was removed"):
        services.remove_plan(stale, pitch.ann, pitch.world.now)
    now = TestPlan.objects.get(pk=plan.pk)
    assert (now.name, now.next_at, now.removed_at) == (plan.name, None, pitch.world.now)
    assert not now.runs.exists()


@pytest.mark.django_db(transaction=True)
def test_plan_with_an_active_run_is_not_removed() -> None:
    pitch = Pitch.make()
    plan = pitch.plan()
    found: list[str] = []

    def remove() -> None:
        try:
            services.remove_plan(TestPlan.objects.get(pk=plan.pk), pitch.ann, pitch.world.now)
            found.append("removed")
        except Conflict as problem:
            found.append(problem.message)
        finally:
            connection.close()

    other = Thread(target=remove)
    with transaction.atomic():
        pitch.ask(plan)
        other.start()
        other.join(0.3)
        assert other.is_alive(), "it waits for who asks"
    other.join(10)
    assert found == [f"A run of {plan.name} is active: cancel it first."]


def test_lost_agent_fails_only_its_cell(pitch: Pitch, run: TestRun) -> None:
    pitch.tick()
    pitch.report_all("origin1")
    cell = pitch.cell(run)
    assert cell.until is not None
    pitch.tick((cell.until - pitch.world.now).total_seconds() + 0.5)
    cell.refresh_from_db()
    assert (cell.state, "router" in cell.detail) == ("lost_agent", True)
    assert cell.measured is not None, "what the client measured is kept"
    assert pitch.fresh(run).state == "running"
    done = pitch.play(run)
    assert (done.state, done.outcome) == ("done", "1 cell lost agent")


def test_unreachable_agent_is_waited_for_then_lost(pitch: Pitch, run: TestRun) -> None:
    pitch.tick(20, "router")
    assert pitch.fresh(run).waits_for.startswith("waits for router: its agent has not reported for 20 s")
    pitch.tick(60, "router")
    done = pitch.fresh(run)
    assert (done.state, done.outcome) == ("failed", "4 cells lost agent")
    assert "has not reported for 1 min 20 s" in done.cells.all()[0].detail


def test_cell_state_is_the_cause_not_the_effect(pitch: Pitch, run: TestRun) -> None:
    pitch.tick()
    cell = pitch.cell(run)
    pitch.report_all("origin1", "refused", detail="connection refused")
    pitch.tick()
    assert pitch.cell(run) == cell, "the server may still say why"
    pitch.report_all("router", "missing_tool", detail="iperf3 is not installed")
    pitch.tick()
    cell.refresh_from_db()
    assert (cell.state, cell.detail) == ("missing_tool", "router: iperf3 is not installed")
    assert cell.verdict is not None


def test_killed_server_is_the_cause_of_a_client_whose_peer_is_gone(pitch: Pitch, run: TestRun) -> None:
    pitch.tick()
    cell = pitch.cell(run)
    pitch.report_all("origin1", "peer_gone", detail="the connection to router broke during the test")
    pitch.tick()
    pitch.report_all("router", "killed", detail="the server was ended by signal 9")
    pitch.tick()
    cell.refresh_from_db()
    assert (cell.state, cell.detail) == ("killed", "router: the server was ended by signal 9")


def test_client_whose_peer_is_gone_without_a_cause_keeps_that_state(pitch: Pitch, run: TestRun) -> None:
    pitch.tick()
    cell = pitch.cell(run)
    pitch.report_all("origin1", "peer_gone", detail="the connection to router broke during the test")
    pitch.tick(10)
    cell.refresh_from_db()
    assert cell.state == "peer_gone"


def test_unexplained_failure_ends_the_cell_and_withdraws_assignments(pitch: Pitch, run: TestRun) -> None:
    pitch.tick()
    cell = pitch.cell(run)
    pitch.report_all("origin1", "killed", detail="signal 9")
    pitch.tick(10)
    cell.refresh_from_db()
    assert cell.state == "killed"
    assert cell.assignments.get(role="server").state == "cancelled"


def test_cancelled_run_withdraws_its_assignments(pitch: Pitch, run: TestRun) -> None:
    pitch.tick()
    before = Agent.objects.get(node="origin1").generation
    late = [pitch.report("origin1", assignment) for assignment in pitch.assignments("origin1")]
    services.cancel_run(run.pk, "ann", pitch.world.now)
    assert Agent.objects.get(node="origin1").generation > before
    assert pitch.assignments("origin1") == pitch.assignments("router") == []
    stopped = pitch.fresh(run)
    assert (stopped.state, stopped.outcome) == ("cancelled", "cancelled by ann")
    assert set(run.cells.values_list("state", flat=True)) == {"cancelled"}
    pitch.world.report(late)
    assert set(TestAssignment.objects.filter(cell__run=run).values_list("state", flat=True)) == {"cancelled"}
    with pytest.raises(Conflict, match="has ended"):
        services.cancel_run(run.pk, "ann", pitch.world.now)


def test_report_about_another_nodes_assignment_is_ignored(pitch: Pitch, run: TestRun) -> None:
    pitch.tick()
    (assignment,) = pitch.assignments("origin1")
    pitch.world.report([pitch.report("router", assignment)])
    assert TestAssignment.objects.get(pk=assignment.id).state == "asked"


def test_busy_link_delays_the_run_and_is_named(pitch: Pitch) -> None:
    run = pitch.ask(pitch.plan("quiet", quiet_percent=20.0))
    pitch.world.sample({"router": {"at2": (30e6, 1e6)}, "origin1": {"at1": (1e6, 30e6)}})
    pitch.tick(0.5)
    waits = pitch.fresh(run).waits_for
    assert waits.startswith("waits for lower load: router: at2 carries 56 %"), waits
    pitch.world.forward(2)
    pitch.world.sample()
    pitch.tick(0.5)
    assert pitch.fresh(run).state == "running"
    (assignment,) = pitch.assignments("origin1")
    (quiet,) = assignment.quiet
    assert (quiet.port, quiet.usable, quiet.most_percent) == ("at1", 53_800_000, 20.0)


def test_traffic_of_an_ended_test_is_not_cross_traffic(pitch: Pitch) -> None:
    run = pitch.ask(pitch.plan("quiet", quiet_percent=20.0))
    pitch.tick()
    pitch.world.sample({"router": {"at2": (50e6, 1e6)}})
    pitch.report_all("origin1")
    pitch.report_all("router")
    pitch.tick(0.5)
    assert (pitch.fresh(run).state, pitch.cell(run).index) == ("running", 1)


def test_daily_budget_delays_runs(pitch: Pitch) -> None:
    run = pitch.ask(pitch.plan("short", budget_s=25))
    waiting = pitch.play(run)
    assert waiting.state == "waiting"
    assert waiting.waits_for == "waits for midnight UTC: 20 s of the day's 25 s used"
    assert [cell.state for cell in run.cells.all()] == ["done", "done", "queued", "queued"]


def test_gateways_observe_and_never_fail_a_cell(pitch: Pitch) -> None:
    plan = pitch.plan(
        "over-the-router",
        senders=("origin1",),
        receivers=("atmgw",),
        fabric="",
        matrix={"kind": "tcp", "duration_s": 5},
    )
    run = pitch.ask(plan)
    pitch.tick()
    (watch,) = pitch.assignments("router")
    assert (watch.role, set(watch.ports)) == ("observer", {"at1", "at2"})
    pitch.report_all("origin1")
    pitch.report_all("atmgw")
    pitch.tick()
    assert pitch.fresh(run).state == "running", "the gateway is given its time to tell"
    pitch.report_all("router")
    pitch.tick()
    done = pitch.fresh(run)
    assert done.state == "done"
    measured = done.cells.get().measured
    assert measured is not None
    assert {item["node"]: item["role"] for item in measured["cpu"]} == {
        "origin1": "endpoint_sender",
        "atmgw": "endpoint_receiver",
        "router": "gateway",
    }


def test_ping_needs_no_agent_at_the_receiver(pitch: Pitch) -> None:
    matrix = {"kind": "ping", "size": [64, 65507], "rate": 10, "count": 50}
    run = pitch.ask(
        pitch.plan("ping", senders=("sp01",), receivers=("grf1",), fabric="sp-switch", matrix=matrix)
    )
    pitch.tick()
    (assignment,) = pitch.assignments("sp01")
    assert (str(assignment.peer), assignment.role) == ("10.1.0.16", "client")
    latency: dict[str, Any] = {
        **dict.fromkeys(("least", "mean", "median", "p90", "p99", "most"), 800),
        "histogram": {"below_us": [1000], "count": [49]},
    }
    reported = {"kind": "ping", "sent": 50, "received": 49, "latency": latency}
    pitch.world.report([pitch.report("sp01", assignment, result=reported)])
    pitch.tick()
    measured = run.cells.get(index=0).measured
    assert measured is not None
    assert (measured["loss"], measured["rtt_s"]) == (pytest.approx(0.02), pytest.approx(8e-4))


def test_many_to_one_starts_together_and_sums_up(pitch: Pitch) -> None:
    names = ("sp01", "sp02", "sp03")
    matrix = {"kind": "tcp", "streams": 2, "duration_s": 10}
    plan = pitch.plan(
        "readers", shape="many_to_one", senders=names, receivers=("sp04",), fabric="sp-switch", matrix=matrix
    )
    run = pitch.ask(plan)
    pitch.tick()
    servers = pitch.assignments("sp04")
    assert [assignment.flow for assignment in servers] == [0, 1, 2]
    assert len({assignment.port for assignment in servers}) == 3
    clients = [assignment for name in names for assignment in pitch.assignments(name)]
    assert len({assignment.start_at for assignment in [*clients, *servers]}) == 1
    for name in (*names, "sp04"):
        pitch.report_all(name, rate=10e6)
    pitch.tick()
    cell = run.cells.get()
    assert cell.measured is not None
    assert (cell.measured["rate"], len(cell.measured["per_stream"])) == (30e6, 6)
    assert [hop["name"] for hop in cell.medium["hops"]] == ["sp04: css0"], "what all of them share"
    assert cell.medium["usable"] == cell.medium["ends"] == cell.medium["hops"][0]["usable"]
    assert cell.medium["senders"]["forward"] == [[name, "css0"] for name in names]


def test_regression_is_recorded_with_its_numbers(pitch: Pitch) -> None:
    plan = pitch.plan(matrix={"kind": "tcp", "duration_s": 10})
    for rate in (40e6, 41e6, 39e6, 40e6, 40.5e6):
        reported = pitch.play(pitch.ask(plan), rate).regression
    assert reported is not None
    assert reported["outcome"] == "too_few"
    worse = pitch.play(pitch.ask(plan), 20e6).regression
    assert worse is not None
    assert (worse["outcome"], worse["cells"]) == ("slower", 1)
    assert "20 Mb/s where 40 Mb/s" in worse["sentence"]


def test_beat_schedules_the_tick_every_second(pitch: Pitch, run: TestRun) -> None:
    (entry,) = [item for item in app.conf.beat_schedule.values() if item["task"] == tick_once.name]
    assert entry["schedule"] == 1.0
    assert tick_once() is True
    assert pitch.fresh(run).state == "running"


def test_schedule_skips_a_run_while_one_is_active(pitch: Pitch) -> None:
    plan = pitch.plan("nightly", schedule="*/5 * * * *")
    due = plan.next_at
    assert due is not None
    assert pitch.world.now < due <= pitch.world.now + timedelta(minutes=5)
    pitch.tick((due - pitch.world.now).total_seconds())
    run = TestRun.objects.get(plan=plan)
    assert (run.state, run.person) == ("running", "")
    pitch.tick(300)
    plan.refresh_from_db()
    assert plan.next_at == due + timedelta(minutes=10)
    assert TestRun.objects.filter(plan=plan).count() == 1
    (event,) = Event.objects.filter(kind="test_run.left_out")
    assert "is active" in event.message


def test_disabled_schedule_is_not_run(pitch: Pitch) -> None:
    plan = pitch.plan("off", schedule="* * * * *", enabled=False)
    pitch.tick(120)
    assert (plan.next_at, TestRun.objects.count()) == (None, 0)


def test_higher_priority_run_starts_between_cells(pitch: Pitch, run: TestRun) -> None:
    pitch.tick()
    urgent = pitch.ask(pitch.plan("urgent", priority=9))
    pitch.tick()
    assert pitch.fresh(urgent).state == "waiting"
    pitch.report_all("origin1")
    pitch.report_all("router")
    pitch.tick()
    assert (pitch.fresh(urgent).state, pitch.fresh(run).state) == ("running", "waiting")


def test_failing_diagnosis_loses_only_the_verdict(
    pitch: Pitch, run: TestRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        TestRun.objects.filter(pk=run.pk).update(verdict={"rate": float("inf")})

    monkeypatch.setattr(verdicts, "judge_run", fail)
    done = pitch.play(run)
    assert (done.state, done.verdict) == ("done", None)
    assert {cell.state for cell in done.cells.all()} == {"done"}


def test_previous_cells_traffic_is_not_cross_traffic(pitch: Pitch) -> None:
    run = pitch.ask(pitch.plan(matrix={"kind": "tcp", "buffer": [8192, 65536], "duration_s": 10}))
    pitch.tick()
    pitch.world.sample({"router": {"at2": (50e6, 1e6)}, "origin1": {"at1": (1e6, 50e6)}})
    pitch.report_all("origin1", rate=51e6)
    pitch.report_all("router")
    pitch.tick(0.5)
    assert pitch.cell(run).index == 1
    assert pitch.cell(run).medium["sampled"] == {}, "samples that hold the first cell's traffic"
    pitch.report_all("origin1", rate=51.5e6)
    pitch.report_all("router")
    pitch.tick()
    second = run.cells.get(index=1)
    assert [hop["production"] for hop in second.medium["hops"]] == [None]
    assert second.verdict is not None
    assert (second.verdict["name"], second.verdict["confidence"]) == ("medium_limited", "high")
    assert (pitch.fresh(run).verdict or {})["used"] == "96 % of usable at best"


def test_cross_traffic_is_stored_with_the_cell(pitch: Pitch) -> None:
    run = pitch.ask(pitch.plan(matrix={"kind": "tcp", "buffer": [8192, 65536], "duration_s": 10}))
    busy = {"port": "at1", "in_octets": 10**6, "out_octets": 66_000_000, "in_packets": 1, "out_packets": 1}
    busy |= {"others_in": 0.0, "others_out": 20e6, "before_in": 0.0, "before_out": 19e6}
    for idle_us in (1100, 900):
        pitch.tick()
        pitch.report_all("origin1", rate=33e6, ports=[busy], idle_us=idle_us)
        pitch.report_all("router")
    pitch.tick()
    first, second = run.cells.all()
    assert first.medium["hops"][0]["production"] == first.medium["production"] == 20e6
    assert (first.medium["rtt_s"], second.medium["rtt_s"]) == (pytest.approx(1.1e-3), pytest.approx(9e-4))
    assert second.verdict is not None
    assert second.verdict["name"] == "medium_limited"
    assert "on router: at2 (20 Mb/s of production traffic)" in second.verdict["sentence"]


def test_running_run_is_evaluated_when_a_fifth_is_new(pitch: Pitch, monkeypatch: pytest.MonkeyPatch) -> None:
    whole: list[int] = []

    def judged(cells: list[Any], between: Any) -> Any:
        whole.append(len(cells))
        return judge_run(cells, between)

    monkeypatch.setattr(verdicts, "judge_run", judged)
    run = pitch.ask(pitch.plan(matrix={"kind": "tcp", "streams": list(range(1, 17)), "duration_s": 10}))
    done = pitch.play(run, 40e6)
    assert whole == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 16]
    assert all(cell.verdict for cell in done.cells.all())
    assert (done.verdict or {})["cells"] == 16


def test_cancelled_run_is_evaluated_by_its_cells(pitch: Pitch, run: TestRun) -> None:
    pitch.tick()
    pitch.report_all("origin1")
    pitch.report_all("router")
    pitch.tick()
    services.cancel_run(run.pk, "ann", pitch.world.now)
    assert (pitch.fresh(run).verdict or {})["cells"] == 4
