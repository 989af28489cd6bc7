"""Parameters of a cell for the diagnosis: all flows and directions together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backstay.core.model.throughput_kinds import KINDS, Parameter
from backstay.throughput.models import TestCell
from backstay.throughput.values import parameters

PAIRS = [["sp01", "sp03"], ["sp02", "sp03"]]


@pytest.mark.parametrize(("direction", "offered"), [("forward", 40e6), ("reverse", 40e6), ("both", 80e6)])
def test_offered_rate_includes_all_streams_and_directions(direction: str, offered: float) -> None:
    spec = {"kind": "udp", "size": 1000, "rate": 10_000_000, "streams": 2, "direction": direction}
    assert parameters(TestCell(spec=spec, flows=PAIRS)).offered_rate == offered


def test_rdma_parameters_include_the_program() -> None:
    spec = {"kind": "rdma", "size": 65_536, "queue_pairs": 1, "program": "ib_send_lat"}
    assert parameters(TestCell(spec=spec, flows=PAIRS)).program == "ib_send_lat"
    assert parameters(TestCell(spec={"kind": "ping", "size": 64, "rate": 1.0}, flows=PAIRS)).program == ""


def test_offered_echo_rate_is_per_flow() -> None:
    found = parameters(TestCell(spec={"kind": "ping", "size": 64, "rate": 50.0}, flows=PAIRS))
    assert (found.offered_pps, found.streams) == (50.0, 2)


def test_unknown_varied_parameter_keeps_cells_separate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    burst = Parameter("burst", "Bursts", term="bursts")
    kind = replace(KINDS["udp"], parameters=(*KINDS["udp"].parameters, burst))
    monkeypatch.setitem(KINDS, "udp", kind)
    spec = {"kind": "udp", "size": 1000, "rate": 10_000_000, "burst": 10}
    assert parameters(TestCell(spec=spec, flows=PAIRS)).other == "bursts 10"
    assert parameters(TestCell(spec={"kind": "tcp", "nodelay": True}, flows=PAIRS)).other == ""
