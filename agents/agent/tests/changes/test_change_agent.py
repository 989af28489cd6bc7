"""A complete agent and a backend beyond the gateways: a good change is confirmed; one that isolates the agent
is rolled back by the node and reported afterwards."""

import json
import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from ipaddress import ip_address
from pathlib import Path

import pytest

from backstay_testing.agent_process import AgentProcess
from backstay_testing.engines import (
    BEHIND,
    EngineProcess,
    boot_text,
    hops,
    node,
    routing,
    wait_until,
)
from backstay_testing.namespaces import Namespace
from backstay_testing.node_backend import NodeBackend, running_digest, start_sink
from backstay_wire import (
    ChangeAssignment,
    ChangeProbe,
    EngineKind,
    NodePhase,
    Phase,
)

pytestmark = [pytest.mark.netns, pytest.mark.timeout(150)]
StartAgent = Callable[[Path, list[str], list[str]], AgentProcess]


class Play(NodeBackend):
    def want(self, *changes: ChangeAssignment) -> None:
        self.set_desired(changes=list(changes))

    def assignment(self, change: int, *gateways: str, through: str = "") -> ChangeAssignment:
        boot = Path(self.engine.engine.config).read_text()
        where = self.engine.engine
        via = {"via": ip_address("10.77.2.1"), "port": "p2"} if through else {}
        probe = ChangeProbe.model_validate({"name": through or "behind", "address": BEHIND, **via})
        return ChangeAssignment(
            change=change,
            revision=change,
            phase=Phase.PREPARE,
            base=running_digest(self.engine),
            routing=routing(where, hops(*gateways), change, boot),
            probes=[probe],
            probe_s=3.0,
            timeout_s=8.0,
        )


@pytest.fixture
def play(make_namespace: Callable[[], Namespace]) -> Iterator[Play]:
    with tempfile.TemporaryDirectory(prefix="bsplay") as name, node() as place:
        engine = EngineProcess(EngineKind.KERNEL, place, Path(name), hops("grf1", "atmgw")).start()
        sink = start_sink(engine)
        yield Play(engine, sink)
        sink.stop()


def test_good_change_is_confirmed_and_bad_change_is_rolled_back(
    play: Play, tmp_path: Path, start_agent: StartAgent
) -> None:
    # Without a probation the journal of a confirmed change is not needed once its assignment is gone.
    arguments = ["--backend", play.sink.url, "--token", play.sink.token, "--controller-loss-s", "0"]
    agent = start_agent(tmp_path, arguments, play.engine.node.space.enter())

    good = play.assignment(7, "atmgw", "grf1", through="behind through atmgw")
    play.want(good)
    play.until(NodePhase.PREPARED, change=7)
    for phase, reached in ((Phase.APPLY, NodePhase.APPLIED), (Phase.CONFIRM, NodePhase.CONFIRMED)):
        play.want(good.model_copy(update={"phase": phase}))
        report = play.until(reached, NodePhase.ROLLED_BACK, change=7)
        assert report.phase is reached, report.reason
    assert {item.what for item in report.evidence if item.ok} >= {"behind through atmgw", "controller"}
    config = Path(play.engine.engine.config)
    assert config.read_text() == boot_text(EngineKind.KERNEL, hops("atmgw", "grf1"))

    bad = play.assignment(8, "nobody", "atmgw")
    play.want(bad)
    play.until(NodePhase.PREPARED, change=8)
    began = time.monotonic()
    play.want(bad.model_copy(update={"phase": Phase.APPLY}))
    report = play.until(NodePhase.ROLLED_BACK, NodePhase.FAILED, change=8)
    assert report.phase is NodePhase.ROLLED_BACK
    assert "controller: no answer" in report.reason
    assert time.monotonic() - began < 60, "timeout 8 s, verification 5 s, and a busy machine"
    assert config.read_text() == boot_text(EngineKind.KERNEL, hops("atmgw", "grf1"))
    first = play.engine.node.ask("ip", "route", "show", "default").splitlines()[0]
    assert "via 10.77.2.1 dev p2" in first

    play.want()
    guard = tmp_path / "state" / "guard"
    wait_until(lambda: not list(guard.glob("*.journal.json")), 20)
    assert agent.stop() == 0
    # Otherwise it waits two minutes for another change.
    os.kill(json.loads((guard / "watching.json").read_bytes())["pid"], signal.SIGKILL)
