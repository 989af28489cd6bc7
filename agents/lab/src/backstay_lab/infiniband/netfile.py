"""An IbFabric as ibsim's net file: the format of ibnetdiscover, with masks of what links may train to. Pure.

ibsim ends in a panic where the masks of a cable's two ends have nothing in common, so both get the same.
"""

from __future__ import annotations

from backstay_lab.infiniband.fabric import QDR, WIDTH_1X, WIDTH_4X, IbCable, IbFabric, IbNode, Place

_VENDOR = 0x2C9
_SWITCH_DEVICE, _ADAPTER_DEVICE = 0xB924, 0x6282


def render(fabric: IbFabric) -> str:
    """The whole file; nodes in their order, because ibsim attaches clients to the first."""
    masks = {place: cable for cable in fabric.cables for place in (cable.a, cable.b)}
    head = f"width={WIDTH_1X | WIDTH_4X}\nspeed={2 * fabric.speed - 1}\n"
    return head + "\n".join(_node(fabric, node, masks) for node in fabric.nodes)


def _node(fabric: IbFabric, node: IbNode, masks: dict[Place, IbCable]) -> str:
    value = node.guid_value
    switch = node.kind == "switch"
    own = f"switchguid=0x{value:x}({value:x})" if switch else f"caguid=0x{value:x}"
    lines = [
        f"vendid=0x{_VENDOR:x}",
        f"devid=0x{_SWITCH_DEVICE if switch else _ADAPTER_DEVICE:x}",
        f"sysimgguid=0x{value + 0xF:x}",
        own,
        f'{"Switch" if switch else "Ca"}\t{node.ports} "{node.identity}"\t\t# "{node.description}"',
    ]
    for number in range(1, node.ports + 1):
        place = (node.name, number)
        if place in fabric.ends:
            peer, peer_port = fabric.ends[place]
            local = f"[{number}]" if switch else f"[{number}]({value + number:x})"
            lines.append(
                f'{local}\t"{fabric.by_name[peer].identity}"[{peer_port}]{_mask(fabric, masks[place])}'
            )
    return "\n".join(lines) + "\n"


def _mask(fabric: IbFabric, cable: IbCable) -> str:
    """What keeps a link below what its ends could do; nothing for a healthy one."""
    width = f" w={WIDTH_1X}" if cable.width == WIDTH_1X else ""
    slow = cable.speed is not None and cable.speed < fabric.speed <= QDR
    return width + (f" s={cable.speed}" if slow else "")
