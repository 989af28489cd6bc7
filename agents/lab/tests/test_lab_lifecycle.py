"""A lab starts completely or not at all, and never leaves anything behind."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from backstay_lab.naming import lab_id

pytestmark = [pytest.mark.netns, pytest.mark.slow]

NETNS = Path("/run/netns")


def namespaces_of(report: dict[str, Any]) -> list[str]:
    return [node["namespace"] for node in report["nodes"]]


def pids_of(report: dict[str, Any]) -> list[int]:
    daemons = report["daemons"] + [daemon for node in report["nodes"] for daemon in node["daemons"]]
    return [daemon["pid"] for daemon in daemons]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def leftovers(lab: Any) -> list[str]:
    """Files of the lab except logs, and its namespaces visible to this user."""
    files = [path for path in lab.state.rglob("*") if path.is_file() and path.parent.name != "logs"]
    prefix = f"bs{lab_id(lab.state)}-"
    seen = [entry.name for entry in NETNS.iterdir()] if NETNS.exists() else []
    return [path.name for path in files if path.name != "lock"] + [
        name for name in seen if name.startswith(prefix)
    ]


def test_up_creates_everything_and_down_leaves_only_logs(lab: Any, tmp_path: Path) -> None:
    site_file = tmp_path / "site.yaml"
    began = time.monotonic()
    output = lab.do("up", "argonne", "--site-file", str(site_file))
    print(f"up of 8 compute nodes took {time.monotonic() - began:.1f} s, by its own words: {output.strip()}")
    report = lab.status()
    assert all(port["carrier"] for node in report["nodes"] for port in node["ports"])
    assert all(link["up"] for link in report["links"])
    pids = pids_of(report)
    assert all(map(alive, pids))
    assert len(pids) == 19
    assert yaml.safe_load(site_file.read_text())["site"] == "argonne"
    assert stat.S_IMODE(site_file.stat().st_mode) == 0o600
    assert stat.S_IMODE((lab.state / "run.json").stat().st_mode) == 0o600

    lab.do("down", "argonne")
    assert not any(map(alive, pids))
    assert leftovers(lab) == []
    assert "was not up" in lab.do("down", "argonne")


def test_second_up_names_the_running_lab(argonne_lab: Any) -> None:
    before = pids_of(argonne_lab.status())
    assert "already running" in argonne_lab.do("up", "argonne")
    assert pids_of(argonne_lab.status()) == before


def test_down_cleans_up_after_processes_that_were_killed(lab: Any) -> None:
    lab.do("up", "argonne", "--nodes", "1")
    report = lab.status()
    for pid in pids_of(report):
        os.kill(pid, signal.SIGKILL)
    reported = lab.run("status")
    assert "bird of sp01 has ended" in reported.stderr
    lab.do("down", "argonne")
    assert leftovers(lab) == []


def test_up_works_after_a_reboot_that_left_the_state_folder(lab: Any) -> None:
    lab.do("up", "argonne", "--nodes", "1")
    report = lab.status()
    state = (lab.state / "run.json").read_text()
    lab.do("down", "argonne")
    (lab.state / "run.json").write_text(state)  # its processes and namespaces are gone, as after a reboot
    assert "is up" in lab.do("up", "argonne", "--nodes", "1")
    assert pids_of(lab.status()) != pids_of(report)


def test_down_works_without_a_readable_state_file(lab: Any) -> None:
    lab.do("up", "argonne", "--nodes", "1")
    pids = pids_of(lab.status())
    (lab.state / "run.json").write_text("{ torn")
    assert lab.run("status").returncode == 1
    lab.do("down", "argonne")
    assert leftovers(lab) == []
    deadline = time.monotonic() + 5  # the lab's two processes check once a second
    while any(map(alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(map(alive, pids))


def test_down_stops_foreign_processes_inside(lab: Any) -> None:
    lab.do("up", "argonne", "--nodes", "1")
    guest = lab.start("exec", "sp01", "--", "sleep", "600")
    while not Path(f"/proc/{guest.pid}/cmdline").read_bytes().startswith(b"sleep"):
        time.sleep(0.05)
    lab.do("down", "argonne")
    assert guest.wait(5) != 0
    guest.stdout.close()


def test_failed_up_undoes_everything_and_names_the_log(lab: Any, tmp_path: Path) -> None:
    broken = tmp_path / "bird"
    broken.write_text("#!/bin/sh\necho this bird does not fly\nexit 1\n")
    broken.chmod(0o755)
    tmp_path.chmod(0o755)
    lab.environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = lab.run("up", "argonne", "--nodes", "1")
    assert done.returncode == 1
    assert str(lab.state / "logs") in done.stderr
    assert "undone" in done.stderr
    assert leftovers(lab) == []
    assert "does not fly" in (lab.state / "logs" / "sp01-bird.log").read_text()


def test_killed_up_is_cleaned_by_down(lab: Any) -> None:
    starting = lab.start("up", "argonne", "--nodes", "2")
    while not (lab.state / "run" / "sp02" / "bird.ctl").exists():
        assert starting.poll() is None
        time.sleep(0.01)
    starting.kill()
    starting.communicate()
    again = lab.run("up", "argonne")
    assert again.returncode == 1
    assert "backstay-lab down argonne" in again.stderr
    lab.do("down", "argonne")
    assert leftovers(lab) == []


def test_interrupted_up_undoes_itself(lab: Any) -> None:
    starting = lab.start("up", "argonne", "--nodes", "2")
    while not (lab.state / "run" / "sp01").exists():
        assert starting.poll() is None
        time.sleep(0.01)
    starting.terminate()
    starting.communicate(timeout=20)
    assert starting.returncode != 0
    assert leftovers(lab) == []


def test_two_labs_run_side_by_side(argonne_lab: Any, lab: Any) -> None:
    lab.do("up", "argonne", "--nodes", "1")
    assert not set(namespaces_of(lab.status())) & set(namespaces_of(argonne_lab.status()))
    lab.do("cut", "grf1")
    assert lab.node("grf1")["fault"] == "cut"
    assert argonne_lab.node("grf1")["fault"] is None
    lab.do("down", "argonne")
    argonne_lab.inside("sp01", "ping", "-c", "1", "-W", "2", "10.9.0.1")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("status",), "No lab runs"),
        (("cut", "grf1"), "No lab runs"),
        (("up", "atlantis"), "argonne"),
        (("up", "argonne", "--nodes", "99"), "1 to 64"),
        (("up", "argonne", "--rate-scale", "0"), "0.001 to 10"),
        (("down", "atlantis"), "argonne"),
    ],
)
def test_error_states_reason_and_next_step(lab: Any, arguments: tuple[str, ...], message: str) -> None:
    done = lab.run(*arguments)
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_missing_programs_are_listed_with_their_packages(lab: Any, tmp_path: Path) -> None:
    code = (
        "import os, shutil; shutil.which = lambda name: None if name in ('bird', 'nft') else '/' + name\n"
        "from backstay_lab.cli import main; main()"
    )
    done = subprocess.run(
        [*lab.prefix, "-c", code, "--state", str(lab.state), "up", "argonne"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "bird2 nftables" in done.stderr
