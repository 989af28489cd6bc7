"""Options of all commands: formats, tables that fit, repetition, saved views; unknown names and errors."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
import yaml

from backstay_cli.command_groups import NOUNS
from backstay_cli.errors import Denied, in_terms_of_options
from backstay_cli.formatting import as_csv_text
from backstay_cli.text import SPEC
from backstay_testing.cli.api_fake import Examples
from backstay_testing.cli.fake_server import Run, World

LONG = "a-very-long-name-of-a-node-in-a-rack-of-row-12"
LISTS = sorted(
    f"{name} {verb}"
    for name, noun in NOUNS.items()
    for verb in noun.reads
    if verb in {"list", "policies", "tables"} and name != "events"
)


@pytest.mark.parametrize("line", LISTS)
def test_table_of_every_list_fits_120_columns_even_with_long_names(
    world: World, run: Run, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    world.answers.clear()
    Examples(LONG).fill(world)
    monkeypatch.setenv("COLUMNS", "120")
    narrow = table_of(run(*line.split()).out)
    assert narrow
    assert max(map(len, narrow)) <= 120
    monkeypatch.setenv("COLUMNS", "10000")
    wide = table_of(run(*line.split(), "-o", "wide").out)
    assert len(wide[0].split()) >= len(narrow[0].split())


def table_of(output: str) -> list[str]:
    """The lines of a table, without the sentences around it."""
    return [line.rstrip() for line in output.splitlines() if "  " in line]


def test_pipe_gets_120_columns_and_wide_everything_in_one_line(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS")
    done = run("paths")
    assert max(map(len, done.out.splitlines())) <= 120
    assert "rtt" not in done.out.splitlines()[0]
    wide = run("paths", "-o", "wide").out.splitlines()
    assert "rtt" in wide[0]
    assert len(wide) == 5


def test_list_is_printed_in_every_structured_format(run: Run) -> None:
    as_json = run("paths", "-o", "json").json
    assert as_json == run("paths", "--json").json
    assert yaml.safe_load(run("paths", "list", "-o", "yaml").out) == as_json
    rows = list(csv.DictReader(io.StringIO(run("paths", "--format", "csv").out)))
    assert [row["node"] for row in rows] == [item["node"] for item in as_json["items"]]
    assert run("paths", "-o", "xml").code == 2


def test_show_command_and_old_command_have_the_formats_too(run: Run) -> None:
    assert yaml.safe_load(run("change", "42", "-o", "yaml").out)["id"] == 42
    assert run("exports", "show", "5", "--format", "json").json["id"] == 5


@pytest.mark.parametrize(("value", "expected"), SPEC["csv"]["examples"])
def test_cell_of_csv_is_quoted_like_those_of_the_pages(value: Any, expected: str) -> None:
    written = as_csv_text([{"a": value, "b": 1}]).removeprefix("a,b\n")
    if expected.replace("\n", "").isprintable() and "\n" not in expected:
        assert written == f"{expected},1\n"
    else:
        # A control character is escaped: the pages' files are not printed on a terminal.
        assert written.removesuffix("\n").isprintable()


def test_history_is_a_row_per_interval() -> None:
    text = as_csv_text(
        {"at": [0, 60], "forward_mean": [1, None], "level": "5m", "gaps": [{"a": 1}, {"a": 2}]}
    )
    assert text.splitlines() == ["at,forward_mean", "0,1", "60,"]


def test_repeated_command_prints_frames_until_interrupted(
    world: World, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr("backstay_cli.views.time.sleep", pause)
    done = run("incidents", "list", "--watch")
    assert (done.code, pauses) == (0, [2.0, 2.0, 2.0])
    assert len([line for line in done.out.splitlines() if line.startswith("Every 2 s: ")]) == 3
    assert len(world.made("GET", "/incidents")) >= 3
    pauses.clear()
    assert "Every" not in run("incidents", "list", "--watch", "5", "-o", "json").out
    assert pauses[0] == 5.0


def test_server_that_is_away_does_not_end_a_repeated_command(
    world: World, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len([one for one in pauses if one == 2.0]) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr("backstay_cli.views.time.sleep", pause)
    world.break_next = 3
    done = run("gateways", "list", "--watch")
    assert done.code == 0
    assert "Retrying." in done.err
    assert "1 gateway" in done.out


def test_repeated_command_may_not_act(world: World, run: Run) -> None:
    done = run("drills", "7", "--cancel", "--watch")
    assert (done.code, "--watch repeats commands that only read" in done.err) == (2, True)
    assert world.made("DELETE", "/drills/7") == []


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("paths --node sp0", "/paths"),
        ("links --node sp0", "/links"),
        ("clocks --node sp0", "/clocks"),
        ("incidents list --node sp0", "/incidents"),
        ("events --node sp0", "/events"),
        ("neighbours tables --node sp0", "/neighbours/tables"),
    ],
)
def test_unknown_name_is_an_error_with_similar_names(world: World, run: Run, line: str, path: str) -> None:
    world.answers["GET", path] = []
    done = run(*line.split())
    assert (done.code, done.out) == (2, "")
    assert "No node named sp0; did you mean sp01" in done.err
    assert run(*line.replace("sp0", "sp01").split()).code == 0


def test_error_names_the_options_of_the_command(world: World, run: Run) -> None:
    refusal = {"code": "invalid", "message": "start is not a time.", "fields": {"start": "expected a time"}}
    world.answers["GET", "/events"] = (400, refusal)
    assert run("events", "--since", "x").err == "backstay: --since is not a time.\n"
    raw = Denied(
        "neighbour_capacity: a number; timeout_s: too long.", fields=("neighbour_capacity", "timeout_s")
    )
    options = {"timeout": "--timeout"}
    assert str(in_terms_of_options(raw, options)) == "neighbour capacity: a number; --timeout: too long."


def test_noun_alone_lists_and_its_earlier_form_still_works(world: World, run: Run) -> None:
    assert run("incidents").out == run("incidents", "list").out
    assert run("incidents", "7").out == run("incident", "show", "7").out
    assert run("policies").out == run("policy", "list").out
    assert "No such command" in run("paths", "lst").err
    assert run("incidents", "ack", "7").out == run("acknowledge", "7").out
    assert len(world.made("POST", "/incidents/7/acknowledge")) == 2


VIEWED = {
    "links": "/links",
    "devices list": "/nodes",
    "ports list": "/ports",
    "paths": "/paths",
    "incidents list": "/incidents",
    "changes": "/changes",
    "clocks": "/clocks",
    "agents list": "/agents",
}


def saved_view(ident: int, name: str, of: str, **more: object) -> dict[str, object]:
    return {
        "id": ident,
        "site": "argonne",
        "list_name": of,
        "name": name,
        "owner": "ada",
        "is_own": True,
        "is_shared": False,
        "can_change": True,
        "filters": {"state": "critical", "q": "rack 3"},
        "sort": "-age",
        "columns": [],
        "changed_at": "2026-11-28T12:00:00Z",
        **more,
    }


@pytest.mark.parametrize("line", VIEWED)
def test_list_asks_with_the_filters_and_the_order_of_the_view(world: World, run: Run, line: str) -> None:
    path = VIEWED[line]
    world.answers["GET", "/saved-views"] = [saved_view(4, "night", path[1:])]
    world.answers["GET", path] = []
    run(*line.split(), "--view", "night")
    assert world.made("GET", "/saved-views")[0].query["list_name"] == path[1:]
    query = world.made("GET", path)[0].query
    assert {name: query[name] for name in ("state", "q", "sort")} == {
        "state": "critical",
        "q": "rack 3",
        "sort": "-age",
    }
    assert "phase" not in query


def test_options_override_the_view(world: World, run: Run) -> None:
    world.answers["GET", "/saved-views"] = [saved_view(4, "night", "nodes")]
    world.answers["GET", "/nodes"] = []
    run("devices", "list", "--view", "4", "--state", "warning")
    query = world.made("GET", "/nodes")[0].query
    assert (query["state"], query["q"]) == ("warning", "rack 3")


def test_unknown_view_is_an_error_with_similar_names(world: World, run: Run) -> None:
    world.answers["GET", "/saved-views"] = [saved_view(4, "night shift", "links")]
    done = run("links", "--view", "night shfit")
    assert done.code == 2
    assert "did you mean night shift?" in done.err
    assert not world.made("GET", "/links")


def test_own_view_comes_before_that_of_another_person(world: World, run: Run) -> None:
    other = saved_view(3, "night", "links", is_own=False, owner="eve", filters={"state": "ok"})
    world.answers["GET", "/saved-views"] = [other, saved_view(4, "night", "links")]
    world.answers["GET", "/links"] = []
    run("links", "--view", "night")
    assert world.made("GET", "/links")[0].query["state"] == "critical"


def test_trends_of_a_node_are_means_and_highest_loads_of_its_ports(world: World, run: Run) -> None:
    world.answers["GET", "/ports"] = [
        {"id": 7, "name": "css0"},
        {"id": 8, "name": "en0"},
        {"id": 9, "name": "x"},
    ]
    world.answers["GET", "/ports/trends"] = {
        "step_s": 60.0,
        "at": [0.0, 60.0],
        "level": "samples",
        "ports": [
            {"port_id": 7, "in_mean": [1_000_000, 3_000_000], "out_mean": [None, 5_000_000]},
            {"port_id": 8, "in_mean": [None, None], "out_mean": [None, None]},
        ],
    }
    done = run("ports", "trends", "sp01", "--since", "now-6h")
    rows = [line.split() for line in done.out.splitlines()]
    assert ["css0", "2", "Mb/s", "3", "Mb/s", "5", "Mb/s", "5", "Mb/s"] in rows
    assert ["en0", "-", "-", "-", "-"] in rows
    assert "2 ports; 1 more: ask for each with ports history" in done.out
    assert world.made("GET", "/ports/trends")[0].query["start"] == "now-6h"
