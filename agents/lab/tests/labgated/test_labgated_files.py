"""gdc's files: configuration versions, and messages without a daemon. No namespace is needed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from backstay_lab.labgated import config_history, gdc
from backstay_lab.labgated.config_history import RequestRefusedError
from backstay_lab.labgated.dump import age
from backstay_lab.labgated.program import LABEL, write_gdc
from backstay_lab.labgated.state_files import VARIABLE, StateFiles, claim, find_daemon

ENDINGS = ("+", "", "-", "--")


@pytest.fixture
def place(tmp_path: Path) -> StateFiles:
    return StateFiles(tmp_path, tmp_path / "gated.conf")


def write(place: StateFiles, *texts: str | None) -> None:
    """gated.conf+, gated.conf, gated.conf- and gated.conf--, in this order."""
    for ending, text in zip(ENDINGS, texts, strict=True):
        if text is not None:
            place.version_of(ending).write_text(text)


def there(place: StateFiles) -> list[str | None]:
    paths = [place.version_of(ending) for ending in ENDINGS]
    return [path.read_text() if path.exists() else None for path in paths]


def test_newconf_shifts_versions_back_and_backout_forward(place: StateFiles) -> None:
    write(place, "new", "now", "old", "older")
    config_history.activate_new(place)
    assert there(place) == [None, "new", "now", "old"]
    config_history.back_out(place)
    assert there(place) == ["new", "now", "old", None]


def test_newconf_requires_a_non_empty_new_file(place: StateFiles) -> None:
    write(place, None, "now", None, None)
    with pytest.raises(RequestRefusedError, match="does not exist or is empty"):
        config_history.activate_new(place)
    config_history.create(place)
    with pytest.raises(RequestRefusedError):
        config_history.activate_new(place)
    assert there(place) == ["", "now", None, None]


def test_backout_discards_a_new_file_only_if_forced(place: StateFiles) -> None:
    write(place, "new", "now", "old", None)
    with pytest.raises(RequestRefusedError, match="would be lost"):
        config_history.back_out(place)
    assert there(place) == ["new", "now", "old", None]
    config_history.back_out(place, force=True)
    assert there(place) == ["now", "old", None, None]
    with pytest.raises(RequestRefusedError):
        config_history.back_out(place, force=True)


def test_modeconf_sets_the_mode_of_every_version(place: StateFiles) -> None:
    write(place, "new", "now", None, None)
    config_history.set_modes(place)
    assert {place.version_of(ending).stat().st_mode & 0o777 for ending in ("+", "")} == {0o664}


def test_pid_file_means_a_daemon_only_while_locked(place: StateFiles) -> None:
    assert find_daemon(place) is None
    place.pid.write_text("1\n")
    assert find_daemon(place) is None
    lock = claim(place)
    assert lock is not None
    assert find_daemon(place) == os.getpid()
    assert claim(place) is None
    os.close(lock)
    assert find_daemon(place) is None


@pytest.mark.parametrize(
    "command", ["dump", "interface", "KILL", "reconfig", "term", "toggletrace", "running", "stop"]
)
def test_commands_report_a_missing_daemon(
    place: StateFiles, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gdc.run(["--state", str(place.folder), command]) == 1
    assert capsys.readouterr().err == "gdc: gated is not running\n"


def test_core_dump_is_refused(place: StateFiles) -> None:
    assert gdc.run(["--state", str(place.folder), "COREDUMP"]) == 1


@pytest.mark.parametrize(
    ("command", "name"), [("rmdump", "gated_dump"), ("rmparse", "gated_parse"), ("rmcore", "core")]
)
def test_removing_a_missing_file_is_no_failure(place: StateFiles, command: str, name: str) -> None:
    (place.folder / name).write_text("x")
    for _ in range(2):
        assert gdc.run(["-q", "--state", str(place.folder), command]) == 0
    assert not (place.folder / name).exists()


def test_checknew_prints_line_and_token_and_writes_gated_parse(
    place: StateFiles, capsys: pytest.CaptureFixture[str]
) -> None:
    write(place, "rip no;\nstatic {\n default gatway 10.0.0.1;\n};\n", "rip no;", None, None)
    assert gdc.run(["--state", str(place.folder), "checkconf"]) == 0
    assert gdc.run(["--state", str(place.folder), "checknew"]) == 1
    assert "parse: gated.conf+:3 syntax error: 'gatway'" in capsys.readouterr().err
    assert "gated.conf+:3" in place.parse.read_text()
    assert gdc.run(["--state", str(place.folder), "checkconf"]) == 0
    assert not place.parse.exists()


def test_folder_must_be_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert gdc.run(["running"]) == 1
    assert "--state DIR" in capsys.readouterr().err


def test_wrapper_is_a_gdc_without_required_arguments_that_identifies_itself(tmp_path: Path) -> None:
    state = tmp_path / "a folder's name"
    state.mkdir()
    write_gdc(tmp_path / "gdc", state)
    bare = {key: value for key, value in os.environ.items() if key not in {VARIABLE, "PYTHONPATH"}}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        argv = [str(tmp_path / "gdc"), *arguments]
        return subprocess.run(argv, env=bare, capture_output=True, text=True, timeout=60, check=False)

    assert run("--version").stdout == f"gdc of {LABEL}\n"
    assert run("createconf").returncode == 0
    assert (state / "gated.conf+").exists()
    assert run("running").returncode == 1
    assert run("nonsense").returncode == 2


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0"), (12.9, "12"), (182, "3:02"), (8047, "2:14:07"), (86400 + 8047, "1 days 2:14:07")],
)
def test_ages_have_gateds_format(seconds: float, text: str) -> None:
    assert age(seconds) == text
