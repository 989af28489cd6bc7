"""A standby that answers but does not forward, over real namespaces."""

import asyncio
import subprocess
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from backstay_agent.host.clock import HostClock
from backstay_agent.probes.echo import EchoProber
from backstay_agent.probes.standby import StandbyProbes
from backstay_agent.probes.via_gateway import ProbeStreams
from backstay_testing.namespaces import Namespace, join, run_in
from backstay_testing.ports import read_ports
from backstay_wire import GatewayAddress, PathWatch

pytestmark = pytest.mark.netns

TARGET = "10.99.0.1"
GATEWAYS = {"grf1": "10.1.0.1", "atmgw": "10.2.0.1"}
WATCH = PathWatch(
    policy="out",
    prefix="10.99.0.0/16",
    gateways=[GatewayAddress(name=name, address=address) for name, address in GATEWAYS.items()],
    target=TARGET,
)
MAX_WAIT_S, POLL_S = 30.0, 0.02


@dataclass(frozen=True)
class Lab:
    """A node, its two gateways, and a host behind both that answers by the first one."""

    node: Namespace
    gateways: dict[str, Namespace]

    def set_forwarding(self, gateway: str, enabled: bool) -> None:
        setting = f"net.ipv4.ip_forward={int(enabled)}"
        space = self.gateways[gateway]
        subprocess.run([*space.enter(), "/usr/sbin/sysctl", "-qw", setting], check=True)


@pytest.fixture
def lab(make_namespace: Callable[[], Namespace]) -> Lab:
    node, far = make_namespace(), make_namespace()
    gateways = {name: make_namespace() for name in GATEWAYS}
    found = Lab(node, gateways)
    for number, (name, gateway) in enumerate(gateways.items(), 1):
        join(node, f"p{number}", gateway, "in")
        join(gateway, "out", far, f"q{number}")
        node.run("address", "add", f"10.{number}.0.2/24", "dev", f"p{number}")
        gateway.run("address", "add", f"10.{number}.0.1/24", "dev", "in")
        gateway.run("address", "add", f"10.3.{number}.1/24", "dev", "out")
        far.run("address", "add", f"10.3.{number}.2/24", "dev", f"q{number}")
        gateway.run("route", "add", TARGET, "via", f"10.3.{number}.2")
        found.set_forwarding(name, True)
        far.run("route", "add", f"10.{number}.0.0/24", "via", f"10.3.{number}.1")
    far.run("address", "add", f"{TARGET}/32", "dev", "lo")
    node.run("route", "add", "10.99.0.0/16", "via", GATEWAYS["grf1"])
    return found


class Ping:
    """Keeps the gateway's link address known, as a path's own probes do."""

    answers = 0

    def sent(self, number: int, now_ns: int) -> None: ...

    def answered(self, number: int, rtt_us: int) -> None:
        self.answers += 1


async def until(condition: Callable[[], bool]) -> None:
    for _ in range(round(MAX_WAIT_S / POLL_S)):
        if condition():
            return
        await asyncio.sleep(POLL_S)
    raise TimeoutError


async def watch_standby(lab: Lab) -> None:
    prober, ports = EchoProber(HostClock()), await read_ports()
    streams = ProbeStreams(prober, ports)
    standby = StandbyProbes(WATCH, streams, ports, interval_ms=100)
    pings = {gateway.name: Ping() for gateway in WATCH.gateways}
    for gateway in WATCH.gateways:
        prober.add(gateway.address, 100, pings[gateway.name])
    standby.start()
    try:
        assert standby.forwards("atmgw") is None
        await until(lambda: all(standby.forwards(name) is True for name in GATEWAYS))
        lab.set_forwarding("atmgw", False)
        await until(lambda: standby.forwards("atmgw") is False)
        seen = pings["atmgw"].answers
        await until(lambda: pings["atmgw"].answers > seen + 3)
        assert standby.forwards("grf1") is True
        lab.set_forwarding("atmgw", True)
        await until(lambda: standby.forwards("atmgw") is True)
        standby.stop()
        assert standby.forwards("grf1") is None
    finally:
        streams.close()
        prober.close()


def test_standby_that_answers_but_does_not_forward_is_found(lab: Lab) -> None:
    run_in(lab.node, lambda: asyncio.run(watch_standby(lab)))
