"""How many days each site keeps each level of its roll-ups and its archive: its own days, or the defaults."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.conf import settings

from backstay.core.retention import ARCHIVE_RULE, rollup_days
from backstay.core.rollups.levels import DAY_S, LEVELS, Level, LevelName
from backstay.inventory.models import Site


def rollup_days_at(own: Mapping[str, int]) -> dict[LevelName, int]:
    """Level -> days, from a site's `retention`."""
    return rollup_days(own, settings.ROLLUP_DAYS, settings.HOT_DAYS)


def longest_rollup_days() -> dict[LevelName, int]:
    """Level -> days of the site that keeps it longest; partitions are shared by all sites."""
    every = [rollup_days_at(own) for own in Site.objects.values_list("retention", flat=True)]
    usual = rollup_days_at({})
    return {level: max((days[level] for days in every), default=usual[level]) for level in usual}


def cutoff(level: Level, days: int, now: datetime) -> float:
    """Start of the oldest row that is kept, Unix seconds: rows are removed whole."""
    return (now.timestamp() - days * DAY_S) // level.row_s * level.row_s


def kept_from(stored: Mapping[str, float], own: Mapping[str, int], now: datetime) -> dict[str, float]:
    """Level -> since when a site has it, of levels `stored` since then: older rows go, now or soon."""
    days, longest = rollup_days_at(own), longest_rollup_days()
    return {
        level.name: max(stored[level.name], cutoff(level, days[level.name], now))
        if days[level.name] < longest[level.name]
        else stored[level.name]
        for level in LEVELS
        if level.name in stored
    }


def archive_days_by_site() -> dict[str, int]:
    """Site -> days in the archive; 0: for ever. Sites that are missing have BACKSTAY_ARCHIVE_DAYS."""
    sites = Site.objects.values_list("name", "retention")
    return {name: int(own.get(ARCHIVE_RULE, settings.ARCHIVE_DAYS)) for name, own in sites}
