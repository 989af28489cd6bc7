"""One evaluator a kind of rule: what is wrong now, given the situation. Adding one is a file and a line."""

from __future__ import annotations

from collections.abc import Callable

from backstay.alerts.evaluators import (
    circuits,
    clock_offset,
    device_alarm,
    device_state,
    drifted,
    extension,
    failover,
    neighbour_clash,
    neighbour_flood,
    neighbour_gateway,
    neighbour_table,
    other_address,
    path_dead,
    port_down,
    saturation,
    stale,
    throughput,
)
from backstay.alerts.finding import Verdict
from backstay.alerts.models import Incident, Rule, RuleKind
from backstay.alerts.selectors.situation import Situation

Present = dict[str, Incident]
"""The rule's unresolved incidents by fingerprint."""
Evaluator = Callable[[Situation, Rule, Present], Verdict]

EVALUATORS: dict[RuleKind, Evaluator] = {
    RuleKind.NODE_STALE: stale.evaluate,
    RuleKind.PORT_DOWN: port_down.evaluate,
    RuleKind.GATEWAY_FAILED_OVER: failover.evaluate,
    RuleKind.PATH_DEAD: path_dead.evaluate,
    RuleKind.DEVICE_ALARM: device_alarm.evaluate,
    RuleKind.DEVICE_STATE: device_state.evaluate,
    RuleKind.DRIFT: drifted.evaluate,
    RuleKind.NEIGHBOUR_TABLE: neighbour_table.evaluate,
    RuleKind.NEIGHBOUR_FLOOD: neighbour_flood.evaluate,
    RuleKind.NEIGHBOUR_CLASH: neighbour_clash.evaluate,
    RuleKind.NEIGHBOUR_GATEWAY: neighbour_gateway.evaluate,
    RuleKind.CIRCUIT: circuits.evaluate,
    RuleKind.CLOCK: clock_offset.evaluate,
    RuleKind.EXTENSION: extension.evaluate,
    RuleKind.OTHER_ADDRESS: other_address.evaluate,
    RuleKind.THROUGHPUT: throughput.evaluate,
    RuleKind.SATURATION: saturation.evaluate,
}
