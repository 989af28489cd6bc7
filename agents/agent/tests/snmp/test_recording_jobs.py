"""Recordings that the backend asks for: one report each, withdrawn and failed ones included."""

import asyncio
import base64
import gzip
from collections.abc import Sequence
from datetime import timedelta
from typing import cast

import pytest

from backstay_agent.host.clock import HostClock
from backstay_agent.offline_parse.reader import read
from backstay_agent.recording import jobs
from backstay_agent.recording.jobs import RecordingJobs
from backstay_testing.report_list import ReportList
from backstay_testing.snmp_responder import LLDP_NAME, Device, Table, serving, source, switch
from backstay_wire import Desired, RecordingReport, RecordingRequest, SnmpSource

pytestmark = pytest.mark.anyio
LONGEST_S, PAUSE_S = 20.0, 0.02


def desired(sources: Sequence[SnmpSource], *devices: str, seconds: float = 10.0) -> Desired:
    wanted = [
        RecordingRequest(id=str(number), device=device, seconds=seconds)
        for number, device in enumerate(devices, 1)
    ]
    return Desired(generation=1, site="test", node="mgmt", sources=list(sources), paths=[], recordings=wanted)


async def results(sent: ReportList, number: int) -> list[RecordingReport]:
    for _ in range(round(LONGEST_S / PAUSE_S)):
        if len(sent) == number:
            break
        await asyncio.sleep(PAUSE_S)
    assert len(sent) == number
    return cast("list[RecordingReport]", list(sent))


def runner(sent: ReportList) -> RecordingJobs:
    return RecordingJobs(HostClock(), sent, lambda: timedelta(0))


async def test_requested_recording_is_sent_once_and_anonymised() -> None:
    sent = ReportList()
    running = runner(sent)
    async with serving(Device(Table(switch()))) as port:
        wanted = desired([source(port)], "sw")
        running.take_up(wanted)
        running.take_up(wanted)
        [report] = await results(sent, 1)
        await asyncio.sleep(0.2)
        await running.close()
    assert len(sent) == 1
    assert (report.recording, report.device, report.state, report.detail) == ("1", "sw", "recorded", "")
    data = gzip.decompress(base64.b64decode(report.data))
    for secret in (b"gw7", b"site.example", b"10.77.", b"hidden-community", b"peer1"):
        assert secret not in data, secret
    found = await asyncio.to_thread(read, data)
    assert found.understood["ports"] == found.understood["neighbours"] == 2
    assert report.objects == data.count(b"\n") - data.count(b"\n#") - data.startswith(b"#")


async def test_what_is_not_whole_is_named_and_what_fails_says_why() -> None:
    sent = ReportList()
    running = runner(sent)
    without_lldp, deaf = (Device(Table(switch()), silent_below=below) for below in (LLDP_NAME[:-2], (1,)))
    async with serving(without_lldp) as port, serving(deaf) as silent:
        running.take_up(desired([source(port), source(silent, "dead")], "sw", "dead", "other"))
        part, dead, other = await results(sent, 3)
        await running.close()
    assert part.state == "recorded"
    assert "below 1.0.8802.1.1.2.1: no answer" in part.detail
    assert (dead.state, dead.data, "no answer" in dead.detail) == ("failed", "", True)
    assert other.detail == "this agent does not poll other by SNMP"


async def test_withdrawn_request_sends_nothing() -> None:
    sent = ReportList()
    running = runner(sent)
    async with serving(Device(Table(switch())), delay_s=0.1) as port:
        running.take_up(desired([source(port)], "sw"))
        await asyncio.sleep(0.15)
        running.take_up(desired([source(port)]))
        await asyncio.sleep(0.5)
        await running.close()
    assert sent == []


async def test_recording_too_large_for_a_report_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MAX_RECORDING_CHARS", 100)
    sent = ReportList()
    running = runner(sent)
    async with serving(Device(Table(switch()))) as port:
        running.take_up(desired([source(port)], "sw"))
        [report] = await results(sent, 1)
        await running.close()
    assert (report.state, report.data) == ("failed", "")
    assert "backstay-agent record" in report.detail


def test_desired_state_without_recordings_has_no_such_field() -> None:
    assert "recordings" not in desired([]).model_dump(mode="json")
    assert "recordings" in desired([], "sw").model_dump(mode="json")
