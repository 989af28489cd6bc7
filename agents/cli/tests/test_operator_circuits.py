"""`backstay circuits`: list, one circuit hop by hop, and a plan; all fields are in the API document."""

import time
from pathlib import Path
from typing import Any

import pytest

from backstay_testing.cli.fake_server import Run, World

DOCUMENT = Path(__file__).parents[3] / "backend/openapi.json"
SIDE: dict[str, Any] = {
    "port": "ga030",
    "port_id": 7,
    "label": "0/130",
    "reported": "missing",
    "strays": ["0/230"],
    "fault": "grf1 has none.",
}
FAR: dict[str, Any] = {
    "port": "at0",
    "port_id": 8,
    "label": "0/130",
    "reported": None,
    "strays": [],
    "fault": None,
}
CIRCUIT = {
    "id": 1, "name": "grf1-origin1", "kind": "pvc", "state": "critical", "state_text": "grf1 has none",
    "ends": ["grf1", "origin1"], "labels": ["0/130"], "shape": None, "note": "", "url": "/circuits/1",
    "hops": [
        {"node": "grf1", "into": None, "out": SIDE, "faults": ["grf1 has none."],
         "joins": True, "shape": None},
        {"node": "origin1", "into": FAR, "out": None, "faults": [], "joins": True, "shape": None},
    ],
}  # fmt: skip
VERSION: dict[str, Any] = {
    "id": 4, "name": "grf1-origin1", "kind": "pvc", "since": None, "until": "2026-11-02T10:00:00Z",
    "ends": ["grf1", "origin1"], "labels": ["0/120"], "note": "", "circuit_id": 1, "url": "/circuits/1",
    "hops": [
        {"node": "grf1", "into": None, "out": {"port": "ga030", "label": "0/120"}, "joins": True,
         "shape": {"name": "oc12", "peak": 538_000_000}},
        {"node": "origin1", "into": {"port": "at0", "label": "0/120"}, "out": None, "joins": True,
         "shape": None},
    ],
}  # fmt: skip
SIZE = {
    "method": "svc", "title": "SVCs", "note": "", "circuits": 0, "statements": 110, "per_port": 109,
    "trunk": 0, "one_more": 1, "fits": True,
}  # fmt: skip
PLAN = {
    "members": 110, "pairs": 5995, "capacity": 39936, "limits": "VPI 0 to 15", "sizes": [SIZE],
    "advised": "svc",
    "advice": "With SVCs it is 110 lines.", "planned": 5995, "device": "grf1",
    "text": "PVC ga030 0/32 proto=ip\n",
    "circuits": [{"name": "a-b", "sides": ["a:at0 0/32", "b:at0 0/32"]}],
}  # fmt: skip


@pytest.fixture
def world(world: World) -> World:
    world.answers["GET", "/circuits"] = [CIRCUIT]
    world.answers["GET", "/circuits/history"] = [
        VERSION | {"id": 5, "since": VERSION["until"], "until": None, "labels": ["0/130"]},
        VERSION,
    ]
    world.answers["POST", "/circuits/plan"] = PLAN
    return world


def test_list_gives_exit_code_1_if_a_circuit_is_down(world: World, run: Run) -> None:
    done = run("circuits")
    assert done.code == 1
    assert "grf1-origin1 pvc critical 0/130 2 grf1 has none" in done.squeezed()
    assert "1 circuit, 1 of them not carrying traffic" in done.out
    world.answers["GET", "/circuits"] = [CIRCUIT | {"state": "ok"}]
    assert run("circuits").code == 0


def test_circuit_is_shown_hop_by_hop_with_the_devices_values(world: World, run: Run) -> None:
    done = run("circuits", "grf1-origin1")
    assert "1 grf1 out ga030 0/130 missing, also has 0/230" in done.squeezed()
    assert "2 origin1 in at0 0/130 no report" in done.squeezed()
    assert run("circuits", "nothing").code == 2


def test_circuit_is_shown_with_its_earlier_versions(world: World, run: Run, monkeypatch: Any) -> None:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    done = run("--site", "argonne", "circuits", "grf1-origin1")
    assert "2026-11-02 10:00:00 now 0/130 oc12 538 Mb/s" in done.squeezed()
    earlier = "before the record 2026-11-02 10:00:00 0/120 oc12 538 Mb/s grf1:ga030 0/120 > origin1:at0 0/120"
    assert earlier in done.squeezed()
    (asked,) = world.made("GET", "/circuits/history")
    assert asked.query["name"] == "grf1-origin1"


def test_circuits_at_a_time_are_those_declared_then(world: World, run: Run) -> None:
    world.answers["GET", "/circuits/history"] = [VERSION]
    done = run("circuits", "--at", "now-30d")
    assert done.code == 0
    assert "grf1-origin1 pvc before the record" in done.squeezed()
    assert "1 circuit declared at now-30d" in done.out
    (asked,) = world.made("GET", "/circuits/history")
    assert (asked.query["at"], asked.query["sort"], "name" in asked.query) == ("now-30d", "name", False)
    run("circuits", "grf1-origin1", "--at", "now-30d")
    assert world.made("GET", "/circuits/history")[1].query["name"] == "grf1-origin1"


def test_plan_prints_mesh_advice_and_statements(world: World, run: Run) -> None:
    options = ("--group", "nodes=98", "--group", "atm=onyx1,origin1", "--hub", "grf1", "--svc")
    done = run("--site", "argonne", "circuits", "plan", *options)
    assert done.code == 0
    assert "110 hosts make 5995 pairs. A port has 39936 labels" in done.out
    assert "SVCs 0 110 1 109 0 fits advised" in done.squeezed()
    assert "With SVCs it is 110 lines." in done.out
    assert "PVC ga030 0/32 proto=ip" in done.out
    assert world.made("POST", "/circuits/plan")[0].body == {
        "site": "argonne", "pattern": "full", "hub": "grf1", "switches": 1, "fabric": None,
        "means": ["pvc", "svc"],
        "groups": [{"name": "nodes", "count": 98}, {"name": "atm", "nodes": ["onyx1", "origin1"]}],
    }  # fmt: skip


@pytest.mark.parametrize("options", [("circuits", "plan"), ("circuits", "plan", "--group", "nodes")])
def test_plan_without_hosts_explains_how_to_name_them(run: Run, options: tuple[str, ...]) -> None:
    done = run("--site", "argonne", *options)
    assert done.code == 2
    assert "nodes=98" in done.err
