"""The headline names the culprit; dead paths are always its first sentence."""

from __future__ import annotations

from typing import Any

from backstay.core.alerting.headline import AffectedPath, HeadlineFacts, PathTotals, culprits, headline


def text(dead: int = 0, rerouted: int = 0, reason: Any = "unreachable", **more: Any) -> str:
    lost = [AffectedPath(ident, "dead", "grf1", reason) for ident in range(dead)]
    moved = [AffectedPath(100 + ident, "rerouted", "grf1", reason, "atmgw") for ident in range(rerouted)]
    facts: dict[str, Any] = {
        "nodes": 14, "links": 17, "silent_nodes": 0, "not_reporting": 0,
        "paths": PathTotals(preferred=10 - dead - rerouted, rerouted=rerouted, dead=dead),
        "culprits": tuple(culprits([*lost, *moved])), "problems": 1 if dead or rerouted else 0,
        "worst_problems": () if dead or rerouted else ("atmgw lost all links",),
        "full": 0, "awaiting": {}, "held": "",
    }  # fmt: skip
    return headline(HeadlineFacts(**{**facts, **more}))


def test_culprit_comes_with_its_dead_and_rerouted_paths() -> None:
    assert text(3, 7) == (
        "grf1 is unreachable: 3 paths dead, 7 rerouted to atmgw. 1 problem needs attention."
    )
    assert text(0, 7).startswith("grf1 is unreachable: 7 paths rerouted to atmgw.")
    assert text(10, 0, "not forwarding").startswith("grf1 is reachable but not forwarding: 10 paths dead.")


def test_two_culprits_share_one_sentence_of_the_totals() -> None:
    found = culprits(
        [
            AffectedPath(1, "dead", "grf1", "unreachable"),
            AffectedPath(2, "dead", "atmgw", "not forwarding"),
            AffectedPath(3, "rerouted", "grf1", "unused", "atmgw"),
        ]
    )
    totals = PathTotals(rerouted=1, dead=2)
    assert text(culprits=tuple(found), paths=totals, problems=2, worst_problems=()) == (
        "2 paths dead, 1 rerouted to atmgw: grf1 is unreachable; atmgw is reachable but not forwarding."
        " 2 problems need attention."
    )


def test_problem_without_dead_paths_is_named() -> None:
    assert text(problems=1) == "1 problem needs attention: atmgw lost all links."
    assert text(problems=3) == "3 problems need attention: atmgw lost all links; and 2 more."
    two = ("atmgw lost all links", "origin1:at1-router:at2 is down.")
    assert text(problems=2, worst_problems=two) == (
        "2 problems need attention: atmgw lost all links; origin1:at1-router:at2 is down."
    )


def test_no_problem_is_claimed_while_rules_are_not_evaluated() -> None:
    assert text(worst_problems=()).startswith("No problems. ")
    assert text(worst_problems=(), evaluation_late=True).startswith("No known problems. ")
    assert text(3, 7, evaluation_late=True) == text(3, 7)


def test_second_critical_problem_is_named_next_to_the_culprit_of_paths() -> None:
    assert text(3, 7, problems=2, worst_problems=("origin1:at1-router:at2 is down",)) == (
        "grf1 is unreachable: 3 paths dead, 7 rerouted to atmgw."
        " 2 problems need attention, among them origin1:at1-router:at2 is down."
    )


def test_only_problem_is_not_named_twice() -> None:
    assert text(3, 7, problems=1, worst_problems=("grf1: 3 of 3 nodes are on atmgw",)) == (
        "grf1 is unreachable: 3 paths dead, 7 rerouted to atmgw. 1 problem needs attention."
    )


def test_a_quiet_site_is_said_to_be_quiet() -> None:
    assert text() == (
        "No problems. 14 nodes and 17 links are reporting, every path is on its preferred gateway."
    )


def test_what_is_unknown_awaited_or_silent_is_counted() -> None:
    assert text(paths=PathTotals(preferred=8, unknown=2), not_reporting=2) == (
        "No known problems. 2 of 10 paths unknown. 2 not reporting."
    )
    assert text(awaiting={"approval": 1}) == "No problems. 1 change awaits approval."
    assert text(awaiting={"confirmation": 1, "approval": 2}) == (
        "No problems. 3 changes await action: 1 confirmation and 2 approval."
    )
    assert text(silent_nodes=14).startswith("No node is reporting")
