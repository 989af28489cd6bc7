"""The fabric in virtual time: rates, the gateways' buffer and hold timer, and blocking as in theory."""

from __future__ import annotations

import math
import statistics
from dataclasses import replace

import pytest

from backstay_lab.hippi.config import (
    BlockerConfig,
    FabricConfig,
    GatewayConfig,
    HostConfig,
    SwitchConfig,
    dump,
    load,
)
from backstay_lab.hippi.fabric import HippiFabric
from backstay_lab.hippi.gateway import Gateway
from backstay_lab.hippi.ifield import SOURCE_ROUTE, IField
from backstay_lab.hippi.packet import HEADERS, Packet

MS = 1_000_000
HIPPI, STRIPE = 800_000_000, 149_760_000
NEAR, BUSY, FAR = 0x101, 0x102, 0x103
LARGE = 65_280


def ip_packet(target: int, size: int = LARGE) -> bytes:
    """An IPv4 packet to 10.0.0.`target`, with the fields that the fabric reads."""
    return bytes([0x45]) + bytes(15) + bytes([10, 0, 0, target]) + bytes(size - 20)


def configuration(**gateway: int | None) -> FabricConfig:
    """Host `near` and the blocker `sun` on one switch, `far` on the other, gateways between."""
    both: dict[str, int | None] = {"stripes": 4, "delay_ns": 2 * MS, **gateway}
    pathways: dict[int, tuple[int, ...]] = {NEAR: (0,), BUSY: (1,), FAR: (7,)}
    away: dict[int, tuple[int, ...]] = {NEAR: (7,), BUSY: (7,), FAR: (0,)}
    line = GatewayConfig("g1", "s1", 7, "g2", HIPPI, STRIPE, **both)  # type: ignore[arg-type]
    return FabricConfig(
        switches=(SwitchConfig("s1", 8, pathways), SwitchConfig("s2", 8, away)),
        hosts=(
            HostConfig("near", "", "", "s1", 0, HIPPI, {"10.0.0.3": IField(FAR, NEAR).value}),
            HostConfig("sun", "", "", "s1", 1, HIPPI, {"10.0.0.1": IField(NEAR, BUSY).value}),
            HostConfig("far", "", "", "s2", 0, HIPPI, {"10.0.0.1": IField(NEAR, FAR).value}),
        ),
        gateways=(line, replace(line, name="g2", switch="s2", peer="g1")),
        blockers=(BlockerConfig("sun", IField(NEAR, BUSY).value, seed=7),),
    )


def gateway_of(fabric: HippiFabric) -> Gateway:
    """The gateway in front of `near`."""
    return fabric.gateways["g1"]


def delays(fabric: HippiFabric, interval_ns: int, count: int, size: int = 64) -> list[int]:
    """Send packets from `far` to `near` at a steady rate; returns the latencies of delivered ones, ns."""
    found: list[int] = []
    sent = 0
    host = fabric.hosts["near"]
    take = host.take

    def note(packet: Packet, now: int) -> None:
        found.append(now - int.from_bytes(packet.data[20:28], "big"))
        take(packet, now)

    host.take = note  # type: ignore[method-assign]
    while sent < count:
        now = sent * interval_ns
        fabric.run(now)
        data = ip_packet(1, size)
        fabric.hosts["far"].send(data[:20] + now.to_bytes(8, "big") + data[28:], now)
        sent += 1
    fabric.run(count * interval_ns + 60_000 * MS)
    return found


def test_packet_latency_over_two_switches_and_the_line_follows_from_their_rates() -> None:
    fabric = HippiFabric(configuration())
    (delay,) = delays(fabric, MS, 1, LARGE)
    words = (LARGE + HEADERS) // 4
    line_ns = words * 32 * 10**9 // (4 * STRIPE)
    assert delay == line_ns + 2 * MS + words * 40  # 40 ns a word at 800 Mb/s


