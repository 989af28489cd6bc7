"""The small Argonne lab as a test site: helpers to request plans and to report as agents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from backstay.accounts.models import Agent, User
from backstay.api.agent.desired import desired
from backstay.api.tests.world import World, person
from backstay.core.roles import Role
from backstay.throughput import services
from backstay.throughput.models import TestCell, TestPlan, TestRun
from backstay.throughput.plan_spec import TestPlanSpec
from backstay.throughput.tasks import run_due
from backstay_wire import TestAssignment, TestReport

MATRIX = {"kind": "tcp", "streams": [1, 2], "buffer": [8192, 65536], "window": [65536], "duration_s": 10}


@dataclass
class Pitch:
    """A site with a clock and a user."""

    world: World
    ann: User

    @classmethod
    def make(cls) -> Pitch:
        """Every agent has just reported."""
        world = World.make(4)
        world.describe()
        made = cls(world, person("ann", Role.OPERATOR))
        made.mark_reporting()
        return made

    def mark_reporting(self, *but: str) -> None:
        """Every agent except those of these nodes has just reported."""
        Agent.objects.filter(site="argonne").exclude(node__in=but).update(last_reported_at=self.world.now)

    def plan(self, name: str = "origin-router", **more: Any) -> TestPlan:
        """origin1 to router over their own ATM link, four cells."""
        known: dict[str, Any] = {
            "shape": "pair",
            "senders": ("origin1",),
            "receivers": ("router",),
            "fabric": "atm-oc12",
            "matrix": MATRIX,
        }
        return services.create_plan(
            self.world.site, TestPlanSpec(name=name, **{**known, **more}), self.ann, self.world.now
        )

    def ask(self, plan: TestPlan) -> TestRun:
        """Request a run now."""
        return services.request_run(plan, "ann", self.world.now)

    def tick(self, seconds: float = 1.0, *silent: str) -> None:
        """Advance the clock, report all agents except these, and tick."""
        self.world.forward(seconds)
        self.mark_reporting(*silent)
        assert run_due(self.world.now) == []

    def fresh(self, run: TestRun) -> TestRun:
        """Current state."""
        return TestRun.objects.select_related("plan__site").get(pk=run.pk)

    def cell(self, run: TestRun) -> TestCell:
        """The running cell."""
        return run.cells.get(state="running")

    def assignments(self, node: str) -> list[TestAssignment]:
        """The assignments of the node's agent."""
        return desired(Agent.objects.get(site="argonne", node=node)).tests

    def report_all(self, node: str, state: str = "done", **more: Any) -> None:
        """Report each assignment of the node."""
        self.world.report(
            [self.report(node, assignment, state, **more) for assignment in self.assignments(node)]
        )

    def report(self, node: str, assignment: TestAssignment, state: str = "done", **more: Any) -> TestReport:
        """An agent's report of one assignment; with results for a finished client."""
        head = self.world._head(node)
        known: dict[str, Any] = {
            "assignment": assignment.id,
            "run": assignment.run,
            "cell": assignment.cell,
            "flow": assignment.flow,
            "role": assignment.role,
            "state": state,
        }
        rate = more.pop("rate", 400e6)
        if state == "done":
            known["host"] = host()
            if assignment.role == "client":
                known |= {"result": result(assignment, rate), "started": assignment.start_at, "late_us": 900}
        return TestReport.model_validate({**head, **known, **more})

    def play(self, run: TestRun, rate: float = 400e6) -> TestRun:
        """Complete a run as healthy agents do."""
        for _ in range(run.cells.count() + 1):
            self.tick()
            for cell in run.cells.filter(state="running"):
                for node in sorted({name for pair in cell.flows for name in pair}):
                    self.report_all(node, rate=rate)
        self.tick()
        return self.fresh(run)


def host() -> dict[str, Any]:
    """Nearly idle processors."""
    return {
        "cpus": 2,
        "busy": 10.0,
        "busiest": 15.0,
        "softirq": 1.0,
        "busiest_softirq": 2.0,
        "system": 5.0,
        "steal": 0.0,
    }


def result(assignment: TestAssignment, rate: float) -> dict[str, Any]:
    """A steady transfer."""
    spec = assignment.spec
    streams = getattr(spec, "streams", 1)
    trip = {"least": 900, "mean": 1200, "most": 2000}
    item = {"sent": rate / streams, "retransmits": 0, "round_trip": trip, "window": 65536}
    spans = {
        "start_ms": [1000 * at for at in range(10)],
        "rate": [rate] * 10,
        "window": [65536 * streams] * 10,
    }
    flow = {
        "octets": round(rate * 10 / 8),
        "seconds": 10.0,
        "rate": rate,
        "retransmits": 0,
        "streams": [item] * streams,
        "spans": spans,
    }
    return {"kind": "transfer", "forward": flow, "mss": 9128, "path_mtu": 9180}
