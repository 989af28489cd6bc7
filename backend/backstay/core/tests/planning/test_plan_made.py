"""Complete plans: contents, wave order and digests."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import ip_address

from hypothesis import given, settings
from hypothesis import strategies as st

from backstay.core.model.address_mismatch import AddressMismatch
from backstay.core.model.plan import NodePlan, Observation, Plan
from backstay.core.model.routing import EngineKind, NodeRouting
from backstay.core.planning.digest import digest
from backstay.core.planning.plan import inputs, make_plan
from backstay.core.planning.scope import Scope
from backstay.core.tests.planning.plan_sites import (
    RENDERING,
    Site,
    argonne,
    engine,
    intent,
    planned,
    sdsc,
    seen,
)

SP = ("sp01", "sp02", "sp03", "sp04")
PAIR = ("grf1", "atmgw")
HAND_WRITTEN = "log syslog all;\n"


def of(plan: Plan, node: str) -> NodePlan:
    return next(item for item in plan.nodes if item.routing.node == node)


def confirmed_by(plan: Plan) -> dict[int, NodeRouting]:
    return {node.routing.node_id: node.routing for node in plan.nodes}


def test_node_plan_contains_differences_and_file_texts() -> None:
    site = argonne()
    one = site.nodes["sp01"].id
    now = seen(one, {"0.0.0.0/0": [("10.1.0.215", 60)]}, HAND_WRITTEN)
    mine = of(planned(site, intent(site, SP, PAIR), observed={one: now}), "sp01")
    (difference,) = mine.differences
    assert difference.prefix == "0.0.0.0/0"
    assert difference.before == ("via atmgw 10.1.0.215 pref 60",)
    assert difference.after == ("via grf1 10.1.0.216 pref 60", "via atmgw 10.1.0.215 pref 70")
    (file,) = mine.files
    assert file.before == HAND_WRITTEN
    assert file.after.startswith(HAND_WRITTEN + "# BEGIN backstay sp-default 0.0.0.0/0\n")
    assert (file.base, mine.base) == (now.files[0].sha256, now.digest)


def test_variants_per_gateway_except_for_kernel() -> None:
    site = argonne()
    engines = {name: engine() for name in site.nodes} | {"sp02": engine(EngineKind.KERNEL)}
    plan = planned(site, intent(site, SP[:2], PAIR), engines=engines)
    texts = of(plan, "sp01").variants["sp-default", "0.0.0.0/0"]
    assert texts["atmgw"].splitlines()[0] == "route 0.0.0.0/0 10.1.0.215 css0 60"
    assert set(texts) == set(PAIR)
    assert of(plan, "sp02").variants == {}


def test_other_policies_are_kept_and_former_nodes_lose_routes() -> None:
    site = argonne()
    first = planned(site, intent(site, SP, PAIR), intent(site, SP, PAIR, "10.9.0.0/24", "other"))
    plan = planned(site, intent(site, SP[1:], PAIR), confirmed=confirmed_by(first))
    policies = {node.routing.node: [route.policy for route in node.routing.routes] for node in plan.nodes}
    assert policies == {"sp01": ["other"], **{name: ["other", "sp-default"] for name in SP[1:]}}
    removed = of(plan, "sp01")
    assert "sp-default" not in removed.files[0].after


def test_deployed_state_needs_no_change() -> None:
    site = argonne()
    one = site.nodes["sp01"].id
    policy = intent(site, ["sp01"], PAIR)
    text = of(planned(site, policy), "sp01").files[0].after
    now = seen(one, {"0.0.0.0/0": [("10.1.0.216", 60), ("10.1.0.215", 70)]}, text)
    plan = planned(site, policy, observed={one: now})
    assert not of(plan, "sp01").changes
    assert plan.waves == ()


def test_checker_on_fallback_is_not_a_difference() -> None:
    site = argonne()
    one = site.nodes["sp01"].id
    policy = intent(site, ["sp01"], PAIR)
    before = planned(site, policy)
    now = seen(one, {"0.0.0.0/0": [("10.1.0.215", 60), ("10.1.0.216", 70)]})
    reported = planned(site, policy, observed={one: now}, confirmed=confirmed_by(before))
    assert of(reported, "sp01").differences == ()
    assert of(planned(site, policy, observed={one: now}), "sp01").differences != ()


def test_equal_changes_of_nodes_share_a_shape() -> None:
    site = argonne()
    other = site.nodes["sp03"].id
    now = {other: seen(other, {"0.0.0.0/0": [("10.1.0.215", 60)]})}
    plan = planned(site, intent(site, SP, PAIR), observed=now)
    shapes = [of(plan, name).shape for name in SP]
    assert shapes[0] == shapes[1] == shapes[3] != shapes[2]


def test_wave_order_is_canary_tenth_rest_routers() -> None:
    site = sdsc(40)
    nodes = [name for name in site.nodes if name.startswith("bh")]
    demand = Observation(demand={node: (1000, 0) for node in site.ids(*nodes) if node != 7})
    back = (["mover1", "mover2"], "10.1.0.0/16")
    plan = planned(site, intent(site, nodes, ["gw1", "gw2"], "10.2.0.0/24", back=back), observation=demand)
    assert [len(wave) for wave in plan.waves] == [1, 4, 35, 1, 1]
    assert plan.waves[0] == (7,), "the one with the least traffic"
    assert plan.waves[3] + plan.waves[4] == site.ids("mover1", "mover2")
    assert sorted(node for wave in plan.waves for node in wave) == sorted(
        site.ids(*nodes, "mover1", "mover2")
    )


def test_gateway_is_never_the_canary() -> None:
    site = argonne()
    plan = planned(site, intent(site, ("grf1", "sp01"), ["atmgw"]))
    assert plan.waves == (site.ids("sp01"), site.ids("grf1"))


def test_removed_gateway_is_off_link() -> None:
    site = argonne()
    plan = planned(site, replace(intent(site, SP, PAIR), gateways=(*site.ids("grf1"), 999)))
    assert plan.blocked
    assert "node 999 has no IPv4 address" in "".join(finding.text for finding in plan.findings)


def digests(site: Site, **changes: object) -> str:
    topology = site.topology()
    node = site.nodes["sp01"].id
    given: dict[str, object] = {
        "topology": topology,
        "intents": [intent(site, SP, PAIR)],
        "observed": {node: seen(node), 2: seen(2)},
        "engines": {node: engine(), 2: engine()},
        "confirmed": {},
        "wave_limit": 10,
        "address_mismatches": {},
    }
    return inputs(**(given | changes))  # type: ignore[arg-type]


def test_inputs_digest_depends_only_on_inputs() -> None:
    site = argonne()
    node = site.nodes["sp01"].id
    base = digests(site)
    assert digests(argonne()) == base
    assert digests(site, observed={2: seen(2), node: seen(node)}) == base, "the order does not count"
    active = seen(node, {"0.0.0.0/0": [("10.1.0.216", 60)]}, active="10.1.0.216")
    silent = seen(node, {"0.0.0.0/0": [("10.1.0.216", 60)]})
    both = (digests(site, observed={node: item}) for item in (active, silent))
    assert len(set(both)) == 1, "which hop is active does not count"
    changed = [
        digests(argonne(5)),
        digests(site, intents=[intent(site, SP, PAIR[::-1])]),
        digests(site, intents=[intent(site, SP, PAIR), intent(site, SP, PAIR, "10.9.0.0/24", "two")]),
        digests(site, observed={node: replace(seen(node), digest="f" * 64), 2: seen(2)}),
        digests(site, observed={node: replace(seen(node), revision=1), 2: seen(2)}),
        digests(site, observed={node: seen(node, text="x"), 2: seen(2)}),
        digests(site, engines={node: engine(EngineKind.FRR), 2: engine()}),
        digests(site, confirmed=confirmed_by(planned(site, intent(site, SP, PAIR)))),
        digests(site, wave_limit=11),
        digests(
            site, address_mismatches={7: AddressMismatch(6, "atmgw", "css0", (ip_address("10.1.0.215"),), ())}
        ),
    ]
    assert len({base, *changed}) == len(changed) + 1


def test_other_nodes_are_no_inputs() -> None:
    site = argonne()
    base = digests(site)
    (router,) = site.ids("router")
    site.on("router:css1", "atm-oc12", "10.3.0.6/24")
    mismatch = AddressMismatch(router, "router", "at0", (ip_address("10.3.0.6"),), ())
    node = site.nodes["sp01"].id
    observed = {node: seen(node), 2: seen(2), router: seen(router)}
    other = digests(
        site,
        observed=observed,
        engines={node: engine(), 2: engine(), router: engine()},
        address_mismatches={7: mismatch},
    )
    assert other == base
    assert digests(site, observed={**observed, site.ids("grf1")[0]: seen(site.ids("grf1")[0])}) != base
    site.ports["grf1:gt000"] = replace(site.ports["grf1:gt000"], addresses=("10.1.0.217/24",))
    assert digests(site) != base, "a gateway's address counts"


def test_plan_of_some_nodes_depends_on_those_and_their_running_gateways() -> None:
    site = argonne()
    (sp01, router) = site.ids("sp01", "router")
    only = Scope(only=frozenset({sp01}))
    base = digests(site, scope=only)
    assert digests(site, scope=only, observed={sp01: seen(sp01), 2: seen(2, text="edited")}) == base
    assert digests(site, scope=only, observed={sp01: seen(sp01, text="edited"), 2: seen(2)}) != base
    running = {sp01: seen(sp01, {"0.0.0.0/0": [("10.3.0.6", 60)]}), 2: seen(2)}
    adopted = Scope(only=frozenset(), restored=frozenset({sp01}))
    before = digests(site, scope=adopted, observed=running)
    assert digests(site, scope=adopted, observed={**running, router: seen(router)}) != before


@settings(max_examples=25, deadline=None)
@given(
    chosen=st.lists(st.sampled_from(SP), min_size=1, unique=True),
    gateways=st.permutations(PAIR),
    demand=st.integers(0, 10),
)
def test_equal_plans_have_equal_digests(chosen: list[str], gateways: list[str], demand: int) -> None:
    site = argonne()
    load = Observation(demand=dict.fromkeys(site.ids(*SP), (demand * 1_000_000, 0)))
    policy = intent(site, chosen, gateways)
    one, other = (planned(site, policy, observation=load) for _ in range(2))
    assert one == other
    busier = planned(
        site, policy, observation=Observation(demand=dict.fromkeys(site.ids(*SP), (20_000_000, 0)))
    )
    assert busier.inputs == one.inputs
    assert busier.digest != one.digest
    reordered = planned(site, intent(site, chosen, gateways[::-1]), observation=load)
    assert reordered.inputs != one.inputs
    assert replace(one, digest="") == replace(other, digest="")


def test_digest_ignores_key_order() -> None:
    assert digest({"a": 1, "b": (2, 3)}) == digest({"b": [2, 3], "a": 1})
    assert digest({(1, "x"): 2, (0, "y"): 3}) == digest({(0, "y"): 3, (1, "x"): 2})
    assert digest([1, 2]) != digest([2, 1])
    assert digest(ip_address("10.0.0.1")) == digest("10.0.0.1")


def test_plan_with_the_real_renderers() -> None:
    site = argonne()
    one = site.nodes["sp01"].id
    bird = "protocol device { }\nprotocol kernel { ipv4 { export all; }; }\n"
    args = (site.topology(), [intent(site, ["sp01"], PAIR)], {one: seen(one, text=bird)}, {one: engine()})
    plan = make_plan(*args, Observation(), confirmed={}, wave_limit=10)
    after = of(plan, "sp01").files[0].after
    assert "10.1.0.216" in after
    assert (
        after
        != make_plan(*args, Observation(), confirmed={}, wave_limit=10, rendering=RENDERING)
        .nodes[0]
        .files[0]
        .after
    )
