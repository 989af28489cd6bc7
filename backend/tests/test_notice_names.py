"""The agent names notices, the backend knows some of them: the two must mean the same words."""

from __future__ import annotations

from pathlib import Path

from backstay.telemetry.ingest.notices import RAISES, UNDOES

PARSERS = Path(__file__).resolve().parents[2] / "agents/agent/src/backstay_agent/parsers"


def test_every_notice_that_raises_or_clears_an_alarm_is_one_that_agents_send() -> None:
    output = "".join((PARSERS / name).read_text() for name in ("traps.py", "syslog.py"))
    assert [name for name in sorted(RAISES | set(UNDOES)) if f'"{name}"' not in output] == []
