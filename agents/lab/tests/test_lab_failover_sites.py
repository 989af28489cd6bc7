"""The gateways of `sdsc` and `cern`, in running labs: real BIRD, real BFD, real packets."""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.netns

MOVE_S = 5.0
"""BFD notices in 0.3 s; the rest is for a busy machine."""


@pytest.fixture(scope="module")
def run_site(namespaces_work: None, lab_type: Callable[[Path], Any]) -> Iterator[Callable[[str], Any]]:
    """Starts a site with the smallest number of nodes; all are stopped after the module's tests."""
    running: list[tuple[Any, str]] = []

    def up(site: str) -> Any:
        lab = lab_type(Path(tempfile.mkdtemp(prefix="bslab")) / "lab")
        running.append((lab, site))
        lab.do("up", site, "--nodes", "4", "--backend-port", "1")
        return lab

    yield up
    for lab, site in running:
        lab.do("down", site)
        shutil.rmtree(lab.state.parent)


def until(done: Callable[[], bool]) -> bool:
    """Whether the condition became true in time."""
    deadline = time.monotonic() + MOVE_S
    while not done():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


def answers(lab: Any, node: str, target: str) -> bool:
    return bool(lab.try_inside(node, "ping", "-c", "1", "-W", "1", target).returncode == 0)


def path(lab: Any, node: str, target: str) -> str:
    """The next hop that the kernel uses, regardless of the route's origin."""
    return str(json.loads(lab.inside(node, "ip", "-json", "route", "get", target))[0]["gateway"])


@pytest.fixture(scope="module")
def sdsc(run_site: Callable[[str], Any]) -> Any:
    return run_site("sdsc")


def test_archive_leaves_a_dead_gateway_but_static_quadrant_routes_stay(sdsc: Any) -> None:
    assert (path(sdsc, "bh001", "10.2.0.15"), sdsc.routes("mover1")["10.1.0.0/18"]) == (
        "10.1.0.1",
        "10.2.0.1",
    )
    sdsc.do("silence", "gw1")
    assert until(lambda: sdsc.routes("mover1")["10.1.0.0/18"] == "10.2.0.2")
    assert path(sdsc, "bh001", "10.2.0.15") == "10.1.0.1"
    assert not answers(sdsc, "bh001", "10.2.0.15")
    assert sdsc.routes("mover1")["10.1.128.0/18"] == "10.2.0.3"
    assert answers(sdsc, "bh003", "10.2.0.15")
    sdsc.do("restore", "gw1")
    assert until(lambda: sdsc.routes("mover1")["10.1.0.0/18"] == "10.2.0.1")
    assert until(lambda: answers(sdsc, "bh001", "10.2.0.15"))


def test_jumbo_frames_reach_the_movers_unfragmented(sdsc: Any) -> None:
    packet = ("ping", "-c", "1", "-W", "1", "-M", "do", "-s", str(9000 - 28), "10.2.0.12")
    assert sdsc.try_inside("mover1", *packet).returncode == 0


@pytest.fixture(scope="module")
def cern(run_site: Callable[[str], Any]) -> Any:
    if not Path("/dev/net/tun").exists():
        pytest.skip("HIPPI needs /dev/net/tun")
    return run_site("cern")


def test_without_the_crossbar_hippi_machines_are_reached_over_their_earlier_networks(cern: Any) -> None:
    far = {"10.3.0.10": "a tape server", "10.9.0.23": "sp023", "10.9.0.3": "shift3", "10.9.0.32": "the CS-2"}
    assert cern.routes("shift2")["10.3.0.0/24"] == "10.2.0.101"
    cern.do("cut", "hippi-switch")
    for target, who in far.items():
        assert until(lambda target=target: answers(cern, "shift2", target)), who  # type: ignore[misc]
    assert cern.routes("shift2")["10.3.0.0/24"] == "10.3.1.1", "the GigaSwitch"
    assert cern.routes("shift2")["10.9.0.3"] == "10.4.0.3", "UltraNet"
    cern.do("restore", "hippi-switch")
    assert until(lambda: cern.routes("shift2")["10.3.0.0/24"] == "10.2.0.101")


def test_experiment_data_crosses_the_serial_link(cern: Any) -> None:
    assert until(lambda: answers(cern, "few1", "10.9.0.32"))
    assert cern.routes("cerncs2")["10.5.0.0/24"] == "10.2.0.102"
