"""Throughput tests over the public API: plans, runs, cells, comparison, export, grids, the papers' tables."""

from __future__ import annotations

import csv
import io
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from backstay.alerts import services
from backstay.alerts.models import Incident
from backstay.api.test_runs.schemas import ParametersOut
from backstay.api.tests.world import bearer, person
from backstay.core.roles import Role
from backstay.throughput.export import COLUMNS
from backstay.throughput.models import TestAssignment, TestCell, TestPlan, TestRun
from backstay.throughput.tests.pitch import Pitch

PLAN: dict[str, Any] = {
    "site": "argonne",
    "name": "atm",
    "senders": ["origin1"],
    "receivers": ["router"],
    "fabric": "atm-oc12",
    "matrix": {"kind": "tcp", "streams": [1, 4], "window": [65536], "duration_s": 10},
}


@pytest.fixture
def pitch(db: None) -> Pitch:
    return Pitch.make()


@pytest.fixture
def api(pitch: Pitch, client: Client) -> Any:
    headers = bearer(person("olga", Role.OPERATOR, "argonne"))

    def call(method: str, path: str, status: int, body: Any = None, **more: str) -> Any:
        send = getattr(client, method)
        known = {} if body is None else {"data": body, "content_type": "application/json"}
        reply = send(f"/api/v1/{path}", headers={**headers, **more}, **known)
        assert reply.status_code == status, reply.content
        return reply.json() if reply.content and "json" in reply["Content-Type"] else reply

    return call


def done(pitch: Pitch, api: Any, rate: float = 40e6, **more: Any) -> Any:
    """A completed run of a plan, which is created if missing."""
    name = more.get("name", PLAN["name"])
    plan = TestPlan.objects.filter(name=name).first()
    ident = plan.pk if plan else api("post", "test-plans", 201, {**PLAN, **more})["id"]
    asked = api("post", f"test-plans/{ident}/run", 201)
    pitch.play(TestRun.objects.get(pk=asked["id"]), rate)
    return api("get", f"test-runs/{asked['id']}", 200)


def test_run_with_cells_and_verdicts_is_readable(pitch: Pitch, api: Any) -> None:
    plan = api("post", "test-plans", 201, {**PLAN, "schedule": "0 3 * * mon-fri"})
    assert (plan["state"], plan["cells"], plan["may_run"]) == ("idle", 2, True)
    assert plan["matrix"]["streams"] == [1, 4]
    assert plan["next_at"].endswith("03:00:00Z")
    run = api("post", f"test-plans/{plan['id']}/run", 201)
    assert (run["state"], run["progress"], run["person"], run["source"]) == ("queued", 0.0, "olga", "lab")
    pitch.tick()
    shown = api("get", f"test-runs/{run['id']}", 200)
    assert shown["state"] == "running"
    assert shown["remaining_s"] > 20
    assert "0 of 2 cells done" in shown["state_text"]
    pitch.play(TestRun.objects.get(pk=run["id"]), 40e6)
    shown = api("get", f"test-runs/{run['id']}", 200)
    assert (shown["state"], shown["progress"], shown["remaining_s"]) == ("done", 1.0, None)
    first = shown["cells"][0]
    assert (first["parameters"]["streams"], first["parameters"]["window"]) == (1, 65536)
    assert (first["rate"], first["used"]) == (40e6, pytest.approx(40 / 53.8))
    assert first["flows"] == [{"sender": "origin1", "receiver": "router", "path": ["origin1", "router"]}]
    assert first["verdict"]["sentence"]
    assert {item["name"] for item in shown["verdicts"]} == {
        cell["verdict"]["name"] for cell in shown["cells"]
    }
    assert shown["verdict"]["name"] in {item["name"] for item in shown["verdicts"]}
    cell = api("get", f"test-runs/{run['id']}/cells/0", 200)
    assert [(item["node"], item["role"], item["state"]) for item in cell["assignments"]] == [
        ("origin1", "client", "done"),
        ("router", "server", "done"),
    ]
    assert cell["assignments"][0]["late_ms"] == pytest.approx(0.9)
    assert api("get", f"test-plans/{plan['id']}", 200)["last_run"]["id"] == run["id"]
    listed = api("get", f"test-runs?site=argonne&plan={plan['id']}&state=done", 200)["items"]
    assert [item["id"] for item in listed] == [run["id"]]


