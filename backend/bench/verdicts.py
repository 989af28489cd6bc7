#!/usr/bin/env python3
"""`backend/bench/verdicts.py FILE`: evaluates the measurements of `python -m backstay_bench.verdicts FILE`.

The reports are processed like every agent's: the stored part, the measured values of each cell, and the run's
verdict. Prints one line per fault, a table and `BENCH {...}`.
Exits 0 when everything was measured, whether or not the goals are met.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import django

BACKEND = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(BACKEND))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("BACKSTAY_DEBUG", "1")
django.setup()

from backstay.core.diagnosis.throughput.run import judge_run  # noqa: E402
from backstay.core.formatting import rate  # noqa: E402
from backstay.core.model.throughput import Verdict  # noqa: E402
from backstay.inventory.models import Node  # noqa: E402
from backstay.telemetry.facts import Facts  # noqa: E402
from backstay.telemetry.ingest.clock import Correction, moment  # noqa: E402
from backstay.telemetry.ingest.execution_reports import apply_test  # noqa: E402
from backstay.throughput import run_lifecycle  # noqa: E402
from backstay.throughput.cross_traffic import CrossTraffic  # noqa: E402
from backstay.throughput.models import TestAssignment, TestCell  # noqa: E402
from backstay.throughput.values import measured  # noqa: E402
from backstay.throughput.verdicts import matrix  # noqa: E402
from backstay_wire import TestReport  # noqa: E402

GOAL_RIGHT, GOAL_FAULTS = 0.90, 60
HEALTHY = "healthy"
DISTURBED = 0.25
"""From this share of the machine's processors on, others' work may show as a node's."""
ReportedCase = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A fault and the verdict on it."""

    fault: ReportedCase
    verdict: Verdict
    states: tuple[str, ...]
    """Of its cells."""

    @property
    def right(self) -> bool:
        """The cause by its name, and the hop where one has to be named."""
        suspect = self.fault["suspect"]
        return self.verdict.name in self.fault["expected"] and suspect in {"", self.verdict.suspect}

    @property
    def confidently_wrong(self) -> bool:
        """High confidence in another cause or another hop."""
        return not self.right and self.verdict.confidence == "high" and self.verdict.name != "inconclusive"


def judged(fault: ReportedCase) -> Outcome:
    """A fault's cells by the backend's own code."""
    cells = [_cell(index, one, fault["medium"]) for index, one in enumerate(fault["cells"])]
    found = judge_run(*matrix(cells))
    return Outcome(fault, found.verdict, tuple(cell.state for cell in cells))


def _cell(index: int, reported: ReportedCase, between: ReportedCase) -> TestCell:
    """As stored after the reports of its nodes."""
    now = datetime.now(UTC)
    cell = TestCell(
        index=index,
        flows=[["client", "server"]],
        spec=reported["spec"],
        medium=between,
        state="running",
        start_at=moment(reported["start_at"]),
        until=now,
    )
    assignments = [_assignment(cell, one) for one in reported["reports"]]
    ended = run_lifecycle.ending(cell, assignments, now + timedelta(seconds=1), 1.0)
    assert ended is not None
    cell.state, cell.detail = ended
    found, cell.octets = measured(cell, assignments)
    cell.medium = CrossTraffic(cell, assignments).document()
    cell.measured = None if found is None else asdict(found)
    return cell


def _assignment(cell: TestCell, reported: ReportedCase) -> TestAssignment:
    if reported["report"] is None:
        return TestAssignment(cell=cell, node=Node(name=reported["node"]), role=reported["role"], flow=0)
    report = TestReport.model_validate(reported["report"])
    facts = Facts(site_id=1)
    apply_test(1, report, Correction(report.at, 0), facts)
    seen = facts.tests[-1]
    return TestAssignment(
        cell=cell,
        node=Node(name=reported["node"]),
        role=report.role.value,
        flow=report.flow,
        state=seen.state,
        detail=seen.detail,
        final=seen.final,
        reported_at=seen.at,
        started=seen.started,
        ended=seen.ended,
        report=seen.report,
    )


def line(one: Outcome) -> str:
    """`window-1  ok  16.2 Mb/s  window_limited, high  (400 Mb/s, 5 ms, ...)`."""
    verdict = one.verdict
    mark = "ok" if one.right else "WRONG" if one.confidently_wrong else "no"
    named = f"{verdict.name}, {verdict.confidence}" + (f", {verdict.suspect}" if verdict.suspect else "")
    at = rate(verdict.numbers["rate"]) if "rate" in verdict.numbers else "-"
    bad = sorted({state for state in one.states if state != "done"})
    troubled = f" [{', '.join(bad)}]" if bad else ""
    if one.fault["others"] > DISTURBED:
        troubled += f" [others took {one.fault['others']:.0%} of the processors]"
    return f"{one.fault['name']:14}{mark:6}{at:>11}  {named:44}{one.fault['set']}{troubled}"


def table(outcomes: Sequence[Outcome]) -> list[str]:
    """A row per kind: total, right, confidently wrong."""
    rows = [f"{'kind':14}{'faults':>7}{'right':>7}{'sure and wrong':>16}"]
    for kind in dict.fromkeys(one.fault["kind"] for one in outcomes):
        among = [one for one in outcomes if one.fault["kind"] == kind]
        right, wrong = sum(one.right for one in among), sum(one.confidently_wrong for one in among)
        rows.append(f"{kind:14}{len(among):7}{right:7}{wrong:16}")
    return rows


def figures(outcomes: Sequence[Outcome]) -> ReportedCase:
    """Goals and results; a healthy path is not a fault, but a wrong verdict on it counts as wrong."""
    faults = [one for one in outcomes if one.fault["kind"] != HEALTHY]
    controls = [one for one in outcomes if one.fault["kind"] == HEALTHY]
    right = sum(one.right for one in faults) / len(faults) if faults else None
    wrong = sum(one.confidently_wrong for one in outcomes)
    unmeasured = sum("done" not in one.states for one in outcomes)
    found = {
        "faults": _figure(len(faults), GOAL_FAULTS, "", met=len(faults) >= GOAL_FAULTS),
        "right": _figure(
            None if right is None else round(right, 3), GOAL_RIGHT, "share", met=(right or 0) >= GOAL_RIGHT
        ),
        "confidently_wrong": _figure(wrong, 0, "", met=wrong == 0),
        "healthy_right": _figure(
            sum(one.right for one in controls), len(controls), "", met=all(one.right for one in controls)
        ),
        "not_measured": _figure(unmeasured, 0, "", met=unmeasured == 0),
    }
    return {"name": "verdicts", "figures": found}


def _figure(ours: float | None, goal: float, unit: str, *, met: bool) -> ReportedCase:
    return {
        "ours": ours,
        "peer": None,
        "peer_name": "",
        "floor": None,
        "goal": goal,
        "unit": unit,
        "met": met,
    }


def main() -> int:
    """See the module."""
    parser = argparse.ArgumentParser(prog="backend/bench/verdicts.py")
    parser.add_argument("file", type=Path)
    parser.add_argument("--why", action="store_true", help="print the evidence of wrong verdicts")
    arguments = parser.parse_args()
    outcomes = [judged(fault) for fault in json.loads(arguments.file.read_text())]
    for one in outcomes:
        print(line(one))
        if arguments.why and not one.right:
            print(*_why(one), sep="\n")
    print("", *table(outcomes), "", sep="\n")
    print("BENCH " + json.dumps(figures(outcomes)))
    return 0 if all("done" in one.states for one in outcomes) else 1


def _why(one: Outcome) -> list[str]:
    evidence = [f"    {'+' if item.supports else '-'} {item.text}" for item in one.verdict.evidence]
    return [f"    {one.verdict.sentence}", *evidence]


if __name__ == "__main__":
    sys.exit(main())
