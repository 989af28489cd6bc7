"""Objects in maintenance: those that a window names, and what depends on them.

Dependants of a fabric are its links; of a node its links, the nodes that its agent polls, and the paths of
which it is an end or a gateway; of a port its link; of a link the paths that lead over it; of a policy its
paths.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db.models import Q

from backstay.alerts.windows.models import MaintenanceTarget, MaintenanceWindow, TargetKind
from backstay.core.alerting.root_causes import CauseRank
from backstay.inventory.models import Link, Node, Site
from backstay.policy.models import Path

Switch = Literal["mutes_notifications", "pauses_rules", "pauses_tests"]
"""What a window stops: a column of `MaintenanceWindow`."""


@dataclass(frozen=True, slots=True)
class Concern:
    """What an incident or a finding is about: ids."""

    rank: CauseRank
    node: int | None
    link: int | None
    paths: Collection[int]
    links: Collection[int]
    """Affected links of a root cause."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Ids of objects in maintenance."""

    everything: bool = False
    nodes: frozenset[int] = frozenset()
    links: frozenset[int] = frozenset()
    paths: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return self.everything or bool(self.nodes or self.links or self.paths)

    def covers(self, concern: Concern) -> bool:
        """Whether something is about objects in maintenance alone.

        Only what may be an effect is judged by its paths: another gateway of the same paths is a cause of its
        own.
        """
        if self.everything or concern.node in self.nodes or concern.link in self.links:
            return True
        if concern.rank in {CauseRank.FAILED_OVER, CauseRank.EFFECT}:
            return bool(concern.paths) and self.paths.issuperset(concern.paths)
        is_fabric = concern.node is None and concern.link is None
        return is_fabric and bool(concern.links) and self.links.issuperset(concern.links)


NOTHING_COVERED = Coverage()


def active_windows(site: Site, now: datetime, switch: Switch | None = None) -> list[MaintenanceWindow]:
    """Windows that take place now, by name; `switch`: only those that stop it. One query."""
    rows = MaintenanceWindow.objects.filter(site=site, begins_at__lte=now, ends_at__gt=now)
    return list((rows if switch is None else rows.filter(**{switch: True})).order_by("name", "pk"))


def coverage(site: Site, now: datetime, switch: Switch) -> Coverage:
    """Objects for which something is stopped now; one query without such windows, five at most."""
    windows = active_windows(site, now, switch)
    return covered_by(site, [window.pk for window in windows]) if windows else NOTHING_COVERED


def covered_by(site: Site, windows: Collection[int]) -> Coverage:
    """Objects of these windows and their dependants; four queries."""
    found: dict[str, set[int]] = {kind: set() for kind in TargetKind.values}
    for row in MaintenanceTarget.objects.filter(window__in=windows):
        found[row.kind].add(row.pk if row.kind == TargetKind.SITE else getattr(row, f"{row.kind}_id"))
    if found[TargetKind.SITE]:
        return Coverage(everything=True)
    nodes, ports = found[TargetKind.NODE], found[TargetKind.PORT]
    links = Link.objects.filter(site=site).filter(
        Q(pk__in=found[TargetKind.LINK])
        | Q(fabric__in=found[TargetKind.FABRIC])
        | Q(a__in=ports)
        | Q(b__in=ports)
        | Q(a__node__in=nodes)
        | Q(b__node__in=nodes)
    )
    known = frozenset(links.values_list("pk", flat=True))
    paths = Path.objects.filter(policy__site=site).filter(
        Q(policy__in=found[TargetKind.POLICY])
        | Q(node__in=nodes)
        | Q(policy__gateways__node__in=nodes)
        | Q(routes__links__overlap=list(known))
    )
    polled = Node.objects.filter(site=site, watcher__in=nodes) if nodes else Node.objects.none()
    return Coverage(
        nodes=frozenset({*nodes, *polled.values_list("pk", flat=True)}),
        links=known,
        paths=frozenset(paths.values_list("pk", flat=True)),
    )


def paused_resources(site: Site, now: datetime) -> Mapping[str, str]:
    """Resource of throughput tests -> reason why none may start on it; `site`: on any."""
    found: dict[str, str] = {}
    for window in active_windows(site, now, "pauses_tests"):
        covered = covered_by(site, [window.pk])
        keys = ["site"] if covered.everything else []
        keys += [f"link:{link}" for link in covered.links] + [f"node:{node}" for node in covered.nodes]
        until = f"{window.ends_at:%Y-%m-%d %H:%M} UTC"
        found |= dict.fromkeys(keys, f"waits for the end of the maintenance window {window.name}, {until}")
    return found
