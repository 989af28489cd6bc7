"""Messages and decisions of a start: progress, readiness, second starts, locations."""

from __future__ import annotations

import io
import os
import socket
import stat
import time
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from backstay_lab.demo import agents, databases, network, ports, readiness, record
from backstay_lab.demo.backend import Backend
from backstay_lab.demo.children import Program
from backstay_lab.demo.cli import choose_web_port
from backstay_lab.demo.credentials import load_or_create
from backstay_lab.demo.errors import DemoError, Interrupted, StepError
from backstay_lab.demo.files import write_json, write_private
from backstay_lab.demo.layout import Layout, closed_parent, fits_socket
from backstay_lab.demo.progress import Progress, already_running_text, ready_text
from backstay_lab.demo.record import BusyError, Record
from backstay_lab.demo.sessions import ChildSession
from backstay_lab.demo.shutdown import Stopping
from backstay_lab.demo.site_dirs import SiteDirs, places, sites_of
from backstay_lab.demo.steps import ParallelStep, run
from backstay_lab.sites import SITES


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    made = Layout(tmp_path / "data", tmp_path / "checkout")
    made.prepare()
    return made


def load(bps: int = 1000, *, fresh: bool = True) -> dict[str, Any]:
    return {"bps": bps, "fresh": fresh}


def topology(**changes: Any) -> dict[str, Any]:
    """Two nodes, a fabric and a link, all live."""
    value: dict[str, Any] = {
        "nodes": [
            {"name": "sp01", "kind": "host", "age_s": 1.0, "state": "ok"},
            {"name": "grf1", "kind": "gateway", "age_s": 1.0, "state": "ok"},
            {"name": "sp-switch", "kind": "fabric", "age_s": None, "state": "unknown"},
        ],
        "links": [{"name": "sp01:css0 - grf1:gt000", "forward": load(), "back": load(0)}],
    }
    return value | changes


def test_map_with_all_nodes_reporting_and_live_load_is_ready() -> None:
    verdict = readiness.judge(topology())
    assert verdict.ready
    assert str(verdict) == "2 nodes reporting, 1 links with live load"


def test_map_is_not_ready_before_every_node_has_reported() -> None:
    nodes = topology()["nodes"]
    nodes[1] |= {"age_s": None, "state": "unknown"}
    verdict = readiness.judge(topology(nodes=nodes))
    assert not verdict.ready
    assert str(verdict) == "not reporting: grf1"


@pytest.mark.parametrize("forward", [None, load(fresh=False)])
def test_link_without_a_fresh_rate_is_dark(forward: Any) -> None:
    verdict = readiness.judge(topology(links=[{"name": "a - b", "forward": forward, "back": None}]))
    assert not verdict.ready
    assert str(verdict) == "no live load: a - b"


def test_one_live_direction_suffices_for_a_link_but_zero_load_is_no_traffic() -> None:
    links = [{"name": "a - b", "forward": None, "back": load(0)}]
    verdict = readiness.judge(topology(links=links))
    assert not verdict.dark
    assert str(verdict) == "no traffic yet"


def test_empty_site_is_never_ready() -> None:
    assert not readiness.judge({"nodes": [], "links": []}).ready


def test_long_lists_are_shortened() -> None:
    links = [{"name": f"l{number}", "forward": None, "back": None} for number in range(9)]
    assert str(readiness.judge(topology(links=links))).endswith("l5 and 3 more")


def test_progress_shows_elapsed_time_and_indents_further_lines() -> None:
    times = iter([100.0, 103.25])
    out = io.StringIO()
    Progress(out, lambda: next(times)).report("database", "failed\nlog: x")
    assert out.getvalue() == "[  3.2 s] database   failed\n" + " " * 21 + "log: x\n"


def test_ready_message_names_the_address_and_two_users_with_passwords() -> None:
    second = {"user": "deputy", "password": "q", "token": "t"}
    demo = {"url": "http://127.0.0.1:8080", "user": "admin", "password": "p", "second": second}
    assert ready_text(demo).splitlines() == [
        "Backstay is ready: http://127.0.0.1:8080  user admin  password p",
        "To approve changes: user deputy  password q",
    ]


def test_second_start_names_the_running_demo_without_a_password(layout: Layout) -> None:
    running = Record(ChildSession("supervisor", 1, 1), ["argonne"], "http://127.0.0.1:8080", "ready")
    text = already_running_text(layout, running)
    assert text.startswith("Backstay is already running: http://127.0.0.1:8080")
    assert str(layout.demo_file) in text
    assert "make demo-stop" in text


@pytest.mark.parametrize(
    ("phase", "expected"), [("starting", "already starting"), ("stopping", "being stopped")]
)
def test_second_start_names_the_phase(layout: Layout, phase: record.Phase, expected: str) -> None:
    assert expected in already_running_text(layout, Record(ChildSession("s", 1, 1), ["argonne"], phase=phase))


