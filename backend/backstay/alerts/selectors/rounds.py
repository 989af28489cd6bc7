"""Sites whose rules are not evaluated in time, and parts of their rounds that fail."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from backstay.alerts.models import EvaluationFailure, Round, SiteRound
from backstay.alerts.selectors.listening_window import INGEST
from backstay.core.thresholds import MISSED_ROUNDS, ROUND_S
from backstay.inventory.models import Site

MAX_LATE_S = 20.0
"""A site whose rounds last longer than their period is late after three of its rounds, at most after this."""


@dataclass(frozen=True, slots=True)
class SiteEvaluation:
    """When the rules of a site were evaluated last."""

    site: Site
    finished_at: datetime | None
    """End of the newest round; None: there was none."""
    age_s: float
    """Since then, or since the site's import."""
    is_late: bool
    """Whether it missed three rounds."""

    @property
    def since(self) -> datetime:
        """Start of the time without evaluation."""
        return self.finished_at or self.site.imported_at


def evaluations(now: datetime) -> list[SiteEvaluation]:
    """Every site in use, by name; one query."""
    rows = Site.objects.filter(archived_at=None).select_related("round").order_by("name")
    return [_evaluation(site, now) for site in rows]


def evaluation_of(site: Site, now: datetime) -> SiteEvaluation:
    """Of one site, which is read with its `round`."""
    return _evaluation(site, now)


def failing_parts() -> dict[str, list[EvaluationFailure]]:
    """Name of each site with failures -> its parts that fail; one query."""
    found: dict[str, list[EvaluationFailure]] = {}
    for row in (
        EvaluationFailure.objects.filter(site__archived_at=None).select_related("site").order_by("part")
    ):
        found.setdefault(row.site.name, []).append(row)
    return found


def ingest_age_s(now: datetime) -> float | None:
    """Seconds since the ingest's last heartbeat; None: never."""
    at = Round.objects.filter(name=INGEST).values_list("finished_at", flat=True).first()
    return None if at is None else (now - at).total_seconds()


def _evaluation(site: Site, now: datetime) -> SiteEvaluation:
    known: SiteRound | None = getattr(site, "round", None)
    if known is None:
        age_s = (now - site.imported_at).total_seconds()
        return SiteEvaluation(site, None, age_s, age_s > MAX_LATE_S)
    age_s = (now - known.finished_at).total_seconds()
    limit_s = min(MISSED_ROUNDS * max(ROUND_S, known.took_ms / 1000), MAX_LATE_S)
    return SiteEvaluation(site, known.finished_at, age_s, age_s > limit_s)
