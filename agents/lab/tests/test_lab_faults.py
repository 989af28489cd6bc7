"""Faults with real packets: failover, its duration, and restoration."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest

pytestmark = [pytest.mark.netns, pytest.mark.slow]

ROUTER = "10.9.0.1"
SP_NET = "10.1.0.0/24"
GRF, ATMGW = "10.1.0.16", "10.1.0.15"
DETECTION_MS = 300
"""Three BFD intervals of 100 ms."""
SLACK_MS = 700
"""For a busy machine."""


def until(condition: Callable[[], bool], what: str, seconds: float = 10.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not within {seconds:g} s: {what}"
        time.sleep(0.1)


def answers(lab: Any, node: str, target: str) -> bool:
    done = lab.try_inside(node, "ping", "-c", "2", "-i", "0.2", "-W", "0.5", target)
    return bool(done.returncode == 0)


@pytest.fixture
def whole(argonne_lab: Any) -> Iterator[Any]:
    """The lab without faults and with the intended routing before and after the test."""

    def settled() -> bool:
        wanted = {("sp01", "default"): GRF, ("router", SP_NET): "10.3.0.5", ("origin1", SP_NET): "10.3.0.1"}
        return all(argonne_lab.routes(node).get(prefix) == hop for (node, prefix), hop in wanted.items())

    yield argonne_lab
    for name in ("grf1", "sp01", "sp-switch", "management"):
        argonne_lab.do("restore", name)
    until(settled, "routes back on grf1 after restore")


def longest_gaps_ms(lab: Any, verb: str, *paths: tuple[str, str]) -> list[float]:
    """Longest time without a reply per direction while `verb` is applied to grf1; a ping every 10 ms."""
    streams = [Stream(lab, source, target) for source, target in paths]
    lab.do(verb, "grf1")
    return [longest_gap_ms(stream.replies()) for stream in streams]


class Stream:
    """A ping every 10 ms that has received its first replies and continues for some seconds."""

    def __init__(self, lab: Any, source: str, target: str) -> None:
        argv = ["ping", "-n", "-D", "-i", "0.01", "-c", "180", "-W", "1", target]
        self._process = subprocess.Popen(
            [*lab.entering(source), *argv], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert self._process.stdout is not None
        self._head = [self._process.stdout.readline() for _ in range(10)]

    def replies(self) -> str:
        """Its whole output."""
        return "".join(self._head) + self._process.communicate(timeout=30)[0]


def longest_gap_ms(output: str) -> float:
    times = [float(stamp) for stamp in re.findall(r"^\[([\d.]+)\] \d+ bytes from", output, re.MULTILINE)]
    assert len(times) > 100, output[-500:]
    return max(after - before for before, after in pairwise(times)) * 1000


def test_traffic_leaves_through_the_gigarouter(whole: Any) -> None:
    before = whole.octets("grf1", "ga031")["out"]
    whole.inside("sp01", "ping", "-q", "-c", "20", "-i", "0.01", "-s", "8000", ROUTER)
    assert whole.octets("grf1", "ga031")["out"] - before >= 20 * 8000


@pytest.mark.quiet
@pytest.mark.parametrize("verb", ["cut", "silence"])
def test_dead_gigarouter_is_replaced_by_the_atm_gateway(whole: Any, verb: str) -> None:
    outward, inward = longest_gaps_ms(whole, verb, ("sp01", ROUTER), ("router", "10.1.0.1"))
    print(f"{verb} grf1: sp01 was without an answer for {outward:.0f} ms, the router for {inward:.0f} ms")
    assert max(outward, inward) < DETECTION_MS + SLACK_MS
    assert whole.routes("sp01") == {"default": ATMGW}
    assert whole.routes("router")[SP_NET] == "10.3.0.9"
    assert answers(whole, "sp01", ROUTER)
    assert max(outward, inward) > 100  # otherwise nothing was measured
    assert whole.node("grf1")["fault"] == verb


@pytest.mark.quiet
@pytest.mark.parametrize("verb", ["cut", "silence"])
def test_failback_loses_nothing(whole: Any, verb: str) -> None:
    whole.do(verb, "grf1")
    until(lambda: whole.routes("sp01") == {"default": ATMGW}, "fallback")
    (gap,) = longest_gaps_ms(whole, "restore", ("sp01", ROUTER))
    print(f"restore grf1 from {verb}: longest time without an answer {gap:.0f} ms")
    until(lambda: whole.routes("sp01") == {"default": GRF}, "failback")
    assert gap < 400
    assert whole.node("grf1")["fault"] is None


def test_cut_means_lost_carrier_but_management_stays_reachable(whole: Any) -> None:
    whole.do("cut", "grf1")
    nodes = {node["name"]: node for node in whole.status()["nodes"]}
    carrier = {
        (name, port["name"]): port["carrier"] for name, node in nodes.items() for port in node["ports"]
    }
    assert not carrier["onyx1", "hip0"]
    assert not carrier["router", "at0"]
    assert carrier["router", "at1"]
    assert carrier["sp01", "css0"]  # the switch is alive
    assert carrier["grf1", "de0"]
    down = {link["name"] for link in whole.status()["links"] if not link["up"]}
    assert down == {
        "grf1:gt000 - sp-switch",
        "grf1:gh010 - onyx1:hip0",
        "grf1:ga030 - origin1:at0",
        "grf1:ga031 - router:at0",
    }
    assert answers(whole, "mgmt1", "10.255.0.26")


def test_the_oc12_host_falls_back_to_the_router(whole: Any) -> None:
    whole.do("cut", "grf1")
    until(lambda: whole.routes("origin1").get(SP_NET) == "10.3.0.14", "origin1 by the router")
    until(lambda: answers(whole, "origin1", "10.1.0.1"), "sp01 answering origin1")
    assert not answers(whole, "onyx1", "10.1.0.1")  # HIPPI has no fallback


def test_silenced_node_neither_responds_nor_sends(whole: Any) -> None:
    whole.do("silence", "grf1")
    assert all(port["carrier"] for port in whole.node("grf1")["ports"])
    assert not answers(whole, "mgmt1", "10.255.0.26")
    assert not answers(whole, "sp01", GRF)
    before = [whole.octets(*end)["in"] for end in (("onyx1", "hip0"),)]
    time.sleep(0.5)
    assert [whole.octets(*end)["in"] for end in (("onyx1", "hip0"),)] == before


def test_blackhole_responds_without_forwarding_and_bfd_stays_up(whole: Any) -> None:
    whole.do("blackhole", "grf1")
    time.sleep(1.0)
    assert answers(whole, "sp01", GRF)
    assert answers(whole, "mgmt1", "10.255.0.26")
    assert not answers(whole, "sp01", ROUTER)
    assert whole.routes("sp01") == {"default": GRF}


def test_faults_may_be_repeated_and_a_second_kind_replaces_the_first(whole: Any) -> None:
    whole.do("silence", "grf1")
    since = whole.node("grf1")["fault_since"]
    whole.do("silence", "grf1")
    assert whole.node("grf1")["fault_since"] == since
    whole.do("blackhole", "grf1")
    assert whole.node("grf1")["fault"] == "blackhole"
    assert answers(whole, "sp01", GRF)
    whole.do("restore", "grf1")
    assert "had no fault" in whole.do("restore", "grf1")
    assert answers(whole, "sp01", ROUTER)


def test_compute_node_can_be_cut_and_restored(whole: Any) -> None:
    whole.do("cut", "sp02")
    assert not answers(whole, "sp01", "10.1.0.2")
    whole.do("restore", "sp02")
    until(lambda: whole.routes("sp02") == {"default": GRF}, "sp02's default route")
    assert answers(whole, "sp02", ROUTER)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("cut", "grf2"), "grf1"),
        (("cut", "mgmt1"), "no data link"),
        (("blackhole", "sp01"), "gateway"),
    ],
)
def test_invalid_fault_is_refused(argonne_lab: Any, arguments: tuple[str, ...], message: str) -> None:
    done = argonne_lab.run(*arguments)
    assert done.returncode == 1
    assert message in done.stderr


def carriers(lab: Any, node: str) -> dict[str, bool]:
    (found,) = [item for item in lab.status()["nodes"] if item["name"] == node]
    return {port["name"]: port["carrier"] for port in found["ports"]}


def test_one_port_is_cut_and_restored(whole: Any) -> None:
    whole.do("cut", "grf1", "--port", "ga030")
    assert not carriers(whole, "origin1")["at0"]
    assert carriers(whole, "router")["at0"]
    assert whole.node("grf1")["fault"] == "cut"
    whole.do("restore", "grf1")
    assert carriers(whole, "origin1")["at0"]


def test_one_way_loss_leaves_carrier_and_replaces_silence(whole: Any) -> None:
    whole.do("silence", "sp01")
    whole.do("one-way", "sp01")
    before = whole.octets("sp01", "css0")["in"]
    assert not answers(whole, "sp02", "10.1.0.1")
    assert whole.octets("sp01", "css0")["in"] > before, "it still receives"
    assert carriers(whole, "sp01")["css0"]
    assert whole.try_inside("sp01", "nft", "list", "tables").stdout.count("backstay_fault") == 1
    whole.do("restore", "sp01")
    until(lambda: answers(whole, "sp02", "10.1.0.1"), "an answer after restore")


def test_node_without_management_still_carries_traffic(whole: Any) -> None:
    whole.do("no-management", "sp01")
    management = whole.node("sp01")["management"]
    assert not answers(whole, "mgmt1", management)
    assert answers(whole, "sp02", "10.1.0.1")


def test_fabric_is_cut_and_restored(whole: Any) -> None:
    whole.do("cut", "sp-switch")
    assert not carriers(whole, "sp01")["css0"]
    assert carriers(whole, "router")["at0"]
    whole.do("silence", "sp-switch")
    assert carriers(whole, "sp01")["css0"]
    assert not answers(whole, "sp02", "10.1.0.1")
    whole.do("restore", "sp-switch")
    until(lambda: answers(whole, "sp02", "10.1.0.1"), "an answer after restore")
