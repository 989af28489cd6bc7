"""Upgrade advice of a site: every option of `core.planning.capacity.advice`, judged by the study, and stored.

Computed after a study with failing fallbacks, at most every `EVERY`; within `BUDGET_S` of processor time, so
that it never delays the next study. What was left out is counted.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.db import OperationalError

from backstay.core.formatting import count, listing, rate
from backstay.core.model.search import Failure
from backstay.core.model.topology import Topology
from backstay.core.planning.capacity.advice import (
    Benefit,
    Improvement,
    improvements,
    judged,
    ranked,
)
from backstay.core.planning.whatif.ecmp_loads import EcmpLoads
from backstay.core.planning.whatif.fallback_failures import FallbackFailures
from backstay.core.planning.whatif.fallback_loads import FallbackLoads
from backstay.core.planning.whatif.fallback_verdict import FallbackOutcome, MeasuredLoad
from backstay.inventory.models import Site
from backstay.policy.capacity_models import CapacityResult
from backstay.rollout.capacity.evaluation import SiteCapacity, study
from backstay.rollout.capacity.measured import CapacityInputs, capacity_inputs
from backstay.rollout.capacity.records import Recorder

log = logging.getLogger(__name__)
EVERY = timedelta(minutes=10)
BUDGET_S = 5.0
"""Processor time for all options of a site; the one in progress is finished."""
MOST_ADVICE = 20
MOST_NAMES = 20


def is_due(result: CapacityResult, now: datetime) -> bool:
    """Whether fallbacks fail, and the advice is old; without failing ones there is nothing to advise."""
    failing = int(result.counts.get("fallbacks", {}).get("would_not_hold", 0))
    advised_at = result.advised_at
    if not failing:
        return advised_at is not None and bool(result.advice.get("items"))
    return advised_at is None or now - advised_at >= EVERY


def refresh(site: Site, now: datetime) -> bool:
    """Compute and store the advice if it is due. A failure is stored with its reason. OperationalError."""
    result = CapacityResult.objects.filter(site=site).first()
    if result is None or not is_due(result, now):
        return False
    try:
        found = advice(site, capacity_inputs(site, now))
    except OperationalError:
        raise
    except Exception as cause:
        log.exception("the upgrade advice of %s cannot be computed", site.name)
        found = {"items": [], "error": f"{type(cause).__name__}: {cause}"[:1000]}
    CapacityResult.objects.filter(pk=result.pk).update(advice=found, advised_at=now)
    return True


def advice(site: Site, inputs: CapacityInputs) -> dict[str, Any]:
    """The useful improvements, the most useful first, as stored."""
    present = study(site, inputs)
    base = [item for item in _failures(present) if item.has_fallback]
    names = {frozenset(item.failed): Recorder(inputs.topology).name(item.failed) for item in base}
    started, benefits, skipped = time.process_time(), [], 0
    for option in improvements(inputs.topology, inputs.routes, inputs.measured.demand, base):
        if time.process_time() - started > BUDGET_S:
            skipped += 1
            continue
        outcomes = _outcomes(present, option, [frozenset(item.failed) for item in base])
        benefits.append(judged(option, base, outcomes))
    useful = ranked(benefits)
    return {
        "items": [_record(benefit, inputs.topology, names) for benefit in useful[:MOST_ADVICE]],
        "failing": sum(item.verdict == "would_not_hold" for item in base),
        "tried": len(benefits),
        "skipped": skipped,
        "further": max(len(useful) - MOST_ADVICE, 0),
        "error": "",
    }


def _failures(present: SiteCapacity) -> list[FallbackOutcome]:
    """Single failures and shared risks, each set of components once."""
    found = {frozenset(outcome.failed): outcome for outcome in present.single_failures()}
    for _, outcome in present.shared_failures():
        found.setdefault(frozenset(outcome.failed), outcome)
    return list(found.values())


def _outcomes(
    present: SiteCapacity, option: Improvement, failures: Sequence[Failure]
) -> Iterable[FallbackOutcome]:
    inputs = present.inputs
    if isinstance(present.loads, EcmpLoads):
        return EcmpLoads(option.topology, inputs.measured, inputs.rates).outcomes(failures)
    structure = FallbackFailures(option.topology, option.routes, inputs.returns)
    loads = FallbackLoads(structure, inputs.measured)
    if option.kind == "stripes":
        loads = FallbackLoads(structure, _moved(inputs.measured, present.loads, loads))
    return loads.outcomes(failures)


def _moved(measured: MeasuredLoad, before: FallbackLoads, after: FallbackLoads) -> MeasuredLoad:
    """Loads of links once the nodes use other gateways: the flows' parts change, the rest stays."""

    def moved(link: int, number: int, bps: int | None) -> int | None:
        if bps is None:
            return None
        return max(round(bps + after.carried(link, number) - before.carried(link, number)), 0)

    links = {
        link: (moved(link, 0, forward), moved(link, 1, back))
        for link, (forward, back) in measured.links.items()
    }
    return replace(measured, links=links)


def _record(benefit: Benefit, topology: Topology, names: dict[Failure, str]) -> dict[str, Any]:
    option = benefit.improvement
    title, steps = _title_and_steps(option, topology)
    return {
        "kind": option.kind,
        "title": title,
        "steps": steps,
        "policy": option.policy or None,
        "gateways": [topology.nodes[node].name for node in option.gateways],
        "fabric": None if option.fabric is None else topology.fabrics[option.fabric].name,
        "fabric_id": option.fabric,
        "usable_rate": option.usable_rate,
        "holds": [names[failed] for failed in benefit.holds[:MOST_NAMES]],
        "holds_total": len(benefit.holds),
        "eased": [names[failed] for failed in benefit.eased[:MOST_NAMES]],
        "eased_total": len(benefit.eased),
        "worse": [names[failed] for failed in benefit.worse[:MOST_NAMES]],
        "worse_total": len(benefit.worse),
        "remaining": benefit.remaining,
    }


def _title_and_steps(option: Improvement, topology: Topology) -> tuple[str, list[str]]:
    """What to do in one sentence, and the steps with their commands."""
    order = [topology.nodes[node].name for node in option.gateways]
    if option.kind == "capacity" and option.fabric is not None and option.usable_rate is not None:
        name = topology.fabrics[option.fabric].name
        links = sum(link.fabric_id == option.fabric for link in topology.links.values())
        return (
            f"Give {name} a usable rate of {rate(option.usable_rate)} ({count(links, 'link')}).",
            [
                f"Replace the links of {name} by ones that carry {rate(option.usable_rate)}.",
                f"Set usable_rate of {name} in the site file, and import it: backstay sites import FILE",
            ],
        )
    if option.kind == "deployment":
        return (
            f"Deploy {option.policy}, so that its nodes detect failures.",
            [f"backstay plan {option.policy}", "Approve and apply the change, whose number the plan shows."],
        )
    edit = [
        f"backstay policies export {option.policy} > policy.yaml",
        f"Set gateways to {listing(order)}, in this order, in that file."
        if option.kind == "gateway"
        else f"Set a stripe over {listing(order)} with balance load in that file.",
        "backstay policies apply -f policy.yaml",
        f"backstay plan {option.policy}",
    ]
    if option.kind == "gateway" and option.gateway is not None:
        place = "first fallback" if option.gateways.index(option.gateway) == 1 else "last fallback"
        return f"Add {topology.nodes[option.gateway].name} to {option.policy} as {place}.", edit
    return f"Distribute the nodes of {option.policy} over {listing(order)} by load.", edit