def test_waiting_run_shows_its_reason(pitch: Pitch, api: Any) -> None:
    one = api("post", "test-plans", 201, PLAN)
    other = api("post", "test-plans", 201, {**PLAN, "name": "again"})
    first = api("post", f"test-plans/{one['id']}/run", 201)
    second = api("post", f"test-plans/{other['id']}/run", 201)
    pitch.tick()
    shown = api("get", f"test-runs/{second['id']}", 200)
    assert (shown["state"], shown["waits_for"]) == ("waiting", f"waits for run #{first['id']} on router: at2")
    assert api("post", f"test-runs/{first['id']}/cancel", 200)["state"] == "cancelled"
    api("post", f"test-runs/{first['id']}/cancel", 409)


def test_run_requested_twice_with_one_key_is_one_run(pitch: Pitch, api: Any) -> None:
    plan = api("post", "test-plans", 201, PLAN)
    again = [api("post", f"test-plans/{plan['id']}/run", 201, None, **{"idempotency-key": "k"}) for _ in "ab"]
    assert again[0]["id"] == again[1]["id"]
    api("post", f"test-plans/{plan['id']}/run", 409)


@pytest.mark.parametrize(
    ("more", "field", "message"),
    [
        ({"senders": ["nobody"]}, "senders", "no node nobody"),
        ({"senders": ["grf1"]}, "senders", "no agent on grf1"),
        ({"receivers": ["origin1"]}, "receivers", "cannot send to itself"),
        ({"receivers": ["sp01"]}, "receivers", "no matching addresses on hippi"),
        ({"fabric": "nowhere"}, "fabric", "no fabric nowhere"),
        ({"schedule": "0 25 * * *"}, "schedule", "hours"),
        ({"schedule": "0 0 30 2 *"}, "schedule", "never occurs"),
        ({"matrix": {"kind": "tcp"}}, "matrix", "a TCP test needs either a duration or an amount"),
        ({"matrix": {**PLAN["matrix"], "streams": [1, 4, 1]}}, "matrix.streams", "each value once"),
        ({"matrix": {"kind": "ping", "streams": [2]}}, "matrix.streams", "not permitted"),
        ({"matrix": {"kind": "tcp", "streams": [500], "duration_s": 1}}, "matrix.streams", "128"),
        (
            {"matrix": {**PLAN["matrix"], "streams": list(range(1, 64)), "buffer": list(range(1, 64))}},
            "matrix",
            "2500",
        ),
        ({"budget_s": 5}, "budget_s", "never run"),
    ],
)
def test_plan_that_cannot_run_is_refused_by_field(api: Any, more: Any, field: str, message: str) -> None:
    if more.get("receivers") == ["sp01"]:
        more = {**more, "senders": ["origin1"], "fabric": "hippi"}
    answer = api("post", "test-plans", 422, {**PLAN, **more})
    assert message in answer["fields"][field]


def test_changed_and_removed_plan_keeps_its_runs(pitch: Pitch, api: Any) -> None:
    run = done(pitch, api)
    ident = run["plan_id"]
    api("post", "test-plans", 409, PLAN)
    changed = api("put", f"test-plans/{ident}", 200, {**PLAN, "priority": 9, "note": "nightly"})
    assert (changed["priority"], changed["note"], changed["runs"]) == (9, "nightly", 1)
    assert api("delete", f"test-plans/{ident}", 204).content == b""
    api("get", f"test-plans/{ident}", 404)
    assert api("get", f"test-runs/{run['id']}", 200)["state"] == "done"
    api("post", "test-plans", 201, PLAN)


def test_two_runs_are_compared_cell_by_cell(pitch: Pitch, api: Any) -> None:
    before, after = done(pitch, api, 40e6), done(pitch, api, 20e6)
    answer = api("get", f"test-runs/{after['id']}/compare?with={before['id']}", 200)
    assert (answer["outcome"], answer["change"]) == ("slower", pytest.approx(-0.5))
    assert (answer["before"]["id"], answer["after"]["id"]) == (before["id"], after["id"])
    assert [item["outcome"] for item in answer["differences"]] == ["slower", "slower"]
    assert answer["differences"][0]["flows"] == [{"sender": "origin1", "receiver": "router"}]
    assert answer["differences"][1]["parameters"]["streams"] == 4
    answer = api("get", f"test-runs/{after['id']}/compare?with=cern96.fig4", 200)
    assert "The runs also differ in" in answer["sentence"]
    api("get", f"test-runs/{after['id']}/compare?with=0", 404)


