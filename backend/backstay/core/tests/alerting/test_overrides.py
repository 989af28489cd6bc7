"""Overrides of rules: the most specific wins, ties are explained, and arrays agree with single objects."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstay.core.alerting.overrides import (
    OVERRIDE_SCOPES,
    EffectiveSettings,
    OverrideTarget,
    RuleDefaults,
    RuleObject,
    ScopedOverride,
    TargetIndex,
    effective_settings,
)
from backstay.core.alerting.rule_parameters import RuleParameter, ordered, wrong_pairs, wrong_values
from backstay.core.model.topology import Fabric, Link, Node, Port, Topology

RAISE = RuleParameter("raise_at", "Opens at", "share", 0.9, 0.0, 1.0, "")
CLEAR = RuleParameter("clear_at", "Resolves below", "share", 0.75, 0.0, 1.0, "", below="raise_at")
SAMPLES = RuleParameter("samples", "Samples", "samples", 3, 1, 100, "", "integer")
RULE = RuleDefaults((RAISE, CLEAR, SAMPLES), "warning")
ROLES, RACKS, FABRICS = ("compute", "gateway"), ("a1", "b2"), ("css", "hippi")


def topology() -> Topology:
    """Four nodes of two roles in two racks; each has a port on both fabrics, and links join neighbours."""
    nodes = {
        ident: Node(
            ident,
            f"n{ident}",
            "host",
            ROLES[ident % 2],
            labels=(("rack", RACKS[ident // 3]),) if ident else (),
        )
        for ident in range(4)
    }
    ports = {
        10 * node + fabric: Port(10 * node + fabric, node, f"p{fabric}", fabric, False, ())
        for node in nodes
        for fabric in (1, 2)
    }
    links = {
        100 + fabric * 10 + node: Link(
            100 + fabric * 10 + node, 10 * node + fabric, 10 * node + 10 + fabric, fabric, ""
        )
        for node in (0, 2)
        for fabric in (1, 2)
    }
    fabrics = {ident: Fabric(ident, FABRICS[ident - 1], "ethernet", 10, 10, 1500, "on") for ident in (1, 2)}
    return Topology("lab", fabrics, nodes, ports, links)


INDEX = TargetIndex(topology())


def settings_of(kind: RuleObject, ident: int, *overrides: ScopedOverride) -> EffectiveSettings:
    return effective_settings(RULE, overrides, INDEX.target(kind, ident))


def test_without_overrides_every_value_is_the_default() -> None:
    found = settings_of("link", 110)
    assert (found.enabled.value, found.severity.value) == (True, "warning")
    assert {name: (item.value, item.source) for name, item in found.parameters.items()} == {
        "raise_at": (0.9, None),
        "clear_at": (0.75, None),
        "samples": (3, None),
    }


def test_the_most_specific_override_wins_for_each_value_by_itself() -> None:
    site = ScopedOverride("site", parameters={"raise_at": 0.8, "clear_at": 0.6, "samples": 5})
    fabric = ScopedOverride("fabric", "css", parameters={"raise_at": 0.7, "clear_at": 0.5})
    role = ScopedOverride("role", "gateway", severity="critical", parameters={"raise_at": 0.65})
    label = ScopedOverride("label", "rack=a1", enabled=False)
    port = ScopedOverride("port", "n1:p1", parameters={"raise_at": 0.5})
    found = settings_of("port", 11, site, fabric, role, label, port)
    assert (found.enabled.value, found.enabled.source) == (False, label)
    assert (found.severity.value, found.severity.source) == ("critical", role)
    known = {name: (item.value, item.source) for name, item in found.parameters.items()}
    assert known == {"raise_at": (0.5, port), "clear_at": (0.5, fabric), "samples": (5, site)}
    other = settings_of("port", 12, site, fabric, role, label, port)
    assert other.parameters["raise_at"].source == role, "another port of the node is on another fabric"


def test_two_overrides_of_one_scope_are_decided_by_the_alphabet_and_named() -> None:
    first = ScopedOverride("role", "compute", parameters={"raise_at": 0.7})
    second = ScopedOverride("role", "gateway", parameters={"raise_at": 0.8})
    same = ScopedOverride("role", "gateway", parameters={"raise_at": 0.7})
    found = settings_of("link", 110, second, first).parameters["raise_at"]
    assert (found.value, found.source, found.ties) == (0.7, first, (second,)), "a link has two ends"
    agreed = settings_of("link", 110, same, first).parameters["raise_at"]
    assert (agreed.value, agreed.ties) == (0.7, ()), "equal values are no tie"


def test_rules_about_the_site_take_overrides_of_the_site_only() -> None:
    found = settings_of(
        "site",
        1,
        ScopedOverride("role", "compute", enabled=False),
        ScopedOverride("site", severity="critical"),
    )
    assert (found.enabled.value, found.severity.value) == (True, "critical")
    assert INDEX.target("link", 999) == OverrideTarget(), "a removed link has the settings of the site"


MATCHES = {
    "site": ("",),
    "fabric": (*FABRICS, "unknown"),
    "role": ROLES,
    "label": ("rack=a1", "rack=b2", "rack=c3"),
    "port": ("n0:p1", "n1:p1", "n3:p2", "n9:p9"),
}
overrides = st.lists(
    st.sampled_from([(scope, match) for scope in OVERRIDE_SCOPES for match in MATCHES[scope]]), unique=True
).flatmap(
    lambda keys: st.tuples(
        *(
            st.builds(
                ScopedOverride,
                st.just(scope),
                st.just(match),
                parameters=st.dictionaries(
                    st.sampled_from(["raise_at", "clear_at", "samples"]), st.sampled_from([0.25, 0.5, 0.75])
                ),
            )
            for scope, match in keys
        )
    )
)


@given(overrides, st.sampled_from(["link", "node", "port"]))
def test_arrays_agree_with_single_objects(made: tuple[ScopedOverride, ...], kind: RuleObject) -> None:
    ids = INDEX.ids[kind].tolist()
    single = [effective_settings(RULE, made, INDEX.target(kind, ident)) for ident in ids]
    for spec in RULE.parameters:
        values = INDEX.values(kind, made, spec.name, spec.default).tolist()
        assert values == [item.parameters[spec.name].value for item in single]
    sets, places = INDEX.settings(kind, RULE, made)
    assert [dict(sets[place]) for place in places.tolist()] == [
        {name: value.value for name, value in item.parameters.items()} for item in single
    ]


@pytest.mark.parametrize(
    ("given_values", "wrong"),
    [
        ({"raise_at": 0.5}, {}),
        ({"raise_at": 1.5}, {"raise_at": "a number from 0 to 1 share"}),
        ({"raise_at": True}, {"raise_at": "a number from 0 to 1 share"}),
        ({"raise_at": float("nan")}, {"raise_at": "a number from 0 to 1 share"}),
        ({"raise_at": "0.5"}, {"raise_at": "a number from 0 to 1 share"}),
        ({"samples": 2.5}, {"samples": "a whole number from 1 to 100 samples"}),
        ({"other": 1}, {"other": "one of raise_at, clear_at, samples"}),
    ],
)
def test_values_outside_their_bounds_are_named_with_what_is_expected(
    given_values: dict[str, object], wrong: dict[str, str]
) -> None:
    assert wrong_values(RULE.parameters, given_values) == wrong


def test_clearing_limits_of_different_scopes_never_exceed_the_raising_one() -> None:
    values = {"raise_at": 0.5, "clear_at": 0.6, "samples": 3.0}
    assert ordered(RULE.parameters, values) == {"raise_at": 0.5, "clear_at": 0.5, "samples": 3.0}


def test_a_clearing_limit_is_not_above_the_raising_one() -> None:
    assert wrong_pairs(RULE.parameters, {"raise_at": 0.5, "clear_at": 0.75, "samples": 3}) == {
        "clear_at": "at most raise_at, 0.5"
    }
    assert wrong_pairs(RULE.parameters, {"raise_at": 0.9, "clear_at": 0.75, "samples": 3}) == {}
