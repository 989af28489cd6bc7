"""gated.conf: statement order, operator text and detected protocols."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from backstay.core.model.routing import Detection, EngineKind, NodeRouting
from backstay.core.rendering import advice, render, saved_routes, validation_errors
from backstay.core.tests.rendering.render_routes import (
    ATM,
    GRF,
    block,
    paths,
    route,
    routing,
    routings,
    wanted,
)
from backstay_gatedconf import parse

GATED = EngineKind.GATED
HOST = """\
# sp05, by hand
options noresolv;
interfaces { interface css0 passive; };
redirect no;
kernel { remnantholdtime 60; };
static {
    default gateway 10.1.0.201 retain;   # the GRF
    default gateway 10.1.0.15 preference 61 retain;
    192.0.2.0 masklen 24 gateway 10.1.0.201;
};
export proto rip restrict;
"""
RIP = """\
rip yes { interface css0 noripout; trustedgateways 10.1.0.201 10.1.0.15; };
redirect no;
static { 192.0.2.0 masklen 24 gateway 10.1.0.201; };
import proto rip restrict;
"""


def spoken(*gateways: tuple[str, str], prefix: str = "0.0.0.0/0") -> NodeRouting:
    return routing(GATED, route(prefix, *gateways, detection=Detection.PROTOCOL))


def test_hand_written_default_moves_into_the_block() -> None:
    after = render(routing(GATED, route()), HOST)

    assert after == HOST.replace(
        "    default gateway 10.1.0.201 retain;   # the GRF\n"
        "    default gateway 10.1.0.15 preference 61 retain;\n",
        "       # the GRF\n",
    ).replace(
        "export",
        "# BEGIN backstay sp-default 0.0.0.0/0\n"
        "static {\n"
        "    default gateway 10.1.0.201 preference 60 retain;\n"
        "    default gateway 10.1.0.15 preference 70 retain;\n"
        "};\n"
        "# END backstay sp-default 0.0.0.0/0\n"
        "export",
    )


def test_saved_routes_are_blocks_and_operator_statics() -> None:
    assert paths(saved_routes(GATED, HOST)) == {
        "0.0.0.0/0": [("10.1.0.201", 60), ("10.1.0.15", 61)],
        "192.0.2.0/24": [("10.1.0.201", 60)],
    }
    assert paths(saved_routes(GATED, render(routing(GATED, route()), HOST)))["0.0.0.0/0"] == [
        ("10.1.0.201", 60),
        ("10.1.0.15", 70),
    ]


def test_routes_without_gateway_are_unchanged() -> None:
    text = "static { default gateway 127.0.0.1 preference 250 reject; };\n"

    assert text in render(routing(GATED, route()), text)
    assert saved_routes(GATED, text) == ()


def test_block_keeps_its_position_when_the_order_changes() -> None:
    first = render(routing(GATED, route()), HOST)
    again = render(routing(GATED, route("0.0.0.0/0", ATM, GRF)), first)

    assert again != first
    assert [line for line in again.split("\n") if "backstay" in line] == [
        line for line in first.split("\n") if "backstay" in line
    ]
    assert again.index("# BEGIN") == first.index("# BEGIN")


def test_detection_change_moves_the_block() -> None:
    moved = RIP.replace(
        "static", "# BEGIN backstay sp-default 0.0.0.0/0\n# END backstay sp-default 0.0.0.0/0\nstatic"
    )
    after = render(spoken(), moved)

    assert parse(after)
    assert after.index("import proto rip gateway 10.1.0.201") > after.index("static {")


def test_imports_precede_the_operators_own() -> None:
    after = render(spoken(), RIP)

    assert after == RIP.replace(
        "import",
        "# BEGIN backstay sp-default 0.0.0.0/0\n"
        "import proto rip gateway 10.1.0.201 preference 60 {\n    default;\n};\n"
        "import proto rip gateway 10.1.0.15 preference 70 {\n    default;\n};\n"
        "# END backstay sp-default 0.0.0.0/0\n"
        "import",
    )
    assert paths(saved_routes(GATED, after))["0.0.0.0/0"] == [("10.1.0.201", 60), ("10.1.0.15", 70)]


def test_untrusted_rip_gateway_gets_a_static_route() -> None:
    text = RIP.replace(" 10.1.0.15;", ";")
    value = spoken()
    after = render(value, text)

    assert "    default gateway 10.1.0.15 preference 70 retain;" in after
    assert "gateway 10.1.0.15 preference 70 {" not in after
    assert paths(saved_routes(GATED, after))["0.0.0.0/0"] == [("10.1.0.201", 60), ("10.1.0.15", 70)]
    assert render(routing(GATED), after) == text


def test_untrusted_preferred_gateway_is_advised() -> None:
    sentence = advice(spoken(ATM, GRF), RIP.replace(" 10.1.0.15;", ";"))

    assert any("does not trust atm-gw" in item for item in sentence)


def test_rip_listener_is_added_without_operator_protocol() -> None:
    after = render(spoken(), HOST)

    assert (
        "# BEGIN backstay (rip) 0.0.0.0/0\n"
        "rip yes {\n"
        "    nobroadcast;\n"
        "    interface css0 noripout version 2;\n"
        "    trustedgateways 10.1.0.201 10.1.0.15;\n"
        "};\n"
        "# END backstay (rip) 0.0.0.0/0\n"
    ) in after
    assert parse(after)
    assert render(spoken(), after) == after


def test_disabled_rip_is_not_enabled() -> None:
    with pytest.raises(ValueError, match="has `rip no;`"):
        render(spoken(), "rip no;\n")


def test_router_discovery_learns_the_first_gateway() -> None:
    text = "routerdiscovery client yes;\nredirect no;\n"
    after = render(spoken(), text)

    assert "default gateway 10.1.0.201" not in after
    assert "    default gateway 10.1.0.15 preference 70 retain;" in after
    assert paths(saved_routes(GATED, after)) == {"0.0.0.0/0": [("10.1.0.201", 60), ("10.1.0.15", 70)]}
    assert any("lifetime" in item for item in advice(spoken(), text))


def test_router_discovery_learns_only_the_default_route() -> None:
    with pytest.raises(ValueError, match=r"learns default routes only, not 10\.2\.0\.0/16"):
        render(spoken(prefix="10.2.0.0/16"), "routerdiscovery client yes;\n")


def test_hand_written_import_of_the_prefix_moves_into_the_block() -> None:
    text = RIP.replace(
        "import",
        "import proto rip gateway 10.1.0.201 preference 75 { default; 192.0.2.0 masklen 24; };\n"
        "import proto rip gateway 10.1.0.15 preference 90 { default; };\n"
        "import",
    )
    after = render(spoken(), text)

    assert "import proto rip gateway 10.1.0.201 preference 75 {  192.0.2.0 masklen 24; };\n" in after
    assert "90" not in after


@pytest.mark.parametrize(
    "clause",
    [
        "gateway 10.1.0.201 preference 75 { all; }",
        "gateway 10.1.0.201 preference 75",
        "gateway 10.1.0.201 10.1.0.99 { default; }",
        "gateway 10.1.0.201 { default restrict; }",
        "gateway 10.1.0.201 restrict",
    ],
)
def test_broader_import_is_refused(clause: str) -> None:
    with pytest.raises(ValueError, match="line 5: the statement imports"):
        render(spoken(), f"{RIP}import proto rip {clause};\n")


def test_several_routes_keep_the_order_of_classes() -> None:
    value = routing(
        GATED,
        route(detection=Detection.PROTOCOL),
        route("10.2.0.0/16", policy="lan"),
        route("10.3.0.0/16", GRF, ("hippi", "10.1.0.77"), policy="far", detection=Detection.PROTOCOL),
    )
    after = render(value, RIP)

    assert parse(after)
    assert paths(saved_routes(GATED, after)).items() >= wanted(value).items()
    assert "10.3.0.0 masklen 16 exact" in after
    assert render(routing(GATED), after) == RIP


def test_statements_of_two_kinds_on_one_line_are_refused() -> None:
    with pytest.raises(ValueError, match="line 1: statements of two kinds are on one line"):
        render(routing(GATED, route()), "redirect no; import proto rip restrict;\n")


def test_multi_line_comment_is_not_split() -> None:
    text = "redirect no; /* on\npurpose */\nexport proto rip restrict;\n"

    assert render(routing(GATED, route()), text).startswith("redirect no; /* on\npurpose */\n# BEGIN")


def test_block_inside_a_statement_is_refused() -> None:
    marks = "# BEGIN backstay sp-default 0.0.0.0/0\n# END backstay sp-default 0.0.0.0/0\n"

    assert validation_errors(GATED, f"static {{\n{marks}}};\n") != []
    assert validation_errors(GATED, f"/*\n{marks}*/\n") != []
    assert validation_errors(GATED, f"redirect no;\n{marks}") == []


def test_redirects_and_included_files_are_advised() -> None:
    assert advice(routing(GATED, route()), HOST) == []
    sentence = advice(routing(GATED, route()), '%include "more"\nredirect yes;\n')
    assert len(sentence) == 2
    assert "redirect no" in sentence[0]


def test_first_import_of_a_file_is_advised() -> None:
    sentence = advice(spoken(), "redirect no;\nrip yes;\n")

    assert any("accepts everything from RIP today" in item for item in sentence)


def test_gated_supports_neither_ipv6_nor_bfd() -> None:
    with pytest.raises(ValueError, match="IPv4 only"):
        block(routing(GATED), route("::/0", ("a", "2001:db8::1")))
    with pytest.raises(ValueError, match="cannot use BFD"):
        block(routing(GATED), route(detection=Detection.BFD))


@settings(max_examples=40, deadline=None)
@given(routings(GATED))
def test_statement_order_is_kept_in_any_file(value: NodeRouting) -> None:
    for text in (HOST, RIP, "", "import proto rip restrict;", "routerid 10.1.0.17;"):
        assert parse(render(value, text))
