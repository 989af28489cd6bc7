"""What an evaluator says: things wrong now, and things that nobody can judge now."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from backstay.core.alerting.saturation import Count


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong with one object; the fingerprint says which thing and which object."""

    fingerprint: str
    severity: Literal["warning", "critical"]
    subject: str
    title: str
    detail: str
    since: datetime
    direction: str = ""
    node_id: int | None = None
    link_id: int | None = None
    path_ids: tuple[int, ...] = ()
    value: float | None = None
    threshold: float | None = None
    count: Count | None = None
    """Only for rules that count samples; without `firing` the finding is remembered and not shown."""

    @property
    def pending(self) -> bool:
        """Whether it only counts towards an incident."""
        return self.count is not None and not self.count.firing


@dataclass(frozen=True, slots=True)
class Verdict:
    """Everything one rule finds. What is neither found nor undecided is well."""

    findings: tuple[Finding, ...] = ()
    undecided: frozenset[str] = field(default_factory=frozenset)
    """Fingerprints of which nothing recent is known: they neither rise nor clear."""