def test_run_is_exported_as_csv_and_json(pitch: Pitch, api: Any) -> None:
    run = done(pitch, api)
    reply = api("get", f"test-runs/{run['id']}/export?format=csv", 200)
    assert reply["Content-Type"].startswith("text/csv")
    assert f"atm-{run['id']}.csv" in reply["Content-Disposition"]
    rows = list(csv.DictReader(io.StringIO(reply.content.decode())))
    assert [row["streams"] for row in rows] == ["1", "4"]
    assert (rows[0]["ends"], float(rows[0]["rate_bit_s"]), rows[0]["state"]) == (
        "origin1>router",
        40e6,
        "done",
    )
    assert rows[0]["sentence"] == run["cells"][0]["verdict"]["sentence"]
    answer = api("get", f"test-runs/{run['id']}/export?format=json", 200)
    assert [cell["rate"] for cell in answer["cells"]] == [40e6, 40e6]


def test_export_has_every_parameter(pitch: Pitch, api: Any) -> None:
    matrix = {
        **PLAN["matrix"],
        "streams": [1],
        "mss": [1448],
        "congestion": ["cubic"],
    }
    run = done(pitch, api, matrix=matrix)
    reply = api("get", f"test-runs/{run['id']}/export?format=csv", 200)
    (row,) = csv.DictReader(io.StringIO(reply.content.decode()))
    assert (row["quick_ack"], row["mss_bytes"], row["congestion"]) == ("", "1448", "cubic")
    assert (row["offered_packets_s"], row["mtu_bytes"], row["send_buffer_bytes"], row["program"]) == ("",) * 4
    answer = {
        name.removesuffix("_bytes").removesuffix("_bit_s").removesuffix("_packets_s") for name in COLUMNS
    }
    named = {"offered_rate": "offered", "offered_pps": "offered"}
    assert {named.get(name, name) for name in ParametersOut.model_fields} <= answer


def test_spreadsheet_formulas_are_quoted(pitch: Pitch, api: Any) -> None:
    plan = api("post", "test-plans", 201, PLAN)
    run = api("post", f"test-plans/{plan['id']}/run", 201)
    TestRun.objects.get(pk=run["id"]).cells.update(state="failed", detail="=1+1")
    reply = api("get", f"test-runs/{run['id']}/export", 200)
    assert next(csv.DictReader(io.StringIO(reply.content.decode())))["detail"] == "'=1+1"


def test_mesh_is_a_grid_that_names_the_slow_host(pitch: Pitch, api: Any) -> None:
    mesh = {
        "name": "mesh",
        "shape": "mesh",
        "senders": ["sp01", "sp02", "sp03", "sp04"],
        "receivers": [],
        "fabric": "sp-switch",
        "matrix": {"kind": "tcp", "duration_s": 5},
    }
    plan = api("post", "test-plans", 201, {**PLAN, **mesh})
    run = TestRun.objects.get(pk=api("post", f"test-plans/{plan['id']}/run", 201)["id"])
    for _ in range(13):
        pitch.tick()
        for cell in run.cells.filter(state="running"):
            ((one, other),) = cell.flows
            pitch.report_all(one, rate=9e6 if one == "sp03" else 90e6)
            pitch.report_all(other)
    pitch.tick()
    again = api("post", f"test-plans/{plan['id']}/run", 201)
    TestRun.objects.filter(pk=again["id"]).update(verdict={"name": "inconclusive"})
    (grid,) = api("get", "test-grids?site=argonne", 200)["items"]
    assert grid["run"] == str(run.pk), "a run that has measured nothing hides no grid"
    assert grid == api("get", f"test-grids/{plan['id']}", 200)
    assert (grid["state"], len(grid["cells"])) == ("done", 12)
    assert [(item["host"], item["side"]) for item in grid["suspects"]] == [("sp03", "sends")]
    assert {item["rate"] for item in grid["cells"] if item["sender"] == "sp03"} == {9e6}


