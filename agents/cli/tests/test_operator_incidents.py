"""`backstay incidents`: root causes, and the evidence of one."""

from __future__ import annotations

from backstay_testing.cli.fake_server import Run, World


def test_root_causes_are_listed_with_their_effects_and_give_exit_code_1(world: World, run: Run) -> None:
    done = run("incidents")
    assert done.code == 1
    assert "grf1 is unreachable: 3 paths dead, 7 rerouted to atmgw" in " ".join(done.out.split())
    asked = [one for one in world.asked if one.path.endswith("/incidents")]
    assert (asked[0].query["root"], asked[0].query["phase"]) == ("true", "current")


def test_one_incident_shows_its_evidence_what_contradicts_it_and_its_runbook(run: Run) -> None:
    done = run("incidents", "7")
    assert done.code == 0
    assert "no answer from grf1" in " ".join(done.out.split())
    assert "Reports (contradicts)" in done.out
    assert "docs/runbooks/gateway-unreachable.md" in done.out


def test_quiet_site_has_none(world: World, run: Run) -> None:
    world.answers["GET", "/incidents"] = []
    done = run("incidents")
    assert (done.code, done.out.strip()) == (0, "No open incidents.")
