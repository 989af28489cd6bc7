"""Builds namespaces from a blueprint: bridges, veth pairs, addresses, shaping and sysctls.

The text for `ip -batch` and `tc -batch` is pure; `build` feeds it to a few processes instead of hundreds.
Every link is a veth pair (veth(4), MTU up to 65535); a shared fabric is a bridge in its own namespace, its
ports named like the nodes. A service's links are TUN or TAP devices that it opens. `gso_max_segs 1` limits
every packet to the MTU, so counters, queues and shaping behave as on a wire.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from backstay_lab.blueprint import Blueprint, End, FabricSpec, NodeSpec, PortSpec
from backstay_lab.errors import LabError
from backstay_lab.naming import Names
from backstay_lab.network import netns
from backstay_lab.programs import run

ETHERNET_HEADER = 14
QUEUE_S = 0.040
"""Delay of a full data queue: below 50 ms."""
BURST_S = 0.010
"""Maximum lateness of a busy machine without losing rate."""
CONTROL_SHARE = 0.05


def queue_bytes(rate: int, mtu: int) -> int:
    """Octets of the data queue: 40 ms at the rate, at least three full packets."""
    return max(round(rate * QUEUE_S / 8), 3 * (mtu + ETHERNET_HEADER))


def tc_lines(port: str, rate: int, mtu: int) -> list[str]:
    """`tc -batch` lines that shape `port` to `rate` bit/s of Ethernet frames."""
    frame = mtu + ETHERNET_HEADER
    burst = max(frame, round(rate * BURST_S / 8))
    control = max(round(rate * CONTROL_SHARE), 8_000)
    tail = f"ceil {rate}bit burst {burst}b cburst {burst}b quantum {frame}"
    add = f"class add dev {port} parent"
    return [
        f"qdisc add dev {port} root handle 1: htb default 20",
        f"{add} 1: classid 1:1 htb rate {rate}bit {tail}",
        f"{add} 1:1 classid 1:10 htb rate {control}bit prio 0 {tail}",
        f"{add} 1:1 classid 1:20 htb rate {rate - control}bit prio 1 {tail}",
        f"qdisc add dev {port} parent 1:10 pfifo limit 128",
        f"qdisc add dev {port} parent 1:20 bfifo limit {queue_bytes(rate, mtu)}",
        f"filter add dev {port} parent 1: protocol ip prio 1 u32 match ip dsfield 0xc0 0xe0 flowid 1:10",
        f"filter add dev {port} parent 1: protocol arp prio 2 u32 match u32 0 0 flowid 1:10",
    ]


TUN = Path("/dev/net/tun")
BRIDGE = "fabric"
"""Name of the bridge inside a shared fabric's namespace."""

ARP_RETRY_MS = 100
"""A bridge port forwards some tenths of a second after its carrier returns, so a gateway's first ARP
request is lost; with the kernel's default of 1 s its neighbours would wait too long for the second
(ip-ntable(8)).
"""

SYSCTLS = {
    "ipv4/conf/{}/rp_filter": "0",
    "ipv4/conf/{}/ignore_routes_with_linkdown": "1",
    "ipv4/conf/{}/send_redirects": "0",
    "ipv4/conf/{}/accept_redirects": "0",
    "ipv6/conf/{}/disable_ipv6": "1",
}
"""Below /proc/sys/net, for `all` and `default` (ip-sysctl of the kernel's documentation)."""


def build(plan: Blueprint, names: Names) -> None:
    """Create the namespaces with everything but the daemons; LabError when a step fails."""
    _require_tun(plan)
    netns.create(plan.namespaces(names))
    for node in plan.spaces:
        netns.inside(names.node(node.name), lambda node=node: write_sysctls(node.forwards))  # type: ignore[misc]
    for fabric in plan.bridges:
        netns.inside(names.fabric(fabric.name), lambda: write_sysctls(forwards=False))
    home = names.fabric(plan.management.name)
    _ip(home, wires(plan, names))
    for node in plan.spaces:
        _ip(names.node(node.name), node_setup(plan, node))
        _tc(names.node(node.name), node_shaping(plan, node))
    for fabric in plan.bridges:
        _ip(names.fabric(fabric.name), fabric_setup(plan, fabric))
        _tc(names.fabric(fabric.name), fabric_shaping(plan, fabric))


def _require_tun(plan: Blueprint) -> None:
    """LabError when a site needs TUN devices and this user may not open them; usually only root may."""
    if any(fabric.wiring in {"tun", "tap"} for fabric in plan.fabrics) and not os.access(
        TUN, os.R_OK | os.W_OK
    ):
        raise LabError(f"{plan.site} needs TUN devices, but this user may not open {TUN}.", "Run as root.")


