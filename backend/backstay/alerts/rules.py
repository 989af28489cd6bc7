"""The rules that every site has from its first import, with their thresholds."""

from __future__ import annotations

from typing import Any

from backstay.alerts.models import Rule, RuleKind
from backstay.core.thresholds import (
    SATURATED,
    SATURATION_CLEARS_BELOW,
    SATURATION_SAMPLES,
    TABLE_CLEARS_BELOW,
    TABLE_NEARLY_FULL,
)
from backstay.inventory.models import Site

DEFAULTS: dict[RuleKind, dict[str, Any]] = {
    RuleKind.NODE_STALE: {},
    RuleKind.PORT_DOWN: {},
    RuleKind.GATEWAY_FAILED_OVER: {},
    RuleKind.PATH_DEAD: {"after_s": 3.0},
    RuleKind.DEVICE_ALARM: {},
    RuleKind.DEVICE_STATE: {"after_s": 5.0, "clear_s": 10.0},
    RuleKind.DRIFT: {},
    RuleKind.CIRCUIT: {"after_s": 5.0},
    RuleKind.CLOCK: {"raise_s": 10.0, "clear_s": 5.0},
    RuleKind.EXTENSION: {"after_s": 5.0},
    RuleKind.OTHER_ADDRESS: {"after_s": 10.0},
    RuleKind.NEIGHBOUR_TABLE: {"raise_at": TABLE_NEARLY_FULL, "clear_at": TABLE_CLEARS_BELOW},
    RuleKind.NEIGHBOUR_FLOOD: {"grown": 64, "per_s": 5.0},
    RuleKind.NEIGHBOUR_CLASH: {"after_s": 10.0},
    RuleKind.NEIGHBOUR_GATEWAY: {"after_s": 10.0},
    RuleKind.THROUGHPUT: {},
    RuleKind.SATURATION: {
        "raise_at": SATURATED,
        "clear_at": SATURATION_CLEARS_BELOW,
        "samples": SATURATION_SAMPLES,
    },
}
"""Fractions of the usable rate; `after_s`, seconds: shorter cuts are told by their events, and a part that
only passes through a state is no trouble; `clear_s`: how long it must be well again."""


def ensure_rules(site: Site) -> None:
    """Give the site each rule that it lacks; thresholds that somebody changed stay."""
    Rule.objects.bulk_create(
        [Rule(site=site, kind=kind, parameters=parameters) for kind, parameters in DEFAULTS.items()],
        ignore_conflicts=True,
    )
