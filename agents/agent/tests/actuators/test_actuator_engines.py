"""The actuators with the real kernel, BIRD and FRR, each in its own namespace."""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backstay_agent.actuators.actuator import ActuatorError, RefusedError
from backstay_agent.actuators.routing_state import digest, read
from backstay_agent.engines import actuator_for
from backstay_agent.host import boot_files
from backstay_testing import engines
from backstay_testing.engines import DEFAULT, EngineProcess, boot_text, hops, routing, wait_until
from backstay_testing.namespaces import Namespace
from backstay_wire import EngineKind, FileIntent, NodeRouting, RunningRoute

pytestmark = [pytest.mark.netns, pytest.mark.slow]
KINDS = {
    EngineKind.KERNEL: True,
    EngineKind.BIRD: shutil.which("bird") is not None,
    EngineKind.FRR: Path("/usr/lib/frr/staticd").exists(),
    EngineKind.GATED: True,
}


@pytest.fixture(params=list(KINDS), ids=str)
def engine(
    request: pytest.FixtureRequest, make_namespace: Callable[[], Namespace]
) -> Iterator[EngineProcess]:
    """grf1 preferred to atmgw, running and saved."""
    if not KINDS[request.param]:
        pytest.skip(f"{request.param} is not installed")
    folder = Path(tempfile.mkdtemp(prefix="bsact"))
    folder.chmod(0o755)
    with engines.node() as place:
        made = EngineProcess(request.param, place, folder, hops("grf1", "atmgw")).start()
        yield made
        made.stop()
    shutil.rmtree(folder)


def order(routes: list[RunningRoute]) -> list[tuple[str, int, bool]]:
    (route,) = routes
    return [(str(hop.address), hop.preference, hop.active) for hop in route.hops]


def wanted(engine: EngineProcess, *gateways: str) -> NodeRouting:
    return routing(engine.engine, hops(*gateways), 2, engine.boot)


def default(engine: EngineProcess) -> str:
    """The next hop that the kernel uses; empty without a route."""
    try:
        return engine.node.ask("ip", "route", "get", engines.BEHIND)
    except subprocess.CalledProcessError:
        return ""


def lose_port(engine: EngineProcess) -> None:
    engine.node.space.run("link", "set", "p1", "down")
    wait_until(lambda: ATMGW in default(engine))


GRF1, ATMGW = "10.77.1.1", "10.77.2.1"


def test_running_routes_are_reported_with_preferences_and_active_hops(engine: EngineProcess) -> None:
    actuator = actuator_for(engine.engine)
    running = engine.node.run(lambda: actuator.running([DEFAULT]))
    assert order(running) == [(GRF1, 60, True), (ATMGW, 70, False)]
    lose_port(engine)
    fallen = engine.node.run(lambda: actuator.running([DEFAULT]))
    assert (ATMGW, 70, True) in order(fallen)


def test_change_is_applied_at_once_and_saved_only_on_confirm(engine: EngineProcess) -> None:
    actuator = actuator_for(engine.engine)
    new = wanted(engine, "atmgw", "grf1")
    engine.node.run(lambda: actuator.prepare(new))
    for _ in range(2):
        reached = engine.node.run(lambda: actuator.apply(new))
        assert order(reached) == [(ATMGW, 60, True), (GRF1, 70, False)]
    assert f"via {ATMGW}" in default(engine)
    if engine.engine.kind is not EngineKind.GATED:  # which reads only its boot file
        assert Path(engine.engine.config).read_text() == engine.boot
    engine.node.run(lambda: actuator.save(new.files))
    assert Path(engine.engine.config).read_text() == boot_text(engine.engine.kind, hops("atmgw", "grf1"))
    assert order(engine.node.run(lambda: actuator.running([DEFAULT])))[0] == (ATMGW, 60, True)


