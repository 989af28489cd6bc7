"""All rules. A new rule is a file here and a name in each of the two lists below."""

from backstay.alerts.rule import Rule
from backstay.alerts.rules import (
    address_mismatch,
    cable,
    circuit,
    clock,
    device_alarm,
    device_state,
    drift,
    extension,
    gateway_failed_over,
    hippi_blocked,
    neighbour_clash,
    neighbour_flood,
    neighbour_gateway,
    neighbour_static,
    neighbour_table,
    node_stale,
    path_dead,
    port_down,
    saturation,
    throughput,
)

RULES: dict[str, Rule] = {
    module.RULE.kind: module.RULE
    for module in (
        node_stale,
        port_down,
        gateway_failed_over,
        path_dead,
        device_alarm,
        device_state,
        drift,
        neighbour_table,
        neighbour_flood,
        neighbour_clash,
        neighbour_gateway,
        neighbour_static,
        cable,
        hippi_blocked,
        circuit,
        clock,
        extension,
        address_mismatch,
        throughput,
        saturation,
    )
}


def kinds() -> list[dict[str, str]]:
    """Kind, title and default severity of every rule, for clients."""
    return [{"kind": rule.kind, "title": rule.title, "severity": rule.severity} for rule in RULES.values()]
