"""The clock command: offsets, the configuration line, and a real snmpd whose hrSystemDate steps back a
month."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from backstay_agent.parsers.ifmib import device_clock
from backstay_lab import clocks
from backstay_lab.daemons import snmpd
from backstay_lab.errors import LabError

PORT = "127.0.0.1:17163"
DATE, UPTIME = ".1.3.6.1.2.1.25.1.2.0", ".1.3.6.1.2.1.1.3.0"


@pytest.mark.parametrize(
    ("text", "seconds"), [("-30d", -2_592_000), ("+90s", 90), ("2h", 7200), ("1.5min", 90), ("15", 15)]
)
def test_offset_is_a_number_with_a_unit(text: str, seconds: float) -> None:
    assert clocks.offset(text).total_seconds() == seconds


@pytest.mark.parametrize("text", ["", "month", "3w", "4000d", "--3s"])
def test_invalid_offset_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(LabError):
        clocks.offset(text)


def test_missing_or_damaged_file_means_a_correct_clock(tmp_path: Path) -> None:
    file = clocks.file_of(tmp_path)
    assert clocks.seconds_off(file) == 0
    file.write_text("month\n")
    assert clocks.seconds_off(file) == 0
    file.write_text("-5.5\n")
    assert clocks.seconds_off(file) == -5.5


def test_date_is_parsed_by_agents() -> None:
    moment = datetime(1998, 10, 14, 13, 37, 5, 300_000, UTC)
    assert device_clock(clocks.date_and_time(moment), timedelta()) == int(moment.timestamp() * 10) * 10**8


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[Path]:
    if shutil.which("snmpd", path="/usr/sbin:/usr/bin") is None:
        pytest.skip("snmpd is not installed")
    config = tmp_path / "snmpd.conf"
    config.write_text(f"agentaddress udp:{PORT}\nrocommunity hush\n{clocks.snmpd_line(tmp_path)}\n")
    environment = {**os.environ, **snmpd.environment(tmp_path), "PATH": "/usr/sbin:/usr/bin:/bin"}
    process = subprocess.Popen(
        snmpd.argv(config), env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    yield tmp_path
    process.kill()
    process.wait()


def snmp_value(oid: str) -> str:
    argv = ["snmpget", "-v2c", "-c", "hush", "-t", "1", "-r", "0", "-Oqvt", f"udp:{PORT}", oid]
    done = subprocess.run(argv, capture_output=True, text=True, check=False, env={**os.environ, "MIBS": ""})
    return done.stdout.strip() if done.returncode == 0 else ""


def off_s() -> float | None:
    """Clock offset, seconds; None while it does not respond."""
    raw = snmp_value(DATE).strip('" ')
    clock_ns = device_clock(bytes.fromhex(raw), timedelta()) if raw else None
    return None if clock_ns is None else clock_ns / 1e9 - time.time()


def comes(seconds: float) -> bool:
    until = time.monotonic() + 20
    while time.monotonic() < until:
        found = off_s()
        if found is not None and abs(found - seconds) < 3:
            return True
        time.sleep(0.2)
    return False


def test_snmpd_clock_steps_back_a_month_without_a_restart_and_recovers(
    agent: Path,
) -> None:
    assert comes(0)
    before = int(snmp_value(UPTIME))
    clocks.file_of(agent).write_text("-2678400\n")
    assert comes(-31 * 86_400)
    assert int(snmp_value(UPTIME)) > before
    clocks.file_of(agent).unlink()
    assert comes(0)
