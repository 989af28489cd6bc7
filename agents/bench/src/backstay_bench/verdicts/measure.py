"""Measures one fault: builds the path, assigns each cell to the agents, and collects their reports."""

import time
from collections.abc import Mapping
from itertools import count
from typing import Any

from backstay_bench.verdicts.fault import Fault, seconds
from backstay_bench.verdicts.machine import Work
from backstay_bench.verdicts.nodes import Node
from backstay_bench.verdicts.wires import SERVER, Wires
from backstay_wire import Role, TestAssignment, TestReport

ROLES = {Role.SERVER: "server", Role.CLIENT: "client", Role.OBSERVER: "gate"}
_LEAD_S, _GAP_S = 3.4, 0.8
"""Seconds before the first cell, in which agents fetch it and measure the idle round trip; seconds between
two.
"""
_LIMIT_S, _LATE_S = 12.0, 3.0
_NS = 1_000_000_000
_LOOK_S = 0.1
_assignments = count(1)
_ports = count(5400)


def measure(fault: Fault, wires: Wires, nodes: Mapping[str, Node]) -> dict[str, Any]:
    """The settings and the agents' reports, as JSON."""
    with wires.built(fault.path):
        before = Work.now()
        assignments = _assignments_of(fault)
        for role, name in ROLES.items():
            nodes[name].want([one for cell in assignments for one in cell if one.role is role])
        reports = _reports(nodes, assignments)
        others = before.others(Work.now())
    for node in nodes.values():
        node.want([])
        node.forget()
    return {
        "kind": fault.kind,
        "name": fault.name,
        "set": fault.described(),
        "expected": sorted(fault.expected),
        "suspect": fault.suspect,
        "medium": fault.medium(),
        "others": round(others, 2),
        "cells": [
            {
                "spec": cell[0].spec.model_dump(mode="json"),
                "start_at": cell[0].start_at,
                "reports": _last_reported(cell, reports),
            }
            for cell in assignments
        ],
    }


def _assignments_of(fault: Fault) -> list[list[TestAssignment]]:
    """The assignments of each cell."""
    found, start = [], time.time() + _LEAD_S
    for number, spec in enumerate(fault.cells, 1):
        ends: dict[Role, dict[str, str]] = {
            Role.SERVER: {"local": SERVER},
            Role.CLIENT: {"peer": SERVER},
            Role.OBSERVER: {},
        }
        if spec.kind == "ping":
            del ends[Role.SERVER]
        port = next(_ports)
        found.append(
            [
                TestAssignment.model_validate(
                    {
                        "id": next(_assignments),
                        "run": 1,
                        "cell": number,
                        "role": role,
                        "spec": spec,
                        "port": port,
                        "start_at": round(start * _NS),
                        "late_s": _LATE_S,
                        "limit_s": seconds(spec) + _LIMIT_S,
                        **end,
                    }
                )
                for role, end in ends.items()
            ]
        )
        start += seconds(spec) + _GAP_S
    return found


def _reports(nodes: Mapping[str, Node], assignments: list[list[TestAssignment]]) -> dict[int, TestReport]:
    """The reports of every assignment, or of those that have ended at the deadline."""
    wanted = {assignment.id for cell in assignments for assignment in cell}
    last = assignments[-1][0]
    deadline = time.time() + (last.start_at / _NS - time.time()) + last.limit_s + _LATE_S
    while True:
        found = {number: one for node in nodes.values() for number, one in node.ends().items()}
        if wanted <= found.keys() or time.time() > deadline:
            return found
        time.sleep(_LOOK_S)


def _last_reported(cell: list[TestAssignment], reports: Mapping[int, TestReport]) -> list[dict[str, Any]]:
    """The last report of each assignment; None: its agent reported nothing in time."""
    by_role = {assignment.role: reports.get(assignment.id) for assignment in cell}
    return [
        {"node": ROLES[role], "role": role.value, "report": one.model_dump(mode="json") if one else None}
        for role, one in by_role.items()
    ]
