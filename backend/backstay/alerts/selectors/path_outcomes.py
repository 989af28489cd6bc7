"""How the policies' paths deliver at one moment: outcomes, culprits and standbys, from one snapshot.

Uses the paths' own observations, which arrive before any rule has opened an incident.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.headline import AffectedPath, Culprit, Outcome, PathTotals, Reason, culprits
from backstay.core.model.state import STANDBY_SPECS, PathStandby, State, best_standby
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

    def __init__(self, snapshot: SiteSnapshot, faults: KnownFaults | None = None) -> None:
        self._snapshot = snapshot
        self._faults = faults or KnownFaults()

    @cached_property
    def by_path(self) -> dict[int, Outcome]:
        """Path id -> outcome."""
        known = self._snapshot.policies
        return {
            path.id: outcome(self._snapshot, path, known[path.policy_id])
            for path in self._snapshot.deployed_paths
        }

    @cached_property
    def totals(self) -> PathTotals:
        return PathTotals.of(self.by_path.values())

    @cached_property
    def culprits(self) -> list[Culprit]:
        """Causes of dead and rerouted paths."""
        affected = [
            path for path in self._snapshot.deployed_paths if self.by_path[path.id] in {"dead", "rerouted"}
        ]
        return culprits(self._affected(path) for path in affected)

    @cached_property
    def policies(self) -> list[PolicyOutcome]:
        """Policies that have paths, by name."""
        paths: dict[int, list[PathState]] = {}
        for path in self._snapshot.deployed_paths:
            paths.setdefault(path.policy_id, []).append(path)
        known = sorted(self._snapshot.policies.values(), key=lambda policy: policy.name)
        return [self._policy(policy, paths[policy.id]) for policy in known if policy.id in paths]

    def _affected(self, path: PathState) -> AffectedPath:
        policy, result = self._snapshot.policies[path.policy_id], self.by_path[path.id]
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

    def _policy(self, policy: Policy, paths: list[PathState]) -> PolicyOutcome:
        fresh = [path for path in paths if self.by_path[path.id] != "unknown"]
        standbys = [_standby(path, policy) for path in fresh]
        return PolicyOutcome(
            policy=policy,
            totals=PathTotals.of(self.by_path[path.id] for path in paths),
            active=tuple(Counter(path.active_text for path in paths).most_common()),
            without_standby=sum(known in {"dead", "none"} for known in standbys),
            verified=standbys.count("verified"),
            has_standbys=set(standbys) != {"none"},
        )


def outcome(snapshot: SiteSnapshot, path: PathState, policy: Policy) -> Outcome:
    """Of one path, by its end-to-end state."""
    end_to_end = snapshot.end_to_end(path)
    if end_to_end in {"unknown", "dead"}:
        return end_to_end
    return "rerouted" if path.on_fallback(policy) else "preferred"


def _standby(path: PathState, policy: Policy) -> PathStandby:
    """The best of its other gateways."""
    others = (name for name in path.gateways(policy).values() if name != path.active_text)
    return best_standby(path.standby(name) for name in others)


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
