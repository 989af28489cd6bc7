"""The checker and moves over a simulated host: decisions, switches, restarts."""

import asyncio
from ipaddress import ip_address
from pathlib import Path

import pytest

from backstay_agent.probes.via_gateway import ProbeStream
from backstay_testing.checked_host import GATEWAYS, PREFIX, TARGET, CheckedHost, link, route
from backstay_testing.clock import ManualClock
from backstay_wire import DecisionReport, Detection, PathMove

pytestmark = pytest.mark.anyio


async def test_policies_with_the_same_target_and_gateways_share_their_probes(host: CheckedHost) -> None:
    host.care(route(), route(policy="other"))
    await host.run(10)
    assert host.network.frames == pytest.approx(400, abs=4)
    assert host.network.looped == pytest.approx(10, abs=2)
    assert host.network.sockets == 2  # the returned packet is read from the wire


async def test_blackholed_gateway_is_left_even_if_replies_arrive_through_it(
    host: CheckedHost,
) -> None:
    host.network.back = GATEWAYS["grf1"]
    host.care(route())
    await host.run(5)
    host.network.dropping = {GATEWAYS["grf1"]}
    await host.run(0.3)
    assert host.decisions()[-1] == ("failed", "grf1", "atmgw")
    assert host.actuator.led == ["atmgw"]
    reported = host.reports[-1]
    assert isinstance(reported, DecisionReport)
    assert "grf1 does not forward: 3 of 3 probes" in reported.evidence


async def test_gateway_probes_slow_down_while_the_target_is_dead(host: CheckedHost) -> None:
    host.care(route())
    await host.run(5)
    before = host.network.looped
    host.network.silent = {TARGET}
    await host.run(3)
    soon = host.network.looped - before
    await host.run(27)
    assert 80 <= soon <= 140
    assert host.network.looped - before - soon < 200


async def test_trial_continues_after_a_restart(host: CheckedHost) -> None:
    host.care(route())
    await host.run(5)
    host.network.silent = {TARGET}
    await host.run(6)
    assert host.decisions()[-1] == ("tried", "grf1", "atmgw")
    await host.end()
    host.begin()
    host.care(route())
    before = len(host.decisions())
    await host.run(25)
    assert host.decisions()[before - 1 :][:3] == [
        ("start", "atmgw", "atmgw"),
        ("tried", "atmgw", "grf1"),
        ("no_gateway", "grf1", "grf1"),
    ]
    assert len(host.decisions()) == before + 2


async def test_no_failover_during_a_change_and_the_kernel_state_counts_afterwards(host: CheckedHost) -> None:
    host.care(route())
    await host.run(1)
    host.care(route(), paused=True)
    host.network.silent = {GATEWAYS["grf1"]}
    await host.run(5)
    assert host.actuator.led == []
    host.view.forward("atmgw")
    host.care(route())
    await host.run(3)
    assert host.actuator.led == []
    assert host.decisions() == [("start", "grf1", "grf1")]


async def test_failing_engine_is_reported_and_retried(host: CheckedHost) -> None:
    host.care(route())
    await host.run(1)
    host.actuator.trouble = "bird went away"
    host.network.silent = {GATEWAYS["grf1"]}
    await host.run(1)
    reported = host.reports[-1]
    assert isinstance(reported, DecisionReport)
    assert "the engine was not switched: bird went away" in reported.evidence
    await host.run(4)
    assert host.actuator.led.count("atmgw") >= 3
    host.actuator.trouble = ""
    await host.run(10)
    assert host.checker.borrow(route()).active == "atmgw"  # type: ignore[union-attr]


async def test_policies_that_lose_their_gateway_together_are_switched_at_once(host: CheckedHost) -> None:
    host.care(*(route(policy=f"out{number}") for number in range(5)))
    await host.run(1)
    host.network.silent = {GATEWAYS["grf1"]}
    await host.run(1)
    assert host.actuator.led == ["atmgw"] * 5
    assert host.actuator.batches == [5]


