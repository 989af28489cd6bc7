"""The checks of an ARP plan in display order: blocking checks first, then warnings.

To add a check, add a function and one line. A check that raises an exception fails, which blocks the plan.
"""

from __future__ import annotations

from collections.abc import Callable

from backstay.core.model.plan import Finding
from backstay.core.planning.arp.checks import addresses, devices, kernel, nodes, numbers, reachability
from backstay.core.planning.arp.site import ArpProposal

Check = Callable[[ArpProposal], list[Finding]]

CHECKS: dict[str, Check] = {
    "arp_managed": nodes.managed,
    "arp_observed": nodes.observed,
    "arp_held": nodes.held,
    "arp_files": nodes.files,
    "address_rule": numbers.address_rule,
    "extension_node": numbers.extension_node,
    "running_address": addresses.running,
    "unique_addresses": nodes.unique,
    "hardware_addresses": nodes.hardware,
    "handed_over": devices.handed_over,
    "arp_controller": reachability.controller,
    "arp_settings": kernel.settings,
    "neighbour_table": kernel.table,
    "arp_mixed": nodes.mixed,
    "arp_wave": reachability.wave_size,
    "left_over": kernel.left_over,
}
