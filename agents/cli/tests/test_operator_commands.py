"""Each command: its requests, output and exit code."""

import itertools
from datetime import timedelta

import pytest

from backstay_testing.cli.fake_server import AT, Run, World
from backstay_testing.cli.rollout import DIFF, DIGEST, change, drift, drill, hold, member, move, path, plan
from backstay_testing.cli.site import overview

PLANNED = ("GET", "/changes/42")


def test_status_gives_exit_code_1_only_with_problems(world: World, run: Run) -> None:
    fine = run("status")
    assert fine.code == 0
    assert "Argonne (argonne), 2026-11-21 12:00:10; rates are 0.1 of the real ones" in fine.out
    assert "Of 8 paths 0 dead, 1 on a fallback, 0 unknown; 0 open incidents, 0 root causes" in fine.out
    assert "2026-11-21 12:00:00 to 12:00:52" in fine.out
    assert "another approver is required." in fine.squeezed()
    assert "last evaluated" not in fine.out
    world.answers["GET", "/overview"] = overview(broken=1, confirm_by=AT + timedelta(seconds=100))
    broken = run("status")
    assert broken.code == 1
    assert "waits; 1 min 30 s until the guards roll back" in broken.squeezed()
    assert "The alert rules were last evaluated 12 s ago." in broken.out
    assert run("status", "--json").json["paths_total"] == 8


def test_paths_show_the_fallback_and_the_outage(world: World, run: Run) -> None:
    done = run("paths", "--node", "sp02", "--state", "warning")
    assert (
        "2 sp02 sp-default 0.0.0.0/0 atmgw (fallback of grf1) ✓ working by atmgw 2 min 5 s" in done.squeezed()
    )
    assert "◉ standby verified 148 ms, 2026-11-21 12:00:00 0.41 ms frr" in done.squeezed()
    assert "3 paths, 1 on a fallback" in done.out
    assert world.made("GET", "/paths")[0].query == {"limit": "500", "node": "sp02", "state": "warning"}


def test_outage_that_lasts_is_not_shown_as_a_measurement(world: World, run: Run) -> None:
    known = path(1, "sp01")
    assert known.last_outage is not None
    lasting = known.last_outage.model_copy(update={"end": None, "text": "at least 10 s, ongoing"})
    world.answers["GET", "/paths"] = [known.model_copy(update={"last_outage": lasting})]
    assert "at least 10 s, ongoing, 2026-11-21 12:00:00" in run("paths").squeezed()


def test_outage_time_of_a_policy_by_day(world: World, run: Run) -> None:
    done = run("policies", "outages", "sp-default", "--since", "now-3d")
    squeezed = done.squeezed()
    assert "2026-11-19 no data 0 - -" in squeezed
    assert "2026-11-20 no outage 0 - 2 d" in squeezed
    assert "2026-11-21 20.65 s on 2 paths 2 sp01, 20.35 s 2 d" in squeezed
    assert "sp-default: 20.65 s in 2 outages, sum over its paths" in squeezed
    assert "day (UTC)" in squeezed
    assert world.made("GET", "/failover-policies/3/outages")[0].query == {"by": "day", "start": "now-3d"}
    assert run("policies", "outages", "sp-default", "--by", "month", "--json").json["timezone"] == "UTC"
    assert run("policies", "outages", "sp-default", "--by", "year").code == 2
    assert run("policies", "--by", "day").code == 2
    assert run("policies", "lists").code == 2


def test_dead_unverified_and_standby_states_are_those_of_the_api(world: World, run: Run) -> None:
    world.answers["GET", "/paths"] = [
        path(1, "sp01", state="critical", end_to_end="dead", standby="not verified"),
        path(2, "sp02", state="unknown", end_to_end="unverified", standby="dead", standby_dead=["atmgw"]),
        path(3, "sp03", standby="verified", standby_dead=["gw3"]),
    ]
    done = run("paths")
    assert "✕ dead" in done.out
    assert "◌ unverified" in done.out
    assert "○ standby not verified" in done.out
    assert "⊗ standby dead" in done.out
    assert "◉ standby verified, dead: gw3" in done.out
    assert "3 paths, 0 on a fallback, 1 dead, 1 unverified" in done.out


def test_links_show_carrier_and_use_and_gateways_their_role(world: World, run: Run) -> None:
    done = run("links", "--fabric", "atm-oc12")
    assert "grf1:ga030-origin1:at0 atm-oc12 ↑ up up, 10 % used ✕ dead 5 Mb/s (10 %) -" in done.squeezed()
    assert "2 links, 1 down" in done.out
    assert world.made("GET", "/links")[0].query == {"limit": "500", "fabric": "atm-oc12"}
    done = run("gateways")
    assert "grf1 ✕ unreachable unreachable: standby dead for 7 paths" in done.squeezed()
    assert "1 gateway" in done.out
    assert world.made("GET", "/nodes")[0].query == {"limit": "500", "gateway": "true"}


