"""Root causes of incidents."""

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


def test_unreachable_gateway_causes_failover_port_and_path_incidents() -> None:
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


def test_first_failover_is_the_root_cause_while_the_gateway_reports() -> None:
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


def test_unrelated_incidents_have_no_root_cause() -> None:
    troubles = [trouble(1, "node_stale", SP01), trouble(2, "port_down", SP01), trouble(3, "saturation")]
    assert explain(troubles, GATEWAYS, {}) == {1: None, 2: None, 3: None}


def test_saturated_link_has_no_root_cause() -> None:
    causes = explain([trouble(1, "node_stale", GRF), trouble(2, "saturation", GRF)], GATEWAYS, {})
    assert causes[2] is None


def test_unreachable_device_is_caused_by_its_unreachable_collector() -> None:
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


def test_cyclic_collectors_have_no_root_cause() -> None:
    causes = explain(
        [trouble(1, "node_stale", SP01), trouble(2, "node_stale", ORIGIN)],
        GATEWAYS,
        {SP01: ORIGIN, ORIGIN: SP01},
    )
    assert set(causes) == {1, 2}
