"""Check whether an extension node can be attached as requested; all problems are reported at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from backstay.core.model.extension import MAX_LINK_PACKET, Complex, Extension, SwitchNode
from backstay.core.model.plan import Finding
from backstay.core.planning.checks.finding import failed, passed, warning
from backstay.core.planning.extension.members import others, rule_line
from backstay.core.planning.extension.ports import SwitchPort, ports
from backstay.core.planning.extension.proposal import numbering


@dataclass(frozen=True)
class Attachment:
    """The extension node to attach, and its switch."""

    known: Complex
    node: str
    wanted: Extension

    @cached_property
    def others(self) -> tuple[SwitchNode, ...]:
        """All other nodes on the switch."""
        return others(self.known, self.node)

    @cached_property
    def ports(self) -> tuple[SwitchPort, ...]:
        """Every switch port of the node frames, without this node."""
        return ports(Complex(self.known.fabric, self.known.arp, "", self.known.mtu, self.others))


def check(attachment: Attachment) -> tuple[Finding, ...]:
    """Results of all checks, in the order of the attachment steps."""
    return tuple(finding for item in CHECKS for finding in item(attachment))


def _port(asked: Attachment) -> list[Finding]:
    slot = asked.wanted.slot
    if slot is None:
        return [failed("switch_port", "No switch port is chosen, and no node frame has a free one.")]
    port = next((port for port in asked.ports if port.slot == slot), None)
    if port is None:
        return [failed("switch_port", _NO_FRAME.format(slot=slot, frame=slot.frame))]
    if not port.free:
        return [failed("switch_port", f"The switch port of {slot} is taken. {port.text}", [port.owner])]
    if port.use == "empty":
        return [warning("switch_port", f"The switch port of {slot} is free. {port.text}")]
    return passed("switch_port", f"The switch port of {slot} is free: {port.text}")


_NO_FRAME = (
    "No node is in frame {frame}, so {slot} has no known switch port: extension nodes attach"
    " to node frames, never to switch frames."
)


def _node_number(asked: Attachment) -> list[Finding]:
    number, slot = asked.wanted.number, asked.wanted.slot
    if number is None:
        return [failed("node_number", "It has no node number, and no switch port determines one.")]
    owner = next((other for other in asked.others if other.number == number), None)
    if owner is not None:
        text = f"{asked.node} and {owner.name} would both have node number {number}."
        return [failed("node_number", text, [asked.node, owner.name])]
    if slot is not None and slot.number != number:
        text = f"Node number {number} is free, but {slot} means {slot.number}."
        return [warning("node_number", text)]
    return passed("node_number", f"Node number {number} is unique.")


def _switch_number(asked: Attachment) -> list[Finding]:
    number, node_number = asked.wanted.switch_number, asked.wanted.number
    if number is None:
        return [failed("switch_node_number", "It has no switch node number.")]
    owner = next((other for other in asked.others if other.switch_number == number), None)
    if owner is not None:
        text = f"{asked.node} and {owner.name} would both have switch node number {number}."
        return [failed("switch_node_number", text, [asked.node, owner.name])]
    step = numbering(asked.others)
    if step is not None and node_number is not None and node_number - number != step:
        text = f"Switch node number {number} is free, but the nodes have their node number minus {step}."
        return [warning("switch_node_number", text)]
    return passed("switch_node_number", f"Switch node number {number} is unique.")


def _address(asked: Attachment) -> list[Finding]:
    interface = asked.wanted.interface
    if interface is None:
        return [failed("address", "It has no address, and no switch node number determines one.")]
    for other in asked.others:
        if other.interface is not None and other.interface.ip == interface.ip:
            text = f"{asked.node} and {other.name} would both have {interface.ip}."
            return [failed("address", text, [asked.node, other.name])]
    networks = {other.interface.network for other in asked.others if other.interface is not None}
    if networks and interface.network not in networks:
        listed = ", ".join(sorted(map(str, networks)))
        return [failed("address", f"{interface} is not in the network of the switch's nodes, {listed}.")]
    if interface.ip in {interface.network.network_address, interface.network.broadcast_address}:
        return [failed("address", f"{interface.ip} is not a host address in {interface.network}.")]
    return passed("address", f"{interface} is unique and in the nodes' network.")


def _rule(asked: Attachment) -> list[Finding]:
    line = rule_line(asked.known, asked.node, asked.wanted)
    fabric = asked.known.fabric
    if line.verdict in {"no_number", "no_address", "twice"}:
        return []
    if line.verdict == "obeys":
        return passed("arp_rule", f"{line.text} It is reachable with ARP on and off.")
    if asked.known.arp:
        text = f"{line.text} It is reachable, but ARP of {fabric} cannot be switched off with these numbers."
        return [warning("arp_rule", text)]
    text = (
        f"ARP of {fabric} is off, so addresses are computed from switch node numbers. {line.text}"
        " Until then it is unreachable (ANL/MCS-P747-1298)."
    )
    return [failed("arp_rule", text, [asked.node])]


def _offset(asked: Attachment) -> list[Finding]:
    wanted = asked.wanted
    line = rule_line(asked.known, asked.node, wanted)
    if wanted.host_offset is None or line.difference is None or line.difference == wanted.host_offset:
        return []
    text = (
        f"IPHostOffset {wanted.host_offset} does not fit: host part minus switch node number is"
        f" {line.difference}."
    )
    return [warning("host_offset", text) if asked.known.arp else failed("host_offset", text)]


def _packet(asked: Attachment) -> list[Finding]:
    wanted, mtu = asked.wanted.max_link_packet, asked.known.mtu
    if wanted > MAX_LINK_PACKET:
        return [failed("mtu", f"{wanted} bytes exceed the switch's limit of {MAX_LINK_PACKET}.")]
    if wanted < mtu:
        text = (
            f"Its largest packet is {wanted} bytes, but nodes send up to {mtu}: larger packets would be lost."
        )
        return [failed("mtu", text)]
    if wanted > mtu:
        text = f"Its largest packet is {wanted} bytes, and {asked.known.fabric} has an MTU of {mtu}."
        return [warning("mtu", text)]
    return passed("mtu", f"Its largest packet is {wanted} bytes, as on the nodes.")


CHECKS: tuple[Callable[[Attachment], list[Finding]], ...] = (
    _port, _node_number, _switch_number, _address, _rule, _offset, _packet,
)  # fmt: skip
