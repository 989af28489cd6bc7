"""Read and write a node's two ARP boot files: an `ip -batch` text and a sysctl.d(5) text.

Each fabric has its own marked block, `# BEGIN backstay arp sp-switch`; all other text is the operator's and
stays unchanged. The ARP flag precedes the entries, because changing IFF_NOARP empties a device's table. The
saved state includes the operator's lines, because the next boot applies them too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from backstay.core.model.arp import FabricArp, NodeArp, PortArp
from backstay.core.rendering import blocks

OWNER = "arp"
"""The first word of our marks; the second is the fabric."""
_FABRIC = re.compile(r"[A-Za-z0-9_-]{1,50}")
_PORT = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:@+-]{0,14}")
"""Linux allows 15 bytes (IFNAMSIZ). No slash: a setting's name becomes a path below /proc/sys."""
_MAC = re.compile(r"[0-9a-f]{2}(?::[0-9a-f]{2}){0,31}")
_SETTING = re.compile(r"(ipv[46])\.(conf|neigh)\.([a-z][a-z0-9_]*)")
_TABLE = re.compile(r"(ipv[46])\.(gc_[a-z0-9_]+)")


def render_config(wanted: NodeArp, current: str) -> str:
    """The complete `ip -batch` file with exactly these fabrics' blocks. Raises ValueError."""
    return _rendered(wanted, current, _config_lines)


def render_settings(wanted: NodeArp, current: str) -> str:
    """The complete sysctl.d file with exactly these fabrics' blocks. Raises ValueError."""
    return _rendered(wanted, current, _setting_lines)


def _rendered(wanted: NodeArp, current: str, lines: Callable[[FabricArp], Iterable[str]]) -> str:
    _check(wanted)
    contents = {
        (OWNER, fabric.fabric): "".join(f"{line}\n" for line in lines(fabric)) for fabric in wanted.fabrics
    }
    text = current
    for block in blocks.find(text):
        if block.policy == OWNER and not contents.get(block.name):
            text = blocks.remove(text, block.name)
    present = {block.name for block in blocks.find(text)}
    for name, content in contents.items():
        if name in present:
            text = blocks.replace(text, name, content)
        elif content:
            text = blocks.insert(text, len(text), name, content)
    return text


def _config_lines(fabric: FabricArp) -> Iterable[str]:
    for port in fabric.ports:
        if port.arp is None:
            continue
        yield f"link set dev {port.port} arp {'on' if port.arp else 'off'}"
        for entry in port.neighbours:
            yield f"neigh replace {entry.address} lladdr {entry.mac} dev {port.port} nud permanent"


def _setting_lines(fabric: FabricArp) -> Iterable[str]:
    for port in fabric.ports:
        for name, value in port.settings:
            family, tree, last = _setting(name)
            yield _assignment(["net", family, tree, port.port, last], value)
    for name, value in fabric.table:
        yield _assignment(["net", *_table(name)], value)


def _assignment(parts: list[str], value: int) -> str:
    """With slashes if the port's name contains a dot, as in sysctl.d(5) for `eth0.100`."""
    separator = "/" if any("." in part for part in parts) else "."
    return f"{separator.join(parts)} = {value}"


def _setting(name: str) -> tuple[str, str, str]:
    match = _SETTING.fullmatch(name)
    if match is None:
        raise ValueError(f"{name!r} is not a port setting such as ipv4.conf.arp_ignore")
    return match[1], match[2], match[3]


def _table(name: str) -> tuple[str, str, str, str]:
    """`net.ipv4.neigh.default.gc_thresh1` applies to the whole table (arp(7))."""
    match = _TABLE.fullmatch(name)
    if match is None:
        raise ValueError(f"{name!r} is not a neighbour table setting such as ipv4.gc_thresh3")
    return match[1], "neigh", "default", match[2]


def _check(wanted: NodeArp) -> None:
    """Raises ValueError for the first value that is not allowed in a file."""
    seen: set[str] = set()
    for fabric in wanted.fabrics:
        if _FABRIC.fullmatch(fabric.fabric) is None:
            raise ValueError(
                f"the fabric name {fabric.fabric!r} contains characters that are not allowed in a file"
            )
        for port in fabric.ports:
            if port.port in seen:
                raise ValueError(f"{wanted.node} has {port.port} on two fabrics")
            seen.add(port.port)
            _check_port(port)


def _check_port(port: PortArp) -> None:
    if _PORT.fullmatch(port.port) is None or port.port in {"all", "default"}:
        raise ValueError(f"the port name {port.port!r} contains characters that are not allowed in a file")
    for entry in port.neighbours:
        if _MAC.fullmatch(entry.mac) is None:
            raise ValueError(f"{entry.mac!r} of {entry.address} is not a hardware address")
        if "%" in str(entry.address):
            raise ValueError(f"{entry.address} has a zone; the port already names it")
