"""Echoes through a chosen gateway over real namespaces, regardless of the route and of the replies' port."""

import asyncio
import subprocess
import time
from collections.abc import Callable
from ipaddress import ip_address

import pytest

from backstay_agent.host.clock import HostClock
from backstay_agent.host.via_gateway import Neighbours, NextHopPath, ViaGatewaySocket, drops_detours
from backstay_agent.probes.via_gateway import echo_via, find_next_hop_path
from backstay_testing.namespaces import Namespace, join, run_in
from backstay_testing.ports import read_ports

pytestmark = pytest.mark.netns

TARGETS = {4: "10.99.0.1", 6: "fd99::1"}
GATEWAYS = {4: ("10.1.0.1", "10.1.0.3", "10.2.0.1"), 6: ("fd01::1", "fd01::3", "fd02::1")}
"""The first two on one port, the third on another."""


def sysctl(space: Namespace, *settings: str) -> None:
    subprocess.run([*space.enter(), "/usr/sbin/sysctl", "-qw", *settings], check=True)


@pytest.fixture(scope="module")
def lab(make_namespace: Callable[[], Namespace]) -> tuple[Namespace, list[Namespace], Namespace]:
    """A node, three gateways (two on a bridge at the node's css0, one at at0), and a host behind them."""
    node, far, gateways = make_namespace(), make_namespace(), [make_namespace() for _ in range(3)]
    switch = make_namespace()
    switch.run("link", "add", "br0", "type", "bridge", "mcast_snooping", "0")
    switch.run("link", "set", "br0", "up")
    join(node, "css0", switch, "sn")
    join(gateways[0], "in", switch, "sa")
    join(gateways[1], "in", switch, "sb")
    join(node, "at0", gateways[2], "in")
    for port in ("sn", "sa", "sb"):
        switch.run("link", "set", port, "master", "br0")
    for number, gateway in enumerate(gateways):
        join(gateway, "out", far, f"g{number}")
        sysctl(gateway, "net.ipv4.ip_forward=1", "net.ipv6.conf.all.forwarding=1")
        near = ("10.1.0.1/24", "fd01::1/64"), ("10.1.0.3/24", "fd01::3/64"), ("10.2.0.1/24", "fd02::1/64")
        for address in near[number]:
            gateway.run("address", "add", address, "dev", "in", *(["nodad"] if ":" in address else []))
        for mine, theirs, target in (
            (f"10.3.{number}.1/24", f"10.3.{number}.2", TARGETS[4]),
            (f"fd03:{number}::1/64", f"fd03:{number}::2", TARGETS[6]),
        ):
            nodad = ["nodad"] if ":" in mine else []
            gateway.run("address", "add", mine, "dev", "out", *nodad)
            length = mine.rpartition("/")[2]
            far.run("address", "add", f"{theirs}/{length}", "dev", f"g{number}", *nodad)
            gateway.run("route", "add", target, "via", theirs)
    node.run("address", "add", "10.1.0.2/24", "dev", "css0")
    node.run("address", "add", "10.2.0.2/24", "dev", "at0")
    node.run("address", "add", "fd01::2/64", "dev", "css0", "nodad")
    node.run("address", "add", "fd02::2/64", "dev", "at0", "nodad")
    far.run("address", "add", f"{TARGETS[4]}/32", "dev", "lo")
    far.run("address", "add", f"{TARGETS[6]}/128", "dev", "lo", "nodad")
    # Every return path uses the first gateway: replies arrive on css0, whatever the request's path.
    for back, via in (("10.1.0.0/24", "10.3.0.1"), ("10.2.0.0/24", "10.3.0.1")):
        far.run("route", "add", back, "via", via)
    far.run("route", "add", "fd01::/64", "via", "fd03:0::1")
    far.run("route", "add", "fd02::/64", "via", "fd03:2::1")
    gateways[0].run("route", "add", "10.2.0.0/24", "via", "10.1.0.2")
    # The node's own route is a dead end, which must not matter.
    node.run("route", "add", "blackhole", "10.99.0.0/16")
    node.run("route", "add", "blackhole", "fd99::/64")
    time.sleep(0.5)
    return node, gateways, far


def times(
    node: Namespace, version: int, *, timeout_s: float = 6.0, names: tuple[str, ...] = ("css0", "css0", "at0")
) -> list[int | None]:
    """Round trips through each gateway by port name; None: no reply."""
    found: list[int | None] = []

    async def ask() -> None:
        ports = await read_ports()
        for gateway, port in zip(GATEWAYS[version], names, strict=True):
            found.append(
                await echo_via(
                    ip_address(TARGETS[version]),
                    ip_address(gateway),
                    port,
                    ports=ports,
                    clock=HostClock(),
                    timeout_s=timeout_s,
                )
            )

    run_in(node, lambda: asyncio.run(ask()))
    return found


