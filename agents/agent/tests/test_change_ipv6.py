"""A default route of IPv6 over two gateways, by a complete agent and each engine: applied, confirmed, failed
over, and rolled back.

The files are as `backend/backstay/core/rendering` writes them.
"""

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest

from backstay_agent.actuators.routing_state import prefixes, read
from backstay_agent.engines import actuator_for
from backstay_agent.host.boot_files import digest
from backstay_testing.agent_process import AgentProcess
from backstay_testing.engines import EngineProcess, Node, hops, node, routing, wait_until
from backstay_testing.namespaces import join
from backstay_testing.node_backend import NodeBackend, start_sink
from backstay_wire import (
    ChangeAssignment,
    ChangeProbe,
    ChangeReport,
    Detection,
    Engine,
    EngineKind,
    FileIntent,
    Hop,
    NodePhase,
    NodeRouting,
    Phase,
    PolicyRoute,
)
from backstay_wire.routing import marks

pytestmark = [pytest.mark.netns, pytest.mark.slow, pytest.mark.timeout(240)]
CONTROLLER = "10.78.0.1"
SIX = ip_network("::/0")
TARGET = "2001:db8:9::1"
GATEWAYS = {"grf1": ("2001:db8:1::1", "p1"), "atmgw": ("2001:db8:2::1", "p2")}
KERNEL_CHANNEL = "protocol kernel backstay_test { ipv6 { import none; export all; }; }\n"
StartAgent = Callable[[Path, list[str], list[str]], AgentProcess]


def six(*names: str) -> list[Hop]:
    """Gateways in this order, at preferences 60, 70."""
    return [
        Hop(
            gateway=name,
            address=ip_address(GATEWAYS[name][0]),
            port=GATEWAYS[name][1],
            preference=60 + 10 * at,
        )
        for at, name in enumerate(names)
    ]


def content(kind: EngineKind, ordered: list[Hop]) -> str:
    """The text between the marks."""
    if kind is EngineKind.KERNEL:
        line = "route replace ::/0 via {0.address} dev {0.port} proto 201 metric {0.preference}\n"
    elif kind is EngineKind.FRR:
        line = "ipv6 route ::/0 {0.address} {0.port} {0.preference}\n"
    else:
        line = (
            "protocol static backstay_six_{0.gateway} {{\n    ipv6 {{ preference {1}; }};\n"
            "    check link;\n    route ::/0 via {0.address};\n}}\n"
        )
    return "".join(line.format(hop, 260 - hop.preference) for hop in ordered)


def both(engine: Engine, names: list[str], revision: int) -> NodeRouting:
    """The default routes of IPv4, as the boot file has it, and IPv6."""
    current = Path(engine.config).read_text()
    four = routing(engine, hops("grf1", "atmgw"), revision, current)
    ordered = six(*names)
    opening, closing = marks("six", "::/0")
    block = f"{opening}\n{content(engine.kind, ordered)}{closing}\n"
    head = current.partition(f"{opening}\n")[0]
    variants = {}
    for leader in ordered:
        rest = [hop for hop in ordered if hop is not leader]
        places = zip([leader, *rest], ordered, strict=True)
        moved = [hop.model_copy(update={"preference": place.preference}) for hop, place in places]
        variants[leader.gateway] = content(engine.kind, moved)
    route = PolicyRoute(
        policy="six",
        prefix=SIX,
        hops=ordered,
        detection=Detection.CHECKER,
        target=ip_address(TARGET),
        variants=variants,
    )
    file = FileIntent(path=engine.config, text=head + block, base=digest(current))
    return NodeRouting(revision=revision, engine=engine, routes=[*four.routes, route], files=[file])