def test_temporary_failover_does_not_change_the_boot_file(
    engine: EngineProcess, record_property: Callable[[str, object], None]
) -> None:
    actuator = actuator_for(engine.engine)
    (route,) = wanted(engine, "grf1", "atmgw").routes
    began = time.monotonic()
    engine.node.run(lambda: actuator.lead([(route, "atmgw")]))
    record_property("lead_ms", round((time.monotonic() - began) * 1000, 1))
    assert order(engine.node.run(lambda: actuator.running([DEFAULT]))) == [
        (ATMGW, 60, True),
        (GRF1, 70, False),
    ]
    assert f"via {ATMGW}" in default(engine)
    engine.node.run(lambda: actuator.lead([(route, "grf1")]))
    assert order(engine.node.run(lambda: actuator.running([DEFAULT]))) == [
        (GRF1, 60, True),
        (ATMGW, 70, False),
    ]
    assert Path(engine.engine.config).read_text() == engine.boot
    with pytest.raises(ValueError, match="no gateway"):
        engine.node.run(lambda: actuator.lead([(route, "atm9")]))


def test_snapshot_restores_a_temporarily_active_gateway(engine: EngineProcess) -> None:
    actuator = actuator_for(engine.engine)
    (route,) = wanted(engine, "grf1", "atmgw").routes
    engine.node.run(lambda: actuator.lead([(route, "atmgw")]))
    before = engine.node.run(lambda: actuator.snapshot([DEFAULT]))
    led = Path(engine.engine.config).read_text()
    engine.node.run(lambda: actuator.apply(wanted(engine, "nobody", "atmgw", "grf1")))
    if engine.engine.kind is EngineKind.GATED:  # the snapshot's files are restored first
        Path(engine.engine.config).write_text(led)
    if engine.engine.kind is not EngineKind.KERNEL:  # the snapshot's kernel part does that
        engine.node.run(lambda: actuator.restore(before))
        wait_until(lambda: engine.node.run(lambda: actuator.running([DEFAULT])) == list(before.running))


def test_invalid_file_is_refused_by_the_engines_checker_without_changes(engine: EngineProcess) -> None:
    actuator = actuator_for(engine.engine)
    new = wanted(engine, "atmgw", "grf1")
    (file,) = new.files
    broken = file.model_copy(
        update={"text": file.text.replace("10.77.2.1", "10.77.2").replace("route ", "rout ", 3)}
    )
    before = engine.node.ask("ip", "route")
    with pytest.raises(RefusedError):
        engine.node.run(lambda: actuator.prepare(new.model_copy(update={"files": [broken]})))
    assert engine.node.ask("ip", "route") == before
    assert Path(engine.engine.config).read_text() == engine.boot
    assert [path.name for path in engine.folder.glob("*.backstay*")] == []


def test_gateway_that_is_not_on_link_is_refused(engine: EngineProcess) -> None:
    new = wanted(engine, "atmgw", "grf1")
    (route,) = new.routes
    away = route.hops[0].model_copy(update={"address": route.hops[0].address + 65536})
    far = route.model_copy(update={"hops": [away, route.hops[1]]})
    actuator = actuator_for(engine.engine)
    with pytest.raises(RefusedError, match="not on a network of port p2"):
        engine.node.run(lambda: actuator.prepare(new.model_copy(update={"routes": [far]})))


def test_boot_file_edited_meanwhile_is_not_overwritten(engine: EngineProcess) -> None:
    actuator = actuator_for(engine.engine)
    Path(engine.engine.config).write_text(engine.boot + "# by hand\n")
    with pytest.raises(ActuatorError, match="was changed since"):
        engine.node.run(lambda: actuator.save(wanted(engine, "atmgw", "grf1").files))
    assert Path(engine.engine.config).read_text().endswith("# by hand\n")


def test_digest_ignores_port_state_and_covers_preferences_and_files(
    engine: EngineProcess,
) -> None:
    actuator = actuator_for(engine.engine)
    before = engine.node.run(lambda: read(actuator, engine.engine, [DEFAULT]))
    if engine.engine.kind is not EngineKind.KERNEL:  # which drops the routes of a disabled port
        lose_port(engine)
        assert engine.node.run(lambda: read(actuator, engine.engine, [DEFAULT])).digest == before.digest
        engine.node.space.run("link", "set", "p1", "up")
    Path(engine.engine.config).write_text(engine.boot + "# by hand\n")
    assert engine.node.run(lambda: read(actuator, engine.engine, [DEFAULT])).digest != before.digest
    assert digest(before.routes[:0], before.files) != before.digest


