"""Root causes of incidents."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from backstay.core.alerting.root_causes import (
    MAX_WAITS,
    CauseRank,
    Scope,
    Trouble,
    explain,
    group_severities,
    ready,
    remains,
)

START = datetime(2026, 3, 1, tzinfo=UTC)
TOLERANCE = timedelta(seconds=60)
GRF, ATMGW, SP01, ORIGIN, MGMT = 1, 2, 3, 4, 5
SP_LINK, ATM_LINK, OTHER_LINK = 11, 12, 13
PATHS = frozenset({21, 22, 23})


def node(*ids: int) -> Scope:
    return Scope(nodes=frozenset(ids))


def link(*ids: int) -> Scope:
    return Scope(links=frozenset(ids))


def isolated(ident: int, name: str, *links: int, after_s: float = 0) -> Trouble:
    covers = Scope(frozenset({GRF}), frozenset(links), PATHS, frozenset({GRF}))
    return Trouble(ident, name, CauseRank.GATEWAY_DOWN, START + timedelta(seconds=after_s), covers=covers)


def stale(ident: int, *nodes: int, links: tuple[int, ...] = ()) -> Trouble:
    covers = Scope(frozenset(nodes), frozenset(links), gateways=frozenset(nodes))
    return Trouble(ident, f"node_stale:{nodes[0]}", CauseRank.NODE_UNREACHABLE, START, node(*nodes), covers)


def port(ident: int, own: int, after_s: float = 0) -> Trouble:
    since = START + timedelta(seconds=after_s)
    return Trouble(ident, f"port_down:{own}", CauseRank.LINK_DOWN, since, link(own), link(own))


def failed_over(ident: int, policy: int, *paths: int) -> Trouble:
    scope = Scope(paths=frozenset(paths), gateways=frozenset({GRF}))
    covers = Scope(nodes=frozenset({GRF}), gateways=frozenset({GRF}))
    name = f"gateway_failed_over:{policy}:{GRF}"
    return Trouble(ident, name, CauseRank.FAILED_OVER, START, scope, covers)


def dead(ident: int, *paths: int) -> Trouble:
    scope = Scope(paths=frozenset(paths), gateways=frozenset({GRF}))
    return Trouble(ident, f"path_dead:{ident}", CauseRank.EFFECT, START, scope)


def card(ident: int, *links: int) -> Trouble:
    return Trouble(ident, f"device_state:{ident}", CauseRank.EFFECT, START, link(*links))


CUT = (
    isolated(9, "gateway_isolated:1", SP_LINK, ATM_LINK, after_s=5),
    port(1, SP_LINK),
    port(2, ATM_LINK, after_s=8),
    failed_over(3, 1, 21),
    failed_over(4, 2, 22),
    dead(5, 23),
    card(6, ATM_LINK),
    stale(7, GRF),
)


@given(st.permutations(CUT))
def test_every_effect_of_a_cut_gateway_has_the_same_root_in_any_order(troubles: list[Trouble]) -> None:
    assert explain(troubles, {}, TOLERANCE) == {9: None, 1: 9, 2: 9, 3: 9, 4: 9, 5: 9, 6: 9, 7: 9}


@given(st.permutations([trouble for trouble in CUT if trouble.id not in {9, 7}]))
def test_without_a_known_root_failovers_of_one_gateway_are_one_group(troubles: list[Trouble]) -> None:
    assert explain(troubles, {}, TOLERANCE) == {1: None, 2: None, 3: None, 4: 3, 5: 3, 6: 2}


def ended(trouble: Trouble, after_s: float) -> Trouble:
    return replace(trouble, until=START + timedelta(seconds=after_s))


def test_effect_that_was_resolved_before_its_root_was_found_gets_it() -> None:
    early = ended(failed_over(3, 1, 21), after_s=6)
    assert explain([isolated(1, "a", after_s=5), early], {}, TOLERANCE)[3] == 1
    assert explain([isolated(1, "a", after_s=7), early], {}, TOLERANCE)[3] is None


def test_paths_that_move_while_a_gateway_recovers_are_effects_of_its_fault() -> None:
    over = ended(isolated(1, "a", SP_LINK), after_s=30)
    late = replace(dead(5, 23), since=START + timedelta(seconds=33))
    assert explain([over, late], {}, TOLERANCE)[5] == 1
    assert explain([over, late, failed_over(3, 1, 23)], {}, TOLERANCE)[5] == 1
    new = replace(late, since=START + timedelta(seconds=60))
    assert explain([over, new], {}, TOLERANCE)[5] is None


def test_effect_that_outlasts_its_root_is_what_remains_of_it_for_the_aftermath() -> None:
    known = [ended(isolated(1, "a", SP_LINK), after_s=30), dead(5, 23), ended(dead(6, 23), after_s=31)]
    causes = {1: None, 5: 1, 6: 1}

    def at(after_s: float) -> set[int]:
        return remains(known, causes, START + timedelta(seconds=after_s))

    assert (at(31), at(39), at(40)) == ({5}, {5}, set())
    assert remains([isolated(1, "a", SP_LINK), dead(5, 23)], {1: None, 5: 1}, START) == set()


def test_link_that_fails_after_another_fault_ended_is_no_effect_of_it() -> None:
    over = ended(stale(1, GRF, links=(SP_LINK,)), after_s=3)
    assert explain([over, port(2, SP_LINK, after_s=5)], {}, TOLERANCE)[2] is None
    assert (
        explain([ended(isolated(1, "a", SP_LINK), 3), port(2, SP_LINK, after_s=5)], {}, TOLERANCE)[2] is None
    )


def test_older_incident_is_no_effect() -> None:
    causes = explain([isolated(1, "a", SP_LINK, after_s=3600), port(2, SP_LINK)], {}, TOLERANCE)
    assert causes == {1: None, 2: None}


def test_other_objects_are_no_effect() -> None:
    causes = explain([isolated(1, "a", SP_LINK), port(2, OTHER_LINK), card(3, OTHER_LINK)], {}, TOLERANCE)
    assert causes == {1: None, 2: None, 3: 2}


def test_cause_that_covers_more_of_an_effect_wins() -> None:
    own = Trouble(2, "port_down:9", CauseRank.LINK_DOWN, START, link(9), Scope(paths=frozenset({21})))
    assert explain([isolated(1, "a"), own, dead(3, 21, 22)], {}, TOLERANCE)[3] == 1


def test_independent_incident_has_no_root_cause() -> None:
    full = Trouble(2, "saturation", CauseRank.INDEPENDENT, START, node(GRF))
    assert explain([isolated(1, "a"), full], {}, TOLERANCE)[2] is None


def test_links_of_an_unreachable_node_are_its_effects() -> None:
    assert explain([stale(1, SP01, links=(SP_LINK,)), port(2, SP_LINK)], {}, TOLERANCE) == {1: None, 2: 1}


def test_unreachable_device_is_caused_by_its_unreachable_collector() -> None:
    causes = explain(
        [stale(1, GRF), stale(2, MGMT), failed_over(3, 1, 21)], {GRF: MGMT, MGMT: MGMT}, TOLERANCE
    )
    assert causes == {1: 2, 2: None, 3: 2}


def test_cyclic_collectors_have_no_root_cause() -> None:
    causes = explain([stale(1, SP01), stale(2, ORIGIN)], {SP01: ORIGIN, ORIGIN: SP01}, TOLERANCE)
    assert set(causes) == {1, 2}


def test_root_cause_is_as_severe_as_its_worst_effect() -> None:
    assert group_severities({1: None, 2: 1, 3: 1}, {1: "warning", 2: "critical", 3: "warning"}) == {
        1: "critical",
        2: "critical",
        3: "warning",
    }


EFFECTS = [trouble for trouble in CUT if trouble.rank in MAX_WAITS]


@given(
    st.permutations(CUT), st.sets(st.sampled_from([trouble.id for trouble in EFFECTS])), st.integers(0, 12)
)
def test_effects_are_shown_with_their_cause_or_after_their_wait_in_any_order(
    troubles: list[Trouble], waiting: set[int], seconds: int
) -> None:
    now = START + timedelta(seconds=seconds)
    assert ready(troubles, dict.fromkeys(waiting, START), {}, TOLERANCE, now) == waiting
    alone = [trouble for trouble in troubles if trouble.id in waiting]
    expired = {trouble.id for trouble in alone if timedelta(seconds=seconds) >= MAX_WAITS[trouble.rank]}
    shown = ready(alone, dict.fromkeys(waiting, START), {}, TOLERANCE, now)
    assert shown >= expired
    causes = explain(alone, {}, TOLERANCE)
    assert all(causes[ident] in expired for ident in shown - expired)


def test_waiting_incident_is_no_cause_of_another_one() -> None:
    both = [failed_over(3, 1, 21), dead(5, 21)]
    assert ready(both, {3: START, 5: START}, {}, TOLERANCE, START) == set()
    assert ready(both, {5: START}, {}, TOLERANCE, START) == {5}


def test_resolved_cause_does_not_end_the_wait() -> None:
    over = ended(isolated(9, "a", SP_LINK), after_s=3)
    late = replace(dead(5, 23), since=START + timedelta(seconds=5))
    began = START + timedelta(seconds=5)
    assert ready([over, late], {5: began}, {}, TOLERANCE, began) == set()
    assert ready([over, late], {5: began}, {}, TOLERANCE, began + MAX_WAITS[late.rank]) == {5}
