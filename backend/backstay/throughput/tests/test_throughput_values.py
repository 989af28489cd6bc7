"""Measurements of a cell from its nodes' reports: as received, not as sent."""

from __future__ import annotations

from typing import Any

from backstay.core.model.throughput import Measured
from backstay.inventory.models import Node
from backstay.throughput.models import TestAssignment, TestCell
from backstay.throughput.values import measured

SENT, RECEIVED = [30e6, 0.0, 30e6], [20e6, 19e6, 21e6]


def flow(rates: list[float], **more: Any) -> dict[str, Any]:
    return {
        "octets": 7_500_000,
        "seconds": 3.0,
        "rate": 20e6,
        "retransmits": 0,
        "packets": None,
        "lost": None,
        "streams": [],
        "spans": {"start_ms": [0, 1000, 2000], "rate": rates, "window": None},
        **more,
    }


def assignment(cell: TestCell, role: str, **directions: Any) -> TestAssignment:
    result = {
        "kind": "transfer",
        "mss": 1448,
        "path_mtu": 1500,
        "forward": None,
        "reverse": None,
        **directions,
    }
    return TestAssignment(cell=cell, node=Node(name=role), role=role, flow=0, report={"result": result})


def values(*, both: bool = False, server: bool = True, **more: Any) -> Measured:
    cell = TestCell(index=0, flows=[["client", "server"]], spec={"kind": "tcp", "direction": "forward"})
    back = {"reverse": flow(RECEIVED)} if both else {}
    assignments = [assignment(cell, "client", forward=flow(SENT, **more), **back)]
    if server:
        assignments.append(
            assignment(cell, "server", forward=flow(RECEIVED), **({"reverse": flow(SENT)} if both else {}))
        )
    found, _ = measured(cell, assignments)
    assert found is not None
    return found


def test_per_second_rates_are_the_receivers() -> None:
    assert values().seconds == tuple(RECEIVED)


def test_each_direction_uses_its_own_receiver() -> None:
    assert values(both=True).seconds == tuple(2 * one for one in RECEIVED)


def test_sender_rates_are_used_without_server_report() -> None:
    assert values(server=False).seconds == tuple(SENT)


def test_packet_rate_counts_received_packets() -> None:
    found = values(packets=60_000, lost=54_000)
    assert found.pps == 2_000
    assert found.loss == 0.9
    assert found.segments == 60_000