def test_second_start_before_the_first_record_has_a_message(layout: Layout) -> None:
    assert "already starting" in already_running_text(layout, None)


def test_record_survives_a_round_trip_and_its_file_is_private(layout: Layout) -> None:
    kept = Record(ChildSession("supervisor", 1, 2), ["argonne"], "http://x", "ready", "/tmp/s", {})
    kept.children["web"] = ChildSession("web", 3, 4)
    kept.save(layout)
    assert record.load(layout) == kept
    assert stat.S_IMODE(layout.run_file.stat().st_mode) == 0o600


def test_damaged_record_counts_as_none(layout: Layout) -> None:
    layout.run_file.write_text("{ half")
    assert record.load(layout) is None


def test_data_folder_has_one_supervisor(layout: Layout) -> None:
    assert not record.is_held(layout.lock_file)
    with record.hold(layout.lock_file):
        assert record.is_held(layout.lock_file)
        with pytest.raises(BusyError), record.hold(layout.lock_file):
            pass
    assert not record.is_held(layout.lock_file)


def test_secrets_are_created_once_and_private(layout: Layout) -> None:
    made = load_or_create(layout.secrets_file)
    assert load_or_create(layout.secrets_file) == made
    assert stat.S_IMODE(layout.secrets_file.stat().st_mode) == 0o600
    other = load_or_create(layout.secrets_file.with_name("other.json"))
    ours, theirs = set(asdict(made).values()), set(asdict(other).values())
    assert len(ours) == len(asdict(made))
    assert ours.isdisjoint(theirs)


def test_older_secrets_are_kept_and_missing_ones_added(layout: Layout) -> None:
    older = {"secret_key": "k", "database_password": "d", "admin_password": "a"}
    write_json(layout.secrets_file, older)
    made = load_or_create(layout.secrets_file)
    assert asdict(made).items() >= older.items()
    assert load_or_create(layout.secrets_file) == made


def test_a_restarted_demo_keeps_its_port(layout: Layout) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        ports.keep(layout.ports_file, taken)
        moved, remark = choose_web_port(layout, None)
        assert moved != taken
        assert f"port {taken} is in use" in remark
    # The first port is free again, but the running demo's address is the second one.
    assert choose_web_port(layout, None) == (moved, "")
    requested = ports.any_free()
    assert choose_web_port(layout, requested) == (requested, "")
    assert choose_web_port(layout, None) == (requested, "")


def test_two_data_folders_are_two_demos(tmp_path: Path) -> None:
    assert Layout(tmp_path / "a", tmp_path).id != Layout(tmp_path / "b", tmp_path).id


def test_deep_folder_is_too_long_for_sockets() -> None:
    assert fits_socket(Path("/srv/backstay/.backstay/sockets"))
    assert not fits_socket(Path("/srv") / ("deep" * 20))


