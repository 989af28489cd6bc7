"""API responses of throughput tests: a plan, its runs, a mesh, a paper's table."""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from typing import Any

from backstay.api.test_plans.schemas import TestPlanOut
from backstay.api.test_runs.present import reference_detail
from backstay.api.test_runs.schemas import (
    ComparisonOut,
    TestCellDetail,
    TestCellOut,
    TestGridOut,
    TestRunDetail,
    TestRunOut,
)
from backstay.throughput.selectors import references
from backstay_testing.cli.fake_server import AT

PAPER = "cern96.fig4"
SENTENCE = "Window-limited: 64 KiB / 3 ms = 175 Mb/s per stream."
VERDICT: dict[str, Any] = {
    "name": "window_limited", "confidence": "medium", "sentence": SENTENCE,
    "remedy": "Let both ends use larger windows.",
    "evidence": [
        {"text": "No processor is busy.", "supports": True},
        {"text": "Retransmits were not measured.", "supports": False},
    ],
    "numbers": {"window": 65536.0}, "suspect": "",
}  # fmt: skip
MEDIUM: dict[str, Any] = {"usable": 53.8e6, "hops": [], "rtt_s": 0.003, "production": None}


@cache
def paper(ident: str = PAPER) -> TestRunDetail:
    """A paper's table with its real cells and verdicts."""
    return reference_detail(references()[ident])


def parameters(**more: Any) -> dict[str, Any]:
    values = dict.fromkeys(
        ("buffer", "window", "send_buffer", "size", "offered_rate", "offered_pps", "mtu", "mss", "no_delay",
         "quick_ack")
    )  # fmt: skip
    return {**values, "kind": "tcp", "streams": 1, "direction": "forward", "congestion": "", "senders": 1,
            "receivers": 1, **more}  # fmt: skip


def measured(rate: float, **more: Any) -> dict[str, Any]:
    values = dict.fromkeys(
        ("duration_s", "retransmits", "segments", "loss", "pps", "rtt_s", "rtt_least_s", "cwnd", "cwnd_least",
         "peer_window", "path_mtu", "stalls")
    )  # fmt: skip
    return {**values, "rate": rate, "per_stream": [rate], "seconds": [rate], "cpu": [], **more}


def cell(index: int, rate: float | None = 40e6, ends: str = "sp01 sp02", **more: Any) -> TestCellOut:
    """A cell: done if it has a rate, otherwise pending."""
    sender, receiver = ends.split()
    flow = {"sender": sender, "receiver": receiver, "path": [sender, "grf1", receiver]}
    values = {
        "index": index, "key": str(index), "flows": [flow], "parameters": parameters(streams=1 + index),
        "state": "queued" if rate is None else "done", "detail": "", "start_at": None, "ended_at": None,
        "expected_s": 10.0, "rate": rate, "used": None if rate is None else rate / 53.8e6,
        "measured": None if rate is None else measured(rate), "medium": MEDIUM,
        "verdict": None if rate is None else {**VERDICT, "others": []},
    }  # fmt: skip
    return TestCellOut.model_validate(values | more)


def cell_detail() -> TestCellDetail:
    """The first cell with the report of each node."""
    assignment = {
        "id": 1, "node": "sp01", "node_id": 1, "role": "client", "flow": 0, "state": "done",
        "detail": "", "reported_at": AT, "started": AT, "ended": AT, "late_ms": 0.9, "program": "iperf3",
        "command": "iperf3 -c 10.1.0.2 -P 1", "host": None, "ports": [], "result": None,
    }  # fmt: skip
    other = {**VERDICT, "name": "cpu_endpoint", "sentence": "CPU-bound: sp01."}
    values = cell(0, verdict={**VERDICT, "others": [other]}).model_dump()
    return TestCellDetail.model_validate({**values, "assignments": [assignment]})


def run_line(state: str = "done", **more: Any) -> TestRunOut:
    """Run 12 of the plan `nightly`."""
    over = state in {"done", "cancelled", "failed"}
    values = {
        "id": "12", "name": "#12", "site": "argonne", "plan": "nightly", "plan_id": 3, "shape": "pair",
        "source": "lab", "state": state, "state_text": SENTENCE if over else "about to start", "since": AT,
        "age_s": 60.0, "waits_for": "", "person": "ada", "asked_at": AT,
        "began_at": AT + timedelta(seconds=5) if over else None,
        "ended_at": AT + timedelta(seconds=130) if over else None, "cells_total": 4,
        "cells_over": 4 if over else 0, "cells_bad": 0, "progress": 1.0 if over else 0.0,
        "remaining_s": None if over else 62.0, "verdict": VERDICT if over else None,
        "used": "87 % of usable at best" if over else "", "regression": None, "may_cancel": not over,
        "url": "/tests/runs/12",
    }  # fmt: skip
    return TestRunOut.model_validate(values | more)


def run(state: str = "done", cells: list[TestCellOut] | None = None, **more: Any) -> TestRunDetail:
    """The run with all cells: 1 to 4 streams."""
    rates = [13.4e6, 26.9e6, 40.3e6, 46.8e6]
    known = cells if cells is not None else [cell(at, rate) for at, rate in enumerate(rates)]
    named = [{"name": "window_limited", "cells": [item.index for item in known], "sentence": SENTENCE}]
    outcome: dict[str, Any] = {
        "cells": known,
        "asked": {},
        "outcome": "",
        "verdicts": named,
        "citation": None,
    }
    values = {**run_line(state, **more).model_dump(), **outcome, "conclusions": [], **more}
    return TestRunDetail.model_validate(values)