async def test_removed_policy_leaves_its_route_unchanged(host: CheckedHost) -> None:
    host.care(route())
    await host.run(1)
    host.care()
    sent = host.network.frames
    host.network.silent = {GATEWAYS["grf1"]}
    await host.run(3)
    assert host.network.frames == sent
    assert host.actuator.led == []


async def test_gateways_on_a_port_without_link_addresses_are_judged_by_direct_probes(
    host: CheckedHost,
) -> None:
    host.view.links = {2: link(2, "css0", mac="")}
    host.care(route())
    await host.run(1)
    reported = host.reports[0]
    assert isinstance(reported, DecisionReport)
    assert "the target cannot be reached through each of grf1, atmgw" in reported.evidence
    assert host.network.frames == 0
    host.network.silent = {GATEWAYS["grf1"]}
    await host.run(3)
    assert host.decisions()[-1] == ("failed", "grf1", "atmgw")


async def test_bfd_policy_is_returned_to_its_daemon_after_a_move(host: CheckedHost) -> None:
    bfd = route(Detection.BFD)
    host.care(bfd)
    move = PathMove(id="m", policy="out", prefix=PREFIX, gateway="atmgw", seconds=20)
    host.moves.take_up([move], [bfd])
    # These waits use the real clock.
    for _ in range(40):
        await host.run(1)
        await asyncio.sleep(0.06 if len(host.actuator.led) < 1 else 0)
        if host.actuator.led:
            break
    assert host.actuator.led == ["atmgw"]
    host.moves.take_up([], [bfd])
    for _ in range(100):
        await host.run(0.1)
        await asyncio.sleep(0.01)
        if len(host.actuator.led) > 1:
            break
    assert host.actuator.led == ["atmgw", "grf1"]


async def test_move_fails_and_returns_at_once_if_its_gateway_dies(host: CheckedHost) -> None:
    host.care(route())
    await host.run(1)
    host.moves.take_up(
        [PathMove(id="m", policy="out", prefix=PREFIX, gateway="atmgw", seconds=600)], [route()]
    )
    await host.run(1)
    assert host.decisions()[-1] == ("moved", "grf1", "atmgw")
    host.network.silent = {GATEWAYS["atmgw"]}
    await host.run(1)
    assert host.decisions()[-1] == ("failed", "atmgw", "grf1")
    for _ in range(20):
        await asyncio.sleep(0.02)
        await host.run(0.1)
    host.network.silent = set()
    await host.run(5)
    assert host.decisions()[-1] == ("failed", "atmgw", "grf1")


async def test_damping_and_active_gateway_survive_a_restart(host: CheckedHost) -> None:
    host.care(route(recover_after=2))
    await host.run(1)
    for _ in range(2):
        host.network.silent = {GATEWAYS["grf1"]}
        await host.run(0.5)
        host.network.silent = set()
        await host.run(3)
    host.network.silent = {GATEWAYS["grf1"]}
    await host.run(0.5)
    assert host.decisions()[-1] == ("failed", "grf1", "atmgw")
    await host.end()
    host.network.silent = set()
    host.reports.clear()
    host.begin()
    host.care(route(recover_after=2))
    await host.run(2)
    # The third failure excludes grf1 for four seconds, also across a restart.
    assert host.decisions() == [("start", "atmgw", "atmgw")]
    await host.run(4)
    assert host.decisions()[-1] == ("recovered", "atmgw", "grf1")


async def test_damaged_state_file_is_ignored(
    clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = tmp_path / "failover.json"
    state.write_text('{"leads": 7')
    broken = CheckedHost(clock, state, monkeypatch.setattr)
    broken.care(route())
    await broken.run(1)
    assert broken.decisions() == [("start", "grf1", "grf1")]
    await broken.end()


def test_probe_stream_is_identified_by_its_path() -> None:
    one = ProbeStream(ip_address("10.1.0.1"), "css0", ip_address(TARGET), 50)
    assert one == ProbeStream(ip_address("10.1.0.1"), "css0", ip_address(TARGET), 50)
    assert one != ProbeStream(ip_address("10.1.0.1"), "at0", ip_address(TARGET), 50)
