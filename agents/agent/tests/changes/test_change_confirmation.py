"""A change that is good when applied but not when saved: the node rolls back.

A complete agent, its guard, a routing kernel, and a backend beyond the gateways that keeps its connections
open.
"""

import json
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from pathlib import Path
from uuid import uuid4

import pytest

from backstay_agent.host.boot_files import digest
from backstay_agent.host.kernel.boot_time import FILE_VARIABLE
from backstay_testing.agent_process import AgentProcess
from backstay_testing.engines import BEHIND, EngineProcess, hops, node, routing, wait_until
from backstay_testing.namespaces import Namespace, join
from backstay_testing.node_backend import running_digest, start_sink
from backstay_testing.sink import Sink
from backstay_wire import (
    ChangeAssignment,
    ChangeProbe,
    ChangeReport,
    Detection,
    EngineKind,
    FileIntent,
    Hop,
    NodePhase,
    NodeRouting,
    Phase,
    PolicyRoute,
)
from backstay_wire.routing import marks

pytestmark = [pytest.mark.netns, pytest.mark.timeout(150)]
CHANGE = 7
CONTROLLER = "10.78.0.1"
"""The backend's address on the management network, where the node has a port of its own."""
StartAgent = Callable[[Path, list[str], list[str]], AgentProcess]


@dataclass
class Play:
    """One node with its agent; the test plays the backend."""

    sink: Sink
    engine: EngineProcess
    folder: Path
    boot_id: Path
    start_agent: StartAgent
    agent: AgentProcess | None = None

    @property
    def config(self) -> Path:
        return Path(self.engine.engine.config)

    def start(self) -> None:
        """Start the agent (again)."""
        prefix = [*self.engine.node.space.enter(), "/usr/bin/env", f"{FILE_VARIABLE}={self.boot_id}"]
        arguments = ["--backend", self.sink.url, "--token", self.sink.token]
        self.agent = self.start_agent(self.folder, arguments, prefix)

    def want(self, assignment: ChangeAssignment, phase: Phase) -> None:
        before = self.sink.desired
        changes = [assignment.model_copy(update={"phase": phase})]
        self.sink.desired = before.model_copy(
            update={"generation": before.generation + 1, "changes": changes}
        )

    def reached(self) -> list[ChangeReport]:
        return [report for report in self.sink.reports("change") if isinstance(report, ChangeReport)]

    def until(self, *phases: NodePhase) -> ChangeReport:
        wait_until(lambda: any(report.phase in phases for report in self.reached()), 60)
        return next(report for report in self.reached() if report.phase in phases)

    def applied(self, timeout_s: float = 60.0) -> ChangeAssignment:
        """A change to atmgw before grf1, applied on the node."""
        assignment = self.assignment(
            routing(self.engine.engine, hops("atmgw", "grf1"), CHANGE, self.config.read_text()), timeout_s
        )
        self.want(assignment, Phase.PREPARE)
        self.until(NodePhase.PREPARED)
        self.want(assignment, Phase.APPLY)
        report = self.until(NodePhase.APPLIED, NodePhase.ROLLED_BACK)
        assert report.phase is NodePhase.APPLIED, report.reason
        return assignment

    def assignment(self, wanted: NodeRouting, timeout_s: float = 60.0) -> ChangeAssignment:
        return ChangeAssignment(
            change=CHANGE,
            revision=CHANGE,
            phase=Phase.PREPARE,
            base=running_digest(self.engine),
            routing=wanted,
            probes=[ChangeProbe(name="behind", address=ip_address(BEHIND))],
            probe_s=2.0,
            timeout_s=timeout_s,
        )

    def nft(self, namespace: Namespace, *rules: str) -> None:
        text = "table inet cut { chain out { type filter hook output priority 0; }; }\n" + "\n".join(
            f"add rule inet cut out {rule}" for rule in rules
        )
        command = [*namespace.enter(), "/usr/sbin/nft", "-f", "-"]
        subprocess.run(command, input=text, text=True, check=True, capture_output=True)

    def no_new_connections(self) -> None:
        """Drop new connections to the backend; open ones continue."""
        port = self.sink.port
        self.nft(self.engine.node.space, f"tcp dport {port} tcp flags & (syn | ack) == syn drop")

    def default_routes(self) -> str:
        return self.engine.node.ask("ip", "route", "show", "default")

    def rolls_back(self, because: str, routes: str, boot_file: str) -> ChangeReport:
        report = self.until(NodePhase.ROLLED_BACK, NodePhase.CONFIRMED, NodePhase.FAILED)
        assert report.phase is NodePhase.ROLLED_BACK, (report.phase, report.reason)
        assert because in report.reason
        assert (self.default_routes(), self.config.read_text()) == (routes, boot_file)
        assert NodePhase.CONFIRMED not in {item.phase for item in self.reached()}
        return report