def test_countdown_is_printed_with_every_list(world: World, run: Run) -> None:
    world.answers["GET", "/changes"] = [change("confirming")]
    for verb in ("paths", "policies", "changes", "drift", "drills"):
        done = run(verb)
        assert "Change #42 is rolled back in 1 min 13 s: backstay confirm 42" in done.err
        assert "is rolled back in" not in done.out


def test_name_with_control_characters_is_escaped_in_tables_and_json(world: World, run: Run) -> None:
    world.answers["GET", "/paths"] = [path(1, "sp\x1b[2J\x7f[red]")]
    for options in ((), ("--json",)):
        done = run("paths", *options)
        assert "\x1b" not in done.out
        assert "\x7f" not in done.out
    assert "sp\\x1b[2J\\x7f[red]" in run("paths").out
    assert run("paths", "--json").json["items"][0]["node"] == "sp\x1b[2J\x7f[red]"


def test_colour_is_used_only_on_a_terminal(world: World, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[" not in run("paths").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[32m" in run("paths").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[32m" not in run("paths").out


def test_plan_is_created_from_policy_names_and_shown_in_full(world: World, run: Run) -> None:
    done = run("plan", "sp-default", "--node", "sp05", "--node", "sp06", "--wave-size", "4",
               "--reason", "why", "--ticket", "N-1")  # fmt: skip
    assert done.code == 0
    assert world.made("POST", "/changes")[0].body == {
        "site": "argonne", "kind": "policies", "policies": [3], "nodes": ["sp05", "sp06"],
        "title": "", "reason": "why", "ticket": "N-1", "wave_size": 4,
    }  # fmt: skip
    squeezed = done.squeezed()
    assert "Change #42: SP - planned" in squeezed
    assert "sp05, sp06 (frr)\n 0.0.0.0/0\n - grf1 (1)\n + grf1 (60), then atmgw (70)" in squeezed
    assert "+ip route 0.0.0.0/0 10.0.0.1\t60" in done.out
    assert "warning on_link grf1 is far sp05" in squeezed
    assert "overloads a link grf1 2 nodes move 150 ms" in squeezed
    assert "tolerated 1 failure grf2" in squeezed
    assert "backstay approve 42 --digest 3f9a0c12be77" in squeezed


def test_unknown_policy_is_a_usage_error(run: Run, world: World) -> None:
    done = run("plan", "nonesuch")
    assert done.code == 2
    assert "there are sp-default" in done.err
    assert not world.made("POST", "/changes")


def test_blocked_plan_gives_exit_code_1_in_every_format(world: World, run: Run) -> None:
    world.answers[PLANNED] = change("planned", plan=plan(blocked=True))
    shown = run("plan", "show", "42")
    assert shown.code == 1
    assert "correct its cause, then backstay plan again 42" in shown.out
    asked = run("plan", "show", "#42", "--json")
    assert (asked.code, asked.json["plan"]["blocked"]) == (1, True)


def test_a_stale_plan_is_planned_again(world: World, run: Run) -> None:
    world.answers[PLANNED] = change("planned", plan=plan(stale=True, stale_because="A policy changed."))
    assert "Next: backstay plan again 42" in run("plan", "show", "42").out
    assert run("plan", "again", "42").code == 0
    assert len(world.made("POST", "/changes/42/plan")) == 1


def test_diff_is_accepted_by_patch(run: Run) -> None:
    done = run("diff", "42")
    assert done.out == f"# sp05, sp06 (frr)\n{DIFF}\n"
    assert "- grf1 (1)" in run("diff", "42", "--semantic").out
    assert run("diff", "42", "--node", "sp09").code == 2
    assert run("diff", "42", "--json").json[0]["engine"] == "frr"


def test_approving_sends_the_digest_of_the_plan(world: World, run: Run) -> None:
    short, other = run("approve", "42", "--digest", "3f9a"), run("approve", "42", "--digest", "ffffffffff")
    assert (short.code, other.code) == (2, 3)
    assert "has changed" in other.err
    assert not world.made("POST", "/changes/42/approve")
    assert run("approve", "42", "--digest", DIGEST[:12], "--accept-warnings", "--comment", "ok").code == 0
    assert world.made("POST", "/changes/42/approve")[0].body == {
        "digest": DIGEST, "comment": "ok", "accept_warnings": True,
    }  # fmt: skip


def test_approving_without_a_digest_is_a_usage_error(run: Run, world: World) -> None:
    assert run("approve", "42").code == 2
    assert not world.asked


def test_confirming_applies_to_the_displayed_wave(world: World, run: Run) -> None:
    world.answers[PLANNED] = change("confirming", wave=1)
    assert run("confirm", "42").code == 0
    assert world.made("POST", "/changes/42/confirm")[0].body == {"wave": 1}


def test_rollback_with_wait_ends_when_rolled_back(world: World, run: Run) -> None:
    world.answers[PLANNED] = itertools.chain([change("rolling")], itertools.repeat(change("rolled_back")))
    done = run("roll-back", "42", "--reason", "wrong day", "--wait")
    assert done.code == 0
    assert world.made("POST", "/changes/42/roll-back")[0].body == {"reason": "wrong day"}
    world.answers[PLANNED] = change("failed")
    assert run("roll-back", "42", "--wait").code == 5


def test_change_is_shown_with_its_evidence_and_history(world: World, run: Run) -> None:
    failed = [{"what": "gateway", "ok": False, "found": "no answer"}]
    world.answers[PLANNED] = change(
        "rolled_back",
        members=[member("sp05", "rolled_back", reason="timer", by="guard", failed=failed)],
        history=[{"at": AT, "person": "", "text": "sp05 is back."}],
        approvals=[{"person": "bob", "at": AT, "digest": DIGEST, "comment": "fine"}],
    )
    done = run("change", "42")
    assert done.code == 5
    assert "1 sp05 frr rolled back gateway: no answer timer (by its guard)" in done.squeezed()
    assert "bob 2026-11-21 12:00:00 3f9a0c12be77 fine" in done.squeezed()
    assert "Backstay sp05 is back." in done.squeezed()


def test_change_number_must_be_a_number(run: Run, world: World) -> None:
    assert run("change", "42/../43").code == 2
    assert run("change", "-1").code == 2
    assert not world.asked


def test_drift_gives_exit_code_1_but_a_checker_on_fallback_does_not(world: World, run: Run) -> None:
    on_fallback = drift("sp06", running_differs=False, on_fallback=True, state="ok")
    world.answers["GET", "/drift"] = [on_fallback]
    assert run("drift").code == 0
    assert run("drift", "--reboot").code == 1
    world.answers["GET", "/drift"] = [on_fallback, drift("sp05")]
    found = run("drift", "--items")
    assert found.code == 1
    assert "sp05 frr running not as intended yes 3 s It runs atmgw." in found.squeezed()
    assert "0.0.0.0/0 grf1 atmgw grf1" in found.squeezed()
    assert run("drift", "sp06").code == 0


def test_drift_can_be_planned_in_either_direction(world: World, run: Run) -> None:
    world.answers["GET", "/drift"] = [drift("sp05")]
    assert run("drift", "--restore", "sp07", "sp08").code == 0
    assert run("drift", "--adopt").code == 0
    bodies = [(item.body["kind"], item.body["nodes"]) for item in world.made("POST", "/changes")]
    assert bodies == [("restore", ["sp07", "sp08"]), ("adopt", ["sp05"])]
    assert run("drift", "--adopt", "--restore").code == 2
    world.answers["GET", "/drift"] = []
    assert run("drift", "--restore").code == 2


def test_path_is_moved_by_node_name_for_a_duration(world: World, run: Run) -> None:
    done = run("move", "sp01", "atmgw", "--for", "90s", "--reason", "paint", "--wait")
    assert done.code == 0
    assert world.made("POST", "/paths/1/move")[0].body == {
        "gateway": "atmgw",
        "seconds": 90,
        "reason": "paint",
    }
    assert "sp01 to 0.0.0.0/0 to atmgw: moved" in done.out
    assert run("move", "1", "--back").code == 0
    assert len(world.made("DELETE", "/paths/1/move")) == 1


def test_a_node_is_held_for_a_time_and_the_hold_ended(world: World, run: Run) -> None:
    done = run("hold", "sp01", "30m", "--reason", "card swap", "--wait")
    assert (done.code, done.out) == (0, "sp01: held until 12:30 UTC by ada\n")
    assert world.made("POST", "/nodes/5/hold")[0].body == {"seconds": 1800.0, "reason": "card swap"}
    assert run("hold", "sp01", "--end").code == 0
    assert len(world.made("DELETE", "/nodes/5/hold")) == 1
    listed = run("holds")
    assert "sp01 held 2026-11-21" in listed.squeezed()
    assert listed.squeezed().endswith("\n1 hold\n")
    assert world.made("GET", "/holds")[-1].query["state"] == "open"


def test_a_hold_that_the_node_does_not_confirm_is_exit_code_5(world: World, run: Run) -> None:
    world.answers["GET", "/holds"] = [hold("failed", detail="the node did not confirm the hold")]
    done = run("hold", "sp01", "30m", "--wait")
    assert done.code == 5
    assert "the node did not confirm the hold" in done.err


def test_hold_names_missing_arguments_before_any_request(world: World, run: Run) -> None:
    assert run("hold", "sp01").code == 2
    assert run("hold", "sp01", "30m", "--end").code == 2
    assert run("hold", "sp01", "long").code == 2
    assert not world.asked
    assert run("hold", "sp0", "30m").code == 2


def test_a_held_path_and_the_number_of_held_nodes_are_shown(world: World, run: Run) -> None:
    world.answers["GET", "/paths"] = [path(1, "sp01", hold=hold("held"))]
    assert "grf1, held until 12:30 UTC by ada" in run("paths").squeezed()
    world.answers["GET", "/overview"] = overview().model_copy(update={"held_nodes": 1})
    assert "1 node held: backstay holds" in run("status").out


def test_move_refused_by_the_node_gives_exit_code_5(world: World, run: Run) -> None:
    refused = move("refused", detail="atmgw is dead")
    world.answers["GET", "/paths/1"] = path(1, "sp01", move=refused)
    done = run("move", "sp01", "atmgw", "--wait")
    assert done.code == 5
    assert "atmgw is dead" in done.err


def test_move_names_missing_arguments_before_any_request(world: World, run: Run) -> None:
    assert run("move", "sp01").code == 2
    assert run("move", "sp01", "atmgw", "--back").code == 2
    assert run("move", "sp01", "atmgw", "--for", "long").code == 2
    assert not world.asked
    assert run("move", "sp99", "atmgw").code == 2
    world.answers["GET", "/paths"] = [path(1, "sp01"), path(2, "sp01", prefix="::/0", policy="v6")]
    done = run("move", "sp01", "atmgw")
    assert "name one by its number: 1 (sp-default, 0.0.0.0/0), 2 (v6, ::/0)" in done.err


def test_drill_result_is_the_exit_code(world: World, run: Run) -> None:
    passed = run("drill", "sp-default", "--for", "5s", "--at", "2026-12-01T06:00", "--every", "7", "--wait")
    assert passed.code == 0
    body = world.made("POST", "/drills")[0].body
    assert (body["policy"], body["seconds"], body["every_days"]) == (3, 5, 7)
    assert body["at"].startswith("2026-12-01T06:00:00+")
    assert "worst outage 151 ms; the fallback carried up to 12.5 Mb/s" in passed.out
    world.answers["POST", "/drills"] = drill("refused", refused_because=["atmgw is dead"])
    refused = run("drill", "sp-default", "--wait")
    assert refused.code == 3
    assert "Refused: atmgw is dead" in refused.out
    world.answers["GET", "/drills/7"] = drill("failed")
    assert run("drills", "7").code == 5
    assert run("drill", "sp-default", "--at", "tomorrow").code == 2
    assert run("drills", "--cancel").code == 2


def test_response_of_a_newer_backend_is_accepted(world: World, run: Run) -> None:
    newer = change("planned").model_dump(mode="json") | {"state": "simmering", "more": 1}
    world.answers[PLANNED] = newer
    done = run("change", "42")
    assert done.code == 0
    assert "Change #42" in done.out


def test_undo_and_retire_show_the_change_that_was_planned(world: World, run: Run) -> None:
    done = run("undo", "42", "--reason", "wrong gateway")
    assert done.code == 0
    assert world.made("POST", "/changes/42/undo")[0].body == {"reason": "wrong gateway"}
    assert "Next, by an approver: backstay approve 42" in done.squeezed()
    world.answers["DELETE", "/failover-policies/3"] = (202, change("planned").model_dump(mode="json"))
    done = run("retire", "sp-default")
    assert done.code == 0
    assert len(world.made("DELETE", "/failover-policies/3")) == 1
    assert "Change #42" in done.out
    world.answers["DELETE", "/failover-policies/3"] = (204, b"")
    assert "sp-default was deleted; it was not deployed on any node." in run("retire", "sp-default").out


def test_confirmed_change_names_the_command_that_undoes_it(world: World, run: Run) -> None:
    world.answers[PLANNED] = change("done", may=["undo"])
    assert "To undo it: backstay undo 42" in run("change", "42").out
    world.answers[PLANNED] = change("done")
    assert "backstay undo" not in run("change", "42").out
