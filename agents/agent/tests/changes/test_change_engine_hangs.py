"""Changes on a node whose daemon does not load its new configuration: at first, or ever.

Engine, driver and guard are real processes; gated is the lab's stand-in.
"""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backstay_agent.engines import actuator_for
from backstay_testing import engines
from backstay_testing.change_node import ChangedNode, changed_node
from backstay_testing.engines import DEFAULT, EngineProcess, hops, routing
from backstay_testing.namespaces import Namespace
from backstay_wire import EngineKind, NodePhase, Phase

pytestmark = [pytest.mark.netns, pytest.mark.slow]
STEP_S = 90.0
ATMGW = "10.77.2.1"


@pytest.fixture
def gated(make_namespace: Callable[[], Namespace]) -> Iterator[ChangedNode]:
    with changed_node(EngineKind.GATED) as made:
        yield made


def test_change_goes_on_when_a_reconfiguration_hangs_once(gated: ChangedNode) -> None:
    gated.propose("atmgw", "grf1", timeout_s=60.0)
    gated.until(NodePhase.PREPARED, seconds=STEP_S)
    gated.engine.hang_once("reconfig")
    gated.want(Phase.APPLY)
    report = gated.until(NodePhase.APPLIED, NodePhase.ROLLED_BACK, NodePhase.FAILED, seconds=STEP_S)
    assert report.phase is NodePhase.APPLIED, report.reason
    assert not (gated.engine.folder / "gdc-hangs").exists(), "the first attempt hung"
    assert f"via {ATMGW}" in gated.node.ask("ip", "route", "show", "default")


def test_change_is_rolled_back_when_gated_never_loads_its_file(gated: ChangedNode) -> None:
    before = gated.seen()
    gated.propose("atmgw", "grf1", timeout_s=60.0)
    gated.until(NodePhase.PREPARED, seconds=STEP_S)
    gdc = Path(gated.engine.engine.control)
    gdc.write_text(gdc.read_text().replace("exec ", 'if [ "$1" = reconfig ]; then exit 0; fi\nexec ', 1))
    gated.want(Phase.APPLY)
    report = gated.until(NodePhase.ROLLED_BACK, NodePhase.FAILED, NodePhase.APPLIED, seconds=STEP_S)
    assert report.phase is NodePhase.ROLLED_BACK
    assert "gated has not loaded its file in 3 attempts" in report.reason
    assert gated.seen() == before


def test_bird_that_does_not_answer_at_first_is_asked_again(
    make_namespace: Callable[[], Namespace], tmp_path: Path
) -> None:
    tmp_path.chmod(0o755)
    with engines.node() as place:
        bird = EngineProcess(EngineKind.BIRD, place, tmp_path / "bird", hops("grf1", "atmgw")).start()
        found = subprocess.run(
            ["pgrep", "-f", f"bird -f -c {tmp_path}"], capture_output=True, text=True, check=True
        )
        pid = int(found.stdout.split()[0])
        os.kill(pid, signal.SIGSTOP)
        # Longer than the first time limit, shorter than both.
        resume = subprocess.Popen(["sh", "-c", f"sleep 16; kill -CONT {pid}"])
        try:
            actuator = actuator_for(bird.engine)
            new = routing(bird.engine, hops("atmgw", "grf1"), 2, bird.boot)
            began = time.monotonic()
            reached = place.run(lambda: actuator.apply(new))
        finally:
            resume.wait()
            bird.stop()
    assert time.monotonic() - began > 5, "the first attempt timed out"
    assert [str(hop.address) for hop in reached[0].hops] == [ATMGW, "10.77.1.1"]
    assert reached[0].prefix == DEFAULT
