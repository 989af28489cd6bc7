"""How the policies' paths deliver at one moment: outcomes, culprits and standbys, from one snapshot.

Uses the paths' own observations, which arrive before any rule has opened an incident.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from backstay.alerts.selectors.path_groups import PathGroup
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.headline import AffectedPath, Culprit, Outcome, PathTotals, Reason, culprits
from backstay.core.model.state import STANDBY_SPECS, PathStandby, State
from backstay.policy.selectors import PathState, Policy


@dataclass(frozen=True, slots=True)
class PolicyOutcome:
    """The paths of one policy."""

    policy: Policy
    totals: PathTotals
    active: tuple[tuple[str, int], ...]
    """Gateways in use and their numbers of nodes; empty name: no route."""
    without_standby: int
    """Nodes whose other gateways are all dead."""
    verified: int
    """Nodes whose target answers through another gateway too."""
    has_standbys: bool = True
    """Whether the policy has another gateway for some node."""

    @property
    def state(self) -> State:
        """ok only if every path is known, and its target answers through a standby too."""
        if self.totals.dead:
            return "critical"
        if self.totals.rerouted or self.without_standby:
            return "warning"
        return "ok" if self.totals.total and self.verified == self.totals.total else "unknown"

    @property
    def text(self) -> str:
        """In order of importance: dead paths, then standbys."""
        totals = self.totals
        if totals.dead:
            return "all dead" if totals.dead == totals.total else f"{totals.dead} of {totals.total} dead"
        if totals.unknown:
            return "unknown" if totals.unknown == totals.total else f"{totals.unknown} unknown"
        if self.without_standby:
            label = STANDBY_SPECS["dead" if self.has_standbys else "none"].label
            return label if self.without_standby == totals.total else f"{label} for {self.without_standby}"
        verified = STANDBY_SPECS["verified"].label
        if self.verified == totals.total:
            return verified
        if not self.verified:
            return STANDBY_SPECS["not verified"].label
        return f"{verified} for {self.verified} of {totals.total}"


@dataclass(frozen=True, slots=True)
class KnownFaults:
    """Clauses of root causes that rules have found, `grf1 lost all links`."""

    by_path: Mapping[int, str] = field(default_factory=dict)
    by_subject: Mapping[str, str] = field(default_factory=dict)
    """Name of a gateway -> clause, for paths that the rules have not seen yet."""


class PathOutcomes:
    """Outcomes of the paths of deployed policies, and what explains the bad ones."""

    def __init__(
        self,
        snapshot: SiteSnapshot,
        groups: Sequence[PathGroup],
        affected: Iterable[PathState],
        faults: KnownFaults | None = None,
    ) -> None:
        """`affected`: the dead and rerouted paths of the groups, by id."""
        self._snapshot = snapshot
        self._groups = groups
        self._affected_paths = affected
        self._faults = faults or KnownFaults()

    @cached_property
    def totals(self) -> PathTotals:
        return _totals(self._groups)

    @cached_property
    def culprits(self) -> list[Culprit]:
        """Causes of dead and rerouted paths."""
        results = {path: group.outcome for group in self._groups for path in group.affected}
        return culprits(self._affected(path, results[path.id]) for path in self._affected_paths)

    @cached_property
    def policies(self) -> list[PolicyOutcome]:
        """Policies that have paths, by name."""
        groups: dict[int, list[PathGroup]] = {}
        for group in self._groups:
            groups.setdefault(group.policy_id, []).append(group)
        known = sorted(self._snapshot.policies.values(), key=lambda policy: policy.name)
        return [_policy_outcome(policy, groups[policy.id]) for policy in known if policy.id in groups]

    def _affected(self, path: PathState, result: Outcome) -> AffectedPath:
        policy = self._snapshot.policies[path.policy_id]
        onto = path.active_text if result == "rerouted" else ""
        fault = self._faults.by_path.get(path.id)
        if fault is not None:
            return AffectedPath(path.id, result, fault, "fault", onto)
        if result == "rerouted" and path.node_id in self._snapshot.holds:
            return AffectedPath(
                path.id, result, self._snapshot.topology.nodes[path.node_id].name, "held", onto
            )
        name, reason = _blamed(path, policy) if result == "rerouted" else _blamed_dead(path, policy)
        fault = self._faults.by_subject.get(name)
        return AffectedPath(path.id, result, fault or name, "fault" if fault else reason, onto)


def _policy_outcome(policy: Policy, groups: Sequence[PathGroup]) -> PolicyOutcome:
    active: Counter[str] = Counter()
    standbys: Counter[PathStandby] = Counter()
    for group in groups:
        active[group.active] += group.paths
        if group.outcome != "unknown":
            standbys[group.standby] += group.paths
    return PolicyOutcome(
        policy=policy,
        totals=_totals(groups),
        active=tuple(active.most_common()),
        without_standby=standbys["dead"] + standbys["none"],
        verified=standbys["verified"],
        has_standbys=set(+standbys) != {"none"},
    )


def _totals(groups: Iterable[PathGroup]) -> PathTotals:
    known: Counter[Outcome] = Counter()
    for group in groups:
        known[group.outcome] += group.paths
    return PathTotals(known["preferred"], known["rerouted"], known["dead"], known["unknown"])


def _blamed(path: PathState, policy: Policy) -> tuple[str, Reason]:
    """Why a path has left its preferred gateway."""
    preferred = path.preferred(policy)
    assert preferred is not None
    name = policy.gateways[preferred]
    return name, _fault_of(path, name) or "unused"


def _blamed_dead(path: PathState, policy: Policy) -> tuple[str, Reason]:
    """Why a path delivers nothing: its gateway, else the target that answers through none."""
    names = list(path.gateways(policy).values())
    if not path.active_text:
        failed = next((name for name in names if path.alive(name) is False), None)
        return (policy.name, "no route") if failed is None else (failed, "unreachable")
    if path.alive(path.active_text) is False:
        return path.active_text, "unreachable"
    preferred = path.preferred(policy)
    if preferred is not None and path.alive(policy.gateways[preferred]) is False:
        # The fallback may lack the way back, which the other end still routes through the dead gateway.
        return policy.gateways[preferred], "unreachable"
    others = [name for name in names if name != path.active_text]
    if others and all(path.alive(name) and path.forwards(name) is False for name in others):
        return policy.target or policy.prefix, "unreachable"
    return path.active_text, "not forwarding"


def _fault_of(path: PathState, gateway: str) -> Reason | None:
    if path.alive(gateway) is False:
        return "unreachable"
    return "not forwarding" if path.forwards(gateway) is False else None
