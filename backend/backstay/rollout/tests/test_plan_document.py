"""The size of a plan's document is limited, and what it leaves out is counted."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstay.core.model.plan import Finding, Impact, LinkLoad, Plan
from backstay.core.model.topology import Fabric, Link, Node, Port, Topology
from backstay.rollout.plans import plan_document


@pytest.mark.parametrize(
    ("lengths", "most", "longest"),
    [([], 10, 3), ([4, 2], 10, 4), ([100, 1, 1], 12, 10), ([9, 9], 10, 5), ([9] * 9, 10, 3)],
)
def test_only_the_longest_lists_are_cut(lengths: list[int], most: int, longest: int) -> None:
    assert plan_document._longest(lengths, most) == longest


def test_checks_beyond_the_limit_are_counted() -> None:
    findings = [Finding("mtu", "failed", f"text {number}", ("a", "b")) for number in range(5)]
    cut = plan_document.checks(findings, replace(plan_document.Limits(), findings=2, listed=8))
    assert [item["text"] for item in cut] == [
        "text 0",
        "text 1",
        "3 more findings of this kind are not listed.",
    ]
    assert [(item["nodes"], item["nodes_omitted"]) for item in cut[:2]] == [(["a", "b"], 0)] * 2
    assert {item["level"] for item in cut} == {"failed"}


@given(
    st.lists(st.tuples(st.integers(0, 400), st.integers(0, 400), st.integers(0, 60)), max_size=300),
    st.integers(1, 128),
)
@settings(max_examples=30)
def test_a_document_is_bounded_whatever_fails(failures: list[tuple[int, int, int]], length: int) -> None:
    """Names of any length, and any number of failures, nodes and links for each."""
    names = tuple(f"{number:0{length}}" for number in range(400))
    ports = {at: Port(at, at, "p", 1, False, ()) for at in range(60)}
    site = Topology(
        "lab",
        fabrics={1: Fabric(1, "lan", "ethernet", 10**9, 10**9, 1500, "on")},
        nodes={at: Node(at, names[at], "host", "host") for at in range(60)},
        ports=ports,
        links={at: Link(at, at, None, 1, "") for at in ports},
    )
    impacts = tuple(
        Impact(
            failure=names[number],
            kind="node",
            ident=number,
            cut_off=names[:cut],
            looping=(),
            moved=names[:moved],
            over=(),
            loads=tuple(LinkLoad(at, 1, 0.5) for at in range(links)),
            seconds=None,
        )
        for number, (cut, moved, links) in enumerate(failures)
    )
    findings = tuple(Finding("mtu", "failed", "x" * 300, names[:cut]) for cut, _, _ in failures)
    plan = Plan((), findings, impacts, (), "", "")
    most = 150_000
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan_document, "MOST_BYTES", most)
        found = plan_document.bounded(
            lambda limits: plan_document.routing_document(site, plan, "policies", limits)
        )
    assert len(json.dumps(found)) <= most
    assert len(found["impacts"]) + found["impacts_omitted"] == len(impacts)
