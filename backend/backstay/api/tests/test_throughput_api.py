"""Throughput tests over the public API: plans, runs, cells, comparison, export, grids, the papers' tables."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from django.test import Client

from backstay.accounts.models import Role
from backstay.alerts import services
from backstay.alerts.models import Incident
from backstay.api.tests.world import bearer, person
from backstay.throughput.models import CellDuty, TestPlan, TestRun
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
    """A plan's run, carried out; the plan is made first if it is not there."""
    name = more.get("name", PLAN["name"])
    plan = TestPlan.objects.filter(name=name).first()
    ident = plan.pk if plan else api("post", "test-plans", 201, {**PLAN, **more})["id"]
    asked = api("post", f"test-plans/{ident}/run", 201)
    pitch.play(TestRun.objects.get(pk=asked["id"]), rate)
    return api("get", f"test-runs/{asked['id']}", 200)


def test_a_plan_is_made_run_and_its_cells_and_verdicts_are_read(pitch: Pitch, api: Any) -> None:
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
    assert first["flows"] == [{"sender": "origin1", "receiver": "router", "way": ["origin1", "router"]}]
    assert first["verdict"]["sentence"]
    assert {each["name"] for each in shown["verdicts"]} == {
        cell["verdict"]["name"] for cell in shown["cells"]
    }
    assert shown["verdict"]["name"] in {each["name"] for each in shown["verdicts"]}
    cell = api("get", f"test-runs/{run['id']}/cells/0", 200)
    assert [(each["node"], each["role"], each["state"]) for each in cell["duties"]] == [
        ("origin1", "client", "done"),
        ("router", "server", "done"),
    ]
    assert cell["duties"][0]["late_ms"] == pytest.approx(0.9)
    assert api("get", f"test-plans/{plan['id']}", 200)["last_run"]["id"] == run["id"]
    listed = api("get", f"test-runs?site=argonne&plan={plan['id']}&state=done", 200)["items"]
    assert [each["id"] for each in listed] == [run["id"]]


def test_the_second_person_is_told_what_the_run_waits_for(pitch: Pitch, api: Any) -> None:
    one = api("post", "test-plans", 201, PLAN)
    other = api("post", "test-plans", 201, {**PLAN, "name": "again"})
    first = api("post", f"test-plans/{one['id']}/run", 201)
    second = api("post", f"test-plans/{other['id']}/run", 201)
    pitch.tick()
    shown = api("get", f"test-runs/{second['id']}", 200)
    assert (shown["state"], shown["waits_for"]) == ("waiting", f"waits for run #{first['id']} on router: at2")
    assert api("post", f"test-runs/{first['id']}/cancel", 200)["state"] == "cancelled"
    api("post", f"test-runs/{first['id']}/cancel", 409)


def test_a_run_asked_for_twice_with_one_key_is_one_run(pitch: Pitch, api: Any) -> None:
    plan = api("post", "test-plans", 201, PLAN)
    again = [api("post", f"test-plans/{plan['id']}/run", 201, None, **{"idempotency-key": "k"}) for _ in "ab"]
    assert again[0]["id"] == again[1]["id"]
    api("post", f"test-plans/{plan['id']}/run", 409)


@pytest.mark.parametrize(
    ("more", "field", "words"),
    [
        ({"senders": ["nobody"]}, "senders", "no node nobody"),
        ({"senders": ["grf1"]}, "senders", "no agent runs on grf1"),
        ({"receivers": ["origin1"]}, "receivers", "cannot send to itself"),
        ({"receivers": ["sp01"]}, "receivers", "no addresses for each other on hippi"),
        ({"fabric": "nowhere"}, "fabric", "no fabric nowhere"),
        ({"schedule": "0 25 * * *"}, "schedule", "hours"),
        ({"schedule": "0 0 30 2 *"}, "schedule", "never comes"),
        ({"matrix": {"kind": "tcp"}}, "matrix", "a TCP test ends by a duration or by an amount"),
        ({"matrix": {"kind": "ping", "streams": [2]}}, "matrix.streams", "not permitted"),
        ({"matrix": {"kind": "tcp", "streams": [500], "duration_s": 1}}, "matrix.streams", "128"),
        (
            {"matrix": {**PLAN["matrix"], "streams": list(range(1, 64)), "buffer": list(range(1, 64))}},
            "matrix",
            "512",
        ),
        ({"budget_s": 5}, "budget_s", "never run"),
    ],
)
def test_what_could_never_run_is_refused_by_its_field(api: Any, more: Any, field: str, words: str) -> None:
    if more.get("receivers") == ["sp01"]:
        more = {**more, "senders": ["origin1"], "fabric": "hippi"}
    told = api("post", "test-plans", 422, {**PLAN, **more})
    assert words in told["fields"][field]