@pytest.fixture
def play(make_namespace: Callable[[], Namespace], tmp_path: Path, start_agent: StartAgent) -> Iterator[Play]:
    with tempfile.TemporaryDirectory(prefix="bsplay") as name, node() as place:
        join(place.space, "mg", place.far, "mgfar")
        place.space.run("address", "add", "10.78.0.2/24", "dev", "mg")
        place.far.run("address", "add", f"{CONTROLLER}/24", "dev", "mgfar")
        engine = EngineProcess(EngineKind.KERNEL, place, Path(name), hops("grf1", "atmgw")).start()
        sink = start_sink(engine, host=CONTROLLER)
        boot_id = Path(name) / "boot_id"
        boot_id.write_text(str(uuid4()))
        made = Play(sink, engine, tmp_path, boot_id, start_agent)
        made.start()
        yield made
        assert made.agent is not None
        made.agent.stop()
        sink.stop()
        with suppress(OSError):
            watching = json.loads((tmp_path / "state/guard/watching.json").read_bytes())
            os.kill(watching["pid"], signal.SIGKILL)


def test_a_good_change_is_verified_before_it_is_saved(play: Play) -> None:
    assignment = play.applied()
    boot_file = play.config.read_text()
    play.want(assignment, Phase.VERIFY)
    report = play.until(NodePhase.VERIFIED, NodePhase.ROLLED_BACK)
    assert report.phase is NodePhase.VERIFIED, report.reason
    assert report.guard_until is not None
    assert play.config.read_text() == boot_file
    play.want(assignment, Phase.CONFIRM)
    report = play.until(NodePhase.CONFIRMED, NodePhase.ROLLED_BACK)
    assert report.phase is NodePhase.CONFIRMED, report.reason
    assert play.config.read_text() != boot_file


def test_node_learns_of_each_step_by_a_held_request(play: Play) -> None:
    """Polling at the interval of this assignment would be 30 requests in the three seconds."""
    play.sink.holds = True
    wanted = routing(play.engine.engine, hops("atmgw", "grf1"), CHANGE, play.config.read_text())
    assignment = play.assignment(wanted).model_copy(update={"ask_every_s": 0.1})
    for phase, reached in (
        (Phase.PREPARE, NodePhase.PREPARED),
        (Phase.APPLY, NodePhase.APPLIED),
        (Phase.VERIFY, NodePhase.VERIFIED),
    ):
        play.want(assignment, phase)
        report = play.until(reached, NodePhase.ROLLED_BACK, NodePhase.REFUSED)
        assert report.phase is reached, report.reason
    before = play.sink.requests["desired"]
    time.sleep(3)
    assert play.sink.requests["desired"] - before <= 2
    play.want(assignment, Phase.CONFIRM)
    assert play.until(NodePhase.CONFIRMED, NodePhase.ROLLED_BACK).phase is NodePhase.CONFIRMED


@pytest.mark.parametrize("phase", [Phase.VERIFY, Phase.CONFIRM])
def test_node_without_new_connections_to_the_controller_rolls_back(play: Play, phase: Phase) -> None:
    before = (play.default_routes(), play.config.read_text())
    assignment = play.applied()
    play.no_new_connections()
    play.want(assignment, phase)
    play.rolls_back("controller: no answer", *before)


def test_a_change_that_leaves_only_old_connections_is_not_applied(play: Play) -> None:
    before = (play.default_routes(), play.config.read_text())
    wanted = routing(play.engine.engine, hops("atmgw", "grf1"), CHANGE, before[1])
    assignment = play.assignment(wanted, timeout_s=20)
    play.want(assignment, Phase.PREPARE)
    play.until(NodePhase.PREPARED)
    play.no_new_connections()
    play.want(assignment, Phase.APPLY)
    play.rolls_back("controller: no answer", *before)


