"""Properties of every engine: rendering is idempotent, reversible, parseable and safe."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import IPv6Address, ip_address

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstay.core import rendering
from backstay.core.model.routing import EngineKind, NodeRouting, ObservedRouting, SavedFile
from backstay.core.planning.drift import CheckedNode, drift
from backstay.core.rendering import RENDERERS, advice, blocks, render, saved_routes, validation_errors
from backstay.core.tests.rendering.render_routes import block, paths, route, routing, routings, wanted

FILES = {
    EngineKind.KERNEL: [
        "# set up by hand\r\nlink set css0 up\r\nroute add 198.51.100.0/24 via 10.1.0.9\r\n",
        "address add 10.1.0.17/24 dev css0",
    ],
    EngineKind.FRR: [
        "frr defaults traditional\n!\nip route 198.51.100.0/24 10.1.0.9\n!\nline vty\n!\nend\n",
        "interface css0\n ip ospf cost 5\nexit\n!\nrouter ospf\n network 10.1.0.0/24 area 0\nexit",
    ],
    EngineKind.BIRD: [
        "router id 10.1.0.17;\nprotocol device { }\nprotocol kernel { ipv4 { export all; }; };\n",
        "# none\r\nprotocol static hand { ipv4; route 198.51.100.0/24 via 10.1.0.9; }",
    ],
    EngineKind.GATED: [
        "redirect no;\nstatic { 198.51.100.0 gateway 10.1.0.9; };\nimport proto rip restrict;\n",
        "interfaces { interface all passive; };\r\nrouterid 10.1.0.17;",
    ],
}
EVIL = ["a\nb", "a\rb", "a\0b", *(f"a{sign}b" for sign in ";{}\"'!#\\$%,()[]<>&|*/="), "é", " a", "a ", ""]
cases = st.sampled_from(list(EngineKind)).flatmap(
    lambda kind: st.tuples(routings(kind), routings(kind), st.sampled_from(["", *FILES[kind]]))
)


@settings(max_examples=40, deadline=None)
@given(cases)
def test_rendering_is_idempotent_and_parses_back(
    case: tuple[NodeRouting, NodeRouting, str],
) -> None:
    value, _, text = case
    after = render(value, text)
    kind = value.engine.kind

    assert render(value, after) == after
    assert validation_errors(kind, after) == []
    assert paths(saved_routes(kind, after)) == paths(saved_routes(kind, text)) | wanted(value)


@settings(max_examples=40, deadline=None)
@given(cases)
def test_empty_routing_restores_the_operators_file(
    case: tuple[NodeRouting, NodeRouting, str],
) -> None:
    first, second, text = case
    kind = first.engine.kind
    untouched = not ({"198.51.100.0/24"} & {*wanted(first), *wanted(second)})
    after = render(second, render(first, text))

    assert not untouched or render(routing(kind), after) == text
    assert {item.name for item in blocks.find(after)} == {
        (item.policy, str(item.prefix)) for item in second.routes
    }


@settings(max_examples=40, deadline=None)
@given(cases)
def test_contents_equal_the_block_text(case: tuple[NodeRouting, NodeRouting, str]) -> None:
    value, _, text = case
    after = render(value, text)
    there = {item.name: item.content(after) for item in blocks.find(after)}

    for item in value.routes:
        assert there[item.policy, str(item.prefix)] == block(value, item)


@settings(max_examples=40, deadline=None)
@given(cases)
def test_variant_equals_the_file_with_that_gateway_first(
    case: tuple[NodeRouting, NodeRouting, str],
) -> None:
    value, _, text = case
    for item in value.routes:
        led = item.led_by(item.hops[-1].gateway)
        others = tuple(led if other is item else other for other in value.routes)
        name = (item.policy, str(item.prefix))

        assert blocks.replace(render(value, text), name, block(value, led)) == render(
            replace(value, routes=others), text
        )


@pytest.mark.parametrize("kind", EngineKind)
@pytest.mark.parametrize("evil", EVIL)
def test_unsafe_names_are_refused(kind: EngineKind, evil: str) -> None:
    good = route()
    hop = good.hops[0]
    for bad in (
        replace(good, policy=evil),
        replace(good, hops=(replace(hop, gateway=evil),)),
        replace(good, hops=(replace(hop, port=evil),)),
    ):
        with pytest.raises(ValueError, match="characters that are not allowed in a file"):
            block(routing(kind, bad), bad)
        with pytest.raises(ValueError, match="characters that are not allowed in a file"):
            render(routing(kind, bad), "")


@pytest.mark.parametrize("kind", EngineKind)
@pytest.mark.parametrize("port", ["css 0", "sixteen-octets-x", "a/b"])
def test_invalid_port_names_are_refused(kind: EngineKind, port: str) -> None:
    with pytest.raises(ValueError, match="the port name"):
        render(routing(kind, route(port=port)), "")


def test_ambiguous_routes_are_refused() -> None:
    good = route()
    hop = good.hops[0]
    for bad, why in (
        (replace(good, hops=()), "has no gateway"),
        (replace(good, hops=(hop, replace(hop, gateway="x"))), "the same preference"),
        (replace(good, hops=(replace(hop, address=IPv6Address("2001:db8::1")),)), "is not a gateway for"),
        (replace(good, hops=(replace(hop, preference=255),)), "not 1 to 254"),
    ):
        with pytest.raises(ValueError, match=why):
            render(routing(EngineKind.KERNEL, bad), "")
    zoned = replace(route("::/0", ("a", "fe80::1")), hops=(replace(hop, address=ip_address("fe80::1%css0")),))
    with pytest.raises(ValueError, match="has a zone"):
        render(routing(EngineKind.KERNEL, zoned), "")
    with pytest.raises(ValueError, match="two routes of sp-default"):
        render(routing(EngineKind.KERNEL, good, good), "")


@pytest.mark.parametrize("kind", EngineKind)
def test_broken_marks_are_refused_by_every_engine(kind: EngineKind) -> None:
    text = "# BEGIN backstay sp-default 0.0.0.0/0\n"

    assert validation_errors(kind, text) == ["line 1: the block is never closed"]
    with pytest.raises(ValueError, match="never closed"):
        render(routing(kind, route()), text)
    with pytest.raises(ValueError, match="never closed"):
        saved_routes(kind, text)


@settings(max_examples=40, deadline=None)
@given(cases)
def test_edited_block_is_restored(
    case: tuple[NodeRouting, NodeRouting, str],
) -> None:
    value, _, text = case
    after = render(value, text)
    for item in value.routes:
        assert render(value, blocks.replace(after, (item.policy, str(item.prefix)), "")) == after


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (EngineKind.KERNEL, "", "route add default dev ppp0 metric 70\n"),
        (EngineKind.FRR, "ip route 0.0.0.0/0 blackhole 250\n", "ip route 0.0.0.0/0 ppp0\n"),
        (
            EngineKind.BIRD,
            "protocol static { ipv4 { preference 10; }; route 0.0.0.0/0 unreachable; }\n",
            "protocol static { ipv4; route 0.0.0.0/0 blackhole; }\n",
        ),
        (
            EngineKind.GATED,
            "static { default gateway 127.0.0.1 preference 250 reject; };\n",
            "static { default gateway 127.0.0.1 preference 5 blackhole; };\n",
        ),
    ],
)
def test_preceding_route_without_gateway_is_advised(kind: EngineKind, good: str, bad: str) -> None:
    def sentence(text: str) -> list[str]:
        return [item for item in advice(routing(kind, route()), text) if item.startswith("Line 1 of")]

    assert sentence(good) == []
    assert len(sentence(bad)) == 1


STATEMENTS = [
    *("{", "}", ";", "#", "!", "\n", "\r\n", '"', "/*", "*/", ",", "=", "(", ")", "\t", "%"),
    *("via", "dev", "route", "ip", "ipv6", "static", "protocol", "ipv4", "vrf", "end", "exit", "default"),
    *("gateway", "host", "masklen", "mask", "8", "preference", "60", "10.0.0.0/8", "10.0.0.0", "::/0"),
    *("fe80::1", "import", "proto", "rip", "interface", "interfaces", "options", "table", "nexthop", "add"),
    *("del", "metric", "template", "from", "define", "include", "filter"),
]
MARKS = ["\n# BEGIN backstay sp-default 0.0.0.0/0\n", "\n# END backstay sp-default 0.0.0.0/0\n"]
soups = st.lists(st.sampled_from([*STATEMENTS, *MARKS]), max_size=30).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(list(EngineKind)), soups)
def test_any_text_is_rendered_or_refused_with_a_message(kind: EngineKind, text: str) -> None:
    sentence = validation_errors(kind, text)
    try:
        after = render(routing(kind, route()), text)
    except ValueError:
        return
    assert sentence == [] or validation_errors(kind, after) == []
    assert paths(saved_routes(kind, after)).items() >= wanted(routing(kind, route())).items()


@pytest.mark.parametrize("kind", EngineKind)
def test_unclosed_braces_are_refused(kind: EngineKind) -> None:
    deep = "ospf yes " + "{ " * 100_000
    if kind in (EngineKind.BIRD, EngineKind.GATED):
        assert validation_errors(kind, deep) != []


@pytest.mark.parametrize("kind", EngineKind)
def test_drift_uses_the_saved_routes(kind: EngineKind) -> None:
    value = routing(kind, route())
    text = render(value, FILES[kind][0])
    running = tuple(item for item in saved_routes(kind, text) if str(item.prefix) == "0.0.0.0/0")

    host = CheckedNode("sp05", value.engine.config, {})

    def drifted(saved: str) -> list[str]:
        file = SavedFile(value.engine.config, "", saved)
        observed = ObservedRouting(5, 1, "", kind, True, running, (file,))
        return [item.kind for item in drift(host, value, observed, rendering)]

    assert drifted(text) == []
    assert drifted(text.replace("10.1.0.201", "10.1.0.202")) == ["route"]
    assert drifted(text.replace("# END", "# A remark\n# END")) == ["file"]
    assert drifted(text.replace("# END", "#")) == ["file"], "it cannot be read"


def test_every_engine_has_its_renderer() -> None:
    assert set(RENDERERS) == set(EngineKind)
