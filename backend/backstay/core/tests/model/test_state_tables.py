"""Every combination of facts has exactly one state, and no combination contradicts another fact."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstay.core.client_spec import client_spec
from backstay.core.model.state import (
    CARRIERS,
    END_TO_END,
    GATEWAY_ROLES,
    GATEWAY_USES,
    LINK_CARRIERS,
    LINK_STATES,
    NODE_STATES,
    PATH_STANDBYS,
    PATH_STATES,
    PLACEMENTS,
    PORT_STATES,
    REACHABILITIES,
    REPORTINGS,
    STANDBYS,
    STATE_SPECS,
    EndToEnd,
    GatewayCounts,
    GatewayUse,
    LinkUse,
    OpenIncidents,
    PortView,
    Standby,
    StateRule,
    best_standby,
    decide,
    gateway_status,
    gateway_use,
    link_state,
    path_status,
    standby_state,
)
from backstay.core.tests.model.state_combinations import combinations

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
TABLES: dict[str, Sequence[StateRule[Any]]] = {
    "carrier": CARRIERS,
    "port": PORT_STATES,
    "link_carrier": LINK_CARRIERS,
    "link": LINK_STATES,
    "reporting": REPORTINGS,
    "reachability": REACHABILITIES,
    "node": NODE_STATES,
    "end_to_end": END_TO_END,
    "placement": PLACEMENTS,
    "standby": STANDBYS,
    "path_standby": PATH_STANDBYS,
    "path": PATH_STATES,
    "gateway_use": GATEWAY_USES,
    "gateway_role": GATEWAY_ROLES,
}
UNKNOWN_OR_BOOL = (True, False, None)


@pytest.mark.parametrize("table", TABLES)
def test_every_combination_has_one_state_and_every_row_is_reached(table: str) -> None:
    rules = TABLES[table]
    reached = {id(decide(rules, facts)) for facts in combinations(rules)}
    assert rules[-1].when == {}, "the last row matches the rest"
    assert [rule for rule in rules if id(rule) not in reached] == []


@pytest.mark.parametrize(
    ("fact", "table"),
    [
        ("carrier", "carrier"),
        ("carrier", "link_carrier"),
        ("reporting", "reporting"),
        ("reachability", "reachability"),
        ("end_to_end", "end_to_end"),
        ("placement", "placement"),
        ("standby", "path_standby"),
        ("gateway_use", "gateway_use"),
        ("gateway_role", "gateway_role"),
    ],
)
def test_clients_have_a_label_for_each_state_of_a_table_and_no_other(fact: str, table: str) -> None:
    assert set(STATE_SPECS[fact]) == {rule.state for rule in TABLES[table]}
    specs: Any = client_spec()["states"]
    assert set(specs[fact]) == set(STATE_SPECS[fact])


def test_states_of_one_fact_differ_in_label_and_glyph() -> None:
    for fact, specs in STATE_SPECS.items():
        assert len({spec.label for spec in specs.values()}) == len(specs), fact
    for fact in ("end_to_end", "gateway_use", "standby"):
        assert len({spec.glyph for spec in STATE_SPECS[fact].values()}) == len(STATE_SPECS[fact]), fact


def test_only_dead_paths_and_unreachable_gateways_look_critical() -> None:
    assert [use for use, spec in STATE_SPECS["link_use"].items() if spec.tone == "critical"] == ["dead"]
    assert set(STATE_SPECS["link_use"]) == set(get_args(LinkUse))


@given(
    ends=st.lists(
        st.builds(
            PortView,
            name=st.sampled_from(["grf1:ga030", "origin1:at0"]),
            oper_up=st.sampled_from(UNKNOWN_OR_BOOL),
            admin_up=st.sampled_from(UNKNOWN_OR_BOOL),
            since=st.none(),
            fresh=st.booleans(),
            collected=st.booleans(),
        ),
        min_size=1,
        max_size=2,
    ),
    incidents=st.builds(OpenIncidents, st.integers(0, 2), st.integers(0, 2)),
    unreachable=st.sampled_from([(), ("grf1",)]),
)
def test_link_is_down_only_if_a_reporting_port_has_no_carrier(
    ends: list[PortView], incidents: OpenIncidents, unreachable: tuple[str, ...]
) -> None:
    link = link_state(ends, (None, None), incidents, NOW, unreachable=unreachable)
    reported = [end.oper_up for end in ends if end.fresh and end.oper_up is not None]
    assert (link.carrier in {"down", "admin_down"}) == (False in reported)
    assert (link.carrier == "up") == (bool(reported) and all(reported))
    assert ("is down" in link.text or "administratively" in link.text) == (False in reported)
    if link.state == "ok":
        assert link.carrier == "up"
        assert not unreachable
        assert all(end.fresh for end in ends if end.collected)


PATH_FACTS = st.fixed_dictionaries(
    {
        **dict.fromkeys(
            (
                "is_observed",
                "is_fresh",
                "is_recent",
                "has_route",
                "is_held",
                "is_on_fallback",
                "has_dead_standby",
            ),
            st.booleans(),
        ),
        "target_alive": st.sampled_from(UNKNOWN_OR_BOOL),
        "gateway_alive": st.sampled_from(UNKNOWN_OR_BOOL),
    }
)


@given(facts=PATH_FACTS)
def test_path_is_ok_only_with_a_recent_answer_of_its_target(facts: dict[str, bool | None]) -> None:
    status = path_status(facts)
    recent = facts["is_observed"] and facts["is_fresh"] and facts["is_recent"]
    proven = recent and facts["has_route"] and facts["target_alive"] is True
    assert (status.end_to_end == "working") == bool(proven)
    assert status.state != "ok" or proven
    assert (status.state == "critical") == (status.end_to_end == "dead")
    assert (status.end_to_end == "unknown") == (not recent)


USES = get_args(GatewayUse)


@given(
    end_to_end=st.sampled_from(get_args(EndToEnd)),
    is_in_use=st.booleans(),
    standby=st.sampled_from(get_args(Standby)),
)
def test_dead_path_is_never_a_standby(end_to_end: EndToEnd, is_in_use: bool, standby: Standby) -> None:
    use = gateway_use(end_to_end, is_in_use=is_in_use, standby=standby)
    assert use in USES
    if is_in_use:
        assert not use.startswith("standby")
        assert (use == "dead") == (end_to_end == "dead")
        assert (use == "active") == (end_to_end == "working")
    assert (use == "unknown") == (end_to_end == "unknown")


@given(
    uses=st.dictionaries(st.sampled_from(USES), st.integers(0, 3)),
    answering=st.integers(0, 2),
    silent=st.integers(0, 2),
)
def test_gateway_looks_ok_only_if_a_target_answers_through_it(
    uses: dict[GatewayUse, int], answering: int, silent: int
) -> None:
    status = gateway_status(GatewayCounts(uses, answering, silent))
    tone = STATE_SPECS["gateway_role"][status.role].tone
    if tone == "ok":
        assert uses.get("active", 0) + uses.get("standby_verified", 0) > 0
        assert uses.get("dead", 0) == 0
        assert answering > 0 or silent == 0
    for number in uses.values():
        assert number == 0 or str(number) in status.text


@pytest.mark.parametrize(
    ("counts", "role", "text"),
    [
        (
            GatewayCounts({"active": 7, "standby_not_verified": 3}, 10, 0),
            "active",
            "active for 7 paths, standby not verified for 3",
        ),
        (GatewayCounts({"standby_verified": 8}, 8, 0), "standby_verified", "standby verified for 8 paths"),
        (
            GatewayCounts({"dead": 1, "standby_dead": 7}, 0, 8),
            "unreachable",
            "unreachable: dead for 1 path, standby dead for 7",
        ),
        (
            GatewayCounts({"dead": 8}, 8, 0),
            "not_forwarding",
            "reachable but not forwarding: dead for 8 paths",
        ),
        (
            GatewayCounts({"standby_dead": 8}, 8, 0),
            "not_forwarding",
            "reachable but not forwarding: standby dead for 8 paths",
        ),
        (GatewayCounts({"active": 6, "dead": 2}, 8, 0), "degraded", "active for 6 paths, dead for 2"),
        (GatewayCounts({"unknown": 8}), "unknown", "unknown for 8 paths"),
        (GatewayCounts(), "unknown", "no path uses it"),
    ],
)
def test_role_of_a_gateway(counts: GatewayCounts, role: str, text: str) -> None:
    status = gateway_status(counts)
    assert (status.role, status.text) == (role, text)


@pytest.mark.parametrize(
    ("alive", "forwards", "target_alive", "state"),
    [
        (True, True, True, "verified"),
        (True, None, True, "not verified"),
        (None, None, None, "not verified"),
        (True, False, True, "dead"),
        (True, False, False, "not verified"),
        (False, None, True, "dead"),
    ],
)
def test_standby_is_verified_only_by_an_answer_of_the_target(
    alive: bool | None, forwards: bool | None, target_alive: bool | None, state: str
) -> None:
    assert standby_state(alive=alive, forwards=forwards, target_alive=target_alive) == state


def test_standby_of_a_path_is_its_best() -> None:
    assert best_standby(["dead", "verified", "not verified"]) == "verified"
    assert best_standby(["dead", "not verified"]) == "not verified"
    assert best_standby(["dead"]) == "dead"
    assert best_standby([]) == "none"
