"""Whether every surface recovered after all faults were removed, and stayed so for a minute. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from backstay_bench.truth.snapshots import Json, Snapshots
from backstay_bench.truth.verdict import Baseline

RECOVERY_S = 60.0
"""How long the site is watched after the removal; then nothing critical may be left."""
CLEAN_S = 6.0
"""The site has recovered once nothing was critical for so long."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was critical at one moment after the removal."""

    after_s: float
    critical: Mapping[str, str]
    """Object, `incident 7` or `path 3` -> text."""


def reading(after_s: float, shown: Snapshots, baseline: Baseline) -> Reading:
    """Critical incidents that are not of the site before the faults, and dead paths."""
    new = [item for item in shown.incidents if item["id"] not in baseline.incidents]
    critical = {f"incident {item['id']}": item["title"] for item in new if item["state"] == "critical"}
    dead = {f"path {path['id']}": f"{path['name']} is dead" for path in shown.dead_paths}
    return Reading(after_s, critical | dead)


def recovered_s(readings: Sequence[Reading]) -> float | None:
    """When nothing was critical for the first time for `CLEAN_S`; None: never."""
    since: float | None = None
    for item in readings:
        if item.critical:
            since = None
        elif since is None:
            since = item.after_s
        elif item.after_s - since >= CLEAN_S:
            return since
    return None


def wrong_recovery(readings: Sequence[Reading], opened: Iterable[Json]) -> list[str]:
    """Everything critical that is left at the end, began after the removal, or came back.

    `opened`: events of incidents that opened after the first reading, which may be over between two readings.
    An effect of a root cause that was critical in the first reading is part of its group, not a new problem.
    """
    first, last = readings[0], readings[-1]
    recovered = recovered_s(readings)
    left = [f"{last.after_s:.0f} s after recovery: {text}" for text in last.critical.values()]
    known = set(last.critical)
    again = []
    for item in readings:
        for key, text in item.critical.items():
            is_back = recovered is not None and item.after_s > recovered
            if key not in known and (key not in first.critical or is_back):
                known.add(key)
                again.append(f"became critical {item.after_s:.0f} s after recovery: {text}")
    known |= set(first.critical)
    brief = [
        f"became critical for a moment after recovery: {event['message']}"
        for event in opened
        if event["state"] == "critical"
        and f"incident {event['incident_id']}" not in known
        and f"incident {event['cause_id']}" not in first.critical
    ]
    return [*left, *again, *brief]
