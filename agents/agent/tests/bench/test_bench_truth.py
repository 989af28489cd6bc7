"""The truth benchmark's own judgement: contradictions between surfaces, and faults of one moment."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from backstay_bench.apply import CannotMeasureError
from backstay_bench.truth.__main__ import MAX_FAILURES, cells, run
from backstay_bench.truth.cell import Bench, unhealthy
from backstay_bench.truth.consistency import consistency, lasting
from backstay_bench.truth.faults import FAULTS, MODES, PARTNERS, expectations
from backstay_bench.truth.measured_paths import LabNetwork, Measured
from backstay_bench.truth.results import Outcome, ResultFile, figures, matrix
from backstay_bench.truth.snapshots import Json, Snapshots
from backstay_bench.truth.verdict import (
    Baseline,
    Expected,
    Moment,
    after_recovery,
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
    return {**known, "target_alive": True, **more}


def link(number: int, **more: Any) -> Json:
    known = {"id": number, "name": f"sp{number:02}:css0-sp-switch", "state": "ok", "carries": "active"}
    ends = {"source": {"carrier": True}, "target": {"carrier": None}, "state_text": "up, 1 % used"}
    return {**known, **ends, **more}


def incident(number: int, **more: Any) -> Json:
    known = {"id": number, "name": "grf1", "title": "grf1 lost all links", "state": "critical"}
    return {**known, "cause_id": None, "path_ids": [], "node_id": 9, **more}


def node(number: int, **more: Any) -> Json:
    return {"id": number, "name": f"sp{number:02}", "kind": "host", "state": "ok", **more}


def overview(**more: Any) -> Json:
    known = {"paths_total": 2, "paths_on_fallback": 0, "paths_dead": 0, "open_incidents": 0}
    headline = "No problems. 3 nodes and 2 links are reporting, every path is on its preferred gateway."
    return {**known, "headline": headline, "tiles": [], **more}


def tile(kind: str, *titles: str) -> Json:
    return {"kind": kind, "total": len(titles), "items": [{"title": title} for title in titles]}


HEALTHY = Snapshots(
    overview=overview(),
    topology={"nodes": [node(1), node(2)], "links": [link(1), link(2)]},
    paths=[path(1), path(2)],
    links=[link(1), link(2)],
    nodes=[node(1), node(2)],
    incidents=[],
)
BROKEN = Snapshots(
    overview=overview(
        headline="grf1 lost all links: 1 path dead, 1 rerouted.",
        paths_dead=1,
        paths_on_fallback=1,
        open_incidents=1,
        tiles=[tile("problems", "grf1 lost all links")],
    ),
    topology={"nodes": [node(1), node(2)], "links": [link(1, carries="dead"), link(2)]},
    paths=[
        path(1, state="critical", target_alive=False),
        path(2, state="warning", on_fallback=True, active="atmgw"),
    ],
    links=[link(1, carries="dead"), link(2)],
    nodes=[node(1), node(2)],
    incidents=[incident(7, path_ids=[1, 2])],
)


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
            [link(1, carries="dead", state_text="grf1:ga030 is down", target={"carrier": True}), link(2)],
            "has carrier at both ends",
        ),
        ("links", [link(1, carries="dead", source={"carrier": False}), link(2)], "has no carrier and is ok"),
        ("nodes", [node(1, state="warning"), node(2)], "sp01 is ok on the map, warning in the list"),
        (
            "topology",
            {"nodes": [node(1), node(2)], "links": [link(1, carries="standby"), link(2)]},
            "drawn as standby",
        ),
        (
            "topology",
            {"nodes": [node(1, state="unknown"), node(2)], "links": BROKEN.topology["links"]},
            "0 are not reporting, the map has 1: sp01",
        ),
        ("topology", {"nodes": [node(9)], "links": BROKEN.topology["links"]}, "is green and has a critical"),
        ("paths", [path(1, state="critical"), path(2, target_alive=None)], "not known to be reachable"),
        ("cli_paths", [path(1), path(2)], "has state ok, the API critical"),
    ],
)
def test_contradictory_surfaces_are_found(surface: str, value: Any, text: str | None) -> None:
    changes: dict[str, Any] = {surface: value}
    if surface == "cli_paths":
        changes["cli_status"] = BROKEN.overview
    found = texts(replace(BROKEN, **changes))
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
        ({"paths": [path(1), BROKEN.paths[1]]}, "is ok, its target does not answer"),
        ({"paths": [BROKEN.paths[0], path(2)]}, "is shown through grf1, it uses atmgw"),
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


def test_path_of_a_node_that_does_not_report_is_not_wrong() -> None:
    silent = replace(BROKEN, paths=[path(1, state="unknown"), BROKEN.paths[1]])
    assert [text for text in wrong(silent) if "sp01" in text] == []


def test_critical_states_after_recovery_are_named() -> None:
    assert after_recovery(HEALTHY, BEFORE) == []
    left = after_recovery(BROKEN, BEFORE)
    assert left == ["still critical: grf1 lost all links", "still dead: sp01 to 0.0.0.0/0"]


def test_names_of_the_lab_are_read_from_its_status() -> None:
    port = {"name": "css0", "addresses": ["10.1.0.16/24"]}
    status = {"nodes": [{"name": "grf1", "namespace": "bs1-grf1", "ports": [port]}]}
    network = LabNetwork.of(status)
    assert (network.namespaces, network.owners) == ({"grf1": "bs1-grf1"}, {"10.1.0.16": "grf1"})


def test_matrix_has_every_fault_in_every_mode_and_only_selects() -> None:
    every = list(cells("argonne", []))
    assert len(every) == len(FAULTS["argonne"]) * len(MODES) == 30
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
