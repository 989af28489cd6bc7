"""`backstay route`: hops, narrowest hop, failures and exit codes; all fields are in the API document."""

from typing import Any

import pytest

from backstay_testing.cli.fake_server import Run, World


def _end(name: str, port: str = "") -> dict[str, Any]:
    return {"kind": "node" if port else "fabric", "id": 1, "name": name, "port": port}


HOP: dict[str, Any] = {
    "start": _end("sp01", "css0"), "end": _end("sp-switch"), "link": 1, "link_name": "sp01:css0-sp-switch",
    "fabric": "sp-switch", "usable_rate": 960_000_000, "mtu": 65520, "arp": "off", "basis": "observed",
    "policy": "sp-default", "state": "ok", "state_text": "up",
}  # fmt: skip
LAST = HOP | {
    "start": _end("grf1", "ga030"), "end": _end("origin1", "at0"), "link_name": "grf1:ga030-origin1:at0",
    "fabric": "atm-oc12", "usable_rate": 538_000_000, "mtu": 9180, "arp": "unknown", "basis": "topology",
    "policy": "",
}  # fmt: skip
INTACT: dict[str, Any] = {
    "failed": None, "failed_name": "", "failed_kind": None,
    "outcome": "delivered", "reason": "", "hops": [HOP, LAST], "usable_rate": 538_000_000,
    "narrowest": LAST, "mtu": 9180, "is_moved": False,
}  # fmt: skip
LOOP: dict[str, Any] = {
    "failed": "node:grf1", "failed_name": "grf1", "failed_kind": "node",
    "outcome": "loop", "reason": "Packets loop: atmgw to router to atmgw.",
    "hops": [HOP], "usable_rate": None, "narrowest": None, "mtu": None, "is_moved": True,
}  # fmt: skip


@pytest.fixture
def world(world: World) -> World:
    _answer(world, INTACT)
    return world


def _answer(world: World, *routes: dict[str, Any]) -> None:
    world.answers["GET", "/routes/between"] = {
        "site": "argonne", "source": "sp01", "destination": "origin1", "routes": list(routes),
    }  # fmt: skip


def test_each_hop_is_a_line_and_the_narrowest_is_named(world: World, run: Run) -> None:
    done = run("--site", "argonne", "route", "sp01", "origin1")
    assert done.code == 0
    assert "sp01:css0 sp-switch sp-switch 960 Mb/s 65520 bytes off sp-default, observed" in done.squeezed()
    assert "grf1:ga030 origin1:at0 atm-oc12 538 Mb/s 9180 bytes unknown fewest links" in done.squeezed()
    assert "Narrowest: 538 Mb/s at grf1:ga030-origin1:at0, MTU 9180 bytes" in done.squeezed()
    (asked,) = world.made("GET", "/routes/between")
    assert (asked.query["source"], asked.query["destination"]) == ("sp01", "origin1")
    assert "failed" not in asked.query


def test_loop_under_a_failure_is_named_and_gives_exit_code_1(world: World, run: Run) -> None:
    _answer(world, INTACT, LOOP)
    done = run("--site", "argonne", "route", "sp01", "origin1", "--failed", "node:grf1")
    assert done.code == 1
    assert "node:grf1 failed" in done.out
    assert "Packets loop: atmgw to router to atmgw." in done.squeezed()
    (asked,) = world.made("GET", "/routes/between")
    assert asked.query["failed"] == "node:grf1"


def test_unknown_values_are_said_to_be_unknown(world: World, run: Run) -> None:
    hop = HOP | {"usable_rate": None, "mtu": None}
    _answer(world, INTACT | {"hops": [hop, LAST], "usable_rate": None, "mtu": None})
    done = run("--site", "argonne", "route", "sp01", "origin1")
    assert done.code == 0
    assert "sp01:css0 sp-switch sp-switch unknown unknown off" in done.squeezed()
    wanted = "Narrowest: unknown; known: 538 Mb/s at grf1:ga030-origin1:at0, MTU unknown"
    assert wanted in done.squeezed()
