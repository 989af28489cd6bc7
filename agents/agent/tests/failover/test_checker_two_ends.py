"""Two real agents, one at each end, over gateways on one switch: the return path uses the blackholed gateway,
so the far end is unreachable through every gateway."""

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from backstay_testing.agent_process import AgentProcess
from backstay_testing.namespaces import Namespace, join, run_in
from backstay_testing.sink import Sink
from backstay_wire import (
    DecisionReport,
    Desired,
    Detection,
    Engine,
    EngineKind,
    Hop,
    NodeRouting,
    PathReport,
    PolicyRoute,
    Timers,
)

pytestmark = pytest.mark.netns
StartAgent = Callable[[Path, list[str], list[str]], AgentProcess]
NODE, ROUTER = "10.1.0.2", "10.99.0.1"
OUT, BACK = "0.0.0.0/0", "10.1.0.0/24"


@dataclass
class End:
    """One end and its agent."""

    space: Namespace
    policy: PolicyRoute
    sink: Sink
    agent: AgentProcess

    def leads(self) -> str:
        """The next hop of its kernel."""
        shown = subprocess.run(
            [*self.space.enter(), "/usr/sbin/ip", "-j", "route", "get", str(self.policy.target)],
            capture_output=True,
            check=True,
        )
        via = json.loads(shown.stdout)[0].get("gateway")
        return next((hop.gateway for hop in self.policy.hops if str(hop.address) == via), "")

    def decisions(self) -> list[DecisionReport]:
        reported = [one for one in self.sink.reports("decision") if isinstance(one, DecisionReport)]
        return [one for one in reported if one.reason != "start"]


def policy(name: str, prefix: str, target: str, next_hops: dict[str, tuple[str, str]]) -> PolicyRoute:
    hops = [
        Hop(gateway=gateway, address=address, port=port, preference=60 + 10 * place)
        for place, (gateway, (address, port)) in enumerate(next_hops.items())
    ]
    timers = Timers(hold_down_s=0)
    return PolicyRoute(
        policy=name, prefix=prefix, hops=hops, detection=Detection.CHECKER, timers=timers, target=target
    )


@pytest.fixture(scope="module")
def ends(
    make_namespace: Callable[[], Namespace],
    start_agent: StartAgent,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[End, End, Namespace]]:
    node, router, switch = make_namespace(), make_namespace(), make_namespace()
    gateways = {"grf1": make_namespace(), "atmgw": make_namespace()}
    switch.run("link", "add", "br0", "type", "bridge", "mcast_snooping", "0")
    switch.run("link", "set", "br0", "up")
    for port, space, name in (
        ("s0", node, "css0"),
        ("s1", gateways["grf1"], "in"),
        ("s2", gateways["atmgw"], "in"),
    ):
        join(space, name, switch, port)
        switch.run("link", "set", port, "master", "br0")
    node.run("address", "add", f"{NODE}/24", "dev", "css0")
    router.run("address", "add", f"{ROUTER}/32", "dev", "lo")
    for place, gateway in enumerate(gateways.values()):
        join(gateway, "out", router, f"at{place}")
        gateway.run("address", "add", f"10.1.0.{10 + place}/24", "dev", "in")
        gateway.run("address", "add", f"10.3.{place}.1/24", "dev", "out")
        router.run("address", "add", f"10.3.{place}.2/24", "dev", f"at{place}")
        subprocess.run([*gateway.enter(), "/usr/sbin/sysctl", "-qw", "net.ipv4.ip_forward=1"], check=True)
        for beyond in ("10.99.0.0/16", "10.3.0.0/16"):
            gateway.run("route", "add", beyond, "via", f"10.3.{place}.2")
        metric = ("proto", "201", "metric", str(60 + 10 * place))
        node.run("route", "add", OUT, "via", f"10.1.0.{10 + place}", "dev", "css0", *metric)
        router.run("route", "add", BACK, "via", f"10.3.{place}.1", "dev", f"at{place}", *metric)
    out = policy("out", OUT, ROUTER, {"grf1": ("10.1.0.10", "css0"), "atmgw": ("10.1.0.11", "css0")})
    back = policy("back", BACK, NODE, {"grf1": ("10.3.0.1", "at0"), "atmgw": ("10.3.1.1", "at1")})
    made = [
        _end(space, item, tmp_path_factory.mktemp(item.policy), start_agent)
        for space, item in ((node, out), (router, back))
    ]
    for end in made:
        _until(lambda e=end: _receives(e), 90)  # type: ignore[misc]
    time.sleep(3)  # each gateway has been probed for forwarding
    yield made[0], made[1], gateways["grf1"]
    for end in made:
        end.agent.stop()
        end.sink.stop()


def _end(space: Namespace, route: PolicyRoute, folder: Path, start_agent: StartAgent) -> End:
    engine = Engine(kind=EngineKind.KERNEL, config=str(folder / "routes"))
    routing = NodeRouting(revision=1, engine=engine, routes=[route], files=[])
    desired = Desired(
        generation=1, site="s", node=route.policy, sources=[], paths=[], engine=engine, routing=routing
    )
    sink = Sink(desired=desired)
    run_in(space, sink.start)
    agent = start_agent(folder, ["--backend", sink.url, "--token", sink.token], space.enter())
    return End(space, route, sink, agent)


def outages(end: End) -> list[float]:
    """Outages in ms, measured by the path's observer."""
    reported = [one for one in end.sink.reports("path") if isinstance(one, PathReport)]
    found = [one.switch.outage_ms for one in reported if one.switch is not None]
    return [item for item in found if item is not None]


def _receives(end: End) -> bool:
    reported = [one for one in end.sink.reports("path") if isinstance(one, PathReport)]
    return any(one.target_alive for one in reported)


def _until(done: Callable[[], bool], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_blackholed_gateway_on_the_return_path_is_survived(
    ends: tuple[End, End, Namespace],
) -> None:
    node, router, grf1 = ends
    assert (node.leads(), router.leads()) == ("grf1", "grf1")
    nft = [*grf1.enter(), "/usr/sbin/nft"]
    hook = "add chain ip cut f { type filter hook forward priority 0; policy drop; }"
    subprocess.run([*nft, f"add table ip cut; {hook}"], check=True)
    try:
        _until(lambda: (node.leads(), router.leads()) == ("atmgw", "atmgw"), 15)
        asked = [*node.space.enter(), "/usr/bin/ping", "-c1", "-W1", "-I", NODE, ROUTER]
        _until(lambda: subprocess.run(asked, capture_output=True, check=False).returncode == 0, 5)
        _until(lambda: bool(node.decisions() and router.decisions()), 10)
        for end in (node, router):
            first = end.decisions()[0]
            assert (first.reason, first.from_gateway, first.to_gateway) == ("failed", "grf1", "atmgw")
            assert first.evidence.startswith("grf1 does not forward: ")
        _until(lambda: bool(outages(node)), 15)
        assert outages(node)[0] < 3000  # far less on a quiet machine
    finally:
        subprocess.run([*nft, "delete table ip cut"], check=True)
    _until(lambda: (node.leads(), router.leads()) == ("grf1", "grf1"), 60)
    # No trial: each end identified the gateway.
    assert "tried" not in {one.reason for end in (node, router) for one in end.decisions()}