def mesh(pitch: Pitch, api: Any, name: str, rates: tuple[float, ...]) -> Any:
    """A completed mesh of two nodes with a cell for each of the rates per direction."""
    matrix = {"kind": "tcp", "duration_s": 5, "streams": [*range(1, len(rates) + 1)]}
    ends = {"shape": "mesh", "senders": ["sp01", "sp02"], "receivers": [], "fabric": "sp-switch"}
    plan = api("post", "test-plans", 201, {**PLAN, **ends, "name": name, "matrix": matrix})
    run = TestRun.objects.get(pk=api("post", f"test-plans/{plan['id']}/run", 201)["id"])
    for _ in range(run.cells.count()):
        pitch.tick()
        for cell in run.cells.filter(state="running"):
            for node in ("sp01", "sp02"):
                pitch.report_all(node, rate=rates[cell.spec["streams"] - 1])
    pitch.tick()
    return api("get", f"test-runs/{run.pk}", 200)


def test_pair_has_rate_and_verdict_of_its_best_cell(pitch: Pitch, api: Any) -> None:
    run = mesh(pitch, api, "two", (9e6, 90e6))
    TestCell.objects.filter(run=run["id"], spec__streams=1).update(verdict={"name": "unstable"})
    TestCell.objects.filter(run=run["id"], spec__streams=2).update(verdict={"name": "medium_limited"})
    (grid,) = api("get", "test-grids?site=argonne", 200)["items"]
    assert {(item["rate"], item["verdict"]) for item in grid["cells"]} == {(90e6, "medium_limited")}
    TestCell.objects.filter(run=run["id"], spec__streams=2).update(state="failed", measured=None)
    (grid,) = api("get", "test-grids?site=argonne", 200)["items"]
    assert {item["verdict"] for item in grid["cells"]} == {"unstable"}


def cells_read(queries: Any) -> str:
    """Queries of the cell table with measurements."""
    found = [query["sql"] for query in queries.captured_queries if '_testcell"."measured", ' in query["sql"]]
    assert len(found) == 1
    return str(found[0])


def test_grids_are_paged_and_cells_read_singly(pitch: Pitch, api: Any) -> None:
    one, other = (mesh(pitch, api, name, (9e6,)) for name in "ab")
    with CaptureQueriesContext(connection) as queries:
        first = api("get", "test-grids?site=argonne&limit=1", 200)
    assert cells_read(queries).endswith(f'IN ({one["id"]}) ORDER BY "throughput_testcell"."index" ASC')
    rest = api("get", f"test-grids?site=argonne&limit=1&cursor={first['next']}", 200)
    assert [item["run"] for item in first["items"] + rest["items"]] == [one["id"], other["id"]]
    assert rest["next"] is None
    with CaptureQueriesContext(connection) as queries:
        assert api("get", f"test-runs/{one['id']}/cells/1", 200)["index"] == 1
    assert '"index" = 1' in cells_read(queries)
    for nowhere in ("2", "-1", "99999999999999999999"):
        api("get", f"test-runs/{one['id']}/cells/{nowhere}", 404)
        api("get", f"test-runs/cern96.fig4/cells/{nowhere if nowhere != '2' else '9999'}", 404)


def test_mesh_pairs_are_compared_individually(pitch: Pitch, api: Any) -> None:
    before, after = mesh(pitch, api, "two", (9e6,)), mesh(pitch, api, "again", (90e6,))
    TestCell.objects.filter(run=after["id"], index=1).update(state="failed")
    answer = api("get", f"test-runs/{after['id']}/compare?with={before['id']}", 200)
    assert [item["flows"] for item in answer["differences"]] == [[{"sender": "sp01", "receiver": "sp02"}]]
    assert [item["flows"] for item in answer["only_before"]] == [[{"sender": "sp02", "receiver": "sp01"}]]
    assert answer["only_before"][0]["streams"] == 1


def test_paper_tables_are_sorted_and_filtered_like_runs(pitch: Pitch, api: Any) -> None:
    every = api("get", "test-runs?site=argonne&source=paper&limit=500", 200)["items"]
    assert {item["shape"] for item in every} == {""}
    for sort in ("state", "-asked", "plan"):
        path = f"test-runs?site=argonne&source=paper&sort={sort}"
        first = api("get", f"{path}&limit=2", 200)
        rest = api("get", f"{path}&limit=500&cursor={first['next']}", 200)
        assert len(first["items"]) + len(rest["items"]) == len(every)
    done_ones = api("get", "test-runs?site=argonne&source=paper&state=done&limit=500", 200)["items"]
    assert len(done_ones) == len(every)
    assert api("get", "test-runs?site=argonne&source=paper&state=running", 200)["items"] == []
    assert api("get", "test-runs?site=argonne&source=paper&plan=1", 200)["items"] == []


