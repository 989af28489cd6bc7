"""Make a plan: from policies and observations to a frozen, checked proposal with a digest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from backstay.core import rendering as files
from backstay.core.model.address_mismatch import AddressMismatch
from backstay.core.model.plan import Observation, Plan
from backstay.core.model.policy import FailoverIntent
from backstay.core.model.routing import Engine, NodeRouting, ObservedRouting
from backstay.core.model.topology import Topology
from backstay.core.planning import checks
from backstay.core.planning.checks.finding import run_checks
from backstay.core.planning.config_files import Rendering
from backstay.core.planning.digest import digest
from backstay.core.planning.drafts import Drafts
from backstay.core.planning.proposal import Proposal
from backstay.core.planning.resolve import desired
from backstay.core.planning.scope import EVERYTHING, Scope, concerned, topology_of, within
from backstay.core.planning.waves import waves
from backstay.core.planning.whatif.failure import analyse


def make_plan(
    topology: Topology,
    intents: Sequence[FailoverIntent],
    observed: Mapping[int, ObservedRouting],
    engines: Mapping[int, Engine],
    observation: Observation,
    *,
    confirmed: Mapping[int, NodeRouting],
    wave_limit: int,
    wave_size: int | None = None,
    rendering: Rendering = files,
    scope: Scope = EVERYTHING,
) -> Plan:
    """Plan the deployment of these policies.

    Waves have at most `wave_size` nodes; a plan with a wave of more than `wave_limit` nodes is blocked.
    `observed`, `engines` and `confirmed` are by node id; a node without an engine is not managed. A policy
    that cannot be deployed raises no error: the plan contains a failed finding.
    """
    everything = desired(topology, intents, engines, observation, confirmed)
    here = {node: routing for node, routing in confirmed.items() if node in topology.nodes}
    wanted = within(everything, scope, engines, here)
    routings = {**here, **wanted.routings}
    drafts = Drafts(topology, observed, confirmed, rendering, scope.originals)
    drafts.make(wanted.routings)
    nodes = tuple(drafts.nodes)
    proposal = Proposal(
        topology=topology,
        intents=tuple(intents),
        observed=observed,
        engines=engines,
        observation=observation,
        confirmed=confirmed,
        wave_limit=wave_limit,
        desired=wanted,
        routings=routings,
        nodes=nodes,
        faults=drafts.faults,
        advice=drafts.advice,
        waves=waves(topology, nodes, intents, routings, observation.demand, most=wave_size),
        analysis=analyse(topology, routings, observed, _of_one_end(intents, observation)),
    )
    return _sealed(
        Plan(
            nodes=nodes,
            findings=run_checks(proposal, checks.CHECKS),
            impacts=tuple(consequence.impact for consequence in proposal.analysis.consequences),
            waves=proposal.waves,
            inputs=inputs(
                topology,
                intents,
                observed,
                engines,
                confirmed=confirmed,
                wave_limit=wave_limit,
                address_mismatches=observation.address_mismatches,
                scope=scope,
            ),
            digest="",
        )
    )


def _of_one_end(intents: Sequence[FailoverIntent], observation: Observation) -> Observation:
    """Drop the demand of return-path routers, which is the demand of the policies' nodes again."""
    others = {router for intent in intents if intent.back for router in intent.back.routers}
    return replace(
        observation,
        demand={node: both for node, both in observation.demand.items() if node not in others},
    )


def inputs(
    topology: Topology,
    intents: Sequence[FailoverIntent],
    observed: Mapping[int, ObservedRouting],
    engines: Mapping[int, Engine],
    *,
    confirmed: Mapping[int, NodeRouting],
    wave_limit: int,
    address_mismatches: Mapping[int, AddressMismatch],
    scope: Scope = EVERYTHING,
) -> str:
    """SHA-256 over the inputs that must not change before the plan is applied.

    Only the plan's own nodes and their gateways are inputs. Loads, liveness and the currently active hop are
    excluded, because they change all the time.
    """
    about = concerned(topology, intents, scope, confirmed, observed)
    seen = {
        node: [item.revision, item.digest, item.engine, item.alive, [[f.path, f.sha256] for f in item.files]]
        for node, item in observed.items()
        if node in about
    }
    return digest(
        [
            topology_of(topology, about),
            list(intents),
            seen,
            {node: engine for node, engine in engines.items() if node in about},
            {node: routing for node, routing in confirmed.items() if node in about},
            wave_limit,
            {port: item for port, item in address_mismatches.items() if item.node in about},
        ]
    )


def _sealed(plan: Plan) -> Plan:
    return replace(plan, digest=digest(plan))
