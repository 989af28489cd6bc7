"""Load and rates: every medium carries its usable rate times the scale, and routing survives a saturated
link."""

from __future__ import annotations

import json
import re
import subprocess
import time
from typing import Any

import pytest

pytestmark = [pytest.mark.netns, pytest.mark.slow]

TOLERANCE = 0.03
ATTEMPTS = 4
"""A busy machine may starve a sender; it can never make a port faster than it is."""


SAMPLER = """
import json, pathlib, select, sys, time
counter = pathlib.Path("/sys/class/net", sys.argv[1], "statistics/tx_bytes")
samples = []
while not select.select([sys.stdin], [], [], 0.05)[0]:
    samples.append((time.monotonic(), int(counter.read_text())))
print(json.dumps(samples))
"""
"""Reads a port's own counter from inside the node until its input closes: nothing between figure and time."""


def busiest_second(samples: list[tuple[float, int]]) -> float:
    """The highest rate over any window of about a second, Mb/s."""
    best = 0.0
    for began, before in samples:
        later = next(((at, octets) for at, octets in samples if at >= began + 1.0), None)
        if later is not None:
            best = max(best, (later[1] - before) * 8 / (later[0] - began) / 1e6)
    return best


def sent_rate(lab: Any, source: str, port: str, target: str) -> float:
    """Peak rate of Ethernet frames sent by an overloaded port over one second, Mb/s."""
    argv = [*lab.entering(source), lab.prefix[-1], "-c", SAMPLER, port]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as sampler:
        lab.run("traffic", source, target, "--mbps", "300", "--seconds", "3", "--streams", "2")
        samples = json.loads(sampler.communicate(timeout=30)[0])
    return busiest_second(samples)


@pytest.mark.parametrize(
    ("source", "port", "target", "usable_mbps"),
    [
        ("sp01", "css0", "sp02", 96.0),
        ("onyx1", "hip0", "sp01", 80.0),
        ("origin1", "at0", "sp01", 53.8),
        ("atmgw", "at0", "router", 13.45),
    ],
)
def test_saturated_port_sends_at_the_usable_rate(
    argonne_lab: Any, source: str, port: str, target: str, usable_mbps: float
) -> None:
    for _ in range(ATTEMPTS):
        rate = sent_rate(argonne_lab, source, port, target)
        print(f"{source} {port}: {rate:.2f} of {usable_mbps} Mb/s")
        assert rate < usable_mbps * (1 + TOLERANCE)
        if rate > usable_mbps * (1 - TOLERANCE):
            return
    pytest.fail(f"never came near {usable_mbps} Mb/s")


def sent_mbps(lab: Any, node: str, port: str) -> float:
    """A port's sending rate during the next quarter of a second, Mb/s."""
    before, began = lab.octets(node, port)["out"], time.monotonic()
    time.sleep(0.25)
    return float((lab.octets(node, port)["out"] - before) * 8e-6 / (time.monotonic() - began))


@pytest.mark.quiet
def test_saturated_link_delays_less_than_its_queue_and_keeps_its_routes(argonne_lab: Any) -> None:
    routes = argonne_lab.routes("origin1")
    load = argonne_lab.start("traffic", "origin1", "sp01", "--mbps", "200", "--seconds", "8")
    deadline = time.monotonic() + 30
    while sent_mbps(argonne_lab, "origin1", "at0") < 0.8 * 53.8:
        assert time.monotonic() < deadline, "the link never was full"
    output = argonne_lab.inside("origin1", "ping", "-q", "-c", "20", "-i", "0.1", "-W", "1", "10.1.0.1")
    assert argonne_lab.routes("origin1") == routes
    load.communicate(timeout=30)
    found = re.search(r"= [\d.]+/([\d.]+)/", output)
    assert found is not None, output
    print(f"mean round trip through a full OC-12: {found[1]} ms")
    assert 1 < float(found[1]) < 50


@pytest.mark.quiet
def test_traffic_below_the_rate_arrives_without_loss(argonne_lab: Any) -> None:
    output = argonne_lab.do(
        "traffic", "sp01", "router", "--mbps", "8", "--seconds", "2", "--streams", "4", "--json"
    )
    outcome = json.loads(output)
    assert outcome["achieved_mbps"] == pytest.approx(8, rel=0.1)
    assert outcome["target_address"] == "10.9.0.1"


def test_traffic_prints_the_received_amount(argonne_lab: Any) -> None:
    output = argonne_lab.do("traffic", "sp01", "sp02", "--mbps", "5", "--seconds", "1")
    assert re.search(r"sp01 to sp02: [\d.]+ of 5 Mb/s offered arrived in", output)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("sp01", "sp01", "--mbps", "1", "--seconds", "1"), "itself"),
        (("sp01", "mgmt1", "--mbps", "1", "--seconds", "1"), "not on the data network"),
        (("sp01", "nosuch", "--mbps", "1", "--seconds", "1"), "grf1"),
        (("sp01", "sp02", "--mbps", "0", "--seconds", "1"), "above zero"),
    ],
)
def test_invalid_traffic_test_is_refused(argonne_lab: Any, arguments: tuple[str, ...], message: str) -> None:
    done = argonne_lab.run("traffic", *arguments)
    assert done.returncode == 1
    assert message in done.stderr


def test_traffic_that_cannot_reach_its_target_fails_in_bounded_time(argonne_lab: Any) -> None:
    argonne_lab.do("silence", "sp02")
    try:
        began = time.monotonic()
        done = argonne_lab.run("traffic", "sp01", "sp02", "--mbps", "1", "--seconds", "1")
        assert done.returncode == 1
        assert "could not run" in done.stderr
        assert time.monotonic() - began < 20
    finally:
        argonne_lab.do("restore", "sp02")


def test_background_traffic_always_runs(argonne_lab: Any) -> None:
    ports = [("grf1", "gt000"), ("grf1", "gh010"), ("grf1", "ga030"), ("grf1", "ga031")]
    before = {end: argonne_lab.octets(*end) for end in ports}
    deadline = time.monotonic() + 60
    waiting = [(end, direction) for end in ports for direction in ("in", "out")]
    while waiting and time.monotonic() < deadline:
        time.sleep(0.2)
        waiting = [
            (end, direction)
            for end, direction in waiting
            if argonne_lab.octets(*end)[direction] <= before[end][direction] + 10_000
        ]
    assert not waiting
