"""`backstay devices inspect`: the collectors of a device."""

from __future__ import annotations

from backstay_testing.cli.fake_server import Run, World
from backstay_testing.cli.network import collector


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
    assert lines[-2:] == ["2 collectors", f"Read wrongly? Record it, anonymised, on mgmt1: {command}"]


def test_device_without_a_report_is_named_as_such(world: World, run: Run) -> None:
    world.answers["GET", "/nodes/5/collectors"] = []
    done = run("devices", "inspect", "sp01")
    assert (done.code, done.out.splitlines()[0][:41]) == (0, "No collector of this device has reported ")


def test_unknown_device_is_an_error(run: Run) -> None:
    done = run("devices", "inspect", "sp99")
    assert (done.code, done.out) == (2, "")
    assert "No node is called sp99" in done.err


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
