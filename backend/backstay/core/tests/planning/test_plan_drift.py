"""Routing drift, the effect of a reboot, and the checker's fallback."""

from __future__ import annotations

import time
from dataclasses import replace
from ipaddress import ip_address, ip_network

from backstay.core.model.routing import Detection, Engine, EngineKind, NodeRouting
from backstay.core.planning.drift import CheckedNode, DriftItem, drift
from backstay.core.tests.planning.plan_sites import RENDERING, argonne, intent, planned, seen

GRF, ATM = "10.1.0.216", "10.1.0.215"
BOTH = {"0.0.0.0/0": [(GRF, 60), (ATM, 70)]}
TURNED = {"0.0.0.0/0": [(ATM, 60), (GRF, 70)]}
HOST = CheckedNode("sp01", "/etc/bird.conf", {ip_address(GRF): "grf1", ip_address(ATM): "atmgw"})


def routing(detection: Detection = Detection.CHECKER) -> tuple[NodeRouting, str]:
    """Intended routing of sp01 and the matching file."""
    site = argonne()
    (plan,) = planned(site, intent(site, ["sp01"], ["grf1", "atmgw"], detection=detection)).nodes
    return plan.routing, plan.files[0].after


def found(
    running: dict[str, list[tuple[str, int]]], text: str, detection: Detection = Detection.CHECKER
) -> tuple[DriftItem, ...]:
    return drift(HOST, routing(detection)[0], seen(1, running, text), RENDERING)


def test_no_drift_when_all_three_are_equal() -> None:
    assert found(BOTH, routing()[1]) == ()


def test_changed_route_is_restored_by_a_reboot() -> None:
    (item,) = found({"0.0.0.0/0": [(ATM, 60)]}, routing()[1])
    assert item.text == (
        "sp01 reaches 0.0.0.0/0 via atmgw 10.1.0.215 pref 60, but via grf1 10.1.0.216 pref 60, "
        "then via atmgw 10.1.0.215 pref 70 is intended. A reboot would change it to via grf1 10.1.0.216 "
        "pref 60, then via atmgw 10.1.0.215 pref 70."
    )
    assert (item.running_differs, item.saved_differs, item.reboot) == (True, False, True)


def test_edited_file_changes_the_routes_on_reboot() -> None:
    edited = routing()[1].replace(f"{GRF} css0 60", f"{GRF} css0 90")
    (item,) = found(BOTH, edited)
    assert item.text.startswith("sp01 reaches 0.0.0.0/0 via grf1 10.1.0.216 pref 60")
    assert (
        "as intended. Its file has via atmgw 10.1.0.215 pref 70, then via grf1 10.1.0.216 pref 90"
        in item.text
    )
    assert (item.running_differs, item.saved_differs, item.reboot) == (False, True, True)


def test_missing_block_leaves_no_route_after_reboot() -> None:
    (item,) = found(BOTH, "log syslog all;\n")
    assert (
        "Its file has no such route, which is not intended. It does not contain Backstay's block: the whole"
        " file was replaced, or never written. A reboot would change it to no route at all." in item.text
    )


def test_checker_on_fallback_is_not_drift_but_reboot_is_reported() -> None:
    (item,) = found(TURNED, routing()[1])
    assert item.on_fallback
    assert (item.running_differs, item.saved_differs, item.reboot) == (False, False, True)
    assert item.text.startswith(
        "sp01 is on its fallback atmgw for 0.0.0.0/0, as its checker decided. A reboot would"
    )


def on_gated(text: str, running: dict[str, list[tuple[str, int]]] = TURNED) -> tuple[DriftItem, ...]:
    """As `found`, for a node whose engine runs only its boot file."""
    intended = replace(routing()[0], engine=Engine(EngineKind.GATED, HOST.path))
    return drift(HOST, intended, replace(seen(1, running, text), engine=EngineKind.GATED), RENDERING)


def turned() -> str:
    """The boot file that gated's checker writes on the fallback."""
    intended, _ = routing()
    return RENDERING.render(replace(intended, routes=(intended.routes[0].led_by("atmgw"),)), "")


def test_gated_on_fallback_is_not_drift() -> None:
    (item,) = on_gated(turned())
    assert (item.on_fallback, item.file_on_fallback) == (True, True)
    assert (item.running_differs, item.saved_differs, item.reboot) == (False, False, False)
    assert item.text == (
        "sp01 is on its fallback atmgw for 0.0.0.0/0, as its checker decided. Its boot file has the "
        "fallback's order, because gated can only switch by its file. A reboot would start it on the"
        " fallback."
    )


