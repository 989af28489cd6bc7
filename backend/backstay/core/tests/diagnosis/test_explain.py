"""Which incident explains which."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from backstay.core.alerting.explain import CauseRank, Trouble, explain

START = datetime(2026, 3, 1, tzinfo=UTC)
GRF, ATMGW, SP01, ORIGIN, MGMT = 1, 2, 3, 4, 5
GATEWAYS = frozenset({GRF, ATMGW})
RANKS = {
    "node_stale": CauseRank.NODE_UNREACHABLE,
    "gateway_failed_over": CauseRank.FAILED_OVER,
    "port_down": CauseRank.EFFECT,
    "path_dead": CauseRank.EFFECT,
    "saturation": CauseRank.INDEPENDENT,
}


def trouble(ident: int, kind: str, *nodes: int, after_s: float = 0) -> Trouble:
    return Trouble(ident, RANKS[kind], START + timedelta(seconds=after_s), frozenset(nodes))


def test_a_silent_gateway_explains_the_failover_the_ports_facing_it_and_the_dead_paths() -> None:
    causes = explain(
        [
            trouble(1, "gateway_failed_over", GRF),
            trouble(2, "port_down", ORIGIN, GRF),
            trouble(3, "path_dead", GRF, ATMGW),
            trouble(4, "node_stale", GRF, after_s=8),
        ],
        GATEWAYS,
        {},
    )
    assert causes == {1: 4, 2: 4, 3: 4, 4: None}


def test_while_the_gateway_answers_the_first_failover_stands_for_it() -> None:
    causes = explain(
        [
            trouble(1, "port_down", ORIGIN, GRF),
            trouble(2, "gateway_failed_over", GRF, after_s=1),
            trouble(3, "gateway_failed_over", GRF, after_s=2),
        ],
        GATEWAYS,
        {},
    )
    assert causes == {1: 2, 2: None, 3: 2}


def test_what_has_nothing_to_do_with_a_gateway_explains_itself() -> None:
    troubles = [trouble(1, "node_stale", SP01), trouble(2, "port_down", SP01), trouble(3, "saturation")]
    assert explain(troubles, GATEWAYS, {}) == {1: None, 2: None, 3: None}


def test_a_saturated_link_is_never_explained_away() -> None:
    causes = explain([trouble(1, "node_stale", GRF), trouble(2, "saturation", GRF)], GATEWAYS, {})
    assert causes[2] is None


def test_a_device_that_is_silent_with_its_watcher_is_explained_by_it() -> None:
    causes = explain(
        [
            trouble(1, "node_stale", GRF),
            trouble(2, "node_stale", MGMT),
            trouble(3, "gateway_failed_over", GRF),
        ],
        GATEWAYS,
        {GRF: MGMT, MGMT: MGMT},
    )
    assert causes == {1: 2, 2: None, 3: 2}


def test_watchers_in_a_circle_explain_nothing_and_end() -> None:
    causes = explain(
        [trouble(1, "node_stale", SP01), trouble(2, "node_stale", ORIGIN)],
        GATEWAYS,
        {SP01: ORIGIN, ORIGIN: SP01},
    )
    assert set(causes) == {1, 2}
