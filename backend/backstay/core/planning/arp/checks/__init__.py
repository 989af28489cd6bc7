"""The checks of a plan of ARP, in the order in which they are shown: first what blocks it, then what warns.

Adding one is one function and one line. A check that crashes has failed: nothing is applied on its silence.
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
    """Every check's findings, at least one each."""
    return tuple(finding for name, check in checks.items() for finding in _run(name, check, proposal))


def _run(name: str, check: Check, proposal: ArpProposal) -> list[Finding]:
    try:
        found = check(proposal)
    except Exception as error:  # whatever it is, the plan must not pass for want of an answer
        text = f"The check {name} crashed with {type(error).__name__}: {error}; nothing may be applied"
        return [Finding(name, "failed", f"{text} unchecked, report this.")]
    return found or [
        Finding(name, "failed", f"The check {name} returned nothing, so the plan is refused; report this.")
    ]
