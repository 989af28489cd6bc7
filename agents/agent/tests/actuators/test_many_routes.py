"""A router with thousands of managed routes: applied, confirmed, rolled back by real processes, in time."""

from collections.abc import Callable
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest

from backstay_agent.actuators.routing_state import read
from backstay_agent.engines import actuator_for
from backstay_agent.host.boot_files import digest
from backstay_testing.change_node import ChangedNode, changed_node
from backstay_testing.driver_node import CHANGE
from backstay_testing.engines import BEHIND, DEFAULT, boot_text, hops
from backstay_testing.namespaces import Namespace
from backstay_wire import (
    ChangeAssignment,
    ChangeProbe,
    Detection,
    EngineKind,
    FileIntent,
    NodePhase,
    NodeRouting,
    Phase,
    PolicyRoute,
)
from backstay_wire.routing import marks

pytestmark = [pytest.mark.netns, pytest.mark.slow]
COUNT = 5_000
STEP_S = 280.0
"""For each step; measured: 2 to 6 s on a quiet machine."""
PREFIXES = [ip_network(f"10.{100 + at // 65536}.{at // 256 % 256}.{at % 256}/32") for at in range(COUNT)]


def many(node: ChangedNode) -> NodeRouting:
    """A host route to each of `COUNT` nodes, by grf1 before atmgw, and the default."""
    ordered = hops("grf1", "atmgw")
    routes = [
        PolicyRoute(policy="back", prefix=prefix, hops=ordered, detection=Detection.CHECKER)
        for prefix in PREFIXES
    ]
    routes.append(PolicyRoute(policy="sp-default", prefix=DEFAULT, hops=ordered, detection=Detection.CHECKER))
    lines = []
    for prefix in PREFIXES:
        opening, closing = marks("back", str(prefix))
        batch = [
            f"route replace {prefix} via {hop.address} dev {hop.port} metric {hop.preference} proto 201"
            for hop in ordered
        ]
        lines += [opening, *batch, closing]
    engine = node.engine.engine
    text = boot_text(EngineKind.KERNEL, ordered) + "\n".join(lines) + "\n"
    file = FileIntent(path=engine.config, text=text, base=digest(node.engine.boot))
    return NodeRouting(revision=CHANGE, engine=engine, routes=routes, files=[file])


def propose(node: ChangedNode) -> None:
    engine = node.engine.engine
    base = node.node.run(lambda: read(actuator_for(engine), engine, [DEFAULT])).digest
    node.assignment = ChangeAssignment(
        change=CHANGE,
        revision=CHANGE,
        phase=Phase.PREPARE,
        base=base,
        routing=many(node),
        probes=[ChangeProbe(name="behind", address=ip_address(BEHIND))],
        probe_s=5.0,
        timeout_s=600.0,
    )
    node.want(Phase.PREPARE)


def installed(node: ChangedNode) -> int:
    return len(node.node.ask("ip", "route", "show", "proto", "201").splitlines())


@pytest.fixture
def node(make_namespace: Callable[[], Namespace]) -> object:
    with changed_node(EngineKind.KERNEL) as made:
        yield made


def test_thousands_of_routes_are_applied_confirmed_and_saved_in_time(node: ChangedNode) -> None:
    propose(node)
    node.until(NodePhase.PREPARED, seconds=STEP_S)
    for phase, reached in (
        (Phase.APPLY, NodePhase.APPLIED),
        (Phase.VERIFY, NodePhase.VERIFIED),
        (Phase.CONFIRM, NodePhase.CONFIRMED),
    ):
        node.want(phase)
        report = node.until(reached, NodePhase.ROLLED_BACK, NodePhase.FAILED, seconds=STEP_S)
        assert report.phase is reached, report.reason
    assert installed(node) == 2 * (COUNT + 1)
    assert Path(node.engine.engine.config).read_text() == many(node).files[0].text


def test_thousands_of_routes_are_rolled_back_in_time(node: ChangedNode) -> None:
    before = node.seen()
    propose(node)
    node.until(NodePhase.PREPARED, seconds=STEP_S)
    node.want(Phase.APPLY)
    report = node.until(NodePhase.APPLIED, NodePhase.ROLLED_BACK, NodePhase.FAILED, seconds=STEP_S)
    assert report.phase is NodePhase.APPLIED, report.reason
    node.want(Phase.ROLL_BACK)
    report = node.until(NodePhase.ROLLED_BACK, NodePhase.FAILED, seconds=STEP_S)
    assert report.phase is NodePhase.ROLLED_BACK, [item for item in report.evidence if not item.ok]
    assert node.seen() == before


def test_thousands_of_routes_are_switched_together(node: ChangedNode) -> None:
    actuator = actuator_for(node.engine.engine)
    routing = many(node)
    node.node.run(lambda: actuator.apply(routing))
    node.node.run(lambda: actuator.lead([(route, "atmgw") for route in routing.routes]))
    lines = node.node.ask("ip", "route", "show", "proto", "201").splitlines()
    assert len(lines) == 2 * (COUNT + 1)
    first = [line for line in lines if "metric 60" in line]
    assert len(first) == COUNT + 1
    assert all("via 10.77.2.1" in line for line in first)
