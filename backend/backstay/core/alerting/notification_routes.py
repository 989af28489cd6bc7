"""Which notification routes an incident takes: matchers in the routes' order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from backstay.core.alerting.weekly_times import WeeklyTime, is_within


@dataclass(frozen=True, slots=True)
class IncidentFacts:
    """What matchers read of an incident; roles, fabrics and labels of its node or its link's ends."""

    severity: str
    kind: str
    roles: frozenset[str] = frozenset()
    fabrics: frozenset[str] = frozenset()
    labels: frozenset[tuple[str, str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Matchers:
    """Every field that is not empty must match; one of its values is enough. Of labels, all must match."""

    severities: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    roles: frozenset[str] = frozenset()
    fabrics: frozenset[str] = frozenset()
    labels: Mapping[str, str] = field(default_factory=dict)
    times: tuple[WeeklyTime, ...] = ()
    zone: str = "UTC"

    def accept(self, facts: IncidentFacts, now: datetime) -> bool:
        """Whether they match at this time."""
        return (
            (not self.severities or facts.severity in self.severities)
            and (not self.kinds or facts.kind in self.kinds)
            and (not self.roles or bool(self.roles & facts.roles))
            and (not self.fabrics or bool(self.fabrics & facts.fabrics))
            and all(item in facts.labels for item in self.labels.items())
            and is_within(self.times, self.zone, now)
        )


@dataclass(frozen=True, slots=True)
class RouteRule:
    """A route as the matching needs it."""

    id: int
    matchers: Matchers
    continues: bool = False
    """Whether the routes behind it are tried too."""


def matching_routes(routes: Iterable[RouteRule], facts: IncidentFacts, now: datetime) -> list[int]:
    """Ids of the routes that an incident takes: the first that matches, and more while it `continues`."""
    found: list[int] = []
    for route in routes:
        if route.matchers.accept(facts, now):
            found.append(route.id)
            if not route.continues:
                break
    return found
