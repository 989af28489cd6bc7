"""The checks of an ARP plan in display order: blocking checks first, then warnings.

To add a check, add a function and one line. A check that raises an exception fails, which blocks the plan.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from backstay.core.model.plan import Finding
from backstay.core.planning.arp.checks import addresses, devices, kernel, nodes, numbers, reach
from backstay.core.planning.arp.site import ArpProposal

Check = Callable[[ArpProposal], list[Finding]]

CHECKS: dict[str, Check] = {
    "arp_managed": nodes.managed,
    "arp_observed": nodes.observed,
    "arp_files": nodes.files,
    "address_rule": numbers.address_rule,
    "extension_node": numbers.extension_node,
    "running_address": addresses.running,
    "unique_addresses": nodes.unique,
    "hardware_addresses": nodes.hardware,
    "handed_over": devices.handed_over,
    "arp_controller": reach.controller,
    "arp_settings": kernel.settings,
    "neighbour_table": kernel.table,
    "arp_mixed": nodes.mixed,
    "arp_wave": reach.wave_size,
    "left_over": kernel.left_over,
}


def run(proposal: ArpProposal, checks: Mapping[str, Check] = CHECKS) -> tuple[Finding, ...]:
    """Findings of every check, at least one each."""
    return tuple(finding for name, check in checks.items() for finding in _run(name, check, proposal))


def _run(name: str, check: Check, proposal: ArpProposal) -> list[Finding]:
    try:
        found = check(proposal)
    except Exception as error:  # a check without a result must block the plan
        text = f"The check {name} failed with {type(error).__name__}: {error}; the plan is blocked"
        return [Finding(name, "failed", f"{text}. Report this error.")]
    return found or [
        Finding(name, "failed", f"The check {name} returned nothing; the plan is blocked. Report this error.")
    ]
