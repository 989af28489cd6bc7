"""Load and rates: every medium carries its usable rate times the scale, and routing survives a full link."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

pytestmark = pytest.mark.netns

TOLERANCE = 0.03


@pytest.mark.parametrize(
    ("source", "port", "target", "usable_mbps"),
    [
        ("sp01", "css0", "sp02", 96.0),
        ("onyx1", "hip0", "origin1", 80.0),
        ("origin1", "at0", "sp01", 53.8),
        ("atmgw", "at0", "router", 13.45),
    ],
)
def test_a_full_port_sends_at_the_usable_rate(
    argonne_lab: Any, source: str, port: str, target: str, usable_mbps: float
) -> None:
    load = argonne_lab.start("traffic", source, target, "--mbps", "300", "--seconds", "4", "--streams", "2")
    time.sleep(1.5)
    began, before = time.monotonic(), argonne_lab.octets(source, port)["out"]
    time.sleep(1.5)
    after, ended = argonne_lab.octets(source, port)["out"], time.monotonic()
    load.communicate(timeout=30)
    rate = (after - before) * 8 / (ended - began) / 1e6
    print(f"{source} {port}: {rate:.2f} Mb/s of {usable_mbps} Mb/s")
    narrow = min(usable_mbps, 53.8) if target == "origin1" else usable_mbps
    assert rate == pytest.approx(narrow, rel=TOLERANCE)
