"""Counts of the verdict benchmark: right, wrong and confidently wrong backend verdicts."""

from __future__ import annotations

import time
from typing import Any
from uuid import uuid4

import pytest

from backstay.core.model.throughput import Confidence, Verdict, VerdictName
from backstay_wire import Flow, HostLoad, Role, Spans, StreamResult, TestReport, TestState, TransferResult
from bench.verdicts import Outcome, figures, judged, line, table

RATE = 95_000_000.0


def report(role: Role, state: TestState = TestState.DONE, achieved: float = RATE) -> dict[str, Any]:
    """One node's final report of a cell of three seconds."""
    flow = Flow(
        octets=round(achieved * 3 / 8),
        seconds=3.0,
        rate=achieved,
        sent=achieved,
        retransmits=0,
        streams=[StreamResult(sent=achieved, received=achieved, retransmits=0)],
        spans=Spans(start_ms=[0, 1000, 2000], rate=[achieved] * 3),
    )
    load = HostLoad(
        cpus=2, busy=20, busiest=30, softirq=5, busiest_softirq=5, system=10, steal=0, busy_spans=[20.0]
    )
    result = TransferResult(forward=flow, mss=1448) if role is Role.CLIENT else None
    answer = TestReport(
        boot=uuid4(), seq=1, device="x", at=time.time_ns(), assignment=1, run=1, cell=1, role=role,
        state=state, result=result, host=load,
    )  # fmt: skip
    node = {Role.CLIENT: "client", Role.SERVER: "server"}.get(role, "gate")
    return {"node": node, "role": role.value, "report": answer.model_dump(mode="json")}


def fault(**more: Any) -> dict[str, Any]:
    """A hop of 100 Mb/s behind a fabric of 800 Mb/s, tested with one and two streams."""
    return {
        "kind": "narrow",
        "name": "narrow-1",
        "set": "100 Mb/s",
        "expected": ["narrow_hop"],
        "suspect": "gate: mid0",
        "others": 0.0,
        "medium": {
            "usable": 1e8,
            "ends": 8e8,
            "senders": {"forward": [["client", "fab0"]], "reverse": [["server", "sv0"]]},
            "seen": [],
            "links": [["1", True], ["2", True]],
            "sampled": {},
            "hops": [
                {"name": "gate: ga0", "usable": 8e8, "mtu": 1500},
                {"name": "gate: mid0", "usable": 1e8, "mtu": 1500},
            ],
        },
        "cells": [
            {
                "spec": {"kind": "tcp", "streams": streams, "buffer": 131072, "duration_s": 3},
                "start_at": time.time_ns(),
                "reports": [report(Role.SERVER), report(Role.CLIENT), report(Role.OBSERVER)],
            }
            for streams in (1, 2)
        ],
        **more,
    }


def outcome(name: VerdictName, confidence: Confidence, suspect: str = "", **more: Any) -> Outcome:
    return Outcome(fault(**more), Verdict(name, confidence, "Said."), ("done", "done"))


def test_bench_verdicts_equal_the_backends() -> None:
    found = judged(fault())
    assert (found.verdict.name, found.verdict.suspect, found.right) == ("narrow_hop", "gate: mid0", True)
    assert found.states == ("done", "done")
    assert line(found).split()[:4] == ["narrow-1", "ok", "95", "Mb/s"]


def test_right_cause_at_the_wrong_hop_is_wrong() -> None:
    found = judged(fault(suspect="gate: ga0"))
    assert not found.right
    assert found.confidently_wrong


@pytest.mark.parametrize(
    ("name", "confidence", "surely"),
    [("cpu_gateway", "high", True), ("cpu_gateway", "medium", False), ("inconclusive", "high", False)],
)
def test_only_a_wrong_cause_with_high_confidence_is_confidently_wrong(
    name: VerdictName, confidence: Confidence, surely: bool
) -> None:
    found = outcome(name, confidence)
    assert not found.right
    assert found.confidently_wrong is surely


def test_healthy_paths_count_separately_from_faults() -> None:
    right = outcome("narrow_hop", "high", suspect="")
    right = Outcome(fault(suspect=""), right.verdict, right.states)
    healthy = outcome("cpu_endpoint", "high", kind="healthy", expected=["medium_limited"], suspect="")
    counted = figures([right, healthy])["figures"]
    assert counted["faults"]["ours"] == 1
    assert counted["right"]["ours"] == 1.0
    assert counted["confidently_wrong"] == {
        "ours": 1, "peer": None, "peer_name": "", "floor": None, "goal": 0, "unit": "", "met": False,
    }  # fmt: skip
    assert counted["healthy_right"]["ours"] == 0
    assert [row.split() for row in table([right, healthy])[1:]] == [
        ["narrow", "1", "1", "0"],
        ["healthy", "1", "0", "1"],
    ]


def test_load_of_other_programs_is_printed() -> None:
    assert "others took" not in line(outcome("narrow_hop", "high", others=0.2))
    assert line(outcome("narrow_hop", "high", others=0.6)).endswith("[others took 60% of the processors]")


def test_unmeasured_cell_is_printed() -> None:
    silent = fault()
    for cell in silent["cells"]:
        cell["reports"] = [report(Role.SERVER), report(Role.CLIENT, TestState.REFUSED)]
    found = judged(silent)
    assert found.states == ("refused", "refused")
    assert "[refused]" in line(found)
    lost = fault()
    for cell in lost["cells"]:
        cell["reports"][1]["report"] = None
    assert judged(lost).states == ("lost_agent", "lost_agent")
    assert figures([found])["figures"]["not_measured"]["ours"] == 1