def test_saturated_host_gets_the_full_stripe_rate_at_any_tick_interval() -> None:
    fabric = HippiFabric(configuration(stripes=2))
    host, arrived = fabric.hosts["near"], 0
    for now in range(0, 1000 * MS, 5 * MS):
        arrived += len(fabric.run(now).get("far", []))
        for _ in range(8):
            host.send(ip_packet(3), now)
    assert arrived * (LARGE + HEADERS) * 8 == pytest.approx(2 * STRIPE, rel=0.02)


def test_packets_arrive_unchanged_and_in_order() -> None:
    fabric = HippiFabric(configuration())
    packets = [ip_packet(1, 100 + number) for number in range(50)]
    for number, packet in enumerate(packets):
        fabric.hosts["far"].send(packet, number)
    assert fabric.run(1000 * MS)["near"] == packets
    counters = fabric.switches["s1"].counters
    assert counters[0].out.packets == counters[7].into.packets == 50
    assert counters[0].out.octets == sum(map(len, packets))


def test_bursts_are_256_words_and_a_short_one_for_the_rest() -> None:
    ifield = IField(NEAR)
    assert Packet(bytes(1024 - HEADERS), ifield).bursts == 1
    assert Packet(bytes(1025 - HEADERS), ifield).bursts == 2
    assert Packet(ip_packet(1), ifield).words == 16_330


def test_with_infinite_hold_time_every_packet_waits_for_a_blocked_port() -> None:
    """D/M/1: mean BF / (1 - s), s = exp(-(1 - s) / rho): 62.8 ms for BF 50 ms at 10 packets/s."""
    fabric = HippiFabric(configuration())
    fabric.blockers["sun"].block(50 * MS, 1.0, 0)
    found = delays(fabric, 100 * MS, 3000)
    assert len(found) == 3000
    assert statistics.mean(found) - 2 * MS == pytest.approx(62.8 * MS, rel=0.07)
    assert gateway_of(fabric).counters.src_connect_fail == 0


def test_with_a_hold_time_the_loss_equals_the_share_of_longer_blockings() -> None:
    """Exponential blocking is memoryless: a request fails with probability exp(-h / BF), here h = BF = 10
    ms."""
    fabric = HippiFabric(configuration(hold_ticks=500))
    fabric.blockers["sun"].block(10 * MS, 1.0, 0)
    found = delays(fabric, 100 * MS, 2500)
    counters = gateway_of(fabric).counters
    assert counters.discarded == 2500 - len(found)
    assert counters.discarded / 2500 == pytest.approx(math.exp(-1), abs=0.03)
    assert max(found) <= (2 + 10) * MS + 100_000


def test_hold_timer_is_exact_and_drops_the_destinations_queue() -> None:
    fabric = HippiFabric(configuration(hold_ticks=500))
    fabric.hosts["sun"].sender.offer(Packet(b"", IField(NEAR, BUSY), 50 * MS), 0)
    for _ in range(3):
        fabric.hosts["far"].send(ip_packet(1), 0)
    arrival = 2 * MS + 16_330 * 32 * 10**9 // (4 * STRIPE)
    fabric.run(arrival + 10 * MS - 1)
    assert gateway_of(fabric).counters.src_connect_fail == 0
    assert gateway_of(fabric).queued == 3 * 65_320
    fabric.run(arrival + 10 * MS)
    counters = gateway_of(fabric).counters
    assert (counters.src_connect_fail, counters.discarded) == (1, 3)
    assert gateway_of(fabric).queued == 0
    assert fabric.run(100 * MS) == {}


def test_new_hold_time_applies_at_once_to_waiting_packets() -> None:
    fabric = HippiFabric(configuration())
    fabric.hosts["sun"].sender.offer(Packet(b"", IField(NEAR, BUSY), 500 * MS), 0)
    fabric.hosts["far"].send(ip_packet(1, 64), 0)
    fabric.run(100 * MS)
    gateway_of(fabric).hold(500, 100 * MS)
    fabric.run(100 * MS)
    assert gateway_of(fabric).counters.src_connect_fail == 1
    with pytest.raises(ValueError, match="1 to 32767"):
        gateway_of(fabric).hold(0, 100 * MS)