def attached(plan: Blueprint, fabric: FabricSpec) -> Iterator[End]:
    """The ports on a fabric."""
    for node in plan.nodes:
        for port in node.ports:
            if port.fabric == fabric.name:
                yield End(node.name, port.name)


def wires(plan: Blueprint, names: Names) -> list[str]:
    """`ip -batch` lines that create every veth pair, each end in its namespace."""
    lines = []
    for fabric in plan.bridges:
        far = names.fabric(fabric.name)
        lines += [
            _veth(fabric.mtu, end.port, names.node(end.node), end.node, far) for end in attached(plan, fabric)
        ]
    for link in plan.links:
        if link.b is not None and plan.fabric(link.fabric).wiring == "veth":
            mtu = plan.fabric(link.fabric).mtu
            a, b = names.node(link.a.node), names.node(link.b.node)
            lines.append(_veth(mtu, link.a.port, a, link.b.port, b))
    return lines


def _veth(mtu: int, port: str, here: str, peer: str, there: str) -> str:
    return f"link add name {port} netns {here} mtu {mtu} type veth peer name {peer} netns {there} mtu {mtu}"


def node_setup(plan: Blueprint, node: NodeSpec) -> list[str]:
    """`ip -batch` lines for a node: addresses, then everything up."""
    lines = ["link set dev lo up"]
    if node.loopback is not None:
        lines.append(f"address add {node.loopback}/32 dev lo")
    for port in plan.devices(node):
        lines += _port_setup(plan.fabric(port.fabric), port)
    return lines


def _port_setup(fabric: FabricSpec, port: PortSpec) -> list[str]:
    lines = []
    if fabric.wiring in {"tun", "tap"}:
        lines.append(f"tuntap add name {port.name} mode {fabric.wiring}")
        lines.append(f"link set dev {port.name} mtu {fabric.mtu}")
    lines.append(f"link set dev {port.name} gso_max_segs 1")
    lines.append(quick_retry(port))
    if port.address is not None:
        lines.append(f"address add {port.address} broadcast + dev {port.name}")
    lines.append(f"link set dev {port.name} up")
    return lines


def quick_retry(port: PortSpec) -> str:
    """The `ip -batch` line that shortens a port's ARP retry interval."""
    return f"ntable change name arp_cache dev {port.name} retrans {ARP_RETRY_MS}"


def fabric_setup(plan: Blueprint, fabric: FabricSpec) -> list[str]:
    """`ip -batch` lines for a shared fabric: bridge, ports, and on the management one the relay's address."""
    lines = [f"link add name {BRIDGE} mtu {fabric.mtu} type bridge stp_state 0 mcast_snooping 0"]
    lines += [f"link set dev {end.node} master {BRIDGE} gso_max_segs 1 up" for end in attached(plan, fabric)]
    lines.append(f"link set dev {BRIDGE} up")
    if fabric.management:
        lines.append(f"address add {plan.relay} broadcast + dev {BRIDGE}")
        lines.append("link set dev lo up")
    return lines


def node_shaping(plan: Blueprint, node: NodeSpec) -> list[str]:
    """`tc -batch` lines for what a node sends; a service shapes the ports that it opens itself."""
    lines = []
    for port in plan.devices(node):
        fabric = plan.fabric(port.fabric)
        if fabric.wiring != "veth":
            continue
        lines += tc_lines(port.name, plan.wire_rate(fabric), fabric.mtu)
    return lines


def fabric_shaping(plan: Blueprint, fabric: FabricSpec) -> list[str]:
    """`tc -batch` lines for what a shared fabric sends to each of its ports."""
    rate = plan.wire_rate(fabric)
    return [line for end in attached(plan, fabric) for line in tc_lines(end.node, rate, fabric.mtu)]


def _ip(namespace: str, lines: list[str]) -> None:
    run(["ip", "-n", namespace, "-batch", "-"], text="\n".join(lines) + "\n")


def _tc(namespace: str, lines: list[str]) -> None:
    run(["tc", "-n", namespace, "-batch", "-"], text="\n".join(lines) + "\n")


def write_sysctls(forwards: bool) -> None:
    """Set this namespace's sysctls; before its ports exist, so that they inherit `default`."""
    base = Path("/proc/sys/net")
    # First: changing it resets others (ip-sysctl, ip_forward).
    (base / "ipv4/ip_forward").write_text("1" if forwards else "0")
    for key, value in SYSCTLS.items():
        for scope in ("all", "default"):
            (base / key.format(scope)).write_text(value)
    # Lets ping and probes use ICMP sockets without a raw socket (icmp(7)).
    (base / "ipv4/ping_group_range").write_text("0 0")
