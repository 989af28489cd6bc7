"""How long a hold lasts on every clock, two writers of its file, and the command line."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from backstay_agent.hold_command import seconds_of
from backstay_agent.host.hold_file import Hold, HoldFile, HoldFileError, Holds, Moment
from backstay_wire import MAX_HOLD_S

SECOND = 1_000_000_000
BEGAN = Moment(boot_id="one", boot_ns=100 * SECOND, wall_ns=1_700_000_000 * SECOND)


def hold(seconds: int = 60, ident: str = "node-1") -> Hold:
    return Hold(
        id=ident,
        origin="node",
        by="root",
        seconds=seconds,
        began_ns=BEGAN.wall_ns,
        written=BEGAN,
        left_ns=seconds * SECOND,
    )


def later(boot_s: int, wall_s: int, boot_id: str = "one") -> Moment:
    return Moment(
        boot_id=boot_id, boot_ns=BEGAN.boot_ns + boot_s * SECOND, wall_ns=BEGAN.wall_ns + wall_s * SECOND
    )


@pytest.mark.parametrize(
    ("now", "left_s"),
    [
        (later(10, 10), 50),
        (later(10, 365 * 86_400), 50),
        (later(10, -365 * 86_400), 50),
        (later(60, 0), 0),
        (later(3600, 0), 0),
        (later(-95, 20, "two"), 40),
        (later(-95, 365 * 86_400, "two"), 0),
        (later(-95, -365 * 86_400, "two"), 60),
    ],
)
def test_no_clock_extends_a_hold(now: Moment, left_s: int) -> None:
    assert hold().left(now) == left_s * SECOND


def test_what_was_left_at_the_last_writing_is_the_most_after_a_reboot() -> None:
    written = hold().rewritten(later(45, 45))
    assert written.left(later(-95, -3600, "two")) == 15 * SECOND
    again = written.rewritten(later(-95, 50, "two"))
    assert again.left(later(-90, 0, "two")) == 5 * SECOND


def test_two_writers_lose_nothing(tmp_path: Path) -> None:
    one, other = HoldFile(tmp_path), HoldFile(tmp_path)
    one.update(lambda holds: holds.with_(hold(ident="a")))
    version = other.version
    other.update(lambda holds: holds.with_(hold(ident="b")))
    assert other.version != version
    assert [known.id for known in one.read().holds] == ["a", "b"]
    one.update(lambda holds: holds.without("a"))
    assert [known.id for known in other.read().holds] == ["b"]


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "holds.json").write_text('{"holds": 7')
    with pytest.raises(HoldFileError, match="is damaged: remove it"):
        HoldFile(tmp_path).read()
    assert HoldFile(tmp_path / "none").read() == Holds()


@pytest.mark.parametrize(
    ("text", "seconds"), [("30m", 1800), ("90s", 90), ("2h", 7200), ("1h30m", 5400), ("24h", MAX_HOLD_S)]
)
def test_durations(text: str, seconds: int) -> None:
    assert seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["", "30", "m", "25h", "0s", "-5m", "1d", "30m\n", "9999999m"])
def test_durations_that_are_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"duration|lasts"):
        seconds_of(text)


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "backstay_agent.cli", "hold", *arguments]
    return subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)


def test_a_hold_is_set_shown_and_ended_without_agent_and_backend(tmp_path: Path) -> None:
    state = ["--state", str(tmp_path / "state")]
    done = command("30m", *state, "--reason", "card swap")
    assert done.returncode == 0, done.stderr
    assert "no agent runs here, it takes effect when one starts" in done.stdout
    stored = json.loads((tmp_path / "state/holds.json").read_text())["holds"]
    assert [(one["seconds"], one["reason"], one["applied"]) for one in stored] == [(1800, "card swap", False)]
    shown = command(*state)
    assert shown.stdout.startswith("held until ")
    assert shown.stdout.endswith(": card swap\n")
    assert "restored when an agent starts" in command("--end", *state).stdout
    assert command(*state).stdout == "not held\n"
    too_long = command("25h", *state)
    assert (too_long.returncode, too_long.stdout) == (1, "")
    assert "a hold lasts from 1s to 24h" in too_long.stderr
