"""The time to failover that a plan promises, against outages measured with a real agent and each engine.

The promise is the probes' time and the engine's switch, as in the facts that the backend exports.
"""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from backstay_bench.failover.__main__ import ENGINES, measure_outage, stream_ms
from backstay_bench.failover.engines import timers
from backstay_bench.failover.lab import lab
from backstay_testing.namespaces import Namespace

pytestmark = [pytest.mark.netns, pytest.mark.slow]
SPEC = Path(__file__).parents[3] / "cli/src/backstay_cli/spec.json"
CHECKED = {
    "kernel": "kernel + checker",
    "bird": "BIRD + checker",
    "frr": "FRR + checker",
    "gated": "gated's stand-in + checker",
}
ROUNDS = 5
"""A busy machine delays single rounds; what an engine needs every time shows in the shortest."""


@pytest.mark.parametrize("kind", list(CHECKED))
def test_plan_promises_no_less_than_what_a_failover_takes(
    kind: str, make_namespace: Callable[[], Namespace], record_property: Callable[[str, object], None]
) -> None:
    switch_ms = json.loads(SPEC.read_text())["engines"][kind]["switch_ms"]
    promised_ms = timers().interval_ms * timers().fail_after + switch_ms
    name = CHECKED[kind]
    measured: list[float] = []
    with tempfile.TemporaryDirectory(prefix="bsprom") as folder, lab() as built:
        Path(folder).chmod(0o755)
        with ENGINES[name](built, Path(folder)):
            for _ in range(ROUNDS):
                outage = measure_outage(built, "silent", stream_ms(name))
                measured += [] if outage is None else [outage]
                if outage is not None and outage <= promised_ms:
                    break
    record_property("outages_ms", measured)
    assert measured
    assert min(measured) <= promised_ms
