"""`backstay tests`: plans created, shown and removed; runs requested, shown, cancelled, compared,
exported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from backstay_cli.models import ComparisonOut
from backstay_cli.throughput.draft import READ_ONLY
from backstay_testing.cli import throughput as known
from backstay_testing.cli.fake_server import Run, World

DOCUMENT = Path(__file__).parents[3] / "backend/openapi.json"
NEW = ("--site", "argonne", "tests", "new")


def test_plans_are_listed_with_their_newest_run(run: Run) -> None:
    done = run("tests", "plans")
    assert done.code == 0
    assert "nightly tcp sp01 to sp02 4 idle 2026-11-22 03:00:00 Window-limited: 64 KiB" in done.squeezed()
    assert "2 test plans" in done.out
    assert [item["name"] for item in run("tests", "plans", "--json").json["items"]] == ["nightly", "fresh"]


def test_plan_shows_its_parameters_its_cells_and_its_schedule(run: Run) -> None:
    done = run("tests", "plan", "nightly")
    assert "Test plan nightly at argonne - next in 3 h" in done.out
    for line in (
        "ends sp01 to sp02 (one to one)",
        "streams 1, 2",
        "window 64 KiB",
        "cells 2 streams x 2 repeats = 4 cells per run",
        "runs 0 3 * * * (UTC); next at 2026-11-22 03:00:00",
        "limits priority 5; only while cross traffic is at most 50 % of a link; 1 h of tests per day",
    ):
        assert line in done.squeezed()
    assert "Next: backstay tests run nightly --wait" in done.out
    assert run("tests", "plan", "3", "--json").json["name"] == "nightly"


def test_unknown_plan_is_a_usage_error_that_lists_existing_plans(run: Run) -> None:
    done = run("tests", "plan", "nonesuch")
    assert done.code == 2
    assert "there are nightly, fresh" in done.err


def test_new_plan_matches_its_options(world: World, run: Run) -> None:
    options = ("--from", "sp01,sp02", "--to", "grf1", "--streams", "1-3,8", "--buffer", "16K,1M",
               "--window", "64K", "--direction", "forward,both", "--duration", "5s", "--repeats", "2",
               "--schedule", "0 3 * * *", "--quiet", "50", "--budget-time", "1h", "--budget", "10G",
               "--nodelay", "on,off", "--omit", "1s", "--fabric", "sp-switch", "--disabled")  # fmt: skip
    assert run(*NEW, "fast", *options).code == 0
    assert world.made("POST", "/test-plans")[0].body == {
        "site": "argonne", "name": "fast", "shape": "many_to_one", "senders": ["sp01", "sp02"],
        "receivers": ["grf1"], "fabric": "sp-switch", "repeats": 2, "schedule": "0 3 * * *",
        "enabled": False, "priority": 5, "quiet_percent": 50, "budget_s": 3600, "budget_bytes": 10 * 2**30,
        "note": "",
        "matrix": {
            "kind": "tcp", "streams": [1, 2, 3, 8], "buffer": [16384, 1048576], "window": [65536],
            "direction": ["forward", "both"], "nodelay": [True, False], "duration_s": 5, "omit_s": 1,
        },
    }  # fmt: skip


@pytest.mark.parametrize(
    ("options", "matrix"),
    [
        ((), {"kind": "tcp", "duration_s": 10}),
        (("--amount", "100M"), {"kind": "tcp", "amount": 100 * 2**20}),
        (
            ("--kind", "udp", "--rate", "10M,2.5G", "--size", "1472"),
            {"kind": "udp", "rate": [10e6, 2.5e9], "size": [1472], "duration_s": 10},
        ),
        (("--kind", "ping", "--count", "20", "--rate", "5"), {"kind": "ping", "count": 20, "rate": [5]}),
        (
            ("--kind", "request_ack", "--size", "64K", "--ack-delay", "quick,system", "--header", "12"),
            {"kind": "request_ack", "size": [65536], "ack_delay": ["quick", "system"], "header": 12,
             "duration_s": 10},
        ),
        (("--kind", "rdma", "--queue-pairs", "1,4"), {"kind": "rdma", "queue_pairs": [1, 4]}),
    ],
)  # fmt: skip
def test_each_kind_gets_its_own_matrix(
    world: World, run: Run, options: tuple[str, ...], matrix: dict[str, Any]
) -> None:
    assert run(*NEW, "fast", "--from", "sp01", "--to", "sp02", *options).code == 0
    assert world.made("POST", "/test-plans")[0].body["matrix"] == matrix


@pytest.mark.parametrize(
    ("options", "shape"),
    [
        (("--from", "a", "--to", "b"), "pair"),
        (("--from", "a", "--to", "b,c"), "one_to_many"),
        (("--from", "a,b", "--to", "c,d"), "n_pairs"),
        (("--from", "a,b,c", "--shape", "mesh"), "mesh"),
    ],
)
def test_shape_follows_from_the_ends(world: World, run: Run, options: tuple[str, ...], shape: str) -> None:
    assert run(*NEW, "fast", *options).code == 0
    assert world.made("POST", "/test-plans")[0].body["shape"] == shape


def test_striped_transfers_name_a_node_in_more_than_one_pair(world: World, run: Run) -> None:
    assert run(*NEW, "stripes", "--from", "bh001,bh001,bh002,bh002", "--to", "m1,m2,m1,m2").code == 0
    body = world.made("POST", "/test-plans")[0].body
    assert (body["shape"], body["senders"], body["receivers"]) == (
        "n_pairs", ["bh001", "bh001", "bh002", "bh002"], ["m1", "m2", "m1", "m2"],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (("fast",), "Name the sender"),
        (("fast", "--from", "a,b"), "--shape mesh"),
        (("fast", "--from", "a,b", "--to", "c,d,e"), "2 to 3 does not match a shape"),
        (("fast", "--from", "a", "--to", "b", "--buffer", "64X"), "64K or 1M"),
        (("fast", "--from", "a", "--to", "b", "--streams", "8-1"), "not a range"),
        (("fast", "--from", "a", "--to", "b", "--streams", "some"), "1,2,4 or 1-8"),
        (("fast", "--from", "a", "--to", "b", "--nodelay", "maybe"), "on, off or on,off"),
        (("--from", "a", "--to", "b"), "Name the plan"),
        (("--file", "/nonexistent/plan.json"), "cannot be read"),
    ],
)
def test_unreadable_values_are_rejected_with_an_example(
    world: World, run: Run, options: tuple[str, ...], error: str
) -> None:
    done = run(*NEW, *options)
    assert done.code == 2
    assert error in done.err
    assert not world.made("POST", "/test-plans")


def test_printed_plan_can_be_edited_and_imported(world: World, run: Run, tmp_path: Path) -> None:
    printed = run("tests", "plan", "nightly", "--json").json
    file = tmp_path / "plan.json"
    file.write_text(json.dumps(printed | {"priority": 9}))
    assert run("tests", "new", "--file", str(file), "--replace").code == 0
    sent = world.made("PUT", "/test-plans/3")[0]
    assert sent.key is not None
    assert (sent.body["site"], sent.body["priority"], sent.body["matrix"]) == (
        "argonne",
        9,
        printed["matrix"],
    )
    assert run("tests", "new", "other", "--file", str(file)).code == 0
    assert world.made("POST", "/test-plans")[0].body["name"] == "other"


def test_file_without_a_plan_is_refused_locally(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    for text, error in (("{", "is not JSON"), ("[]", "is not a plan"), ('{"name": "x"}', "senders, matrix")):
        file.write_text(text)
        done = run("tests", "new", "--file", str(file))
        assert (done.code, error in done.err) == (2, True), done.err


def test_misspelt_field_in_a_file_is_reported_by_the_api(world: World, run: Run, tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    file.write_text(json.dumps({"name": "x", "senders": ["a"], "matrix": {}, "prioritty": 9}))
    run(*NEW, "--file", str(file))
    assert "prioritty" in world.made("POST", "/test-plans")[0].body


def test_read_only_fields_are_removed_from_a_file() -> None:
    answer = json.loads(DOCUMENT.read_text())["components"]["schemas"]
    assert set(answer["TestPlanOut"]["properties"]) - set(answer["TestPlanIn"]["properties"]) == READ_ONLY


def test_refused_plan_shows_the_apis_message(world: World, run: Run) -> None:
    message = "The plan's ends do not fit: senders: no agent runs on grf1."
    world.answers["POST", "/test-plans"] = (422, {"code": "refused", "message": message, "fields": {}})
    done = run(*NEW, "fast", "--from", "grf1", "--to", "sp02")
    assert (done.code, done.err) == (3, f"backstay: {message}\n")


def test_removed_plan_keeps_its_runs(world: World, run: Run) -> None:
    done = run("tests", "remove", "nightly")
    assert (done.code, done.out) == (0, "Test plan nightly was removed; 7 runs kept.\n")
    assert len(world.made("DELETE", "/test-plans/3")) == 1


def test_run_is_requested_by_plan_name(world: World, run: Run) -> None:
    done = run("tests", "run", "nightly")
    assert done.code == 0
    assert "Run #12 of nightly - about to start" in done.out
    assert "Next: backstay tests show 12 --wait" in done.out
    conflict = {"code": "conflict", "message": "Run #12 of nightly is not over.", "fields": {}}
    world.answers["POST", "/test-plans/3/run"] = (409, conflict)
    assert run("tests", "run", "nightly").code == 3


def test_runs_are_listed_newest_first_up_to_the_limit(world: World, run: Run) -> None:
    done = run("tests", "runs", "--plan", "nightly", "--state", "current", "-n", "20")
    assert [line.split()[0] for line in done.out.splitlines()] == ["run", "12", "11", "2"]
    assert "cancelled: Window-limited" in done.squeezed()
    asked = world.made("GET", "/test-runs")
    assert [item.query for item in asked] == [{"limit": "20", "plan": "3", "state": "current"}]


def test_papers_option_lists_only_paper_tables(world: World, run: Run) -> None:
    assert run("tests", "runs", "--papers").code == 0
    assert world.made("GET", "/test-runs")[0].query["source"] == "paper"
    assert run("tests", "runs", "--papers", "--plan", "nightly").code == 2


def test_run_shows_matrix_cause_evidence_and_remedy(run: Run) -> None:
    done = run("tests", "show", "12")
    assert done.code == 0
    squeezed = done.squeezed()
    assert "took 2 min 5 s; 87 % of usable at best; measured in the lab" in squeezed
    assert "Mb/s and share of usable; across: streams" in squeezed
    assert "1 2 3 4 \n13.4 25% 26.9 50% 40.3 75% 46.8 87%\nwindow window window window" in squeezed
    assert "Window-limited: 64 KiB / 3 ms = 175 Mb/s per stream. (medium confidence)" in squeezed
    assert "for No processor is busy." in squeezed
    assert "against Retransmits were not measured." in squeezed
    assert "Remedy: Let both ends use larger windows." in squeezed
    assert run("tests", "show", "#12", "--json").json["id"] == "12"


def test_plan_name_selects_its_newest_run(world: World, run: Run) -> None:
    assert "Run #12" in run("tests", "show", "nightly").out
    never = run("tests", "show", "fresh")
    assert (never.code, "fresh has no runs: backstay tests run fresh" in never.err) == (2, True)


def test_unmeasured_cells_are_listed_with_reasons_and_give_exit_code_1(world: World, run: Run) -> None:
    detail = "sp02: its agent has not told what came of the test"
    cells = [known.cell(0), known.cell(1, None, state="lost_agent", detail=detail)]
    world.answers["GET", "/test-runs/12"] = known.run("done", cells, cells_bad=1, outcome="1 cell lost agent")
    done = run("tests", "show", "12")
    assert done.code == 1
    assert f"1 sp01 to sp02, 2 streams no agent {detail}" in done.squeezed()


@pytest.mark.parametrize(("outcome", "code"), [("slower", 1), ("usual", 0)])
def test_run_slower_than_usual_gives_exit_code_1(world: World, run: Run, outcome: str, code: int) -> None:
    answer = {"outcome": outcome, "usual": 1.0, "change": -0.3, "deviations": 9.0, "sentence": "30 % slower.",
            "cells": 4, "slower_cells": 4, "runs": 6, "least": 5}  # fmt: skip
    world.answers["GET", "/test-runs/12"] = known.run(regression=answer)
    done = run("tests", "show", "12")
    assert done.code == code
    assert "Against earlier runs: 30 % slower." in done.out


def test_cell_is_shown_with_node_reports_and_alternative_causes(run: Run) -> None:
    done = run("tests", "show", "12", "--cell", "0")
    assert "Cell 0 of run 12, sp01 to sp02: 1 stream" in done.out
    assert "path: sp01, grf1, sp02" in done.out
    assert "Also considered: CPU-bound: sp01." in done.out
    assert "sp01 client done 0.9 ms late iperf3 -c 10.1.0.2 -P 1" in done.squeezed()


def test_cancelling_shows_the_resulting_state(world: World, run: Run) -> None:
    done = run("tests", "cancel", "nightly")
    assert (done.code, "Run #12 of nightly - cancelled" in done.out) == (0, True)
    assert world.made("POST", "/test-runs/12/cancel")[0].key is not None


def test_comparison_with_a_slower_second_run_gives_exit_code_1(world: World, run: Run) -> None:
    done = run("tests", "compare", "11", "12")
    assert done.code == 1
    assert world.made("GET", "/test-runs/12/compare")[0].query == {"with": "11"}
    lines = [line.split() for line in done.out.splitlines()]
    at = lines.index(["cell", "before", "after", "change"])
    assert lines[at + 1][-6:] == ["40", "Mb/s", "30", "Mb/s", "-25%", "slower"]
    assert lines[at + 2][-1] == "same"
    assert "only after: 8 streams" in done.out
    world.answers["GET", "/test-runs/12/compare"] = known.comparison("faster")
    assert run("tests", "compare", "11", "12").code == 0


def test_compared_pairs_of_a_mesh_are_distinguished(world: World, run: Run) -> None:
    answer = known.comparison().model_dump(mode="json")
    for receiver, item in zip(("sp02", "sp03"), answer["differences"], strict=True):
        item["flows"] = [{"sender": "sp01", "receiver": receiver}]
    world.answers["GET", "/test-runs/12/compare"] = ComparisonOut.model_validate(answer)
    squeezed = run("tests", "compare", "11", "12").squeezed()
    assert "sp01 to sp02: 1 stream" in squeezed
    assert "sp01 to sp03: 4 streams" in squeezed


def test_export_is_the_unchanged_file_of_the_api(run: Run) -> None:
    assert run("tests", "export", "12", "--csv").out == "index,key,state\r\n0,sp\x1b01,done\r\n"
    assert run("tests", "export", "12", "--json").json["id"] == "12"
    for options in ((), ("--csv", "--json")):
        assert run("tests", "export", "12", *options).code == 2


def test_export_to_a_terminal_has_no_control_characters(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert run("tests", "export", "12", "--csv").out == "index,key,state\r\n0,sp\\x1b01,done\r\n"
