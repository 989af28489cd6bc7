"""`backstay n-1` and `backstay what-if`: sentences, tables, parameters and exit codes."""

from __future__ import annotations

import json

from backstay_testing.cli.capacity import SENTENCE, packets, single_failures, what_if
from backstay_testing.cli.fake_server import Run, World


def test_every_single_failure_is_a_line_and_a_failing_fallback_gives_exit_code_1(run: Run) -> None:
    done = run("--site", "argonne", "n-1")
    assert done.code == 1
    assert "1 of 4 fallbacks would not hold" in done.out
    line = " ".join(next(line for line in done.out.splitlines() if line.startswith("grf1")).split())
    assert "would NOT hold atmgw:at0-router:at1 142 % of 134.5 Mb/s 8 (191 Mb/s) 1 (1 Mb/s) -30 %" in line
    assert "10 % of the gateways' traffic belongs to no policy or path." in done.out
    assert "The traffic of 2 nodes is unknown." in done.out


def test_a_failed_study_is_named(world: World, run: Run) -> None:
    world.answers["GET", "/capacity/n-1"] = single_failures("ValueError: no topology")
    assert "The last attempt failed: ValueError: no topology" in run("--site", "argonne", "n-1").out


def test_what_if_names_the_consequence_first(world: World, run: Run) -> None:
    done = run("--site", "argonne", "what-if", "--kill", "grf1", "--kill", "link:7", "--growth", "30")
    assert done.code == 1
    assert SENTENCE in done.squeezed()
    assert "8 sp-default grf1 atmgw 191 Mb/s 12 Mb/s" in done.squeezed()
    assert "atmgw:at0-router:at1 atmgw -> router 0 b/s 191 Mb/s 142 %" in done.squeezed()
    assert "atmgw 1000 131000 100000 131 %" in done.squeezed()
    assert "Cut off: 1 node with 1 Mb/s." in done.out
    assert "The fallback is full at -30 % traffic." in done.out
    (asked,) = world.made("GET", "/capacity/what-if")
    assert asked.query["growth"] == "30.0"
    assert asked.query["dead"] == "link:7"  # The fake server keeps the last of several.


def test_a_gateway_nearer_to_its_limit_than_any_link_is_the_worst_part(world: World, run: Run) -> None:
    answer = single_failures()
    answer.items[0].worst_gateway = packets().model_copy(update={"share": 1.5})
    world.answers["GET", "/capacity/n-1"] = answer
    line = next(line for line in run("--site", "argonne", "n-1").out.splitlines() if line.startswith("grf1"))
    assert "atmgw 150 % of 100000 packets/s" in " ".join(line.split())


def test_unknown_packet_rates_are_not_shown_as_known(world: World, run: Run) -> None:
    answer = what_if("unknown")
    answer.failure.gateways = [packets().model_copy(update={"is_known": False, "share": 0.4})]
    world.answers["GET", "/capacity/what-if"] = answer
    done = run("--site", "argonne", "what-if", "--kill", "grf1")
    assert "atmgw unknown unknown 100000 at least 40 %" in done.squeezed()


def test_a_fallback_that_holds_gives_exit_code_0(world: World, run: Run) -> None:
    world.answers["GET", "/capacity/what-if"] = what_if("holds")
    assert run("--site", "argonne", "what-if", "--kill", "grf1").code == 0
    world.answers["GET", "/capacity/what-if"] = what_if("unknown")
    assert run("--site", "argonne", "what-if", "--kill", "grf1").code == 1


def test_json_is_the_answer_itself(run: Run) -> None:
    answer = json.loads(run("--site", "argonne", "what-if", "--kill", "grf1", "--json").out)
    assert answer == what_if().model_dump(mode="json")


def test_the_track_record_has_errors_and_reasons(run: Run) -> None:
    done = run("--site", "argonne", "track-record")
    assert done.code == 0
    assert (
        "1 failover measured: median error 2 %, worst 7 % of the usable rate; 1 not measured"
        in done.squeezed()
    )
    assert "drill #7 measured atmgw:at0-router:at1 134.5 Mb/s 200 Mb/s 2 % 6.7 %" in done.squeezed()
    assert "not measured. It lasted 12 s: too short to measure." in done.squeezed()


def test_forecasts_have_dates_or_reasons(run: Run) -> None:
    done = run("--site", "argonne", "forecast", "atmgw")
    assert done.code == 0
    text = done.squeezed()
    assert "1 of 2 link directions will be full within a year" in text
    assert "3.1 % (last value: 8.7 %)" in text
    assert "From atmgw: 2 days with a value since 2026-11-20; trend 83.5 Mb/s, in 30 days 98.5 Mb/s." in text
    assert "From router: 2 days with a value since 2026-11-20." in text
    assert "no forecast: A forecast of the last 45 days was off by 83 %." in text
