"""Storms of notices over real UDP: none is lost at 1,000 a second, and what the kernel drops is counted."""

import socket
import threading
import time

import anyio
import pytest

from backstay_agent.collectors.notices.collector import NoticeCollector
from backstay_agent.host import datagrams
from backstay_agent.host.clock import HostClock
from backstay_testing.ports import free_udp_port
from backstay_testing.report_list import ReportList
from backstay_wire import NoticeReport, NoticeSource, SnmpV2c

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


def counted(reports: ReportList, collector: NoticeCollector) -> int:
    """Notices that the agent received, whatever it did with them."""
    sent = sum(len(item.notices) + item.suppressed for item in reports if isinstance(item, NoticeReport))
    return sent + collector.dropped.broken + collector.dropped.untrusted


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
    assert [port.dropped for port in collector._ports] == [0, 0]
    await drained(reports, collector, SECONDS * PER_SECOND)
    await collector.stop()
    assert counted(reports, collector) == SECONDS * PER_SECOND
    assert collector.dropped.kernel == 0


async def drained(reports: ReportList, collector: NoticeCollector, expected: int) -> None:
    with anyio.fail_after(60):
        while True:
            await anyio.sleep(0.05)
            await collector.collect()
            if counted(reports, collector) >= expected:
                return


async def test_what_the_kernel_drops_is_counted_and_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datagrams, "BUFFER_BYTES", 16 * 1024)
    reports = ReportList()
    collector = collector_of(reports)
    await collector.start()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for number in range(500):
            sender.sendto(LINE % number, ("127.0.0.1", collector._source.syslog_port))
    lost = sum(port.dropped for port in collector._ports)
    assert 0 < lost < 500
    await drained(reports, collector, 500 - lost)
    ran = await collector.collect()
    await collector.stop()
    assert counted(reports, collector) == 500 - lost
    assert collector.dropped.kernel == lost
    assert f"{lost} by the kernel, receive buffer full" in ran.detail
