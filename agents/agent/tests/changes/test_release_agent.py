"""Break-glass over a real agent and a real kernel: an administrator's release wins against the checker,
across restarts and a reboot, and is reported; a change that cost the controller is reverted once."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from ipaddress import ip_address
from pathlib import Path

import pytest

from backstay_agent.actuators.routing_state import prefixes, read
from backstay_agent.engines import actuator_for
from backstay_agent.guard.snapshot import KeptFile
from backstay_agent.host.boot_files import digest
from backstay_agent.release.baseline import Baseline, FileBaseline
from backstay_agent.release.boot_text import outside
from backstay_agent.release.record import ReleaseRecord
from backstay_agent.release.releaser import Releaser
from backstay_testing.agent_process import AgentProcess
from backstay_testing.engines import (
    BEHIND,
    DEFAULT,
    POLICY,
    EngineProcess,
    block,
    boot_text,
    hops,
    node,
    routing,
    wait_until,
)
from backstay_testing.namespaces import run_in
from backstay_testing.node_backend import NodeBackend, running_digest, start_sink
from backstay_testing.sink import Sink
from backstay_wire import (
    ChangeAssignment,
    ChangeProbe,
    EngineKind,
    FileIntent,
    ManagementReport,
    NodePhase,
    Phase,
)
from backstay_wire.routing import marks

pytestmark = [pytest.mark.netns, pytest.mark.timeout(240)]
StartAgent = Callable[[Path, list[str], list[str]], AgentProcess]
OPERATOR = "# the operator's\nroute replace default via 10.77.2.1 dev p2 metric 100\n"
UNTOUCHED_S = 3.0
"""The checker restores a route within 0.6 s."""


class Site(NodeBackend):
    """A node that an operator configured, a backend beyond its gateways, and the agent between them."""

    def __init__(self, engine: EngineProcess, sink: Sink, folder: Path, start: StartAgent) -> None:
        super().__init__(engine, sink)
        self.folder = folder
        self.state = folder / "state"
        self._start = start
        self.agent: AgentProcess | None = None

    def start(self, *arguments: str) -> None:
        options = ["--backend", self.sink.url, "--token", self.sink.token, *arguments]
        self.agent = self._start(self.folder, options, self.engine.node.space.enter())

    def restart(self) -> None:
        assert self.agent is not None
        assert self.agent.stop() == 0
        self.agent.start()

    def listen(self) -> None:
        run_in(self.engine.node.far, self.sink.start)

    def until_management(self, state: str) -> ManagementReport:
        """Wait for the newest report of this state in which nothing is left to do."""

        def reported() -> list[ManagementReport]:
            return [report for report in self.management if report.state == state and not report.left]

        wait_until(lambda: bool(reported()), 60)
        return reported()[-1]

    @property
    def management(self) -> list[ManagementReport]:
        found = self.sink.reports("management")
        return [report for report in found if isinstance(report, ManagementReport)]

    def assignment(self, change: int, *gateways: str) -> ChangeAssignment:
        where = self.engine.engine
        return ChangeAssignment(
            change=change,
            revision=change,
            phase=Phase.PREPARE,
            base=running_digest(self.engine),
            routing=routing(where, hops(*gateways), change, self.file),
            probes=[ChangeProbe(name="behind", address=ip_address(BEHIND))],
            probe_s=3.0,
            timeout_s=30.0,
        )

    def apply(self, assignment: ChangeAssignment) -> None:
        self.set_desired(changes=[assignment])
        self.until(NodePhase.PREPARED, NodePhase.REFUSED, change=assignment.change)
        self.set_desired(changes=[assignment.model_copy(update={"phase": Phase.APPLY})])
        report = self.until(
            NodePhase.APPLIED, NodePhase.ROLLED_BACK, NodePhase.REFUSED, change=assignment.change
        )
        assert report.phase is NodePhase.APPLIED, report.reason

    def deploy(self, change: int, *gateways: str) -> ChangeAssignment:
        """Deploy and confirm; the checker manages the policy afterwards."""
        assignment = self.assignment(change, *gateways)
        self.apply(assignment)
        self.set_desired(changes=[assignment.model_copy(update={"phase": Phase.CONFIRM})])
        report = self.until(NodePhase.CONFIRMED, NodePhase.ROLLED_BACK, change=change)
        assert report.phase is NodePhase.CONFIRMED, report.reason
        self.set_desired(changes=[], routing=assignment.routing, engine=self.engine.engine)
        return assignment

    def command(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        program = [sys.executable, "-m", "backstay_agent.cli", *arguments, "--state", str(self.state)]
        return subprocess.run(
            [*self.engine.node.space.enter(), *program],
            capture_output=True,
            text=True,
            timeout=90,
            check=False,
        )

    def boot(self) -> None:
        """What a reboot leaves: no routes but those of the boot file, and another boot id."""
        assert self.agent is not None
        self.agent.kill()
        _end_guard(self.state)
        self.engine.node.ask("ip", "route", "flush", "proto", "boot")
        self.engine.node.ask("ip", "route", "flush", "proto", "201")
        Path(os.environ["BACKSTAY_BOOT_ID_FILE"]).write_text("another boot\n")
        self.engine.node.ask("ip", "-batch", self.engine.engine.config)
        self.agent.start()

    @property
    def file(self) -> str:
        return Path(self.engine.engine.config).read_text()

    @property
    def default(self) -> list[str]:
        """The default routes as ip(8) lists them."""
        lines = self.engine.node.ask("ip", "route", "show", "default").splitlines()
        return [line.replace(" linkdown", "").strip() for line in lines]

    def stays(self, expected: list[str]) -> None:
        end = time.monotonic() + UNTOUCHED_S
        while time.monotonic() < end:
            assert self.default == expected
            time.sleep(0.1)


EARLIER = ["default via 10.77.2.1 dev p2 metric 100"]


@pytest.fixture
def site(
    tmp_path: Path, start_agent: StartAgent, monkeypatch: pytest.MonkeyPatch, make_namespace: object
) -> Iterator[Site]:
    boot_id = tmp_path / "boot_id"
    boot_id.write_text("first boot\n")
    monkeypatch.setenv("BACKSTAY_BOOT_ID_FILE", str(boot_id))
    with tempfile.TemporaryDirectory(prefix="bsglass") as name, node() as place:
        engine = EngineProcess(EngineKind.KERNEL, place, Path(name), hops("grf1", "atmgw"))
        Path(engine.engine.config).write_text(OPERATOR)
        engine.start()
        sink = start_sink(engine, engine=engine.engine)
        made = Site(engine, sink, tmp_path, start_agent)
        try:
            yield made
        finally:
            if made.agent is not None and made.agent.running:
                made.agent.stop()
            sink.stop()
            _end_guard(made.state)


def _end_guard(state: Path) -> None:
    try:
        os.kill(int(json.loads((state / "guard" / "watching.json").read_bytes())["pid"]), 9)
    except (OSError, ValueError, KeyError):
        return


def checked(site: Site) -> None:
    """The checker is at work: it restores a route that a person moved."""
    wait_until(
        lambda: len(site.default) == 2 and "via 10.77.1.1 dev p1 proto 201 metric 60" in site.default[0]
    )
    site.engine.node.ask("ip", "route", "del", "default", "via", "10.77.1.1", "metric", "60")
    wait_until(lambda: any("10.77.1.1" in line for line in site.default))


def test_release_wins_against_the_checker_a_restart_and_a_reboot_and_is_reported(site: Site) -> None:
    site.start()
    site.deploy(7, "grf1", "atmgw")
    checked(site)

    done = site.command("release", POLICY)
    assert done.returncode == 0, done.stdout + done.stderr
    assert site.default == EARLIER
    assert site.file == OPERATOR
    report = site.until_management("released")
    assert (report.scope, report.policies, report.by) == ("policies", [POLICY], "root")
    site.stays(EARLIER)

    refused = site.assignment(8, "grf1", "atmgw")
    site.set_desired(changes=[refused])
    assert "released on this node by root" in site.until(NodePhase.REFUSED, change=8).reason
    site.set_desired(changes=[])

    site.restart()
    site.stays(EARLIER)
    site.boot()
    wait_until(lambda: site.default == EARLIER)
    site.stays(EARLIER)
    assert site.file == OPERATOR

    site.set_desired(managed_again=report.release)
    site.until_management("managed")
    site.stays(EARLIER)
    site.deploy(9, "grf1", "atmgw")
    checked(site)
    wait_until(lambda: not (site.state / "release.json").exists())


def test_stop_managing_works_without_an_agent_and_resume_ends_it(site: Site) -> None:
    site.start()
    site.deploy(7, "grf1", "atmgw")
    checked(site)
    assert site.agent is not None
    site.agent.kill()

    done = site.command("stop-managing")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (site.default, site.file) == (EARLIER, OPERATOR)
    site.agent.start()
    assert site.until_management("released").scope == "everything"
    site.stays(EARLIER)

    assert site.command("resume").returncode == 0
    assert site.until_management("managed").by == "root"
    site.stays(EARLIER)
    assert "nothing is released" in site.command("resume").stdout


def test_release_ends_a_change_in_progress(site: Site) -> None:
    site.start()
    site.apply(site.assignment(7, "grf1", "atmgw"))
    done = site.command("release")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "change 7 was ended" in done.stdout
    assert (site.default, site.file) == (EARLIER, OPERATOR)
    assert "released on this node" in site.until(NodePhase.ROLLED_BACK, change=7).reason


def test_release_holds_while_the_agent_is_stopped_and_when_it_continues(site: Site) -> None:
    """SIGSTOP: the command does not wait for ever, says what is left, and the agent lets go once it runs."""
    site.start()
    site.deploy(7, "grf1", "atmgw")
    checked(site)
    assert site.agent is not None
    os.kill(site.agent.pid, 19)
    try:
        done = site.command("release", POLICY)
        left = (site.default, site.file)
    finally:
        os.kill(site.agent.pid, 18)
    assert done.returncode == 1
    assert "LEFT  the agent did not react" in done.stdout
    assert left == (EARLIER, OPERATOR)
    wait_until(lambda: any(report.state == "released" for report in site.management), 60)
    assert site.command("release", POLICY).returncode == 0
    site.until_management("released")
    site.stays(EARLIER)


def test_an_unknown_policy_and_a_missing_state_folder_change_nothing(site: Site, tmp_path: Path) -> None:
    site.start()
    site.deploy(7, "grf1", "atmgw")
    done = site.command("release", "nobodys")
    assert done.returncode == 2
    assert f"no policy nobodys: this node has {POLICY}" in done.stderr
    assert not (site.state / "release.json").exists()
    checked(site)


def test_a_change_that_cost_the_controller_is_reverted_once_and_reported(site: Site) -> None:
    site.start("--controller-loss-s", "4")
    site.deploy(7, "grf1", "atmgw")
    site.sink.stop()
    wait_until(lambda: site.file == OPERATOR and site.default == EARLIER, 60)
    wait_until(lambda: not (site.state / "probation.json").exists())
    site.stays(EARLIER)

    site.listen()
    report = site.until_management("reverted")
    assert report.change == 7
    assert "no controller for 4 s since change 7" in report.reason

    # Once: another outage finds nothing to revert, and a change deployed again stays.
    site.deploy(8, "grf1", "atmgw")
    wait_until(lambda: not (site.state / "probation.json").exists(), 30)
    site.sink.stop()
    time.sleep(8)
    checked(site)
    assert POLICY in site.file


def test_a_reboot_does_not_prevent_the_revert(site: Site) -> None:
    site.start("--controller-loss-s", "6")
    site.deploy(7, "grf1", "atmgw")
    site.sink.stop()
    site.boot()
    wait_until(lambda: site.file == OPERATOR and site.default == EARLIER, 60)
    site.stays(EARLIER)
    site.listen()
    assert site.until_management("reverted").change == 7


def test_zero_seconds_disable_the_revert(site: Site) -> None:
    site.start("--controller-loss-s", "0")
    site.deploy(7, "grf1", "atmgw")
    assert not (site.state / "probation.json").exists()
    site.sink.stop()
    time.sleep(6)
    checked(site)
    assert POLICY in site.file


@pytest.mark.parametrize("kind", [EngineKind.FRR, EngineKind.BIRD, EngineKind.GATED])
def test_each_engine_runs_the_original_boot_file_after_a_release(
    kind: EngineKind, tmp_path: Path, make_namespace: object
) -> None:
    with tempfile.TemporaryDirectory(prefix="bsglass") as name, node() as place:
        Path(name).chmod(0o755)
        managed = boot_text(kind, hops("grf1", "atmgw"))
        opening, closing = marks(POLICY, str(DEFAULT))
        ours = f"{opening}\n{block(kind, hops('grf1', 'atmgw'))}{closing}\n"
        original = managed.replace(ours, block(kind, hops("atmgw")))
        engine = EngineProcess(kind, place, Path(name) / "engine", hops("grf1", "atmgw")).start()
        try:
            file = FileBaseline(
                original=KeptFile.of(engine.engine.config, original), outside=outside(managed)
            )
            baseline = Baseline(
                engine=engine.engine, files={engine.engine.config: file}, routes={str(DEFAULT): ()}
            )
            record = ReleaseRecord(
                id="r1", at_ns=1, by="root", scope="policies", policies=(POLICY,), revision=7
            )
            (tmp_path / "state").mkdir()
            outcome = place.run(lambda: Releaser(tmp_path / "state", record, None, baseline).run())
            assert outcome.left == []
            assert Path(engine.engine.config).read_text() == original
            wait_until(lambda: "10.77.2.1" in place.ask("ip", "route", "show", "default"))
            assert "10.77.1.1" not in place.ask("ip", "route", "show", "default")
        finally:
            engine.stop()


def test_undo_of_a_first_deployment_returns_route_and_file_to_the_operator(site: Site) -> None:
    """The route that was set by hand before the deployment, not a managed copy of it."""
    site.start()
    deployed = site.deploy(7, "grf1", "atmgw")
    checked(site)
    assert deployed.routing is not None
    base = site.engine.node.run(
        lambda: read(actuator_for(site.engine.engine), site.engine.engine, prefixes(site.sink.desired))
    ).digest
    file = FileIntent(path=site.engine.engine.config, text=OPERATOR, base=digest(site.file))
    undo = ChangeAssignment(
        change=8,
        revision=8,
        phase=Phase.PREPARE,
        base=base,
        routing=deployed.routing.model_copy(update={"revision": 8, "routes": [], "files": [file]}),
        hand_back=[DEFAULT],
        timeout_s=30.0,
    )
    site.apply(undo)
    assert (site.default, site.file) == (EARLIER, boot_text(EngineKind.KERNEL, hops("grf1", "atmgw")))
    for phase in (Phase.VERIFY, Phase.CONFIRM):
        site.set_desired(changes=[undo.model_copy(update={"phase": phase})])
        report = site.until(
            NodePhase.VERIFIED if phase is Phase.VERIFY else NodePhase.CONFIRMED,
            NodePhase.ROLLED_BACK,
            change=8,
        )
        assert report.phase is not NodePhase.ROLLED_BACK, report.reason
    site.set_desired(changes=[], routing=undo.routing)
    assert (site.default, site.file) == (EARLIER, OPERATOR)
    site.stays(EARLIER)


def test_undo_without_a_known_state_before_is_refused(site: Site) -> None:
    site.start()
    wanted = site.assignment(7, "grf1", "atmgw")
    assert wanted.routing is not None
    routing_without = wanted.routing.model_copy(update={"routes": [], "files": []})
    site.set_desired(changes=[wanted.model_copy(update={"routing": routing_without, "hand_back": [DEFAULT]})])
    report = site.until(NodePhase.REFUSED, NodePhase.PREPARED, change=7)
    assert report.phase is NodePhase.REFUSED
    assert report.reason == "the routes to 0.0.0.0/0 before Backstay managed them are not known here"