def test_policy_for_the_controllers_address_rolls_back(play: Play) -> None:
    """Packets leave through a gateway, and there is no return path to the source address of new connections.
    An open connection keeps its source address on the management network, and continues."""
    play.nft(play.engine.node.far, f"ip saddr {CONTROLLER} ip daddr 10.77.0.0/16 drop")
    before = (play.default_routes(), play.config.read_text())
    hop = Hop(gateway="grf1", address=ip_address("10.77.1.1"), port="p1", preference=60)
    prefix = ip_network(f"{CONTROLLER}/32")
    opening, closing = marks("controller", str(prefix))
    block = f"route replace {prefix} via {hop.address} dev {hop.port} metric 60 proto 201\n"
    route = PolicyRoute(
        policy="controller",
        prefix=prefix,
        hops=[hop],
        detection=Detection.CHECKER,
        target=ip_address(CONTROLLER),
        variants={"grf1": block},
    )
    files = [
        FileIntent(
            path=str(play.config), text=f"{before[1]}{opening}\n{block}{closing}\n", base=digest(before[1])
        )
    ]
    default = routing(play.engine.engine, hops("grf1", "atmgw"), CHANGE, before[1]).routes
    wanted = NodeRouting(revision=CHANGE, engine=play.engine.engine, routes=[*default, route], files=files)
    assignment = play.assignment(wanted, timeout_s=20)
    play.want(assignment, Phase.PREPARE)
    play.until(NodePhase.PREPARED)
    play.want(assignment, Phase.APPLY)
    play.rolls_back("controller: no answer", *before)
    assert "10.77.1.1" not in play.engine.node.ask("ip", "route", "get", CONTROLLER)


@pytest.mark.parametrize("phase", [Phase.VERIFY, Phase.CONFIRM])
def test_routes_deleted_manually_while_a_wave_waits_are_not_saved(play: Play, phase: Phase) -> None:
    before = (play.default_routes(), play.config.read_text())
    assignment = play.applied()
    play.engine.node.space.run("route", "delete", "default", "via", "10.77.2.1")
    play.want(assignment, phase)
    report = play.rolls_back("differs from what was applied", *before)
    assert "10.77.2.1" in report.reason


@pytest.mark.parametrize("phase", [Phase.VERIFY, Phase.CONFIRM])
def test_routes_swapped_manually_while_a_wave_waits_are_not_saved(play: Play, phase: Phase) -> None:
    """The same gateways and the same metrics, in another order."""
    before = (play.default_routes(), play.config.read_text())
    assignment = play.applied()
    run = play.engine.node.space.run
    for gateway in ("10.77.1.1", "10.77.2.1"):
        run("route", "delete", "default", "via", gateway)
    for gateway, port, metric in (("10.77.1.1", "p1", "60"), ("10.77.2.1", "p2", "70")):
        run("route", "add", "default", "via", gateway, "dev", port, "proto", "201", "metric", metric)
    play.want(assignment, phase)
    report = play.rolls_back("differs from what was applied", *before)
    assert "0.0.0.0/0 via 10.77.1.1 preference 60" in report.reason


@pytest.mark.parametrize("phase", [Phase.VERIFY, Phase.CONFIRM])
def test_a_reboot_while_a_wave_waits_is_not_saved(play: Play, phase: Phase) -> None:
    """Reboot: all processes die, the namespace keeps its devices, the routes come from the boot file."""
    before = (play.default_routes(), play.config.read_text())
    assignment = play.applied()
    assert play.agent is not None
    play.agent.kill()
    guard = json.loads((play.folder / "state/guard/watching.json").read_bytes())["pid"]
    os.kill(guard, signal.SIGKILL)
    play.engine.node.space.run("route", "flush", "table", "main", "proto", "201")
    play.boot_id.write_text(str(uuid4()))
    play.engine.start()
    play.want(assignment, phase)
    play.start()
    play.rolls_back("the host was rebooted before the change was confirmed", *before)


def test_restarted_agent_verifies_again(play: Play) -> None:
    assignment = play.applied()
    play.want(assignment, Phase.VERIFY)
    play.until(NodePhase.VERIFIED)
    assert play.agent is not None
    play.agent.kill()
    play.no_new_connections()
    play.start()
    journal = play.folder / f"state/guard/{CHANGE}.journal.json"
    wait_until(lambda: json.loads(journal.read_bytes())["step"] == "restored", 60)
    assert "controller: no answer" in json.loads(journal.read_bytes())["reason"]
