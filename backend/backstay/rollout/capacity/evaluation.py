"""Outcomes of failures of a site: by its policies where they route the traffic."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Literal

from backstay.core.model.search import INTACT, Failure
from backstay.core.planning.whatif.fallback_loads import FallbackFailures, FallbackLoads
from backstay.core.planning.whatif.fallback_verdict import FallbackOutcome
from backstay.inventory.models import Site
from backstay.rollout.capacity.measured import CapacityInputs

CapacityMethod = Literal["policies", "ecmp", "none"]
_lock = threading.RLock()
"""The structures' caches are filled by one thread at a time."""
_structures: dict[int, tuple[CapacityInputs, FallbackFailures]] = {}
"""Site -> the newest one, while its topology and routes are the same."""


@dataclass(frozen=True, slots=True)
class CapacityStudy:
    """Loads of a site at one moment, under failures."""

    inputs: CapacityInputs
    structure: FallbackFailures
    loads: FallbackLoads

    @property
    def method(self) -> CapacityMethod:
        """What routes the traffic."""
        return "policies" if self.structure.failures.flows else "none"

    @property
    def single_attached(self) -> int:
        """Hosts with one link, whose failure concerns nobody else: it is no failure of the study."""
        return len(self.structure.single_attached)

    def unattributed(self) -> tuple[int, int]:
        """(bit/s that no flow explains, all bit/s) over the links at gateways."""
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
        """Every single failure of a gateway, switch, link or shared fabric that concerns any flow."""
        with _lock:
            failures = [frozenset({thing}) for thing in self.structure.components()]
            return list(self.loads.outcomes(failures))


def study(site: Site, inputs: CapacityInputs, growth: float = 0.0) -> CapacityStudy:
    """`growth` 0.3: all traffic grows by 30 %."""
    with _lock:
        structure = _structure(site, inputs)
        return CapacityStudy(inputs, structure, FallbackLoads(structure, inputs.measured, growth))


def _structure(site: Site, inputs: CapacityInputs) -> FallbackFailures:
    known = _structures.get(site.pk)
    if known is None or known[0].topology is not inputs.topology or known[0].routes != inputs.routes:
        known = (inputs, FallbackFailures(inputs.topology, inputs.routes))
        if not inputs.is_past:
            _structures[site.pk] = known
    return known[1]