@pytest.mark.parametrize("version", [4, 6])
def test_target_answers_through_each_gateway_regardless_of_the_route(
    lab: tuple[Namespace, list[Namespace], Namespace], version: int
) -> None:
    found = times(lab[0], version)
    assert all(rtt is not None and rtt < 4_000_000 for rtt in found), found


def test_port_defaults_to_the_gateways_network(
    lab: tuple[Namespace, list[Namespace], Namespace],
) -> None:
    assert None not in times(lab[0], 4, names=("", "", ""))


def test_only_the_blackholed_gateway_is_silent(
    lab: tuple[Namespace, list[Namespace], Namespace],
) -> None:
    node, gateways, _ = lab
    sysctl(gateways[1], "net.ipv4.ip_forward=0")
    try:
        found = times(node, 4, timeout_s=1.0)
        assert [rtt is None for rtt in found] == [False, True, False]
    finally:
        sysctl(gateways[1], "net.ipv4.ip_forward=1")


@pytest.mark.parametrize("version", [4, 6])
def test_forwarding_gateway_returns_packets_addressed_to_the_node(
    lab: tuple[Namespace, list[Namespace], Namespace], version: int
) -> None:
    node, gateways, _ = lab
    drop = "add table inet cut; add chain inet cut f { type filter hook forward priority 0; policy drop; }"
    nft = [*gateways[1].enter(), "/usr/sbin/nft"]
    assert [looped(node, version, which) for which in (0, 1)] == [True, True]
    subprocess.run([*nft, drop], check=True)
    try:
        assert [looped(node, version, which) for which in (0, 1)] == [True, False]
    finally:
        subprocess.run([*nft, "delete table inet cut"], check=True)


def looped(node: Namespace, version: int, which: int) -> bool:
    """Whether the gateway returns a packet to the node on port css0."""
    found: list[bool] = []

    def ask() -> None:
        gateway = ip_address(GATEWAYS[version][which])
        subprocess.run(["/usr/bin/ping", "-c1", "-W1", str(gateway)], capture_output=True, check=False)
        ports, neighbours, frames = (
            asyncio.run(read_ports()),
            Neighbours(),
            ViaGatewaySocket(version, strict=True),
        )
        next_hop = find_next_hop_path(ports, neighbours, gateway, "css0")
        assert next_hop is not None
        assert frames.loop(next_hop, 7, 3, time.time_ns())
        time.sleep(0.3)
        replies = frames.replies()
        found.append([(reply.slot, reply.number) for reply in replies] == [(7, 3)])
        frames.close()
        neighbours.close()

    run_in(node, ask)
    return found[0]


def test_replies_on_an_asymmetric_path_are_received_although_the_kernel_drops_them(
    lab: tuple[Namespace, list[Namespace], Namespace],
) -> None:
    node = lab[0]
    strict: list[bool] = []
    sysctl(node, "net.ipv4.conf.all.rp_filter=1")
    node.run("route", "del", "blackhole", "10.99.0.0/16")
    # The kernel replies through at0 and therefore drops packets that arrive on css0.
    node.run("route", "add", "10.99.0.0/16", "via", "10.2.0.1")
    try:
        run_in(node, lambda: strict.append(drops_detours("css0")))
        found = times(node, 4)
    finally:
        sysctl(node, "net.ipv4.conf.all.rp_filter=0")
        node.run("route", "del", "10.99.0.0/16")
        node.run("route", "add", "blackhole", "10.99.0.0/16")
    assert strict == [True]
    assert None not in found


def test_unresolved_neighbour_has_no_link_address(
    lab: tuple[Namespace, list[Namespace], Namespace],
) -> None:
    found: list[bytes | None] = []

    def ask() -> None:
        index = next(i for i, link in asyncio.run(read_ports()).links.items() if link.name == "css0")
        found.append(Neighbours().link_address(ip_address("10.1.0.77"), index))
        found.append(Neighbours().link_address(ip_address("fd01::77"), index))

    run_in(lab[0], ask)
    assert found == [None, None]


def test_missing_port_or_overlong_link_address_loses_the_probe(
    lab: tuple[Namespace, list[Namespace], Namespace],
) -> None:
    sent: list[bool] = []

    def ask() -> None:
        frames = ViaGatewaySocket(4, strict=False)
        source = ip_address("10.1.0.2")
        sent.append(frames.send(NextHopPath(source, "nope0", b"\2\0\0\0\0\1"), TARGETS[4], 1, 1, 0))
        sent.append(frames.send(NextHopPath(source, "css0", bytes(20)), TARGETS[4], 1, 1, 0))
        frames.close()

    run_in(lab[0], ask)
    assert sent == [False, False]
