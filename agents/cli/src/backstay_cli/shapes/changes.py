"""Changes: their nodes, approvals and history."""

from __future__ import annotations

from datetime import datetime

from backstay_cli.shapes.base import Shape
from backstay_cli.shapes.plans import PlanOut


class EvidenceOut(Shape):
    """One thing looked at on a node."""

    what: str
    ok: bool
    found: str


class ChangeNodeOut(Shape):
    """One node in a change."""

    node: str
    wave: int
    engine: str | None = None
    state: str
    reason: str
    by: str
    evidence: list[EvidenceOut]


class ApprovalOut(Shape):
    """Who approved what."""

    person: str
    at: datetime
    digest: str
    comment: str


class ChangeStep(Shape):
    """One line of a change's history."""

    at: datetime
    person: str
    text: str


class ChangeOut(Shape):
    """A change as a line of a list."""

    id: int
    name: str
    kind: str
    title: str
    reason: str
    ticket: str
    state: str
    state_text: str
    since: datetime
    age_s: float
    author: str
    site: str
    policies: list[str]
    nodes: int
    confirmed: int
    wave: int | None
    waves: int
    confirm_by: datetime | None
    may: list[str]
    may_not: dict[str, str]

    def left_s(self) -> float | None:
        """Seconds until the guards act, by the backend's clock when it answered; None: nothing waits."""
        if self.confirm_by is None:
            return None
        return max((self.confirm_by - self.since).total_seconds() - self.age_s, 0.0)


class ChangeDetail(ChangeOut):
    """A change whole."""

    plan: PlanOut | None
    approvals: list[ApprovalOut]
    members: list[ChangeNodeOut]
    history: list[ChangeStep]
