"""A complete agent on a node with managed ARP and unmanaged routing: a change and its reports."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from ipaddress import ip_address
from pathlib import Path

import pytest

from backstay_testing.agent_process import AgentProcess
from backstay_testing.arp_fabric import FABRIC, ArpNode, batch, fabric
from backstay_testing.engines import wait_until
from backstay_testing.namespaces import Namespace, run_in
from backstay_testing.sink import Sink
from backstay_wire import (
    ArpReport,
    ChangeReport,
    Desired,
    NodeArp,
    NodePhase,
    Phase,
    PortArp,
    StaticNeighbour,
)

pytestmark = [pytest.mark.netns, pytest.mark.slow, pytest.mark.timeout(300)]
StartAgent = Callable[[Path, list[str], list[str]], AgentProcess]
PEER = StaticNeighbour(address=ip_address("10.78.0.2"), mac="02:78:00:00:00:02")


@pytest.fixture
def play(make_namespace: Callable[[], Namespace]) -> Iterator[tuple[ArpNode, Sink]]:
    with fabric(2, driven=0) as (node, far):
        desired = Desired(generation=1, site="lab", node="sp01", sources=[], paths=[], arp_files=node.files)
        # The second node's management port is where the backend listens.
        sink = Sink(desired=desired, host="10.79.0.2")
        run_in(far.space, sink.start)
        yield node, sink
        sink.stop()


def reported(sink: Sink) -> list[ArpReport]:
    return [report for report in sink.reports("arp") if isinstance(report, ArpReport)]


def want(sink: Sink, **values: object) -> None:
    now = sink.desired
    sink.desired = now.model_copy(update={"generation": now.generation + 1, **values})


def until(sink: Sink, phase: NodePhase) -> None:
    def reached() -> list[NodePhase]:
        return [report.phase for report in sink.reports("change") if isinstance(report, ChangeReport)]

    ends = {phase, NodePhase.REFUSED, NodePhase.ROLLED_BACK, NodePhase.FAILED}
    wait_until(lambda: bool(ends & set(reached())), 100)
    assert phase in reached(), sink.reports("change")[-1]


def test_arp_is_reported_applied_confirmed_and_reported_again(
    play: tuple[ArpNode, Sink], tmp_path: Path, start_agent: StartAgent
) -> None:
    node, sink = play
    arguments = ["--backend", sink.url, "--token", sink.token, "--controller-loss-s", "0"]
    agent = start_agent(tmp_path, arguments, node.space.enter())
    wait_until(lambda: bool(reported(sink)), 60)
    first = reported(sink)[-1]
    assert first.revision == 0

    wanted = PortArp(port=FABRIC, arp=False, neighbours=[PEER], settings={"ipv4.conf.arp_notify": 1})
    node.propose(wanted, timeout_s=60, base=first.digest)
    assert node.assignment is not None
    for phase, reached in (
        (Phase.PREPARE, NodePhase.PREPARED),
        (Phase.APPLY, NodePhase.APPLIED),
        (Phase.CONFIRM, NodePhase.CONFIRMED),
    ):
        want(sink, changes=[node.assignment.model_copy(update={"phase": phase})])
        until(sink, reached)
    assert not node.speaks_arp
    confirmed = node.assignment.arp
    assert isinstance(confirmed, NodeArp)
    want(sink, changes=[], arp=confirmed)
    wait_until(lambda: reported(sink)[-1].revision == confirmed.revision, 30)
    last = reported(sink)[-1]
    (port,) = [item for item in last.ports if item.port == FABRIC]
    assert (port.arp, port.neighbours, port.settings["ipv4.conf.arp_notify"]) == (False, [PEER], 1)
    assert last.files[0].text.endswith(batch(wanted))
    assert last.digest != first.digest

    guard = tmp_path / "state" / "guard"
    wait_until(lambda: not list(guard.glob("*.journal.json")), 20)
    assert agent.stop() == 0
    os.kill(json.loads((guard / "watching.json").read_bytes())["pid"], signal.SIGKILL)
