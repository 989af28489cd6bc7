"""All rules. A new rule is a file here and a name in each of the two lists below."""

from backstay.alerts.rule import Rule
from backstay.alerts.rules import (
    address_mismatch,
    agent_spool,
    cable,
    circuit,
    clock,
    collector_failed,
    device_alarm,
    device_state,
    drift,
    extension,
    fabric_down,
    gateway_down,
    metric_limit,
    neighbour_clash,
    neighbour_flood,
    neighbour_gateway,
    neighbour_static,
    neighbour_table,
    node_stale,
    port_down,
    reporting_lost,
    rule_failed,
)
from backstay.alerts.rules.external import alert as external_alert
from backstay.alerts.rules.load import (
    fallback_capacity,
    gateway_cpu,
    gateway_packets,
    hippi_blocked,
    load_baseline,
    port_losses,
    saturation,
    saturation_peak,
    saturation_percentile,
    throughput,
)
from backstay.alerts.rules.paths import (
    failback_overdue,
    gateway_failed_over,
    path_dead,
    redundancy_lost,
    standby_dead,
)

RULES: dict[str, Rule] = {
    rule.kind: rule
    for rule in (
        reporting_lost.RULE,
        fabric_down.RULE,
        gateway_down.ISOLATED,
        gateway_down.UNREACHABLE,
        gateway_down.NOT_FORWARDING,
        standby_dead.RULE,
        node_stale.RULE,
        port_down.RULE,
        gateway_failed_over.RULE,
        path_dead.RULE,
        redundancy_lost.RULE,
        failback_overdue.RULE,
        device_alarm.RULE,
        device_state.RULE,
        drift.RULE,
        neighbour_table.RULE,
        neighbour_flood.RULE,
        neighbour_clash.RULE,
        neighbour_gateway.RULE,
        neighbour_static.RULE,
        cable.RULE,
        hippi_blocked.RULE,
        circuit.RULE,
        clock.RULE,
        extension.RULE,
        address_mismatch.RULE,
        throughput.RULE,
        saturation.RULE,
        saturation_percentile.RULE,
        saturation_peak.RULE,
        load_baseline.RULE,
        fallback_capacity.RULE,
        port_losses.ERRORS,
        port_losses.DISCARDS,
        gateway_cpu.RULE,
        gateway_packets.RULE,
        metric_limit.RULE,
        collector_failed.RULE,
        agent_spool.RULE,
        external_alert.RULE,
        rule_failed.EVALUATION_LATE,
        rule_failed.RULE,
        rule_failed.CHANNEL_FAILED,
    )
}
OF_EVALUATION = frozenset({rule_failed.EVALUATION_LATE.kind, rule_failed.RULE.kind})
"""Rules about the evaluation itself: never left out."""


def kinds() -> list[dict[str, str]]:
    """Kind, title and default severity of every rule, for clients."""
    return [
        {"kind": rule.kind, "title": rule.title, "severity": rule.severity, "runbook": rule.runbook}
        for rule in RULES.values()
    ]