def test_full_burst_buffer_stops_remote_sources_without_loss() -> None:
    fabric = HippiFabric(configuration())
    blocked = 400 * MS
    fabric.hosts["sun"].sender.offer(Packet(b"", IField(NEAR, BUSY), blocked), 0)
    for _ in range(200):
        fabric.hosts["far"].send(ip_packet(1), 0)
    fabric.run(blocked - 1)
    near, far = fabric.gateways["g1"], fabric.gateways["g2"]
    assert near.high_mark <= near.queued <= near.config.buffer
    assert (near.counters.mf_flow_control, far.counters.dl_flow_control) == (1, 1)
    assert near.counters.overflow == 0
    assert len(fabric.run(blocked + 1000 * MS)["near"]) == 200
    assert near.queued == 0


def test_lost_stripe_slows_the_line_and_lost_line_refuses_connections() -> None:
    fabric = HippiFabric(configuration())
    far = fabric.gateways["g2"]
    far.signal(1)
    assert (far.line_rate, far.counters.los) == (STRIPE, 3)
    far.signal(0)
    fabric.hosts["far"].send(ip_packet(1), 0)
    assert fabric.run(100 * MS) == {}
    assert far.counters.dst_connect_reject == 1
    assert fabric.switches["s2"].counters[0].dest_rejects == 1
    far.signal(4)
    fabric.hosts["far"].send(ip_packet(1), 100 * MS)
    assert len(fabric.run(200 * MS)["near"]) == 1


def test_blocking_source_occupies_the_port_by_its_duty_cycle() -> None:
    for duty in (0.25, 1.0):
        fabric = HippiFabric(configuration())
        fabric.blockers["sun"].block(20 * MS, duty, 0)
        fabric.run(100_000 * MS)
        busy = fabric.switches["s1"].counters[0].out.busy_ns / (100_000 * MS)
        assert busy == pytest.approx(duty, abs=0.03)
        fabric.blockers["sun"].block(0, 1.0, 100_000 * MS)
        fabric.run(101_000 * MS)
        assert not fabric.switches["s1"].busy(0)


def test_blocking_source_pauses_between_attempts_if_its_destination_is_off() -> None:
    fabric = HippiFabric(configuration())
    fabric.switches["s1"].enable(0, False, 0)
    fabric.blockers["sun"].block(20 * MS, 1.0, 0)
    fabric.run(1000 * MS)
    assert 900 <= fabric.switches["s1"].counters[1].rejects <= 1001
    assert fabric.blockers["sun"].transfers == 0


def test_source_route_names_the_output_of_each_switch() -> None:
    fabric = HippiFabric(configuration())
    route = IField(7 | 0 << 5, selection=SOURCE_ROUTE)
    fabric.hosts["near"].sender.offer(Packet(ip_packet(3, 64), route), 0)
    assert len(fabric.run(10 * MS)["far"]) == 1


def test_long_cable_delays_packets() -> None:
    config = configuration()
    hosts = (replace(config.hosts[0], delay_ns=5 * MS), *config.hosts[1:])
    fabric = HippiFabric(replace(config, hosts=hosts))
    fabric.hosts["far"].send(ip_packet(1, 64), 0)
    assert fabric.run(7 * MS) == {}
    assert len(fabric.run(8 * MS)["near"]) == 1


def test_packets_to_unknown_destinations_are_dropped_in_the_host() -> None:
    fabric = HippiFabric(configuration())
    fabric.hosts["near"].send(ip_packet(99), 0)
    fabric.hosts["near"].send(bytes([0x60]) + bytes(60), 0)
    assert fabric.hosts["near"].unroutable == 2
    assert fabric.run(10 * MS) == {}


def test_configuration_survives_a_round_trip_through_its_file() -> None:
    config = configuration(hold_ticks=500)
    assert load(dump(config)) == config