def test_first_inaccessible_parent_folder_is_found(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    closed = tmp_path / "closed"
    (closed / "inner").mkdir(parents=True)
    closed.chmod(0o700)
    found = closed_parent(closed / "inner" / "data")
    assert found is not None
    assert found in {closed, *closed.parents}
    assert not found.stat().st_mode & 0o001


@pytest.mark.parametrize(
    ("available", "made_by", "expected"), [([15, 16], None, 16), ([15, 16], 15, 15), ([14, 15], None, 15)]
)
def test_database_version_is_kept_and_the_newest_is_the_default(
    available: list[int], made_by: int | None, expected: int
) -> None:
    assert databases.choose_version(available, made_by) == expected


@pytest.mark.parametrize(
    ("available", "made_by", "expected"),
    [([14], None, "apt-get install"), ([], None, "15 or newer"), ([16], 15, "PostgreSQL 15")],
)
def test_missing_database_program_is_reported_with_the_next_step(
    available: list[int], made_by: int | None, expected: str
) -> None:
    with pytest.raises(DemoError, match=expected):
        databases.choose_version(available, made_by)


def test_agents_run_on_nodes_that_watch_themselves_or_others() -> None:
    nodes = [
        {"name": "sp01", "agent": "self"},
        {"name": "grf1", "agent": "mgmt1"},
        {"name": "mgmt1", "agent": None},
        {"name": "hub", "agent": None},
    ]
    assert network.agents({"nodes": nodes}) == ["mgmt1", "sp01"]


@pytest.mark.parametrize(
    ("scale", "expected"),
    [
        (network.AS_IT_IS, []),
        (network.Scale(144, 0.02), ["--nodes", "144", "--rate-scale", "0.02"]),
        (network.Scale(rates=1.0), ["--rate-scale", "1"]),
    ],
)
def test_site_is_built_at_the_requested_scale(
    layout: Layout, scale: network.Scale, expected: list[str]
) -> None:
    (place,) = places(layout, ["sdsc"])
    argv = network.up(place, 8000, scale).argv
    after = argv.index("sdsc") + 1
    assert argv[after : argv.index("--backend-port")] == expected


def test_first_site_has_plain_names_and_agents_are_stored_by_site(layout: Layout) -> None:
    first, second = places(layout, ["argonne", "sdsc"])
    assert (first.lab.name, second.lab.name) == ("lab", "lab-sdsc")
    assert (first.site_file.name, second.site_file.name) == ("site.yaml", "site-sdsc.yaml")
    assert network.agent(first, "mgmt1").name == "agent-mgmt1"
    assert network.agent(second, "mgmt1").name == "agent-sdsc-mgmt1"
    assert first.agent("mgmt1") != second.agent("mgmt1")


def test_agents_are_enrolled_a_few_at_a_time(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    place, nodes = SiteDirs(layout, "argonne"), ["sp01", "sp02", "sp03", "sp04"]
    monkeypatch.setattr(agents, "ADMITTED_S", 0.2)
    began = time.monotonic()
    assert agents.wait_for_room(place, nodes, Stopping()) == nodes
    assert time.monotonic() - began >= 0.2, "four hold a token"
    write_private(place.identity("sp03"), "{}")
    monkeypatch.setattr(agents, "ADMITTED_S", 60)
    began = time.monotonic()
    assert agents.wait_for_room(place, nodes, Stopping()) == ["sp01", "sp02", "sp04"]
    assert time.monotonic() - began < 60, "one of them is in"


def test_all_selects_every_site_and_commas_separate_names() -> None:
    assert sites_of("all", lambda: ["argonne", "casa"]) == ["argonne", "casa"]
    assert sites_of("sdsc, argonne,sdsc", list) == ["sdsc", "argonne"]
    with pytest.raises(DemoError, match="SITE=all"):
        sites_of(",", list)


def test_lab_lists_its_sites(layout: Layout) -> None:
    assert run(network.sites(layout), "mark", Stopping(), 30).split() == list(SITES)


def test_status_is_parsed_among_warnings() -> None:
    assert network.parse_status('warning\n{"nodes": []}\nProblem: x\n') == {"nodes": []}


def test_no_program_has_a_secret_argument(layout: Layout) -> None:
    credentials = load_or_create(layout.secrets_file)
    stores = databases.Databases(Path("/bin"), layout.data / "postgres", layout.data / "sockets", "")
    backend = Backend(layout, stores, credentials, 1, 2)
    programs = [*backend.servers(), *backend.workers(), *backend.bootstrap(), backend.migrate()]
    programs += [databases.postgres(stores, Path("log")), databases.redis(stores, Path("log"))]
    programs += [network.agent(SiteDirs(layout, "argonne"), "sp01")]
    text = " ".join(part for program in programs for part in program.argv)
    for secret in asdict(credentials).values():
        assert secret not in text


def test_failed_command_is_reported_with_its_log(tmp_path: Path) -> None:
    log = tmp_path / "log"
    program = Program("migrate", ["ls", "/no/such/folder"], log)
    with pytest.raises(StepError, match=rf"(?s)migrate failed \(status 2\)\..*no/such/folder.*log: {log}"):
        run(program, "mark", Stopping(), 10)


def test_hanging_command_is_stopped_and_reported(tmp_path: Path) -> None:
    with pytest.raises(StepError, match=r"took longer than 0\.2 s"):
        run(Program("hang", ["sleep", "60"], tmp_path / "log"), "mark", Stopping(), 0.2)


def test_stop_request_ends_a_running_command(tmp_path: Path) -> None:
    stopping = Stopping()
    stopping.requested = "SIGINT"
    with pytest.raises(Interrupted):
        run(Program("hang", ["sleep", "60"], tmp_path / "log"), "mark", stopping, 60)


@pytest.mark.skipif(os.getuid() != 0, reason="root runs PostgreSQL as another account")
def test_root_runs_the_database_as_another_user_in_an_accessible_folder(tmp_path: Path) -> None:
    remarks: list[str] = []
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    plan = databases.plan(Layout(closed / "data", tmp_path), remarks)
    assert plan.user == "postgres"
    assert closed not in plan.data.parents
    assert "closed to the postgres account" in remarks[0]


def never(step: ParallelStep) -> bool:
    """Poll while a step runs in parallel."""
    step.check()
    return False


def test_failed_parallel_step_is_noticed_at_once(tmp_path: Path) -> None:
    step = ParallelStep(Program("lab", ["ls", "/no/such/folder"], tmp_path / "log"), "mark")
    with pytest.raises(StepError, match="lab failed"):
        Stopping().wait(partial(never, step), 10)


def test_running_or_successful_step_is_no_error(tmp_path: Path) -> None:
    step = ParallelStep(Program("lab", ["sleep", "0.1"], tmp_path / "log"), "mark")
    step.check()
    step.finish(Stopping(), 10)
    step.check()


def test_missing_parts_of_the_map_are_counted() -> None:
    nodes = topology()["nodes"]
    nodes[1] |= {"age_s": None, "state": "unknown"}
    assert readiness.judge(topology()).missing == 0
    assert readiness.judge(topology(nodes=nodes)).missing == 1