def test_a_plan_is_changed_and_removed_and_its_runs_stay(pitch: Pitch, api: Any) -> None:
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
    told = api("get", f"test-runs/{after['id']}/compare?with={before['id']}", 200)
    assert (told["outcome"], told["change"]) == ("slower", pytest.approx(-0.5))
    assert (told["before"]["id"], told["after"]["id"]) == (before["id"], after["id"])
    assert [each["outcome"] for each in told["differences"]] == ["slower", "slower"]
    told = api("get", f"test-runs/{after['id']}/compare?with=cern96.fig4", 200)
    assert "the runs differ in" in told["sentence"]
    api("get", f"test-runs/{after['id']}/compare?with=0", 404)


def test_a_run_is_exported_as_csv_and_json(pitch: Pitch, api: Any) -> None:
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
    told = api("get", f"test-runs/{run['id']}/export?format=json", 200)
    assert [cell["rate"] for cell in told["cells"]] == [40e6, 40e6]


def test_text_that_a_spreadsheet_would_run_is_quoted(pitch: Pitch, api: Any) -> None:
    plan = api("post", "test-plans", 201, PLAN)
    run = api("post", f"test-plans/{plan['id']}/run", 201)
    TestRun.objects.get(pk=run["id"]).cells.update(state="failed", detail="=1+1")
    reply = api("get", f"test-runs/{run['id']}/export", 200)
    assert next(csv.DictReader(io.StringIO(reply.content.decode())))["detail"] == "'=1+1"


def test_a_mesh_is_a_grid_that_names_the_slow_host(pitch: Pitch, api: Any) -> None:
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
            pitch.tell(one, rate=9e6 if one == "sp03" else 90e6)
            pitch.tell(other)
    pitch.tick()
    (grid,) = api("get", "test-grids?site=argonne", 200)["items"]
    assert grid == api("get", f"test-grids/{plan['id']}", 200)
    assert (grid["state"], len(grid["cells"])) == ("done", 12)
    assert [(each["host"], each["side"]) for each in grid["suspects"]] == [("sp03", "sends")]
    assert {each["rate"] for each in grid["cells"] if each["sender"] == "sp03"} == {9e6}


def test_the_papers_tables_are_runs_that_anybody_reads_and_nobody_changes(api: Any) -> None:
    listed = api("get", "test-runs?site=argonne&source=paper&limit=500", 200)["items"]
    assert len(listed) >= 5
    assert {each["source"] for each in listed} == {"paper"}
    for each in listed:
        shown = api("get", f"test-runs/{each['id']}", 200)
        assert shown["cells"]
        assert shown["citation"]["cite"]
    api("get", f"test-runs/{listed[0]['id']}/cells/0", 200)
    api("get", f"test-runs/{listed[0]['id']}/export", 200)
    api("post", f"test-runs/{listed[0]['id']}/cancel", 422)
    assert all(each["source"] != "paper" for each in api("get", "test-runs?site=argonne", 200)["items"])


def test_a_worse_run_opens_an_incident_and_a_usual_one_ends_it(pitch: Pitch, api: Any) -> None:
    for rate in (40e6, 41e6, 39e6, 40e6, 40.5e6, 20e6):
        run = done(pitch, api, rate)
    assert run["regression"]["outcome"] == "slower"

    def shown() -> list[Any]:
        services.judge_all(pitch.world.now)
        return list(api("get", "incidents?site=argonne&kind=throughput&phase=open", 200)["items"])

    (incident,) = shown()
    assert incident["title"] == "atm is slower than usual by 50 %"
    done(pitch, api, 40e6)
    assert shown() == []
    assert Incident.objects.filter(rule__kind="throughput").count() == 1


def test_lists_go_on_where_the_page_before_ended(pitch: Pitch, api: Any) -> None:
    for name in ("a", "b", "c"):
        api("post", "test-plans", 201, {**PLAN, "name": name})
    first = api("get", "test-plans?site=argonne&limit=2", 200)
    rest = api("get", f"test-plans?site=argonne&limit=2&cursor={first['next']}", 200)
    assert [each["name"] for each in first["items"] + rest["items"]] == ["a", "b", "c"]
    api("get", "test-runs?site=argonne&sort=nothing", 400)
    assert CellDuty.objects.count() == 0
