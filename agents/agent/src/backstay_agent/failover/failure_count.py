"""Counts failures: once against a gateway at fault, never for a dead target."""

from dataclasses import replace

from backstay_agent.failover.damping import Damper
from backstay_agent.failover.types import ActiveGateway, DecisionInput


def count_failures(case: DecisionInput) -> ActiveGateway:
    """The lead after recording the gateways that died since the last step, and their failures."""
    lead = case.lead
    dead = frozenset(name for name in case.order if case.dead(name))
    if not dead and not lead.dead:
        return lead
    open_cases = (dead - lead.dead) | (lead.innocent & dead)
    guilty = {name for name in open_cases if _to_blame(case, name, fresh=name not in lead.dead)}
    hold = case.timers.hold_down_s
    died = {name: lead.dampers.get(name, Damper()).died(case.now, hold) for name in sorted(guilty)}
    return replace(lead, dead=dead, innocent=open_cases - guilty, dampers={**lead.dampers, **died})


def _to_blame(case: DecisionInput, gateway: str, *, fresh: bool) -> bool:
    """Whether the gateway is at fault: the target answers through others, and not again through this one."""
    if case.dead_itself(gateway):
        return True
    return case.by_target and (fresh or case.mark(gateway).losing)
