"""Reads of the stored capacity study: the one source of "n of m fallbacks hold"."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from backstay.core.formatting import duration, part_of
from backstay.core.thresholds import CAPACITY_STALE_AFTER_S
from backstay.inventory.models import Site
from backstay.policy.capacity_models import GROUP, CapacityFailure, CapacityResult


@dataclass(frozen=True, slots=True)
class FallbackSummary:
    """How many fallbacks of a site hold."""

    result: CapacityResult | None
    now: datetime

    def number(self, verdict: str) -> int:
        """Fallbacks with this verdict."""
        return 0 if self.result is None else int(self.result.counts.get("fallbacks", {}).get(verdict, 0))

    @property
    def total(self) -> int:
        """All fallbacks."""
        return sum(self.number(verdict) for verdict in ("holds", "would_not_hold", "unknown"))

    @property
    def checked_at(self) -> datetime | None:
        """When its inputs were read last."""
        return None if self.result is None else self.result.checked_at

    @property
    def error(self) -> str:
        """Why the last attempt failed; empty: it succeeded, or there was none."""
        return "" if self.result is None else self.result.error

    @property
    def age_s(self) -> float | None:
        """Since it was computed, or confirmed by inputs that are alike; None: never."""
        if self.result is None or self.result.checked_at is None:
            return None
        return max((self.now - self.result.checked_at).total_seconds(), 0.0)

    @property
    def is_stale(self) -> bool:
        """Whether it is too old to say anything about the present."""
        return self.age_s is None or self.age_s > CAPACITY_STALE_AFTER_S

    @property
    def headline(self) -> str:
        """`2 of 14 fallbacks would not hold`."""
        if self.age_s is None:
            return "Capacity has not been computed yet"
        if self.is_stale:
            return f"Capacity was last computed {duration(self.age_s)} ago"
        if not self.total:
            return "No failure moves traffic to a fallback"
        failing, unknown = self.number("would_not_hold"), self.number("unknown")
        if failing:
            rest = f"; {unknown} unknown" if unknown else ""
            return f"{part_of(failing, self.total, 'fallback')} would not hold{rest}"
        if unknown:
            return f"{part_of(unknown, self.total, 'fallback')} cannot be judged"
        return "The only fallback holds" if self.total == 1 else f"All {self.total} fallbacks hold"


def fallback_summary(site: Site, now: datetime) -> FallbackSummary:
    """One query."""
    return FallbackSummary(CapacityResult.objects.filter(site=site).first(), now)


def capacity_failures(
    site: Site,
    verdict: str | None = None,
    kind: str | None = None,
    has_fallback: bool | None = None,
    text: str | None = None,
    *,
    shared: bool | None = None,
) -> QuerySet[CapacityFailure]:
    """Stored failures; `text` looks into names and reasons; `shared`: only shared risks, or none of them."""
    rows = CapacityFailure.objects.filter(result__site=site)
    if verdict is not None:
        rows = rows.filter(verdict=verdict)
    if kind is not None:
        rows = rows.filter(kind=kind)
    if has_fallback is not None:
        rows = rows.filter(has_fallback=has_fallback)
    if shared is not None:
        of_risk = Q(key__startswith=GROUP)
        rows = rows.filter(of_risk if shared else ~of_risk)
    return rows.filter(Q(name__icontains=text) | Q(reason__icontains=text)) if text else rows


def capacity_failure(ident: int) -> CapacityFailure | None:
    """With its site."""
    return CapacityFailure.objects.select_related("result__site").filter(pk=ident).first()
