"""Upgrade advice for clients."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from backstay.api.advice.schemas import Advice, AdviceItem
from backstay.core.formatting import count
from backstay.core.model.state import seconds

if TYPE_CHECKING:
    from backstay.inventory.models import Site
    from backstay.policy.capacity_results import FallbackSummary

STALE_AFTER = timedelta(minutes=30)


def advice_out(site: Site, found: FallbackSummary) -> Advice:
    """The stored advice; stale if it is old, or was for another number of failing fallbacks."""
    result = found.result
    at = None if result is None else result.advised_at
    stored = {} if result is None or at is None else result.advice
    items = [AdviceItem.model_validate(item) for item in stored.get("items", ())]
    failing = int(stored.get("failing", 0))
    is_old = at is None or found.now - at > STALE_AFTER
    return Advice(
        site=site.name,
        headline=_headline(items, failing, found),
        computed_at=at,
        age_s=seconds(found.now, at),
        is_stale=is_old or found.is_stale or failing != found.number("would_not_hold"),
        failing=failing,
        tried=int(stored.get("tried", 0)),
        skipped=int(stored.get("skipped", 0)),
        further=int(stored.get("further", 0)),
        error=str(stored.get("error", "")),
        items=items,
    )


def _headline(items: list[AdviceItem], failing: int, found: FallbackSummary) -> str:
    if found.is_stale:
        return "Capacity is not computed at present"
    if not found.number("would_not_hold"):
        unknown = found.number("unknown")
        return f"{count(unknown, 'fallback')} cannot be judged" if unknown else "Every fallback holds"
    if not items:
        text = count(failing, "failing fallback")
        return f"No single improvement helps the {text}" if failing else "Not computed yet"
    best = items[0]
    if best.holds_total:
        return f"With the best single improvement {best.holds_total} of {failing} failing fallbacks hold"
    return f"With the best single improvement {best.eased_total} of {failing} failures overload no link"
