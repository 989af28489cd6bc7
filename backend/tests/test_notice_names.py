"""The notice names known to the backend are names that agents send."""

from __future__ import annotations

from pathlib import Path

from backstay.telemetry.ingest.notices import RAISES, UNDOES

PARSERS = Path(__file__).resolve().parents[2] / "agents/agent/src/backstay_agent/parsers"


def test_every_alarm_notice_is_sent_by_agents() -> None:
    output = "".join((PARSERS / name).read_text() for name in ("traps.py", "syslog.py"))
    assert [name for name in sorted(RAISES | set(UNDOES)) if f'"{name}"' not in output] == []
