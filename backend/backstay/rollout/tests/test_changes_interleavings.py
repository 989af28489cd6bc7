"""Two users apply changes that share a node, while files drift, policies are imported, guards act, and
reports arrive late, twice or never: over real rows, in many random orders.

Nodes are simulated like the agent: a journal with the highest armed revision, the digest of the running
state, and a guard. Each example is one transaction that is rolled back.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoDbBlocker

from backstay.api.tests.world import kept
from backstay.core.errors import BackstayError
from backstay.inventory.models import Node
from backstay.policy.models import FailoverPolicy
from backstay.rollout import desired
from backstay.rollout.changes import change_inbox, execution, services
from backstay.rollout.changes.services import Begin
from backstay.rollout.models import Application, Change
from backstay.rollout.tests.cluster import Cluster, digest_of
from backstay.telemetry.facts import ChangeSeen, Facts
from backstay.telemetry.models import RoutingState

EXAMPLES = int(os.environ.get("BACKSTAY_INTERLEAVINGS", "100"))
"""All thousand examples take a minute of CPU time: `BACKSTAY_INTERLEAVINGS=1000`."""
NODES = ("sp01", "sp02", "sp03")
SHARES = (("sp01", "sp02"), ("sp02", "sp03"))
"""Scope of each of the two changes."""
TARGETS = ("10.9.0.1", "10.9.0.2")
Row = tuple[str, int, str, int, str]
"""(node, change, the change's state, wave, the node's state)."""


@dataclass
class Agent:
    """The agent of one node: running state, journal of a change, and the highest armed revision."""

    node: Node
    digest: str
    highest: int = 0
    journal: dict[int, str] = field(default_factory=dict)
    """Change -> progress: applied, confirmed, rolled_back."""
    before: dict[int, str] = field(default_factory=dict)
    """Change -> the digest to restore."""
    handed: int = 0
    """The highest revision assigned to it."""

    def obey(self, assignment: dict[str, object]) -> str:
        """The phase that it reports for an assignment."""
        change, revision, phase = assignment["change"], assignment["revision"], assignment["phase"]
        assert isinstance(change, int)
        assert isinstance(revision, int)
        stands = self.journal.get(change)
        if stands is None:
            if (
                phase in {"verify", "confirm", "roll_back"}
                or revision <= self.highest
                or assignment["base"] != self.digest
            ):
                return "refused"
            if phase == "prepare":
                return "prepared"
            self.highest, self.before[change] = revision, self.digest
            self.journal[change], self.digest = "applied", digest_of(f"{self.node.name} {revision}")
        elif phase == "roll_back" and stands != "rolled_back":
            self.go_back(change)
        elif phase == "verify" and stands == "applied":
            return "verified"
        elif phase == "confirm" and stands == "applied":
            self.journal[change] = "confirmed"
        return self.journal[change]

    def go_back(self, change: int) -> None:
        """Requested by the controller, or by the guard."""
        self.journal[change], self.digest = "rolled_back", self.before[change]


class Play:
    """One example."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.now: datetime = cluster.now
        states = {row.node.name: row for row in RoutingState.objects.select_related("node")}
        self.agents = {name: Agent(states[name].node, states[name].digest) for name in NODES}
        self.changes = list(Change.objects.order_by("pk"))
        self.target = 0
        self.planned_from = {change.pk: self.inputs(change) for change in self.changes}
        self.waiting: list[ChangeSeen] = []
        self.states: dict[int, str] = {change.pk: change.state for change in self.changes}

    def inputs(self, change: Change) -> tuple[object, ...]:
        """The plan's inputs in this model: the policy and the change's own nodes."""
        return (self.target, *(self.agents[name].digest for name in change.nodes))

    def _at(self, which: int, *states: str) -> Change | None:
        """One of the changes in one of these states; other tests cover refusals."""
        change = self.changes[which % 2]
        return change if self.states[change.pk] in states else None

    def do(self, move: str, which: int) -> None:
        self.now += timedelta(milliseconds=100)
        getattr(self, f"_{move}")(which)
        self.holds()

    def _apply(self, which: int) -> None:
        change = self._at(which, "approved")
        if change is None:
            return
        plan = self.cluster.plan(change)
        try:
            services.apply(change.pk, self.cluster.actor(), Begin(plan.digest, 30.0), self.now)
        except BackstayError:
            return
        assert self.planned_from[change.pk] == self.inputs(change), "a stale plan was applied"

    def _plan(self, which: int) -> None:
        change = self._at(which, "planned", "approved")
        if change is None:
            return
        try:
            services.plan_again(change.pk, self.cluster.actor(), self.now)
            self.planned_from[change.pk] = self.inputs(change)
            digest = self.cluster.plan(change).digest
            bob = self.cluster.actor(self.cluster.bob)
            services.approve(change.pk, bob, digest, self.now, accept_warnings=True)
        except BackstayError:
            return

    def _drift(self, which: int) -> None:
        agent = self._agent(which)
        agent.digest = digest_of(f"somebody edited {which}")
        self._report_routing(agent)

    def _import(self, which: int) -> None:
        self.target = which % 2
        FailoverPolicy.objects.filter(pk=self.cluster.policy.pk).update(target=TARGETS[self.target])

    def _poll(self, which: int) -> None:
        """A node polls and acts; its report is in transit."""
        agent = self._agent(which)
        if not any(self._at(number, "rolling", "confirming") for number in (0, 1)):
            return
        for assignment in desired.assignments(agent.node):
            assert assignment["revision"] >= agent.handed, (
                "an older revision was handed out after a newer one"
            )
            agent.handed = assignment["revision"]
            phase = agent.obey(assignment)
            self.waiting.append(self._seen(agent, assignment["change"], assignment["revision"], phase))
            self._report_routing(agent)

    def _round(self, _: int) -> None:
        """Every node polls, acts and reports at once."""
        for number in range(len(NODES)):
            self._poll(number)
        self._deliver(len(self.waiting))

    def _deliver(self, which: int) -> None:
        """Deliver the oldest reports, whatever happened meanwhile."""
        arriving, self.waiting = self.waiting[: which + 1], self.waiting[which + 1 :]
        if arriving:
            site = self.cluster.world.site.pk
            for change in change_inbox.keep(Facts(site, received=self.now, changes=arriving)):
                execution.apply_reports(change)

    def _again(self, _: int) -> None:
        """A worker was killed after storing a batch: the batch is sent again."""
        self.waiting = [*self.waiting[:1], *self.waiting]

    def _guard(self, which: int) -> None:
        agent = self._agent(which)
        for change, stands in agent.journal.items():
            if stands == "applied":
                agent.go_back(change)
                self.waiting.append(self._seen(agent, change, agent.highest, "rolled_back"))
                self._report_routing(agent)

    def _confirm(self, which: int) -> None:
        change = self._at(which, "confirming")
        if change is not None:
            self._try(lambda: services.confirm(change.pk, self.cluster.actor(), self.now))

    def _back(self, which: int) -> None:
        change = self._at(which, "rolling", "confirming")
        if change is not None:
            self._try(lambda: services.roll_back(change.pk, self.cluster.actor(), "", self.now))

    def _wait(self, which: int) -> None:
        self.now += timedelta(seconds=which)
        for number in (0, 1):
            change = self._at(number, "rolling", "confirming")
            if change is not None:
                execution.advance(change.pk, self.now)

    def _try(self, act: Callable[[], object]) -> None:
        try:
            act()
        except BackstayError:
            return

    def _agent(self, which: int) -> Agent:
        return self.agents[NODES[which % len(NODES)]]

    def _report_routing(self, agent: Agent) -> None:
        RoutingState.objects.filter(node=agent.node).update(digest=agent.digest)

    def _seen(self, agent: Agent, change: int, revision: int, phase: str) -> ChangeSeen:
        return ChangeSeen(
            node_id=agent.node.pk,
            change=change,
            revision=revision,
            at=self.now,
            phase=phase,  # type: ignore[arg-type]
            reason="",
            by="",
            evidence=[],
            before="",
            after="",
            guard_until=self.now + timedelta(seconds=30) if phase in {"applied", "verified"} else None,
        )

    def holds(self) -> None:
        """Invariants at every moment."""
        self.states = dict(Change.objects.values_list("pk", "state"))
        if set(self.states.values()) <= {"planned", "approved"}:
            return
        rows = list(
            Application.objects.values_list("node__name", "change_id", "change__state", "wave", "state")
        )
        in_progress = [
            (name, change) for name, change, state, *_ in rows if state in {"rolling", "confirming"}
        ]
        assert len({name for name, _ in in_progress}) == len(in_progress), "two changes roll on one node"
        for change in {row[1] for row in rows}:
            mine = [row for row in rows if row[1] == change]
            self._waves_in_order(mine)
            if mine[0][2] in {"done", "rolled_back"}:
                self._all_or_none(change, mine)

    def _waves_in_order(self, rows: list[Row]) -> None:
        for _, _, _, wave, state in rows:
            if state not in {"pending", "preparing", "prepared", "refused"}:
                earlier = [row[4] for row in rows if row[3] < wave]
                assert set(earlier) <= {"confirmed", "rolled_back", "failed"}

    def _all_or_none(self, change: int, rows: list[Row]) -> None:
        """Invariants on the nodes themselves, not only in the database."""
        for wave in {row[3] for row in rows}:
            runs = {
                self.agents[name].journal.get(change) == "confirmed"
                for name, _, _, at, _ in rows
                if at == wave
            }
            assert len(runs) == 1, "a wave is half applied"


_MOVES = (
    *("apply",) * 4,
    *("round",) * 8,
    *("poll", "deliver") * 3,
    *("confirm",) * 4,
    *("drift", "import", "plan", "again", "guard", "back", "wait"),
)
_programs = st.lists(
    st.tuples(st.sampled_from(_MOVES), st.sampled_from((0, 1, 2, 3, 40))), min_size=4, max_size=12
)


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Cluster]:
    """Two approved changes that share sp02."""
    with kept(django_db_blocker):
        cluster = Cluster.make(len(NODES))
        for nodes in SHARES:
            cluster.approved(nodes=nodes)
        yield cluster


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(program=_programs)
def test_any_interleaving_keeps_plans_revisions_and_waves_consistent(
    made: Cluster, db: None, program: list[tuple[str, int]]
) -> None:
    with transaction.atomic():
        play = Play(made)
        for move, which in program:
            play.do(move, which)
        transaction.set_rollback(True)