def waits(text: str) -> TestRunDetail:
    """The waiting run, with its reason."""
    return run("waiting", [cell(at, None) for at in range(4)], state_text=text, waits_for=text, verdicts=[])


def runs(over: int, text: str) -> TestRunDetail:
    """The run with `done` finished cells and a running one."""
    states = ["done"] * over + ["running"] + ["queued"] * (3 - over)
    cells = [cell(at, 40e6 if at < over else None, state=state) for at, state in enumerate(states)]
    return run("running", cells, state_text=text, cells_over=over, verdicts=[], began_at=AT)


HOSTS = ("sp01", "sp02", "sp03", "sp04")


def mesh(hosts: tuple[str, ...] = HOSTS, slow: str = "sp03") -> TestRunDetail:
    """A mesh in which one host sends slowly."""
    pairs = [(one, other) for one in hosts for other in hosts if one != other]
    cells = [
        cell(at, 9.5e6 if one == slow else 47.5e6, f"{one} {other}", parameters=parameters())
        for at, (one, other) in enumerate(pairs)
    ]
    return run("done", cells, shape="mesh", cells_total=len(cells), cells_over=len(cells))


def grid(of_run: str = "12") -> TestGridOut:
    """The conclusion from the newest run's pattern."""
    suspect = {"host": "sp03", "side": "sends", "rate": 9.5e6, "peer": "", "sentence": "sp03 sends slowly."}
    values = {
        "id": 3, "name": "nightly", "site": "argonne", "state": "done", "since": AT, "age_s": 1.0,
        "plan_id": 3, "run": of_run, "hosts": list(HOSTS), "cells": [], "usual": 47.5e6,
        "sentence": "sp03 sends slowly: 9.5 Mb/s.", "suspects": [suspect], "url": "/tests/grids/3",
    }  # fmt: skip
    return TestGridOut.model_validate(values)


def comparison(outcome: str = "slower") -> ComparisonOut:
    """Run 12 compared with the previous run 11."""
    differences = [
        {"parameters": parameters(), "before": 40e6, "after": 40e6, "change": 0.0, "outcome": "same"},
        {"parameters": parameters(streams=4, window=65536), "before": 40e6, "after": 30e6, "change": -0.25,
         "outcome": outcome},
    ]  # fmt: skip
    values = {
        "before": run_line(id="11", name="#11"), "after": run_line(), "outcome": outcome, "change": -0.125,
        "sentence": "One of 2 cells is slower.", "differences": differences, "only_before": [],
        "only_after": [parameters(streams=8)],
    }  # fmt: skip
    return ComparisonOut.model_validate(values)


def plan(**more: Any) -> TestPlanOut:
    """`nightly`, of four cells."""
    values = {
        "id": 3, "name": "nightly", "site": "argonne", "state": "idle", "state_text": "next in 3 h",
        "since": AT, "age_s": 60.0, "shape": "pair", "senders": ["sp01"], "receivers": ["sp02"],
        "fabric": "sp-switch",
        "matrix": {"kind": "tcp", "streams": [1, 2], "window": [65536], "duration_s": 10},
        "repeats": 2, "schedule": "0 3 * * *", "next_at": AT + timedelta(hours=15), "priority": 5,
        "quiet_percent": 50, "budget_bytes": None, "budget_s": 3600, "enabled": True, "note": "",
        "author": "ada", "created_at": AT, "cells": 4, "runs": 7, "last_run": run_line(), "may_run": True,
        "url": "/tests/plans/3",
    }  # fmt: skip
    return TestPlanOut.model_validate(values | more)


def throughput() -> dict[tuple[str, str], Any]:
    """The fake backend's data about throughput tests."""
    return {
        ("GET", "/test-plans"): [plan(), plan(id=4, name="fresh", last_run=None, runs=0)],
        ("GET", "/test-plans/3"): plan(),
        ("POST", "/test-plans"): (201, plan().model_dump(mode="json")),
        ("PUT", "/test-plans/3"): plan(),
        ("DELETE", "/test-plans/3"): (204, b""),
        ("POST", "/test-plans/3/run"): (201, run_line("queued").model_dump(mode="json")),
        ("GET", "/test-runs"): [run_line(), run_line("cancelled", id="11", name="#11")],
        ("GET", "/test-runs/12"): run(),
        ("GET", "/test-runs/12/cells/0"): cell_detail(),
        ("GET", f"/test-runs/{PAPER}"): lambda _: (200, paper().model_dump(mode="json")),
        ("POST", "/test-runs/12/cancel"): run("cancelled"),
        ("GET", "/test-runs/12/compare"): comparison(),
        ("GET", "/test-runs/12/export"): export,
        ("GET", "/test-grids/3"): grid(),
    }


def export(asked: Any) -> tuple[int, Any]:
    """The run as a file in the requested format."""
    if asked.query["format"] == "json":
        return 200, run().model_dump(mode="json")
    return 200, b"index,key,state\r\n0,sp\x1b01,done\r\n"
