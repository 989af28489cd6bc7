"""The address rule of a switch (`core.planning.arp.rule`) applied to a complex and one extension node."""

from __future__ import annotations

from backstay.core.model.arp import Member
from backstay.core.model.extension import Complex, Extension, SwitchNode
from backstay.core.planning.arp.rule import RuleLine, rule


def others(known: Complex, name: str) -> tuple[SwitchNode, ...]:
    """All nodes on the switch except the extension node with this name."""
    return tuple(node for node in known.nodes if node.name != name)


def constant(nodes: tuple[SwitchNode, ...]) -> int | None:
    """The most common host part minus switch node number; None if no node has both."""
    return rule(_member(node) for node in nodes).constant


def rule_line(known: Complex, node: str, wanted: Extension) -> RuleLine:
    """The extension node's result of the rule, among all other nodes on the switch."""
    mine = SwitchNode(-1, node, wanted.port, wanted.number, wanted.switch_number, wanted.interface, None)
    members = [*(_member(other) for other in others(known, node)), _member(mine)]
    return rule(members).lines[-1]


def _member(node: SwitchNode) -> Member:
    interface = node.interface
    return Member(
        node=node.node,
        name=node.name,
        port=node.port,
        addresses=() if interface is None else (interface.ip,),
        networks=() if interface is None else (interface.network,),
        host_part=node.host_part,
        number=node.switch_number,
        mac="",
        managed=False,
        own_agent=not node.extension,
        extension=node.extension,
        alive=True,
        forwards=node.extension,
    )
