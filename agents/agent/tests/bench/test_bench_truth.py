"""The truth benchmark's own judgement: contradictions between surfaces, and faults of one moment."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from backstay_bench.apply import CannotMeasureError
from backstay_bench.truth.__main__ import MAX_FAILURES, cells, run
from backstay_bench.truth.cell import Bench, unhealthy
from backstay_bench.truth.consistency import consistency, lasting
from backstay_bench.truth.faults import FAULTS, MODES, PARTNERS, DemoFaults, expectations
from backstay_bench.truth.measured_paths import LabNetwork, Measured
from backstay_bench.truth.recovery import Reading, reading, recovered_s, wrong_recovery
from backstay_bench.truth.results import Outcome, ResultFile, figures, matrix
from backstay_bench.truth.snapshots import Json, Snapshots
from backstay_bench.truth.surfaces import Surfaces
from backstay_bench.truth.verdict import (
    Baseline,
    Expected,
    Moment,
    faults_of,
    has_right_headline,
)

GRF1 = Expected(("grf1",))


def path(number: int, **more: Any) -> Json:
    known = {
        "id": number,
        "name": f"sp{number:02} to 0.0.0.0/0",
        "policy": "sp-default",
        "node": f"sp{number:02}",
    }
    known |= {"state": "ok", "active": "grf1", "on_fallback": False, "links": [number], "target": "10.9.0.1"}
    known |= {"end_to_end": "working", "placement": "preferred", "standby": "verified", "standby_dead": []}
    known["gateways"] = [gateway("grf1", "active", None), gateway("atmgw", "standby_verified", "verified")]
    return {**known, "target_alive": True, **more}


def gateway(name: str, use: str, standby: str | None) -> Json:
    return {"name": name, "node_id": {"grf1": 9, "atmgw": 8}[name], "use": use, "standby": standby}


def link(number: int, **more: Any) -> Json:
    known = {"id": number, "name": f"sp{number:02}:css0-sp-switch", "state": "ok", "carries": "active"}
    return {**known, "carrier": "up", "state_text": "up, 1 % used", **more}


def incident(number: int, **more: Any) -> Json:
    known = {"id": number, "name": "grf1", "title": "grf1 lost all links", "state": "critical"}
    known |= {"since": "2026-11-24T12:00:00Z", "phase": "open", "effects": 0, "runbook": "docs/runbooks/x.md"}
    return {**known, "cause_id": None, "path_ids": [], "node_id": 9, **more}


def group(number: int, **more: Any) -> Json:
    known = {"key": f"i{number}", "incident_id": number, "title": "grf1 lost all links", "state": "critical"}
    known |= {"detail": "1 path dead", "end": None, "first_at": "2026-11-24T11:59:59Z"}
    return {**known, "rerouted": 1, "dead": 1, "affected": 2, **more}


def node(number: int, **more: Any) -> Json:
    known = {"id": number, "name": f"sp{number:02}", "kind": "host", "state": "ok", "gateway": None}
    return {**known, "reporting": "reporting", **more}


def role(role: str, **uses: int) -> Json:
    return {"role": role, "text": "", "uses": uses, "reachability": "reachable"}


def overview(**more: Any) -> Json:
    known = {"paths_total": 2, "paths_on_fallback": 0, "paths_dead": 0, "open_incidents": 0}
    headline = "No problems. 3 nodes and 2 links are reporting, every path is on its preferred gateway."
    return {**known, "headline": headline, "tiles": [], **more}


def tile(kind: str, *titles: str) -> Json:
    return {"kind": kind, "total": len(titles), "items": [{"title": title} for title in titles]}


def gateways(grf1: Json, atmgw: Json) -> list[Json]:
    return [node(9, name="grf1", gateway=grf1), node(8, name="atmgw", gateway=atmgw)]


WORKING = gateways(role("active", active=2), role("standby_verified", standby_verified=2))
LOST = gateways(
    role("unreachable", dead=1, standby_dead=1) | {"text": "dead for 1 path"},
    role("degraded", active=1, standby_dead=1),
)
LOST[0]["state"] = LOST[1]["state"] = "critical"
LABELS = {
    "end_to_end": {
        "working": {"glyph": "✓", "label": "working"},
        "dead": {"glyph": "✕", "label": "dead"},
    },
    "standby": {
        "verified": {"glyph": "◉", "label": "standby verified"},
        "dead": {"glyph": "⊗", "label": "standby dead"},
    },
    "carrier": {"up": {"glyph": "↑", "label": "up"}},
    "link_use": {
        "active": {"glyph": "●", "label": "active"},
        "dead": {"glyph": "✕", "label": "dead"},
    },
    "gateway_role": {
        "unreachable": {"glyph": "✕", "label": "unreachable"},
        "degraded": {"glyph": "◐", "label": "partly dead"},
    },
    "reachability": {"reachable": {"glyph": "✓", "label": "reachable"}},
}
TABLES = {
    "paths": "id node\n1 sp01 ✕ dead ⊗ standby dead\n2 sp02 ✓ working ⊗ standby dead\n",
    "links": "sp01:css0-sp-switch ↑ up ✕ dead\nsp02:css0-sp-switch ↑ up ● active\n\n2 links\n",
    "gateways": "grf1 ✕ unreachable ✓ reachable\natmgw ◐ partly dead ✓ reachable\n",
}
HEALTHY = Snapshots(
    overview=overview(),
    topology={"nodes": [node(1), node(2), *WORKING], "links": [link(1), link(2)]},
    paths=[path(1), path(2)],
    links=[link(1), link(2)],
    nodes=[node(1), node(2), *WORKING],
    incidents=[],
)
DEAD = path(
    1,
    state="critical",
    target_alive=False,
    end_to_end="dead",
    standby="dead",
    standby_dead=["atmgw"],
    gateways=[gateway("grf1", "dead", None), gateway("atmgw", "standby_dead", "dead")],
)
MOVED = path(
    2,
    state="warning",
    on_fallback=True,
    active="atmgw",
    placement="fallback",
    standby="dead",
    standby_dead=["grf1"],
    gateways=[gateway("grf1", "standby_dead", "dead"), gateway("atmgw", "active", None)],
)
BROKEN = Snapshots(
    overview=overview(
        headline="grf1 lost all links: 1 path dead, 1 rerouted.",
        paths_dead=1,
        paths_on_fallback=1,
        open_incidents=1,
        tiles=[tile("problems", "grf1 lost all links")],
    ),
    topology={"nodes": [node(1), node(2), *LOST], "links": [link(1, carries="dead"), link(2)]},
    paths=[DEAD, MOVED],
    links=[link(1, carries="dead"), link(2)],
    nodes=[node(1), node(2), *LOST],
    incidents=[incident(7, path_ids=[1, 2])],
    groups=[group(7)],
    details={7: {"evidence": [{"source": "probe"}]}},
    labels=LABELS,
    cli_status=overview(paths_dead=1, paths_on_fallback=1, open_incidents=1),
    cli_paths=[DEAD, MOVED],
    cli_tables=TABLES,
    cli_incidents=[incident(7, path_ids=[1, 2])],
    cli_groups=[group(7)],
)


def printed(verb: str, old: str, new: str) -> dict[str, str]:
    """The printed tables with another text in one of them."""
    return {**TABLES, verb: TABLES[verb].replace(old, new)}


def texts(known: Snapshots) -> list[str]:
    return [str(item) for item in consistency(known)]


def test_consistent_surfaces_have_no_contradiction() -> None:
    assert texts(HEALTHY) == []
    assert texts(BROKEN) == []


@pytest.mark.parametrize(
    ("surface", "value", "text"),
    [
        ("overview", {**BROKEN.overview, "paths_dead": 0}, "paths_dead is 0"),
        ("overview", {**BROKEN.overview, "headline": "No problems."}, "says 'no problems' with 1 dead"),
        ("overview", {**BROKEN.overview, "headline": "1 thing needs you."}, None),
        ("overview", {**BROKEN.overview, "headline": "grf1 is gone."}, "does not state the 1 dead paths"),
        ("overview", {**BROKEN.overview, "open_incidents": 13}, "open_incidents is 13, the list has 1"),
        ("overview", {**BROKEN.overview, "tiles": [tile("problems")]}, "is no problem"),
        ("incidents", [incident(7)], "no incident covers the dead path sp01"),
        ("incidents", [incident(7, path_ids=[1, 2], cause_id=6)], None),
        (
            "incidents",
            [incident(7, path_ids=[1], cause_id=8), incident(8, state="warning")],
            "its root cause is warning",
        ),
        ("links", [link(1), link(2)], "is dead on the map, active in the list"),
        (
            "links",
            [link(1, carries="dead", state_text="grf1:ga030 is down"), link(2)],
            "has carrier and is 'grf1:ga030 is down'",
        ),
        ("links", [link(1, carries="dead", carrier="down"), link(2)], "has no carrier and is ok"),
        ("nodes", [node(1, state="warning"), node(2)], "sp01 is ok on the map, warning in the list"),
        (
            "topology",
            {"nodes": BROKEN.nodes, "links": [link(1, carries="standby"), link(2)]},
            "drawn as standby",
        ),
        (
            "topology",
            {"nodes": [node(1, state="unknown"), node(2)], "links": BROKEN.topology["links"]},
            "0 are not reporting, the map has 1: sp01",
        ),
        ("topology", {"nodes": [node(9)], "links": BROKEN.topology["links"]}, "is green and has a critical"),
        (
            "topology",
            {"nodes": [node(1), node(2), *WORKING], "links": BROKEN.topology["links"]},
            "grf1 is active () on the map, unreachable (dead for 1 path) in the list",
        ),
        ("nodes", WORKING, "grf1 has the uses {'active': 2}, its paths have {'dead': 1, 'standby_dead': 1}"),
        ("nodes", gateways(role("active"), role("active")), "grf1 is active, 1 paths through it are dead"),
        ("nodes", gateways(role("unknown"), role("standby_dead")), "atmgw is standby_dead, 1 paths use it"),
        ("paths", [path(1, state="critical"), path(2, target_alive=None)], "not known to be reachable"),
        (
            "paths",
            [{**DEAD, "standby": "verified"}, MOVED],
            "has the standby verified, its gateways have dead",
        ),
        (
            "paths",
            [{**DEAD, "standby_dead": []}, MOVED],
            "names the dead standbys [], its gateways ['atmgw']",
        ),
        ("groups", [], None),
        ("groups", [group(6, title="sp09 is down")], "no group of events shows 'grf1 lost all links'"),
        ("groups", [group(7, end="2026-11-24T12:00:09Z")], "lasts, its group of events is over"),
        ("cli_status", overview(paths_dead=1, paths_on_fallback=1), "has open_incidents 0, the API 1"),
        ("cli_paths", [path(1), MOVED], "has state ok, the API critical"),
        ("cli_paths", [{**DEAD, "standby": "verified"}, MOVED], "has standby verified, the API dead"),
        ("cli_paths", [DEAD], "`backstay paths` has 1 paths, the API 2"),
        ("cli_tables", printed("paths", "2 sp02", "3 sp02"), "`backstay paths` prints no row for sp02"),
        ("cli_tables", printed("paths", "✓ working", "✓ fine"), "does not print 'working' for sp02"),
        ("cli_tables", printed("paths", "⊗", "○"), "does not print 'standby dead' for sp01"),
        ("cli_tables", printed("links", "↑ up ✕", "↓ down ✕"), "does not print 'up' for sp01:css0"),
        ("cli_tables", printed("links", "● active", "- none"), "does not print 'active' for sp02:css0"),
        ("cli_tables", printed("gateways", "◐ partly dead", "● active"), "'partly dead' for atmgw"),
        ("cli_tables", printed("gateways", "✓", "✕"), "does not print 'reachable' for grf1"),
        ("cli_incidents", [], "`backstay incidents` has 0 incidents, the API 1"),
        ("cli_incidents", [incident(7, state="warning")], "has state warning, the API critical"),
        ("cli_groups", [group(7, dead=0)], "grf1 lost all links has dead 0, the API 1"),
    ],
)
def test_contradictory_surfaces_are_found(surface: str, value: Any, text: str | None) -> None:
    change: dict[str, Any] = {surface: value}
    if not surface.startswith("cli"):
        change["cli_status"] = {}  # not read: it would differ from every changed answer of the API
    found = texts(replace(BROKEN, **change))
    assert any(text in item for item in found) if text is not None else found == []


def test_contradiction_of_one_moment_does_not_count() -> None:
    found = consistency(replace(BROKEN, incidents=[]))
    assert found
    assert lasting([], found) == []
    assert lasting(found, found) == found


MEASURED = {1: Measured(1, "sp01", "grf1", is_alive=False), 2: Measured(2, "sp02", "atmgw", is_alive=True)}
BEFORE = Baseline(
    frozenset({3}),
    {1: Measured(1, "sp01", "grf1", is_alive=True), 2: Measured(2, "sp02", "grf1", is_alive=True)},
)


OTHER = incident(8, name="sp-default", title="sp-default: dead")


def wrong(known: Snapshots, *expected: Expected) -> list[str]:
    return faults_of(Moment(known, MEASURED), BEFORE, expected or [GRF1])


def test_right_moment_has_no_fault() -> None:
    assert wrong(BROKEN) == []
    assert has_right_headline(BROKEN, Moment(BROKEN, MEASURED), BEFORE, [GRF1])


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"incidents": [incident(7, state="warning", path_ids=[1])]}, "is warning, not critical"),
        ({"incidents": [incident(7), OTHER]}, "2 roots for 1 causes; not expected: sp-default: dead"),
        ({"incidents": [OTHER]}, "no root incident names grf1"),
        ({"incidents": []}, "no root incident names grf1"),
        ({"paths": [path(1), MOVED]}, "is ok, its target does not answer"),
        ({"paths": [DEAD, path(2)]}, "is shown through grf1, it uses atmgw"),
        ({"paths": [path(1, state="unknown"), MOVED]}, "sp01 to 0.0.0.0/0 is unknown, but sp01 reports"),
        ({"overview": overview(headline="10 items. 1 dead, 1 rerouted.")}, "names none of grf1"),
        ({"overview": overview(headline="grf1 lost all links, 1 path dead.")}, None),
        ({"overview": overview(headline="grf1 lost all links.")}, "does not state 1 dead"),
    ],
)
def test_each_wrong_fact_is_named(change: dict[str, Any], text: str | None) -> None:
    found = wrong(replace(BROKEN, **change))
    assert any(text in item for item in found) if text is not None else found == []


def test_incident_before_the_fault_and_brief_fault_need_no_root() -> None:
    old = replace(HEALTHY, incidents=[incident(3, title="an old one")])
    same = {1: BEFORE.measured[1], 2: BEFORE.measured[2]}
    brief = Expected(("sp02",), is_brief=True)
    assert faults_of(Moment(old, same), BEFORE, [brief]) == []
    seen = replace(HEALTHY, incidents=[incident(8, title="sp02 does not report", state="warning")])
    assert faults_of(Moment(seen, same), BEFORE, [brief]) == []
    other = replace(HEALTHY, incidents=[incident(8, title="sp01 does not report")])
    assert any("not expected" in text for text in faults_of(Moment(other, same), BEFORE, [brief]))


UNKNOWN = path(1, state="unknown", end_to_end="unknown")
SILENT = node(1, state="unknown", reporting="not_reporting")


def test_unknown_path_is_right_only_if_its_node_does_not_report() -> None:
    unknown = replace(BROKEN, paths=[UNKNOWN, MOVED])
    assert [text for text in wrong(unknown) if "sp01 to" in text] == [
        "sp01 to 0.0.0.0/0 is unknown, but sp01 reports"
    ]
    silent = replace(unknown, nodes=[SILENT, node(2), *LOST])
    assert [text for text in wrong(silent) if "sp01 to" in text] == []


def test_unknown_path_of_a_reporting_node_hides_neither_severity_nor_numbers() -> None:
    """Its target does not answer: the root is critical, and the headline states 1 dead path."""
    mild = incident(7, state="warning", path_ids=[1, 2])
    headline = overview(headline="grf1 lost all links: 1 rerouted.")
    unknown = replace(BROKEN, paths=[UNKNOWN, MOVED], incidents=[mild], overview=headline)
    found = wrong(unknown)
    assert any("is warning, not critical" in text for text in found)
    assert not any("does not state 1 rerouted" in text for text in found)
    number_of_dead = replace(unknown, overview=overview(headline="grf1 lost all links: 2 nodes moved."))
    assert any("does not state 1 dead" in text for text in wrong(number_of_dead))


HUNG = next(fault for fault in FAULTS["argonne"] if fault.name == "agent-hung").expected
NOT_REPORTING = incident(5, name="sp02", title="sp02 is not reporting", state="warning", node_id=2)
HUNG_SITE = replace(
    HEALTHY,
    overview=overview(headline="sp02 is not reporting."),
    paths=[path(1), path(2, state="unknown", end_to_end="unknown")],
    nodes=[node(1), node(2, state="unknown", reporting="not_reporting"), *WORKING],
    incidents=[NOT_REPORTING],
    details={5: {"evidence": []}},
)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({}, None),
        ({"incidents": []}, "no root incident names sp02"),
        ({"incidents": [{**NOT_REPORTING, "state": "critical"}]}, "is critical, not warning"),
        ({"incidents": [NOT_REPORTING, OTHER]}, "2 roots for 1 causes"),
        ({"incidents": [{**NOT_REPORTING, "title": "sp02 is down"}]}, "says that sp02 is not reporting"),
        ({"nodes": [node(1), node(2), *WORKING]}, "sp02 is shown as reporting"),
        ({"paths": [path(1), path(2)]}, "sp02 to 0.0.0.0/0 is ok, but sp02 does not report"),
        ({"paths": [path(1, state="critical"), HUNG_SITE.paths[1]]}, "sp01 to 0.0.0.0/0 is critical"),
    ],
)
def test_hung_agent_is_one_warning_about_its_node_and_nothing_else(
    change: dict[str, Any], text: str | None
) -> None:
    measured = {1: BEFORE.measured[1], 2: BEFORE.measured[2]}
    seen = replace(HUNG_SITE, details={5: {"evidence": []}}, **change)
    found = faults_of(Moment(seen, measured), BEFORE, [HUNG])
    assert any(text in item for item in found) if text is not None else found == []


def test_missing_source_of_evidence_is_named() -> None:
    expected = replace(GRF1, evidence=("probe", "bfd"))
    assert wrong(BROKEN, expected) == ["the evidence of 'grf1 lost all links' has nothing of bfd"]
    shown = replace(BROKEN, details={7: {"evidence": [{"source": "probe"}, {"source": "bfd"}]}})
    assert wrong(shown, expected) == []


def test_hung_agent_is_stopped_while_its_fault_stands(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "60"]) as agent:
        try:
            run_file = tmp_path / "run.json"
            run_file.write_text(json.dumps({"children": {"agent-sp02": {"pid": agent.pid}}}))
            faults = DemoFaults(tmp_path, run_file)
            faults.apply(next(fault for fault in FAULTS["argonne"] if fault.name == "agent-hung"))
            assert state_of(agent.pid) == "T"
            faults.restore_all()
            assert state_of(agent.pid) in {"S", "R"}
        finally:
            agent.kill()


def state_of(pid: int) -> str:
    """`proc_pid_stat(5)`: T is stopped. A signal may take a moment to arrive."""
    time.sleep(0.2)
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def minute(*critical: tuple[float, str]) -> list[Reading]:
    """Readings every 3 s; `critical`: (seconds, object) of those that are not clean."""
    moments = [3.0 * number for number in range(21)]
    return [Reading(at, {key: key for when, key in critical if when == at}) for at in moments]


@pytest.mark.parametrize(
    ("critical", "after_s", "text"),
    [
        ([], 0.0, None),
        ([(0.0, "a"), (3.0, "a"), (6.0, "a")], 9.0, None),
        ([(9.0, "a")], 0.0, "became critical 9 s after recovery: a"),
        ([(0.0, "a"), (3.0, "a"), (3.0, "b")], 6.0, "became critical 3 s after recovery: b"),
        ([(0.0, "a"), (54.0, "a")], 3.0, "became critical 54 s after recovery: a"),
        ([(60.0, "a")], 0.0, "60 s after recovery: a"),
        ([(at, "a") for at in (0.0, 6.0, 12.0)], 15.0, None),
    ],
)
def test_everything_critical_in_the_minute_after_recovery_is_judged(
    critical: list[tuple[float, str]], after_s: float, text: str | None
) -> None:
    readings = minute(*critical)
    assert recovered_s(readings) == after_s
    assert wrong_recovery(readings, []) == ([] if text is None else [text])


def test_critical_incident_between_two_readings_is_judged_by_its_event() -> None:
    readings = minute((0.0, "incident 7"), (9.0, "incident 8"))
    events = [
        {"incident_id": number, "state": state, "message": f"{number} opened", "cause_id": cause}
        for number, state, cause in (
            (7, "critical", None),
            (8, "critical", None),
            (9, "critical", 8),
            (10, "warning", None),
            (11, "critical", 7),
        )
    ]
    assert wrong_recovery(readings, events) == [
        "became critical 9 s after recovery: incident 8",
        "became critical for a moment after recovery: 9 opened",
    ]


def test_reading_has_critical_incidents_of_the_faults_and_dead_paths() -> None:
    assert reading(3.0, HEALTHY, BEFORE).critical == {}
    old = replace(BROKEN, incidents=[incident(3), incident(7), incident(8, state="warning")])
    assert reading(3.0, old, BEFORE).critical == {
        "incident 7": "grf1 lost all links",
        "path 1": "sp01 to 0.0.0.0/0 is dead",
    }


class Recovering(Surfaces):
    """A site that is healthy but for one false critical incident, `at_s` after its recovery."""

    def __init__(self, clock: Callable[[], float], at_s: float) -> None:
        self.clock, self.at_s = clock, at_s

    def read(self, *, command_line: bool = True) -> Snapshots:
        is_bad = self.at_s <= self.clock() < self.at_s + 3.0
        known = replace(HEALTHY, incidents=[incident(7)]) if is_bad else HEALTHY
        return replace(known, overview={**known.overview, "at": "2026-11-24T12:00:00Z"})

    def opened_since(self, at: str) -> list[Json]:
        return []


@pytest.mark.parametrize("at_s", [8.0, 30.0, 58.0])
def test_false_critical_long_after_recovery_makes_a_cell_wrong(
    at_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr("backstay_bench.truth.cell.time.monotonic", lambda: now[0])
    monkeypatch.setattr(
        "backstay_bench.truth.cell.time.sleep", lambda seconds: now.__setitem__(0, now[0] + seconds)
    )
    bench = Bench(Recovering(lambda: now[0], at_s), None, None, print)  # type: ignore[arg-type]
    _, left = bench.recover(BEFORE)
    assert len(left) == 1
    assert "grf1 lost all links" in left[0]


def test_names_of_the_lab_are_read_from_its_status() -> None:
    port = {"name": "css0", "addresses": ["10.1.0.16/24"]}
    status = {"nodes": [{"name": "grf1", "namespace": "bs1-grf1", "ports": [port]}]}
    network = LabNetwork.of(status)
    assert (network.namespaces, network.owners) == ({"grf1": "bs1-grf1"}, {"10.1.0.16": "grf1"})


def test_matrix_has_every_fault_in_every_mode_and_only_selects() -> None:
    every = list(cells("argonne", []))
    assert len(every) == len(FAULTS["argonne"]) * len(MODES) == 33
    assert [name for name, _, _ in cells("argonne", ["cut/two", "management"])] == [
        "management/alone",
        "management/sequence",
        "cut/two",
        "management/two",
    ]
    assert [len(faults) for _, faults, _ in cells("sdsc", ["cut"])] == [1, 2, 2]


def test_figures_count_right_cells_and_times() -> None:
    found = figures([Outcome("cut/alone", (), 3.0, 5.0), Outcome("cut/two", ("no root",), 12.0, 5.0)])
    assert (found["cells_right"]["ours"], found["cells_right"]["goal"], found["cells_right"]["met"]) == (
        1,
        2,
        False,
    )
    assert (found["headline_worst"]["ours"], found["headline_worst"]["met"]) == (12.0, False)


def test_goal_counts_cells_that_were_not_run() -> None:
    found = figures([Outcome("cut/alone", (), 3.0, 5.0)], 2)["cells_right"]
    assert (found["ours"], found["goal"], found["met"]) == (1, 2, False)


def test_table_has_every_fault_in_every_mode_with_sums() -> None:
    known = [
        Outcome("cut/alone", (), 3.0, 5.0, 50.0),
        Outcome("silence/alone", (), 6.0, 5.0, 40.0),
        Outcome("cut/two", ("no root",), None, None, 90.0),
    ]
    lines = [" ".join(line.split()) for line in matrix(["cut", "silence"], known).splitlines()]
    assert lines == [
        "fault alone sequence two",
        "cut right 3.0 not run WRONG -",
        "silence right 6.0 not run not run",
        "right 2 of 2 0 of 0 0 of 1",
        "median headline, s 4.5 - -",
        "worst headline, s 6.0 - -",
        "all modes: 2 of 3 right, headline median 4.5 s, worst 6.0 s (goals 5 s and 10 s), 3 min",
    ]


def test_healthy_site_is_as_before_the_first_cell() -> None:
    first = Baseline.of(HEALTHY, BEFORE.measured)
    assert unhealthy(HEALTHY, first, None) == unhealthy(HEALTHY, first, first) == ([], [])
    broken = Baseline.of(BROKEN, MEASURED)
    assert unhealthy(BROKEN, broken, first) == (
        ["sp01 does not work", "sp02 uses atmgw"]
        + [f"sp0{number} to 0.0.0.0/0 is shown as bad" for number in (1, 2)],
        ["open: grf1 lost all links"],
    )
    assert unhealthy(BROKEN, broken, None)[0] != []
    assert unhealthy(BROKEN, broken, broken) == ([], [])


class FakeBench(Bench):
    """Cells whose results are given: None cannot be measured."""

    def __init__(self, given: dict[str, list[Outcome | None]]) -> None:
        self.given = given
        self.asked: list[str] = []

    def run(self, name: str, faults: object, pause_s: float) -> Outcome:
        self.asked.append(name)
        outcome = self.given[name].pop(0)
        if outcome is None:
            raise CannotMeasureError("the demo does not answer")
        return outcome


def test_resumed_run_measures_only_cells_without_a_result_of_this_version(tmp_path: Path) -> None:
    chosen = list(cells("argonne", ["alone"]))[:3]
    first, second, third = (name for name, _, _ in chosen)
    results = ResultFile(tmp_path / "results", "argonne", "v1")
    results.add(Outcome(first, ("no root",), None, 4.0, 50.0))
    ResultFile(results.path, "argonne", "v0").add(Outcome(second))
    ResultFile(results.path, "sdsc", "v1").add(Outcome(second))
    results.path.write_text(results.path.read_text() + '{"site": "argo')
    bench = FakeBench({second: [None, Outcome(second)], third: [Outcome(third)]})
    found = run(bench, chosen, results, resume=True)
    assert bench.asked == [second, third, second]
    assert [(item.name, item.is_right) for item in found] == [(first, False), (second, True), (third, True)]
    again = FakeBench({name: [Outcome(name)] for name in (first, second, third)})
    run(again, chosen, results, resume=False)
    assert again.asked == [first, second, third]
    assert ResultFile(results.path, "sdsc", "v1").known().keys() == {second}


def test_run_ends_when_nothing_can_be_measured(tmp_path: Path) -> None:
    chosen = list(cells("argonne", ["alone"]))
    bench = FakeBench({name: [None, None] for name, _, _ in chosen})
    assert run(bench, chosen, ResultFile(tmp_path / "results", "argonne", ""), resume=False) == []
    assert len(bench.asked) == 2 * MAX_FAILURES


def test_second_fault_need_not_be_named_while_nobody_can_report_it() -> None:
    management = next(fault for fault in FAULTS["argonne"] if fault.name == "management")
    cut = next(fault for fault in FAULTS["argonne"] if fault.name == "cut")
    assert [item.is_brief for item in expectations([management, PARTNERS["argonne"]])] == [False, True]
    assert [item.is_brief for item in expectations([cut, PARTNERS["argonne"]])] == [False, False]
