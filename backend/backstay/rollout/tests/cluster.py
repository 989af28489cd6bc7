"""The small Argonne with managed nodes: node reports and operator actions."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import F

from backstay.accounts.models import User
from backstay.api.tests.world import World, person
from backstay.core.roles import Role
from backstay.inventory.models import Node, Site
from backstay.policy.models import FailoverPolicy
from backstay.rollout import desired
from backstay.rollout.changes import services
from backstay.rollout.changes.selectors import Actor
from backstay.rollout.changes.services import Begin, ChangeProposal
from backstay.rollout.models import Application, Change, PlanRecord
from backstay.telemetry.ingest.clock import nanoseconds
from backstay_wire import ChangeReport, RoutingReport

BOOT_FILE = "/etc/backstay/routes"
TWO = (("10.1.0.16", 60), ("10.1.0.15", 70))
"""grf1, then atmgw, as in the policy."""


@dataclass
class Cluster:
    """The site and its users."""

    world: World
    ann: User
    """An operator and approver."""
    bob: User
    files: dict[str, str] = field(default_factory=dict)
    """Boot file by node."""

    @classmethod
    def make(cls, nodes: int = 4, now: datetime | None = None) -> Cluster:
        """Every SP node runs plain kernel routes and has reported none."""
        world = World.make(nodes, now=now)
        Node.objects.filter(site=world.site, name__startswith="sp").update(
            routing={"engine": "kernel", "config": BOOT_FILE}
        )
        FailoverPolicy.objects.filter(site=world.site).update(detection="checker")
        Site.objects.filter(pk=world.site.pk).update(version=F("version") + 1)
        world.site.refresh_from_db()
        made = cls(world, person("ann", Role.APPROVER), person("bob", Role.APPROVER))
        for name in made.names:
            made.report_routing(name)
        return made

    def copy(self) -> Cluster:
        """For one test: reset the clock; the rows are rolled back."""
        return Cluster(self.world.copy(), self.ann, self.bob, dict(self.files))

    @property
    def names(self) -> list[str]:
        """The managed nodes."""
        rows = Node.objects.filter(site=self.world.site).exclude(routing={})
        return sorted(rows.values_list("name", flat=True))

    @property
    def policy(self) -> FailoverPolicy:
        """`sp-default`: grf1, then atmgw."""
        return FailoverPolicy.objects.get(site=self.world.site, name="sp-default")

    @property
    def now(self) -> datetime:
        """The clock."""
        return self.world.now

    def report_routing(
        self,
        name: str,
        hops: Sequence[tuple[str, int]] = (),
        text: str | None = None,
        *,
        engine: str = "kernel",
    ) -> None:
        """Report a node's running default route and its boot file."""
        if text is not None:
            self.files[name] = text
        saved = self.files.get(name, "")
        self.world.forward(0.001)
        reported = f"{sorted(hops)} {saved}"
        report = RoutingReport.model_validate(
            {
                **self.world._head(name),
                "revision": 0,
                "engine": engine,
                "digest": digest_of(reported),
                "alive": True,
                "routes": [
                    {
                        "prefix": "0.0.0.0/0",
                        "hops": [
                            {"address": a, "port": "css0", "preference": p, "active": n == 0}
                            for n, (a, p) in enumerate(hops)
                        ],
                    }
                ]
                if hops
                else [],
                "files": [{"path": BOOT_FILE, "sha256": digest_of(saved) if saved else "", "text": saved}],
            }
        )
        self.world.report([report])

    def propose(self, kind: str = "policies", nodes: Sequence[str] = (), by: User | None = None) -> Change:
        """A change with its plan."""
        policies = [self.policy.pk] if kind == "policies" else []
        proposal = ChangeProposal(kind, policies, nodes, reason="a test", ticket="T-1")
        return services.propose(self.world.site, self.actor(by), proposal, self.now)

    def actor(self, who: User | None = None, role: Role = Role.APPROVER) -> Actor:
        """A user in a role; default ann."""
        return Actor(who or self.ann, role)

    def plan(self, change: Change) -> PlanRecord:
        """The newest."""
        plan = change.plans.first()
        assert plan is not None
        return plan

    def approved(self, kind: str = "policies", nodes: Sequence[str] = ()) -> Change:
        """An approved change."""
        change = self.propose(kind, nodes)
        digest = self.plan(change).digest
        services.approve(change.pk, self.actor(self.bob), digest, self.now, accept_warnings=True)
        return self.fresh(change)

    def begin(self, change: Change, timeout_s: float = 60.0, *, auto: bool = False) -> Change:
        """Apply it."""
        how = Begin(self.plan(change).digest, timeout_s, auto)
        services.apply(change.pk, self.actor(), how, self.now)
        return self.fresh(change)

    def fresh(self, change: Change) -> Change:
        """As it is now."""
        return Change.objects.select_related("site").get(pk=change.pk)

    def report_phase(
        self, change: Change, phase: str, *names: str, reason: str = "", later_s: float = 0.1
    ) -> Change:
        """Report the progress of nodes, in one batch each; `confirmed` only after they have verified."""
        if phase == "confirmed" and "verifying" in self.states(change).values():
            change = self.report_phase(change, "verified", *names, later_s=later_s)
        self.world.forward(later_s)
        change = self.fresh(change)
        guard = self.now + timedelta(seconds=change.timeout_s) if phase in {"applied", "verified"} else None
        for name in names:
            self.world.report([self.report(name, change, phase, reason, guard)])
        return self.fresh(change)

    def report(
        self, name: str, change: Change, phase: str, reason: str = "", guard: datetime | None = None
    ) -> ChangeReport:
        """Report of a node about a change."""
        return ChangeReport.model_validate(
            {
                **self.world._head(name),
                "change": change.pk,
                "revision": change.revision,
                "phase": phase,
                "reason": reason,
                "by": "guard" if phase == "rolled_back" else "",
                "evidence": [{"what": "10.9.0.1", "ok": phase != "rolled_back", "found": "answers"}],
                "guard_until": None if guard is None else nanoseconds(guard),
            }
        )

    def states(self, change: Change) -> dict[str, str]:
        """Node -> its state in the change."""
        return dict(Application.objects.filter(change=change).values_list("node__name", "state"))

    def waves(self, change: Change) -> list[list[str]]:
        """Names by wave."""
        waves: list[list[str]] = self.plan(change).document["waves"]
        return waves

    def asked(self, name: str) -> list[str]:
        """The steps that a node executes now."""
        return [assignment["phase"] for assignment in desired.assignments(self.world.node(name))]


def digest_of(text: str) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(text.encode()).hexdigest()
