"""A real agent notices that a daemon does not run its boot file, reports it, and makes it load the file.

BIRD and FRR are real; gated is the lab's stand-in. The active gateway stays the same throughout, so the
checker has nothing to switch.
"""

import contextlib
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
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
from backstay_testing.namespaces import Namespace, run_in
from backstay_testing.sink import Sink
from backstay_wire import Desired, EngineKind, RoutingReport

pytestmark = [pytest.mark.netns, pytest.mark.slow]
StartAgent = Callable[[Path, list[str], list[str]], AgentProcess]
ATMGW = "10.77.2.1"
NOTICED_S = 45.0
"""A daemon's state is read every ten seconds; the rest is for a busy machine."""
MENDED_S = 60.0
KINDS = {
    EngineKind.BIRD: shutil.which("bird") is not None,
    EngineKind.FRR: Path("/usr/lib/frr/staticd").exists(),
    EngineKind.GATED: True,
}


class Managed:
    """One engine, whose node is managed by a real agent."""

    def __init__(self, engine: EngineProcess, sink: Sink) -> None:
        self.engine, self.sink = engine, sink
        self._since = 0

    def mark(self) -> None:
        """From now on only new reports count."""
        with self.sink.lock:
            self._since = len(self.sink.stored)

    def reports(self) -> list[RoutingReport]:
        with self.sink.lock:
            found = [stored.report for stored in list(self.sink.stored.values())[self._since :]]
        return [report for report in found if isinstance(report, RoutingReport) and report.alive]

    def wait_for(self, wanted: Callable[[RoutingReport], bool], seconds: float) -> RoutingReport:
        with contextlib.suppress(TimeoutError):
            wait_until(lambda: any(map(wanted, self.reports())), seconds)
        for report in self.reports():
            if wanted(report):
                return report
        pytest.fail(f"no such report in {seconds:g} s: {[(r.detail, r.routes) for r in self.reports()]}")

    def run_other_gateways(self, *gateways: str) -> None:
        """Make the daemon run these; afterwards its boot file is as it was."""
        engine, config = self.engine.engine, Path(self.engine.engine.config)
        if engine.kind is EngineKind.FRR:
            gone = [hop for hop in hops("grf1", "atmgw") if hop.gateway not in gateways]
            commands = [f"no ip route 0.0.0.0/0 {hop.address} {hop.preference}" for hop in gone]
            argv = [part for command in ("configure terminal", *commands) for part in ("-c", command)]
            self.engine.node.ask("vtysh", "--vty_socket", engine.control, *argv)
            return
        text = boot_text(engine.kind, hops(*gateways))
        if engine.kind is EngineKind.BIRD:
            other = config.with_name("other.conf")
            other.write_text(text)
            self.engine.node.ask("birdc", "-s", engine.control, f'configure "{other}"')
            return
        config.write_text(text)
        self.engine.node.ask(engine.control, "reconfig")
        wait_until(lambda: self._gated_knows() == set(gateways))
        config.write_text(self.engine.boot)

    def _gated_knows(self) -> set[str]:
        self.engine.node.ask(self.engine.engine.control, "dump")
        dump = Path(self.engine.engine.dump).read_text()
        return {hop.gateway for hop in hops("grf1", "atmgw") if f"NextHop: {hop.address}" in dump}


def is_complete(report: RoutingReport) -> bool:
    return [len(route.hops) for route in report.routes] == [2] and not report.detail


def is_unloaded(report: RoutingReport) -> bool:
    return [route.loaded for route in report.routes] == [False]


@pytest.fixture(params=list(KINDS), ids=str)
def managed(
    request: pytest.FixtureRequest, make_namespace: Callable[[], Namespace], start_agent: StartAgent
) -> Iterator[Managed]:
    """grf1 before atmgw, confirmed, running and saved."""
    if not KINDS[request.param]:
        pytest.skip(f"{request.param} is not installed")
    folder = Path(tempfile.mkdtemp(prefix="bsload"))
    folder.chmod(0o755)
    with node() as place:
        engine = EngineProcess(request.param, place, folder / "engine", hops("grf1", "atmgw")).start()
        confirmed = routing(engine.engine, hops("grf1", "atmgw"), 2, engine.boot)
        desired = Desired(
            generation=1,
            site="lab",
            node="sp01",
            sources=[],
            paths=[],
            engine=engine.engine,
            routing=confirmed,
        )
        sink = Sink(desired=desired, host=BEHIND)
        run_in(place.far, sink.start)
        agent = start_agent(folder, ["--backend", sink.url, "--token", sink.token], place.space.enter())
        found = Managed(engine, sink)
        found.wait_for(is_complete, MENDED_S)
        found.mark()
        yield found
        agent.stop()
        sink.stop()
        engine.stop()
    shutil.rmtree(folder, ignore_errors=True)


def test_daemon_that_does_not_run_its_file_is_reported_and_made_to_load_it(managed: Managed) -> None:
    began = time.monotonic()
    managed.run_other_gateways("grf1")
    report = managed.wait_for(is_unloaded, NOTICED_S)
    assert f"{ATMGW} (70)" in report.detail
    assert "has not loaded its file" in report.detail
    assert [file.sha256 for file in report.files] == [
        file.base for file in routing(managed.engine.engine, hops("grf1"), 2, managed.engine.boot).files
    ], "the file is as intended"
    managed.wait_for(lambda later: later.seq > report.seq and is_complete(later), MENDED_S)
    assert time.monotonic() - began < NOTICED_S + MENDED_S
    assert Path(managed.engine.engine.config).read_text() == managed.engine.boot


@pytest.mark.parametrize("managed", [EngineKind.GATED], indirect=True, ids=str)
def test_reconfiguration_that_hangs_once_is_repeated(managed: Managed) -> None:
    """The others answer on a socket with a time limit of its own."""
    managed.run_other_gateways("grf1")
    managed.engine.hang_once("reconfig")
    report = managed.wait_for(is_unloaded, NOTICED_S)
    managed.wait_for(lambda later: later.seq > report.seq and is_complete(later), MENDED_S)
    assert not (managed.engine.folder / "gdc-hangs").exists(), "one attempt hung"


def test_file_that_somebody_else_changed_is_not_loaded(managed: Managed) -> None:
    config = Path(managed.engine.engine.config)
    managed.engine.boot += "# by hand\n"
    config.write_text(managed.engine.boot)
    managed.run_other_gateways("grf1")
    managed.mark()
    managed.wait_for(lambda report: [len(route.hops) for route in report.routes] == [1], NOTICED_S)
    time.sleep(5.0)  # several times what loading takes
    assert not any(is_complete(report) for report in managed.reports())
    assert config.read_text().endswith("# by hand\n")


@pytest.mark.parametrize("managed", [EngineKind.BIRD, EngineKind.FRR], indirect=True, ids=str)
def test_kernel_route_set_by_hand_is_named_when_it_overrides_the_daemon(managed: Managed) -> None:
    """gated lists the kernel's routes among its own."""
    managed.engine.node.space.run("route", "add", "default", "via", ATMGW, "dev", "p2")
    report = managed.wait_for(lambda report: bool(report.detail), NOTICED_S)
    assert "A kernel route set by hand overrides 0.0.0.0/0: packets go via 10.77.2.1." in report.detail
    managed.mark()
    managed.engine.node.space.run("route", "delete", "default", "via", ATMGW, "dev", "p2", "metric", "0")
    managed.wait_for(is_complete, MENDED_S)