@pytest.fixture
def gated(make_namespace: Callable[[], Namespace]) -> Iterator[EngineProcess]:
    """The lab's stand-in for gated, with grf1 before atmgw."""
    folder = Path(tempfile.mkdtemp(prefix="bsact"))
    with engines.node() as place:
        made = EngineProcess(EngineKind.GATED, place, folder, hops("grf1", "atmgw")).start()
        yield made
        made.stop()
    shutil.rmtree(folder)


def test_running_routes_of_gated_are_those_that_it_has_loaded_not_those_of_its_file(
    gated: EngineProcess,
) -> None:
    Path(gated.engine.config).write_text(boot_text(EngineKind.GATED, hops("atmgw", "grf1")))
    actuator = actuator_for(gated.engine)
    assert order(gated.node.run(lambda: actuator.running([DEFAULT]))) == [
        (GRF1, 60, True),
        (ATMGW, 70, False),
    ]


def test_file_that_is_right_but_was_not_read_is_loaded_by_apply(gated: EngineProcess) -> None:
    new = wanted(gated, "atmgw", "grf1")
    Path(gated.engine.config).write_text(new.files[0].text)
    actuator = actuator_for(gated.engine)
    reached = gated.node.run(lambda: actuator.apply(new))
    assert order(reached) == [(ATMGW, 60, True), (GRF1, 70, False)]


def test_file_that_is_right_but_was_not_read_is_loaded_by_a_switch(gated: EngineProcess) -> None:
    """As after a reconfiguration that timed out: the node stayed on the wrong gateway for 14 minutes."""
    (route,) = wanted(gated, "grf1", "atmgw").routes
    Path(gated.engine.config).write_text(boot_text(EngineKind.GATED, hops("atmgw", "grf1")))
    actuator = actuator_for(gated.engine)
    gated.node.run(lambda: actuator.lead([(route, "atmgw")]))
    assert f"via {ATMGW}" in default(gated)


@pytest.mark.parametrize("step", ["apply", "lead"])
def test_reconfiguration_that_hangs_is_repeated(gated: EngineProcess, step: str) -> None:
    actuator = actuator_for(gated.engine)
    gated.hang_once("reconfig")
    if step == "apply":
        gated.node.run(lambda: actuator.apply(wanted(gated, "atmgw", "grf1")))
    else:
        (route,) = wanted(gated, "grf1", "atmgw").routes
        gated.node.run(lambda: actuator.lead([(route, "atmgw")]))
    assert not (gated.folder / "gdc-hangs").exists(), "the first attempt hung"
    assert f"via {ATMGW}" in default(gated)


def test_reconfiguration_that_never_works_ends_in_an_error(gated: EngineProcess) -> None:
    actuator = actuator_for(gated.engine)
    gdc = Path(gated.engine.control)
    gdc.write_text(gdc.read_text().replace("exec ", 'if [ "$1" = reconfig ]; then exit 0; fi\nexec ', 1))
    began = time.monotonic()
    with pytest.raises(ActuatorError, match=r"10\.77\.2\.1 \(60\)"):
        gated.node.run(lambda: actuator.apply(wanted(gated, "atmgw", "grf1")))
    assert time.monotonic() - began < 30, "three attempts, each bounded"


def test_a_prefix_that_is_no_longer_ours_has_the_lines_of_the_operator(engine: EngineProcess) -> None:
    """As in an undo: the file is as it was by hand, without any block. The kernel reads no file."""
    if engine.engine.kind is EngineKind.KERNEL:
        pytest.skip("the agent sets the kernel's routes itself")
    actuator = actuator_for(engine.engine)
    by_hand = boot_text(engine.engine.kind, hops("atmgw"))
    text = "".join(line for line in by_hand.splitlines(keepends=True) if "backstay sp-default" not in line)
    file = FileIntent(path=engine.engine.config, text=text, base=boot_files.digest(engine.boot))
    without = wanted(engine, "grf1").model_copy(update={"routes": [], "files": [file]})
    engine.node.run(lambda: actuator.prepare(without))
    engine.node.run(lambda: actuator.apply(without))
    running = engine.node.run(lambda: actuator.running([DEFAULT]))
    assert order(running) == [(ATMGW, 60, True)]
    engine.node.run(lambda: actuator.save(without.files))
    assert Path(engine.engine.config).read_text() == text
