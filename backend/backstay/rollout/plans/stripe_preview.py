"""Preview of a stripe: distribution of its nodes at the current loads."""

from __future__ import annotations

from datetime import datetime

from backstay.core.errors import Invalid
from backstay.core.model.topology import Topology
from backstay.core.planning.groups import select
from backstay.core.planning.stripes import assignment, metrics
from backstay.core.planning.stripes.metrics import StripeMetrics
from backstay.inventory.models import Site
from backstay.policy import intents
from backstay.policy.policy_spec import PolicySpec, validate
from backstay.rollout.plans.plan_inputs import PlanInputs

_ABOUT = ("nodes", "stripe", "gateways")
"""Fields that a preview needs; others can be empty."""


def preview(site: Site, spec: PolicySpec, now: datetime) -> tuple[Topology, StripeMetrics]:
    """The stripe's distribution. Nodes keep their current gateway where possible, as in a plan.

    Invalid names errors of the group or the stripe; other fields are not validated.
    """
    reading = PlanInputs(site, now)
    topology = reading.topology
    wrong = validate(spec, topology, (), new=True)
    wrong = {field: text for field, text in wrong.items() if field.split(".")[0] in _ABOUT}
    if spec.stripe is None:
        wrong = {"stripe": "This policy has no stripe: add one to preview it."}
    if wrong:
        raise Invalid("Invalid stripe: " + " ".join(wrong.values()), fields=wrong)
    names = {node.name: node.id for node in topology.nodes.values()}
    wanted = intents.stripe(spec.stripe, names)
    assert wanted is not None
    present = {
        node: route.hops[0].gateway_id
        for node, routing in reading.confirmed.items()
        for route in routing.routes
        if route.policy == spec.name and str(route.prefix) == spec.prefix
    }
    demand = reading.observation(()).demand
    nodes = select(topology, spec.group())
    assigned = assignment.assign(topology, nodes, wanted, demand, present)
    room = metrics.passes_on(topology, wanted, nodes)
    return topology, metrics.evaluate(wanted, assigned, demand, room)