def test_fallback_in_the_boot_file_of_another_engine_is_drift() -> None:
    (item,) = found(TURNED, turned())
    assert (item.file_on_fallback, item.running_differs, item.saved_differs) == (False, False, True)


def test_gated_with_fallback_only_in_its_file_is_drift() -> None:
    (item,) = on_gated(turned(), BOTH)
    assert (item.file_on_fallback, item.saved_differs, item.reboot) == (False, True, True)


def test_gated_that_has_not_loaded_the_intended_file_is_drift_and_not_a_fallback() -> None:
    (item,) = on_gated(routing()[1], TURNED)
    assert (item.on_fallback, item.running_differs, item.saved_differs) == (False, True, False)
    assert "is intended. Its file is as intended. gated has not loaded its file. A reboot" in item.text


def test_engine_of_which_the_agent_says_that_it_has_not_loaded_its_file_is_drift() -> None:
    detail = "bird has not loaded its file: 0.0.0.0/0 should run A, but runs B. Attempts to load it: 2."
    observed = replace(seen(1, TURNED, routing()[1]), detail=detail)
    unloaded = replace(observed, routes=tuple(replace(route, loaded=False) for route in observed.routes))
    (item,) = drift(HOST, routing()[0], unloaded, RENDERING)
    assert (item.on_fallback, item.running_differs, item.saved_differs) == (False, True, False)
    assert f"Its file is as intended. BIRD has not loaded its file. {detail}" in item.text


def test_drift_of_thousands_of_routes_is_found_in_seconds() -> None:
    """Looking each prefix up in lists took minutes."""
    intended, _ = routing()
    (route,) = intended.routes
    prefixes = [ip_network(f"10.{100 + at // 256}.{at % 256}.0/24") for at in range(5_000)]
    many = replace(intended, routes=tuple(replace(route, prefix=prefix) for prefix in prefixes))
    running = {str(prefix): BOTH["0.0.0.0/0"] for prefix in prefixes[1:]}
    began = time.process_time()
    items = drift(HOST, many, seen(1, running, RENDERING.render(many, "")), RENDERING)
    assert time.process_time() - began < 20
    assert [item.what for item in items] == [str(prefixes[0])]


def test_edited_file_of_gated_on_fallback_is_reported() -> None:
    _, item = on_gated(turned().replace("# END", "# a remark\n# END", 1))
    assert (item.kind, item.saved_differs) == ("file", True)


def test_fallback_order_without_checker_is_drift() -> None:
    (item,) = found(TURNED, routing(Detection.BFD)[1], Detection.BFD)
    assert (item.on_fallback, item.running_differs) == (False, True)


def test_reboot_does_not_fix_equal_running_and_saved_state() -> None:
    (item,) = found({"0.0.0.0/0": [(ATM, 60)]}, f"route 0.0.0.0/0 {ATM} css0 60\n")
    assert item.text.endswith("A reboot would not fix it.")
    assert not item.reboot


def test_edited_block_with_the_same_routes_is_reported() -> None:
    (item,) = found(BOTH, routing()[1].replace("# END", "# a remark\n# END", 1))
    assert (item.kind, item.what, item.reboot) == ("file", "/etc/bird.conf", False)
    assert "was edited by hand" in item.text


def test_unreadable_file_is_reported() -> None:
    (item,) = found(BOTH, "BROKEN")
    assert item.text == (
        "/etc/bird.conf of sp01 cannot be read, so the effect of a reboot is unknown: line 1 is no statement."
    )
    assert item.reboot


def test_unmanaged_route_is_reported_only_if_a_reboot_changes_it() -> None:
    running = seen(1, {"0.0.0.0/0": [(ATM, 60)]}, f"route 0.0.0.0/0 {ATM} css0 60\n")
    assert drift(HOST, None, running, RENDERING) == ()
    (item,) = drift(HOST, None, seen(1, BOTH, ""), RENDERING)
    assert item.text.endswith("but its file has no such route: a reboot would change that.")
    assert item.reboot


def test_replaced_file_with_the_same_routes_is_replaced_not_edited() -> None:
    bare = "".join(f"{line}\n" for line in routing()[1].splitlines() if "backstay" not in line)
    (item,) = found(BOTH, bare)
    assert (item.kind, item.saved, item.reboot, item.saved_differs) == ("file", "replaced", False, True)
    assert "no longer contains Backstay's block: the whole file was replaced" in item.text
    assert "edited" not in item.text
