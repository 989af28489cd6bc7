"""Outcomes of failures of a site: by its policies where they route the traffic, else by equal-cost paths."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import Literal

from backstay.core.formatting import listing
from backstay.core.model.search import INTACT, Component, Failure, SharedRiskGroup
from backstay.core.planning.whatif.ecmp_loads import EcmpLoads
from backstay.core.planning.whatif.fallback_failures import FallbackFailures
from backstay.core.planning.whatif.fallback_loads import FallbackLoads
from backstay.core.planning.whatif.fallback_verdict import FallbackOutcome
from backstay.inventory.models import Site
from backstay.rollout.capacity.measured import CapacityInputs

CapacityMethod = Literal["policies", "ecmp", "none"]
_lock = threading.RLock()
"""The structures' caches are filled by one thread at a time."""
_structures: dict[int, tuple[CapacityInputs, FallbackFailures]] = {}
"""Site -> the newest one, while its topology and routes are the same."""


@dataclass(frozen=True, slots=True)
class SiteCapacity:
    """Loads of a site at one moment, under failures."""

    inputs: CapacityInputs
    method: CapacityMethod
    """What routes the traffic."""
    single_attached: int
    """Hosts with one link, whose failure concerns nobody else: it is no failure of the study."""
    loads: FallbackLoads | EcmpLoads
    components: tuple[Component, ...]
    """All that can fail with an effect."""

    def unattributed(self) -> tuple[int, int]:
        """(bit/s that no flow explains, all bit/s) over the links at gateways, or between switches."""
        return self.loads.unattributed()

    @property
    def unknown_nodes(self) -> frozenset[int]:
        """Nodes whose demand is unknown."""
        return self.loads.unknown_nodes

    def intact(self) -> FallbackOutcome:
        """The present state."""
        return self.outcome(INTACT)

    def outcome(self, failed: Failure) -> FallbackOutcome:
        """Components that fail together."""
        with _lock:
            return self.loads.outcome(failed)

    def single_failures(self) -> list[FallbackOutcome]:
        """Every single failure of a gateway, switch, link or shared fabric that concerns any traffic."""
        with _lock:
            return list(self.loads.outcomes(frozenset({thing}) for thing in self.components))

    def shared_failures(self) -> list[tuple[SharedRiskGroup, FallbackOutcome]]:
        """Every shared risk of the site: all its members fail together."""
        with _lock:
            return [(risk, _judged(risk, self.loads.outcome(risk.members))) for risk in self.inputs.risks]


def _judged(risk: SharedRiskGroup, outcome: FallbackOutcome) -> FallbackOutcome:
    """Unknown if the topology lacks a member, unless the others alone are too much."""
    if not risk.missing or (risk.members and outcome.verdict == "would_not_hold"):
        return outcome
    reason = f"The topology lacks {listing(list(risk.missing))} of the shared risk."
    return replace(outcome, verdict="unknown", reason=reason, growth_percent=None)


def study(site: Site, inputs: CapacityInputs, growth: float = 0.0) -> SiteCapacity:
    """`growth` 0.3: all traffic grows by 30 %. By policies, or by equal-cost paths if there are none."""
    with _lock:
        structure = _structure(site, inputs)
        if structure.failures.flows:
            loads = FallbackLoads(structure, inputs.measured, growth)
            alone = len(structure.single_attached)
            return SiteCapacity(inputs, "policies", alone, loads, tuple(structure.components()))
        unmanaged = EcmpLoads(inputs.topology, inputs.measured, inputs.rates, growth)
        method: CapacityMethod = "ecmp" if inputs.measured.links else "none"
        return SiteCapacity(inputs, method, 0, unmanaged, tuple(unmanaged.components()))


def _structure(site: Site, inputs: CapacityInputs) -> FallbackFailures:
    known = _structures.get(site.pk)
    if known is None or known[0].topology is not inputs.topology or known[0].routing != inputs.routing:
        known = (inputs, FallbackFailures(inputs.topology, inputs.routes, inputs.returns))
        if not inputs.is_past:
            _structures[site.pk] = known
    return known[1]
