"""The backend of one node with two gateways, as tests of its agent play it."""

from ipaddress import ip_address
from typing import Any

from backstay_agent.actuators.routing_state import read
from backstay_agent.engines import actuator_for
from backstay_testing.engines import BEHIND, DEFAULT, POLICY, EngineProcess, hops, wait_until
from backstay_testing.namespaces import run_in
from backstay_testing.sink import Sink
from backstay_wire import ChangeReport, Desired, GatewayAddress, NodePhase, PathWatch


def start_sink(process: EngineProcess, host: str = BEHIND, **desired: Any) -> Sink:
    """A started sink beyond the node's gateways, whose desired state watches the path through them."""
    gateways = [GatewayAddress(name=hop.gateway, address=hop.address) for hop in hops("grf1", "atmgw")]
    watch = PathWatch(policy=POLICY, prefix=DEFAULT, gateways=gateways, target=ip_address(BEHIND))
    state = {"generation": 1, "site": "lab", "node": "sp01", "sources": [], "paths": [watch], **desired}
    sink = Sink(desired=Desired.model_validate(state), host=host)
    run_in(process.node.far, sink.start)
    return sink


def running_digest(engine: EngineProcess) -> str:
    """Digest of the default route as it runs: the base of a change."""
    return engine.node.run(lambda: read(actuator_for(engine.engine), engine.engine, [DEFAULT])).digest


class NodeBackend:
    """Sets the agent's desired state, and waits for its reports of changes."""

    def __init__(self, engine: EngineProcess, sink: Sink) -> None:
        self.engine, self.sink = engine, sink

    def set_desired(self, **values: object) -> None:
        """The next generation of the desired state."""
        before = self.sink.desired
        self.sink.desired = before.model_copy(update={"generation": before.generation + 1, **values})

    def until(self, *phases: NodePhase, change: int) -> ChangeReport:
        """The newest report of a change in one of these phases, within 60 s."""

        def reported() -> list[ChangeReport]:
            found = [report for report in self.sink.reports("change") if isinstance(report, ChangeReport)]
            return [report for report in found if report.change == change and report.phase in phases]

        wait_until(lambda: bool(reported()), 60)
        return reported()[-1]