def test_runs_are_sorted_by_their_plan_over_pages(pitch: Pitch, api: Any) -> None:
    runs = [done(pitch, api, name=name) for name in ("b", "a", "b", "c")]
    for sort, order in (("plan", (1, 0, 2, 3)), ("-plan", (3, 2, 0, 1))):
        seen: list[str] = []
        following = ""
        while following is not None:
            page = api("get", f"test-runs?site=argonne&sort={sort}&limit=1&cursor={following}", 200)
            seen += [item["id"] for item in page["items"]]
            following = page["next"]
        assert seen == [runs[at]["id"] for at in order]


def test_plan_shows_when_its_runs_state_began(pitch: Pitch, api: Any) -> None:
    plan = api("post", "test-plans", 201, PLAN)
    other = api("post", "test-plans", 201, {**PLAN, "name": "other"})
    assert plan["since"] == TestPlan.objects.get(pk=plan["id"]).changed_at.isoformat().replace("+00:00", "Z")
    run = api("post", f"test-plans/{plan['id']}/run", 201)
    later = timezone.now() + timedelta(hours=1)
    TestRun.objects.filter(pk=run["id"]).update(state="running", began_at=later)
    shown = api("get", f"test-plans/{plan['id']}", 200)
    assert shown["since"] == shown["last_run"]["since"] == later.isoformat().replace("+00:00", "Z")
    for sort, order in (("age", [plan["id"], other["id"]]), ("-age", [other["id"], plan["id"]])):
        first = api("get", f"test-plans?site=argonne&sort={sort}&limit=1", 200)
        rest = api("get", f"test-plans?site=argonne&sort={sort}&limit=1&cursor={first['next']}", 200)
        assert [item["id"] for item in first["items"] + rest["items"]] == order


def test_paper_tables_are_readable_by_everyone_and_read_only(api: Any) -> None:
    listed = api("get", "test-runs?site=argonne&source=paper&limit=500", 200)["items"]
    assert len(listed) >= 5
    assert {item["source"] for item in listed} == {"paper"}
    for item in listed:
        shown = api("get", f"test-runs/{item['id']}", 200)
        assert shown["cells"]
        assert shown["citation"]["cite"]
    api("get", f"test-runs/{listed[0]['id']}/cells/0", 200)
    api("get", f"test-runs/{listed[0]['id']}/export", 200)
    api("post", f"test-runs/{listed[0]['id']}/cancel", 422)
    assert all(item["source"] != "paper" for item in api("get", "test-runs?site=argonne", 200)["items"])


@pytest.mark.usefixtures("shown_at_once")
def test_slower_run_opens_an_incident_and_a_normal_one_resolves_it(pitch: Pitch, api: Any) -> None:
    for rate in (40e6, 41e6, 39e6, 40e6, 40.5e6, 20e6):
        run = done(pitch, api, rate)
    assert run["regression"]["outcome"] == "slower"

    def shown() -> list[Any]:
        services.run_round(pitch.world.now)
        return list(api("get", "incidents?site=argonne&kind=throughput&phase=open", 200)["items"])

    (incident,) = shown()
    assert incident["title"] == "atm is slower than usual by 50 %"
    done(pitch, api, 40e6)
    assert shown() == []
    assert Incident.objects.filter(rule__kind="throughput").count() == 1


def test_lists_continue_after_the_previous_page(pitch: Pitch, api: Any) -> None:
    for name in ("a", "b", "c"):
        api("post", "test-plans", 201, {**PLAN, "name": name})
    first = api("get", "test-plans?site=argonne&limit=2", 200)
    rest = api("get", f"test-plans?site=argonne&limit=2&cursor={first['next']}", 200)
    assert [item["name"] for item in first["items"] + rest["items"]] == ["a", "b", "c"]
    api("get", "test-runs?site=argonne&sort=nothing", 422)
    assert TestAssignment.objects.count() == 0
