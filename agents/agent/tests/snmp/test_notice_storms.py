"""Storms of notices over real UDP: none is lost at 1,000 a second, and what the kernel drops is reported."""

import socket
import threading
import time
from collections import Counter

import anyio
import pytest

from backstay_agent.collectors.notices.collector import NoticeCollector
from backstay_agent.host import datagrams
from backstay_agent.host.clock import HostClock
from backstay_testing.ports import free_udp_port
from backstay_testing.report_list import ReportList
from backstay_wire import METRICS, MetricReport, NoticeReport, NoticeSource, SnmpV2c

pytestmark = pytest.mark.anyio

SECONDS, PER_SECOND, STEP = 3, 1000, 20
LINE = b"<187>Oct 14 01:02:03 grf1 Interface ga%03d, changed state to down"
TRAP = bytes.fromhex(
    "303c02010104057472617073a73002010102010002010030253010060a2b06010603010104010006020100"
    "300f06082b060102010103004303000064"
)
"""It does not decode: it is counted all the same."""


def collector_of(reports: ReportList) -> NoticeCollector:
    source = NoticeSource.model_validate(
        {
            "device": "host",
            "interval_s": 10,
            "address": "127.0.0.1",
            "trap_port": free_udp_port(),
            "syslog_port": free_udp_port(),
            "senders": {"127.0.0.1": "grf1"},
            "access": [SnmpV2c(community="traps")],
        }
    )
    return NoticeCollector(source, clock=HostClock(), emit=reports)


def metrics_of(reports: ReportList) -> Counter[tuple[str, str]]:
    """(subject, metric) -> its growth over all reports; every metric is registered."""
    found: Counter[tuple[str, str]] = Counter()
    for report in reports:
        if isinstance(report, MetricReport):
            assert (report.device, report.collector) == ("host", "notices")
            for item in report.metrics:
                assert METRICS[item.metric].kind == "growth"
                assert isinstance(item.value, int | float)
                found[item.subject, item.metric] += int(item.value)
    return found


def sent_of(reports: ReportList) -> tuple[int, int]:
    """Notices that were sent, and those that were left out."""
    notices = [item for item in reports if isinstance(item, NoticeReport)]
    return sum(len(item.notices) for item in notices), sum(item.suppressed for item in notices)


def storm(ports: tuple[int, int]) -> None:
    """A thousand datagrams a second, half of them to each port."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        start = time.monotonic()
        for number in range(SECONDS * PER_SECOND):
            trap, line = ports
            if number % 2:
                sender.sendto(LINE % (number % 1000), ("127.0.0.1", line))
            else:
                sender.sendto(TRAP, ("127.0.0.1", trap))
            if number % STEP == 0:
                time.sleep(max(0.0, start + number / PER_SECOND - time.monotonic()))


async def test_nothing_is_lost_at_1000_a_second_while_the_agent_is_busy() -> None:
    reports = ReportList()
    collector = collector_of(reports)
    await collector.start()
    source = collector._source
    sender = threading.Thread(target=storm, args=((source.trap_port, source.syslog_port),))
    sender.start()
    sender.join()  # The event loop does nothing meanwhile: the kernel holds three seconds of notices.
    assert [port.dropped for port in collector._ports.values()] == [0, 0]
    half = SECONDS * PER_SECOND // 2
    await received(collector, half, half)
    await collector.stop()
    found, (sent, left_out) = metrics_of(reports), sent_of(reports)
    assert (found["trap", "notices.received"], found["syslog", "notices.received"]) == (half, half)
    assert found["trap", "notices.malformed"] == half
    assert sent + left_out == half
    assert found["syslog", "notices.suppressed"] + found["syslog", "notices.overflows"] == left_out
    assert (found["trap", "notices.kernel_drops"], found["syslog", "notices.kernel_drops"]) == (0, 0)


async def received(collector: NoticeCollector, traps: int, lines: int) -> None:
    with anyio.fail_after(60):
        while (collector.traps.received, collector.syslog.received) != (traps, lines):  # noqa: ASYNC110
            await anyio.sleep(0.05)


async def test_what_the_kernel_drops_is_counted_and_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datagrams, "BUFFER_BYTES", 16 * 1024)
    reports = ReportList()
    collector = collector_of(reports)
    await collector.start()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for number in range(500):
            sender.sendto(LINE % number, ("127.0.0.1", collector._source.syslog_port))
    lost = collector._ports["syslog"].dropped
    assert 0 < lost < 500
    await received(collector, 0, 500 - lost)
    ran = await collector.collect()
    assert metrics_of(reports)["syslog", "notices.kernel_drops"] == lost
    assert METRICS["notices.kernel_drops"].error, "drops are a warning"
    assert f"{lost} by the kernel, receive buffer full" in ran.detail
    await collector.collect()
    await collector.stop()
    assert metrics_of(reports)["syslog", "notices.kernel_drops"] == lost, "each drop is reported once"
    assert metrics_of(reports)["syslog", "notices.received"] == 500 - lost
