"""Lost carrier and kernel routes: respected after a change is applied, as before after a rollback."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backstay_agent.engines import actuator_for
from backstay_agent.guard import snapshot
from backstay_agent.guard.restore import restore
from backstay_agent.guard.snapshot import Snapshot
from backstay_testing import engines
from backstay_testing.engines import DEFAULT, EngineProcess, hops, routing
from backstay_testing.namespaces import Namespace
from backstay_wire import EngineKind, Evidence

pytestmark = pytest.mark.netns


@pytest.fixture
def engine(make_namespace: Callable[[], Namespace]) -> Iterator[EngineProcess]:
    """Kernel routes, grf1 preferred to atmgw, in a kernel that ignores carrier."""
    make_namespace()  # skips where namespaces are unavailable
    folder = Path(tempfile.mkdtemp(prefix="bslink"))
    with engines.node() as place:
        made = EngineProcess(EngineKind.KERNEL, place, folder, hops("grf1", "atmgw")).start()
        yield made
        made.stop()
    shutil.rmtree(folder)


def heeded(engine: EngineProcess) -> list[str]:
    paths = [
        f"net.{family}.conf.{port}.ignore_routes_with_linkdown"
        for family in ("ipv4", "ipv6")
        for port in ("p1", "p2")
    ]
    return engine.node.ask("/usr/sbin/sysctl", "-n", *paths).split()


async def _applied(engine: EngineProcess) -> Snapshot:
    actuator = actuator_for(engine.engine)
    before = await snapshot.take(actuator, [DEFAULT], [engine.engine.config])
    await actuator.apply(routing(engine.engine, hops("grf1", "atmgw"), 2, engine.boot))
    return before


async def _restored(engine: EngineProcess, before: Snapshot) -> tuple[bool, list[Evidence]]:
    return await restore(actuator_for(engine.engine), before)


def test_carrier_loss_uses_the_next_route_and_rollback_restores_the_setting(
    engine: EngineProcess,
) -> None:
    assert heeded(engine) == ["0"] * 4
    before = engine.node.run(lambda: _applied(engine))
    assert heeded(engine) == ["1"] * 4
    engine.node.far.run("link", "set", "q1", "down")
    assert "via 10.77.2.1" in engine.node.ask("ip", "route", "get", engines.BEHIND)
    engine.node.far.run("link", "set", "q1", "up")
    good, evidence = engine.node.run(lambda: _restored(engine, before))
    assert good, evidence
    assert heeded(engine) == ["0"] * 4
