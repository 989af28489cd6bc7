"""Probes of a change: all are sent, few at once, and a report lists what fits into it. Then what runs is
compared."""

import asyncio
from ipaddress import ip_address, ip_network

import pytest

from backstay_agent.changes.verification import compare_running, managed_lines, verify
from backstay_wire import ChangeProbe, RunningHop, RunningRoute
from backstay_wire.change import MAX_PROBES

pytestmark = pytest.mark.anyio


class Network:
    """Answers each echo after a moment, except for addresses of the dead network."""

    def __init__(self) -> None:
        self.active = self.most = 0
        self.answered: set[str] = set()

    async def echo(self, probe: ChangeProbe) -> float | None:
        self.active += 1
        self.most = max(self.most, self.active)
        try:
            await asyncio.sleep(0.002)
        finally:
            self.active -= 1
        if str(probe.address).startswith("10.66."):
            return None
        self.answered.add(str(probe.address))
        return 0.4


async def reach() -> bool:
    return True


def probes(network: str, count: int) -> list[ChangeProbe]:
    addresses = [f"{network}.{number // 250}.{number % 250 + 1}" for number in range(count)]
    return [ChangeProbe(name=f"{address} through grf1", address=address) for address in addresses]


async def test_as_many_probes_as_a_change_may_have_are_sent_few_at_once() -> None:
    network = Network()
    found = await verify(probes("10.9", MAX_PROBES), network.echo, reach, probe_s=30, left_s=60)
    assert len(network.answered) == MAX_PROBES
    assert network.most == 64
    assert all(item.ok for item in found)
    assert (found[-2].what, found[-2].found) == (f"{MAX_PROBES - 32} other probes", "answered")
    assert found[-1].what == "controller"


async def test_lost_probes_delay_no_others_and_come_first_in_the_report() -> None:
    network = Network()
    sent = [*probes("10.66", 100), *probes("10.9", 100)]
    found = await verify(sent, network.echo, reach, probe_s=1.5, left_s=60)
    assert len(network.answered) == 100
    assert [item.ok for item in found] == [False] * 33 + [True] * 34
    assert found[0].found.endswith("lost in 1.5 s")
    assert (found[32].what, found[32].found) == ("68 other probes", "not answered")
    assert {item.stage for item in found} == {"probed"}


async def test_evidence_of_few_probes_keeps_their_order() -> None:
    sent = [*probes("10.9", 2), *probes("10.66", 1), *probes("10.8", 2)]
    found = await verify(sent, Network().echo, reach, probe_s=0.5, left_s=60)
    assert [item.what for item in found] == [*(probe.name for probe in sent), "controller"]


@pytest.mark.parametrize(
    ("before", "now", "ok"),
    [
        ((True, 60), (True, 60), True),
        # BIRD puts a route in use once the BFD session of its gateway is up.
        ((False, 60), (True, 60), True),
        ((True, 60), (False, 60), False),
        ((False, 60), (True, 70), False),
    ],
)
async def test_a_route_may_come_into_use_after_it_was_applied(
    before: tuple[bool, int], now: tuple[bool, int], ok: bool
) -> None:
    assert compare_running(lines(*before), lines(*now)).ok is ok


def lines(active: bool, preference: int) -> list[str]:
    """Of one route with one gateway."""
    prefix = ip_network("10.1.0.0/18")
    hop = RunningHop(address=ip_address("10.2.0.1"), port="en0", preference=preference, active=active)
    return managed_lines([RunningRoute(prefix=prefix, hops=[hop])], None, [prefix])
