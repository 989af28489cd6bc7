"""Routes that something else changed, and holds: the checker over a simulated host."""

from dataclasses import replace

import pytest

from backstay_testing.checked_host import GATEWAYS, PREFIX, CheckedHost, link, route
from backstay_wire import DecisionReport, PathMove

pytestmark = pytest.mark.anyio


def restorations(host: CheckedHost) -> list[DecisionReport]:
    kinds = {"restored", "not_restored"}
    return [one for one in host.reports if isinstance(one, DecisionReport) and one.reason in kinds]


async def test_a_route_that_something_else_changed_is_restored_and_reported(host: CheckedHost) -> None:
    host.care(route())
    await host.run(2)
    host.view.forward("atmgw")
    await host.run(2)
    assert host.decisions() == [("start", "grf1", "grf1"), ("restored", "atmgw", "grf1")]
    assert host.actuator.led == ["grf1"]
    reported = restorations(host)[0]
    assert f"found {PREFIX} via 10.1.0.2 dev css0 metric 0 (static: set as static)" in reported.evidence
    assert f"instead of {PREFIX} via grf1; restored" in reported.evidence
    assert reported.times == 1


async def test_repeated_manual_changes_are_reported_once_a_minute_with_their_number(
    host: CheckedHost,
) -> None:
    host.care(route())
    await host.run(2)
    for _ in range(6):
        host.view.forward("atmgw")
        await host.run(3)
    assert [one.times for one in restorations(host)] == [1]
    await host.run(45)
    assert [one.times for one in restorations(host)] == [1, 5]
    await host.run(120)
    assert [one.times for one in restorations(host)] == [1, 5]


async def test_a_removed_route_is_restored_and_reported(host: CheckedHost) -> None:
    host.care(route())
    await host.run(2)
    host.view.routes.replace_all([])
    await host.run(2)
    assert host.decisions()[-1] == ("restored", "", "grf1")
    assert f"found no route to {PREFIX}" in restorations(host)[0].evidence


async def test_a_route_that_cannot_be_restored_is_reported_with_the_reason(host: CheckedHost) -> None:
    host.care(route())
    await host.run(2)
    host.view.forward("atmgw")
    host.actuator.trouble = "bird went away"
    await host.run(5)
    assert [one.reason for one in restorations(host)] == ["not_restored"]
    assert "bird went away" in restorations(host)[0].evidence
    host.actuator.trouble = ""
    await host.run(10)
    assert [one.reason for one in restorations(host)] == ["not_restored", "restored"]


async def test_routes_that_the_kernel_drops_with_a_port_are_no_manual_change(host: CheckedHost) -> None:
    host.care(route())
    await host.run(2)
    up = link(2, "css0")
    host.view.links = {2: replace(up, flags=0x1)}
    host.checker.ports_read()
    host.view.routes.replace_all([])
    await host.run(3)
    host.view.links = {2: up}
    host.checker.ports_read()
    await host.run(3)
    assert host.view.routes.all()
    assert restorations(host) == []


async def test_a_held_node_keeps_an_operators_route_and_is_restored_afterwards(host: CheckedHost) -> None:
    host.care(route())
    await host.run(2)
    host.checker.hold(held=True)
    host.view.forward("atmgw")
    await host.run(5)
    host.network.silent = {GATEWAYS["atmgw"]}
    await host.run(5)
    assert host.actuator.led == []
    host.network.silent = set()
    await host.run(5)
    host.checker.hold(held=False, ended="the hold of alice is over")
    await host.run(1)
    assert host.decisions() == [("start", "grf1", "grf1"), ("restored", "atmgw", "grf1")]
    assert restorations(host)[0].evidence.startswith("the hold of alice is over; found ")


async def test_a_hold_outlives_the_process_and_nothing_is_reported_if_nothing_differs(
    host: CheckedHost,
) -> None:
    host.care(route())
    await host.run(2)
    host.checker.hold(held=True)
    host.view.forward("atmgw")
    await host.end()
    host.begin()
    host.checker.hold(held=True)
    host.care(route())
    await host.run(5)
    assert host.actuator.led == []
    host.view.forward("grf1")
    await host.run(1)
    host.checker.hold(held=False, ended="the hold of alice is over")
    await host.run(2)
    assert restorations(host) == []
    assert host.actuator.led == ["grf1"]


async def test_a_move_on_a_held_node_is_refused(host: CheckedHost) -> None:
    host.care(route())
    host.moves.held = True
    move = PathMove(id="m", policy="out", prefix=PREFIX, gateway="atmgw", seconds=20)
    host.moves.take_up([move], [route()])
    await host.run(1)
    assert host.move_states() == ["refused"]
