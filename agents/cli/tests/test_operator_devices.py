"""`backstay devices`: the collectors of a device, and its recordings."""

from __future__ import annotations

from pathlib import Path

from backstay.api.recordings.schemas import RecordingOut
from backstay_testing.cli.fake_server import Run, World, one_after_another
from backstay_testing.cli.network import collector, recording

RECORDED = recording()
ASKED = recording(state="asked", text="The agent records sp01.", ended_at=None, download=None)
FAILED = recording(state="failed", text="no answer from 192.0.2.1.", download=None)
FILE = b"# a file\n"


def records(world: World, result: RecordingOut) -> None:
    world.answers["POST", "/nodes/5/recordings"] = (201, ASKED.model_dump(mode="json"))
    world.answers["GET", "/recordings/3"] = one_after_another(ASKED, result)
    world.answers["GET", "/recordings/3/download"] = (200, FILE)


def test_inspect_shows_why_a_collector_failed_and_exits_with_1(run: Run) -> None:
    done = run("devices", "inspect", "sp01")
    assert done.code == 1
    good, bad, summary = done.out.splitlines()[1:]
    assert good.split()[:2] == ["snmp", "ok"]
    assert good.split()[-5:] == ["ms", "mgmt1", "4", "s", "-"]
    assert bad.startswith("snmp-metrics")
    assert "no answer in time" in bad
    assert bad.endswith("no answer within 5 s")
    assert summary == "2 collectors, 1 failing"


def test_inspect_of_a_device_that_is_well_exits_with_0(world: World, run: Run) -> None:
    world.answers["GET", "/nodes/5/collectors"] = [collector(detail="3 rows not understood")]
    done = run("devices", "inspect", "sp01")
    assert done.code == 0
    assert "3 rows not understood" in done.out
    assert done.out.splitlines()[-1] == "1 collector"


def test_collector_that_is_no_longer_reported_is_a_problem(world: World, run: Run) -> None:
    world.answers["GET", "/nodes/5/collectors"] = [
        collector(state="unknown", state_text="not reported for 9 min", age_s=540.0, agent=None)
    ]
    done = run("devices", "inspect", "sp01")
    assert done.code == 1
    assert "not reported for 9 min" in done.out
    assert done.out.splitlines()[-1] == "1 collector, 1 no longer reported"


def test_command_that_records_the_device_is_shown_with_its_host(world: World, run: Run) -> None:
    command = "backstay-agent record sp01 --state /var/lib/backstay-agent --output recording.snmprec"
    world.answers["GET", "/nodes/5/collectors"] = [
        collector(record_command=command),
        collector("snmp-metrics", agent=None),
    ]
    lines = run("devices", "inspect", "sp01").out.splitlines()
    assert lines[-2:] == [
        "2 collectors",
        f"Read wrongly? Record it, anonymised, with backstay devices record sp01, or on mgmt1: {command}",
    ]


def test_device_without_a_report_is_named_as_such(world: World, run: Run) -> None:
    world.answers["GET", "/nodes/5/collectors"] = []
    done = run("devices", "inspect", "sp01")
    assert (done.code, done.out.splitlines()[0][:41]) == (0, "No collector of this device has reported ")


def test_unknown_device_is_an_error(run: Run) -> None:
    done = run("devices", "inspect", "sp99")
    assert (done.code, done.out) == (2, "")
    assert "No node named sp99; there are sp01" in done.err


def test_text_of_a_device_cannot_control_the_terminal(world: World, run: Run) -> None:
    world.answers["GET", "/nodes/5/collectors"] = [collector(detail="\x1b[2Jgone")]
    assert "\\x1b[2Jgone" in run("devices", "inspect", "sp01").out


def test_tables_are_shown_with_rows_results_and_what_was_not_understood(world: World, run: Run) -> None:
    lldp = {
        "table": "lldp", "columns": 9, "rows": 12, "results": 9, "duration_ms": 420.0, "interruptions": 0,
        "not_understood": [{"reason": "neighbours on unlisted ports", "rows": 3}], "error": "",
    }  # fmt: skip
    cut = lldp | {
        "table": "bridge",
        "results": None,
        "not_understood": [],
        "interruptions": 2,
        "error": "not over after 30 s",
    }
    whole = cut | {"table": "vlan", "error": "", "interruptions": 1}
    world.answers["GET", "/nodes/5/collectors"] = [collector("snmp-metrics", tables=[lldp, cut, whole])]
    lines = run("devices", "inspect", "sp01").out.splitlines()
    rows = {line.split()[1]: " ".join(line.split()) for line in lines[3:6]}
    assert rows["lldp"] == "snmp-metrics lldp 9 12 9 420 ms 3 neighbours on unlisted ports -"
    assert rows["bridge"] == "snmp-metrics bridge 9 12 - 420 ms - not over after 30 s (interrupted 2 times)"
    assert rows["vlan"] == "snmp-metrics vlan 9 12 - 420 ms - interrupted 1 time"


def test_record_waits_for_the_agent_and_stores_the_file(world: World, run: Run, tmp_path: Path) -> None:
    records(world, RECORDED)
    file = tmp_path / "sp01.snmprec"
    done = run("devices", "record", "sp01", "--output", str(file))
    assert (done.code, done.out) == (0, "Recording 3 of sp01: recorded. Complete.\n")
    assert "1204 objects" in done.err
    assert file.read_bytes() == FILE


def test_device_that_was_not_recorded_is_an_error_with_the_reason(
    world: World, run: Run, tmp_path: Path
) -> None:
    records(world, FAILED)
    done = run("devices", "record", "sp01", "--output", str(tmp_path / "file"))
    assert done.code == 5
    assert "sp01 was not recorded: no answer from 192.0.2.1." in done.err
    assert list(tmp_path.iterdir()) == []


def test_recording_is_asked_for_and_its_file_stored_later(world: World, run: Run, tmp_path: Path) -> None:
    records(world, RECORDED)
    asked, hint = run("devices", "record", "sp01").out.splitlines()
    assert asked == "Recording 3 of sp01: asked. The agent records sp01."
    assert hint == "To store its file: backstay devices recordings sp01 3 --output sp01-3.snmprec"
    file = tmp_path / "later"
    assert run("devices", "recordings", "sp01", "3", "--output", str(file)).code == 0
    assert file.read_bytes() == FILE


def test_recordings_are_listed(world: World, run: Run) -> None:
    world.answers["GET", "/nodes/5/recordings"] = [RECORDED, FAILED]
    lines = run("devices", "recordings", "sp01").out.splitlines()
    assert lines[1].split()[:2] == ["3", "recorded"]
    assert lines[2].endswith("no answer from 192.0.2.1.")
    assert lines[3] == "2 recordings"
