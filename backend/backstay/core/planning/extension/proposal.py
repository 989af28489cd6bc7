"""Propose the attributes of a new extension node that are not given."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from ipaddress import IPv4Interface

from backstay.core.model.extension import MAX_LINK_PACKET, Complex, Extension, SwitchNode, slot_of
from backstay.core.planning.extension.members import constant, others
from backstay.core.planning.extension.ports import best, ports


@dataclass(frozen=True, slots=True)
class ProposedExtension:
    """An extension node with every attribute that the complex determines."""

    extension: Extension
    reasons: tuple[tuple[str, str], ...]
    """(attribute, reason) of each proposed value."""


def numbering(nodes: tuple[SwitchNode, ...]) -> int | None:
    """The most common node number minus switch node number; None if no node has both."""
    counted = Counter(
        node.number - node.switch_number
        for node in nodes
        if node.number is not None and node.switch_number is not None
    )
    most = max(counted.values(), default=0)
    return min((step for step, times in counted.items() if times == most), default=None)


def propose(known: Complex, node: str, asked: Extension) -> ProposedExtension:
    """Fill in what `asked` leaves open: the port, then the numbers, then the address that obeys the rule."""
    rest = others(known, node)
    reasons: list[tuple[str, str]] = []
    found = _with_slot(replace(known, nodes=rest), asked, reasons)
    found = _with_numbers(rest, found, reasons)
    offset = constant(rest)
    if found.host_offset is None and offset is not None:
        found = replace(found, host_offset=offset)
        reasons.append(("host_offset", "Host part minus switch node number, as on the nodes."))
    return ProposedExtension(_with_address(rest, found, reasons), tuple(reasons))


def _with_slot(known: Complex, asked: Extension, reasons: list[tuple[str, str]]) -> Extension:
    if asked.slot is not None:
        return asked
    if asked.number is not None and asked.number > 0:
        reasons.append(("slot", "The slot of its node number."))
        return replace(asked, slot=slot_of(asked.number))
    port = best(ports(known))
    if port is None:
        return asked
    reasons.append(("slot", f"The last free switch port of a node frame. {port.text}"))
    return replace(asked, slot=port.slot)


def _with_numbers(
    rest: tuple[SwitchNode, ...], found: Extension, reasons: list[tuple[str, str]]
) -> Extension:
    if found.number is None and found.slot is not None:
        found = replace(found, number=found.slot.number)
        reasons.append(("number", f"The number of {found.slot}: 16 x (frame - 1) + slot."))
    step = numbering(rest)
    if found.switch_number is None and found.number is not None and step is not None:
        number = found.number - step
        if number >= 0:
            found = replace(found, switch_number=number)
            reasons.append(("switch_number", f"Node number minus {step}, as for the nodes."))
    return found


def _with_address(
    rest: tuple[SwitchNode, ...], found: Extension, reasons: list[tuple[str, str]]
) -> Extension:
    if found.interface is not None or found.switch_number is None or found.host_offset is None:
        return found
    network = next((node.interface.network for node in rest if node.interface is not None), None)
    host = found.switch_number + found.host_offset
    if network is None or not 0 < host < network.num_addresses - 1:
        return found
    reasons.append(("address", "Switch node number plus host offset, so that it is reachable without ARP."))
    interface = IPv4Interface(f"{network.network_address + host}/{network.prefixlen}")
    return replace(found, interface=interface)


def site_text(node: str, fabric: str, wanted: Extension) -> str:
    """The node's keys in the site file; its other ports and sources are not included."""
    facts = {
        "frame": None if wanted.slot is None else wanted.slot.frame,
        "slot": None if wanted.slot is None else wanted.slot.slot,
        "host_offset": wanted.host_offset,
        "max_link_packet": None if wanted.max_link_packet == MAX_LINK_PACKET else wanted.max_link_packet,
    }
    text = ", ".join(f"{key}: {value}" for key, value in facts.items() if value is not None)
    return "\n".join(
        [
            f"  - name: {node}",
            "    kind: gateway",
            f"    node_number: {wanted.number}",
            f"    switch_node_number: {wanted.switch_number}",
            f"    extension: {{port: {wanted.port}, {text}}}",
            "    ports:",
            f"      - {{name: {wanted.port}, fabric: {fabric}, addresses: [{wanted.interface}]}}",
            "",
        ]
    )
