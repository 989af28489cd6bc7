"""Nodes whose intended, running and saved routing differ."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from backstay.api.drift.schemas import DriftItem, DriftOut
from backstay.api.http.urls import node_url
from backstay.core.model.state import seconds
from backstay.rollout.drift import differs

if TYPE_CHECKING:
    from backstay.rollout.models import Drift


def drift_out(row: Drift, engine: str | None, change: int | None, now: datetime) -> DriftOut:
    """One node; `row` has its node loaded."""
    items = [DriftItem.model_validate(item) for item in row.items]
    return DriftOut.model_validate(
        {
            "node": row.node.name,
            "node_id": row.node_id,
            "engine": engine,
            "state": "warning" if differs(row) else "ok",
            "since": row.since,
            "age_s": seconds(now, row.since) or 0.0,
            "running_differs": row.running_differs,
            "saved_differs": row.saved_differs,
            "reboot": row.reboot,
            "on_fallback": any(item.on_fallback for item in items),
            "text": " ".join(item.text for item in items),
            "intended_by": change,
            "items": items,
            "url": node_url(row.node_id),
        }
    )