class Play(NodeBackend):
    """One node with its agent; the test plays the backend."""

    @property
    def place(self) -> Node:
        return self.engine.node

    def assignment(self, names: list[str], change: int) -> ChangeAssignment:
        engine, wanted = self.engine.engine, prefixes(self.sink.desired)
        base = self.place.run(lambda: read(actuator_for(engine), engine, wanted)).digest
        return ChangeAssignment(
            change=change,
            revision=change,
            phase=Phase.PREPARE,
            base=base,
            routing=both(engine, names, change),
            probes=[
                ChangeProbe(name="target", address=ip_address(TARGET)),
                *(
                    ChangeProbe(
                        name=f"{TARGET} through {hop.gateway}",
                        address=ip_address(TARGET),
                        via=hop.address,
                        port=hop.port,
                    )
                    for hop in six("grf1", "atmgw")
                    if hop.gateway == names[0]
                ),
            ],
            timeout_s=60,
        )

    def step(self, assignment: ChangeAssignment, phase: Phase, reached: NodePhase) -> ChangeReport:
        self.set_desired(changes=[assignment.model_copy(update={"phase": phase})])
        bad = {NodePhase.ROLLED_BACK, NodePhase.REFUSED, NodePhase.FAILED}
        report = self.until(reached, *bad, change=assignment.change)
        evidence = [item for item in report.evidence if not item.ok]
        assert report.phase is reached, (report.phase, report.reason, evidence)
        return report

    def six_route(self) -> str:
        """The gateway that the kernel uses for the target."""
        found = self.place.ask("ip", "-6", "-j", "route", "get", TARGET)
        return str(json.loads(found)[0].get("gateway", ""))

    def state(self) -> tuple[str, str, str]:
        routes = [self.place.ask("ip", family, "route", "show", "default") for family in ("-4", "-6")]
        return routes[0], routes[1], Path(self.engine.engine.config).read_text()

    def silence(self, port: str) -> None:
        """The gateway behind this port of the far side receives nothing."""
        hook = "type filter hook prerouting priority -300"
        rule = f"table inet silent {{ chain in {{ {hook}; iifname {port} drop; }}; }}"
        command = [*self.place.far.enter(), "/usr/sbin/nft", "-f", "-"]
        subprocess.run(command, input=rule, text=True, check=True, capture_output=True)


def with_ipv6(place: Node) -> None:
    for number, port in ((1, "p1"), (2, "p2")):
        place.space.run("address", "add", f"2001:db8:{number}::2/64", "dev", port, "nodad")
        place.far.run("address", "add", f"2001:db8:{number}::1/64", "dev", f"q{number}", "nodad")
    place.far.run("address", "add", f"{TARGET}/128", "dev", "lo")


@contextmanager
def played(kind: EngineKind, tmp_path: Path, start_agent: StartAgent) -> Iterator[Play]:
    with tempfile.TemporaryDirectory(prefix="bssix") as name, node() as place:
        Path(name).chmod(0o755)
        join(place.space, "mg", place.far, "mgfar")
        place.space.run("address", "add", "10.78.0.2/24", "dev", "mg")
        place.far.run("address", "add", f"{CONTROLLER}/24", "dev", "mgfar")
        with_ipv6(place)
        engine = EngineProcess(kind, place, Path(name) / "engine", hops("grf1", "atmgw"))
        if kind is EngineKind.BIRD:
            config = Path(engine.engine.config)
            config.write_text(config.read_text() + KERNEL_CHANNEL)
        engine.start()
        sink = start_sink(engine, host=CONTROLLER)
        agent = start_agent(tmp_path, ["--backend", sink.url, "--token", sink.token], place.space.enter())
        try:
            yield Play(engine, sink)
        finally:
            agent.stop()
            sink.stop()
            engine.stop()
            with suppress(OSError, ValueError, KeyError):
                watching = json.loads((tmp_path / "state/guard/watching.json").read_bytes())
                os.kill(watching["pid"], signal.SIGKILL)


@pytest.mark.parametrize("kind", [EngineKind.KERNEL, EngineKind.FRR, EngineKind.BIRD])
def test_default_route_of_ipv6_is_deployed_fails_over_and_rolls_back(
    kind: EngineKind, tmp_path: Path, start_agent: StartAgent
) -> None:
    with played(kind, tmp_path, start_agent) as play:
        first = play.assignment(["grf1", "atmgw"], 7)
        for phase, reached in (
            (Phase.PREPARE, NodePhase.PREPARED),
            (Phase.APPLY, NodePhase.APPLIED),
            (Phase.VERIFY, NodePhase.VERIFIED),
            (Phase.CONFIRM, NodePhase.CONFIRMED),
        ):
            play.step(first, phase, reached)
        assert first.routing is not None
        assert Path(play.engine.engine.config).read_text() == first.routing.files[0].text
        assert play.six_route() == "2001:db8:1::1"

        play.set_desired(changes=[], routing=first.routing)
        play.silence("q1")
        wait_until(lambda: play.six_route() == "2001:db8:2::1", 60)
        wait_until(lambda: " 10.77.2.1 " in play.place.ask("ip", "route", "get", "10.77.9.1"), 60)

        before = play.state()
        second = play.assignment(["atmgw", "grf1"], 8)
        play.step(second, Phase.PREPARE, NodePhase.PREPARED)
        play.step(second, Phase.APPLY, NodePhase.APPLIED)
        assert play.six_route() == "2001:db8:2::1"
        report = play.step(second, Phase.ROLL_BACK, NodePhase.ROLLED_BACK)
        assert all(item.ok for item in report.evidence if item.stage == "restored"), report.evidence
        assert play.state() == before
