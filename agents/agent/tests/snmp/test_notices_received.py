"""Notifications of real senders (net-snmp's snmptrap) and syslog lines become typed notices; floods end."""

import asyncio
import json
import shutil
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from uuid import uuid4

import pytest
from pydantic import ValidationError

from backstay_agent.collectors.base import UnusableError
from backstay_agent.collectors.notices.collector import DECODING_MS, V3_COST_MS, NoticeCollector
from backstay_agent.collectors.notices.notice_queue import BURST, PER_SECOND
from backstay_agent.host.clock import HostClock
from backstay_agent.host.snmp import message
from backstay_agent.host.snmp.v3_receiver import V3Receiver
from backstay_agent.parsers import syslog, text
from backstay_agent.uplink.spool import encode
from backstay_testing.clock import ManualClock
from backstay_testing.ports import free_udp_port
from backstay_testing.report_list import ReportList
from backstay_testing.snmp_responder import Asked, number, reply
from backstay_wire import MetricValue, Notice, NoticeReport, NoticeSource, SnmpV2c, SnmpV3

pytestmark = pytest.mark.anyio
needs_snmptrap = pytest.mark.skipif(shutil.which("snmptrap") is None, reason="snmptrap is not installed")
ACCESS = [
    SnmpV2c(community="traps"),
    SnmpV3(user="one", auth_key="authpass12345", priv_key="privpass12345"),
    SnmpV3(
        user="two",
        auth_protocol="SHA-512",
        auth_key="authpass12345",
        priv_protocol="AES-256",
        priv_key="privpass12345",
    ),
    SnmpV3(user="old", auth_protocol="SHA-1", auth_key="authpass12345", priv_key="privpass12345"),
]
ENGINE = "0x80001f88045a6f6f"
LINK_DOWN = "1.3.6.1.6.3.1.1.5.3"
IF_INDEX, IF_DESCR = "1.3.6.1.2.1.2.2.1.1.3", "1.3.6.1.2.1.2.2.1.2.3"
GRF = "1.3.6.1.4.1.1080.1.1"
NOT_IN_TIME_WINDOW = bytes.fromhex("060a2b060106030f01010200")
"""usmStatsNotInTimeWindows.0."""


class Reports(ReportList):
    def notices(self) -> list[Notice]:
        return [notice for report in self if isinstance(report, NoticeReport) for notice in report.notices]


def source(**more: object) -> NoticeSource:
    arguments: dict[str, object] = {
        "device": "host",
        "interval_s": 10,
        "address": "127.0.0.1",
        "trap_port": free_udp_port(),
        "syslog_port": 0,
        "senders": {"127.0.0.1": "grf1"},
        "access": ACCESS,
        **more,
    }
    return NoticeSource.model_validate(arguments)


@asynccontextmanager
async def receiving(given: NoticeSource, reports: Reports) -> AsyncIterator[NoticeCollector]:
    collector = NoticeCollector(given, clock=HostClock(), emit=reports)
    await collector.start()
    try:
        yield collector
    finally:
        await collector.stop()


async def snmptrap(port: int, *arguments: str) -> int:
    """Send with net-snmp; returns its exit status, 0 for an acknowledged inform."""
    command = ["snmptrap", "-m", "", *arguments[:-1], f"127.0.0.1:{port}", *arguments[-1].split()]
    quiet = asyncio.subprocess.DEVNULL
    sent = await asyncio.create_subprocess_exec(*command, stdout=quiet, stderr=quiet, env={"MIBS": ""})
    async with asyncio.timeout(30):
        return await sent.wait()


async def until(happened: Callable[[], bool]) -> None:
    """Wait at most 30 s."""
    async with asyncio.timeout(30):
        while not happened():  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(0.01)


def v3(user: str, auth: str, priv: str, password: str = "authpass12345") -> list[str]:
    keys = ["-l", "authPriv", "-u", user, "-a", auth, "-A", password, "-x", priv, "-X", "privpass12345"]
    return ["-v3", "-e", ENGINE, *keys]


SENT = {
    "v2c link down": (
        ["-v2c", "-c", "traps", f"0 {LINK_DOWN} {IF_INDEX} i 3 {IF_DESCR} s gh010"],
        ("link_down", "critical", "gh010"),
    ),
    "v1 card down": (
        ["-v1", "-c", "traps", f"{GRF} 127.0.0.1 6 4 100 {GRF}.1.5.1.1.2 i 2"],
        ("card_down", "critical", "card 2"),
    ),
    "v1 link up": (
        ["-v1", "-c", "traps", f"{GRF} 127.0.0.1 3 0 100 {IF_INDEX} i 3"],
        ("link_up", "ok", "ifIndex 3"),
    ),
    "v2c gated down": (["-v2c", "-c", "traps", f"0 {GRF}.0.35"], ("gated_down", "critical", "")),
    "v2c circuit down": (
        ["-v2c", "-c", "traps", f"0 {GRF}.0.17 {GRF}.4.1.1.2.4.0.32 i 0 {GRF}.4.1.1.3.4.0.32 i 32"],
        ("pvc_down", "critical", "0/32"),
    ),
    "v3 subnet manager down": (
        [*v3("one", "SHA-256", "AES"), "0 1.3.6.1.4.1.33049.2.3.2.2"],
        ("sm_down", "critical", ""),
    ),
    "v3 of SHA-512 and AES-256": (
        [*v3("two", "SHA-512", "AES-256"), "0 1.3.6.1.3.117.3.2.0.2"],
        ("ib_link_integrity", "critical", ""),
    ),
    "v3 of SHA-1": ([*v3("old", "SHA", "AES"), f"0 {LINK_DOWN}"], ("link_down", "critical", "")),
    "unknown": (["-v2c", "-c", "traps", "0 1.3.6.1.4.1.99999.1"], ("other", "warning", "")),
}


@needs_snmptrap
@pytest.mark.parametrize("name", SENT)
async def test_trap_has_a_name_and_severity(name: str) -> None:
    arguments, expected = SENT[name]
    reports, given = Reports(), source()
    async with receiving(given, reports) as collector:
        assert await snmptrap(given.trap_port, *arguments) == 0
        await until(lambda: bool(reports) or collector.traps.untrusted + collector.traps.malformed > 0)
        assert (collector.traps.untrusted, collector.traps.malformed) == (0, 0)
    (notice,) = reports.notices()
    assert (notice.name, notice.severity, notice.subject) == expected
    assert notice.source == "trap"
    assert {report.device for report in reports if isinstance(report, NoticeReport)} == {"grf1"}


@needs_snmptrap
async def test_inform_is_acknowledged() -> None:
    reports, given = Reports(), source()
    async with receiving(given, reports):
        arguments = ["-Ci", "-v2c", "-c", "traps", "-r", "0", "-t", "2", f"0 {LINK_DOWN}"]
        assert await snmptrap(given.trap_port, *arguments) == 0
    assert [notice.name for notice in reports.notices()] == ["link_down"]


@needs_snmptrap
@pytest.mark.parametrize(
    "arguments",
    [
        ["-v2c", "-c", "guess", f"0 {LINK_DOWN}"],
        [*v3("one", "SHA-256", "AES", "a-wrong-password"), f"0 {LINK_DOWN}"],
        [*v3("stranger", "SHA-256", "AES"), f"0 {LINK_DOWN}"],
    ],
    ids=["community", "password", "user"],
)
async def test_trap_from_an_unknown_sender_is_counted_and_dropped(arguments: list[str]) -> None:
    reports, given = Reports(), source()
    async with receiving(given, reports) as collector:
        await snmptrap(given.trap_port, *arguments)
        await until(lambda: collector.traps.untrusted == 1)
        assert (await collector.collect()).detail.endswith("; dropped: 1 not trusted")
    assert reports.notices() == []


V3_INFORMS = {
    "SHA-256 and AES-128": ("one", "SHA-256", "AES"),
    "SHA-512 and AES-256": ("two", "SHA-512", "AES-256"),
    "SHA-1 and AES-128": ("old", "SHA", "AES"),
}


def inform(user: str, auth: str, priv: str, password: str = "authpass12345", *more: str) -> list[str]:
    """Without an engine ID: the sender first discovers the receiver's."""
    keys = v3(user, auth, priv, password)[3:]
    return ["-Ci", "-v3", *keys, "-r", "3", "-t", "3", *more, f"0 {LINK_DOWN} {IF_DESCR} s gh010"]


@needs_snmptrap
@pytest.mark.parametrize("name", V3_INFORMS)
async def test_v3_inform_sender_discovers_our_engine_and_is_acknowledged(name: str) -> None:
    reports, given = Reports(), source()
    async with receiving(given, reports) as collector:
        assert await snmptrap(given.trap_port, *inform(*V3_INFORMS[name])) == 0
        assert (collector.traps.untrusted, collector.traps.malformed) == (0, 0)
    (notice,) = reports.notices()
    assert (notice.name, notice.severity, notice.subject) == ("link_down", "critical", "gh010")


@needs_snmptrap
async def test_sender_with_a_configured_engine_id_and_an_old_time_is_resynchronised() -> None:
    reports, given = Reports(), source()
    async with receiving(given, reports) as collector:
        reported = (await collector.collect()).detail
        engine = reported.removeprefix("v3 informs to engine ")
        old = ["-e", engine, "-Z", "7,99"]
        arguments = inform(*V3_INFORMS["SHA-256 and AES-128"], "authpass12345", *old)
        assert await snmptrap(given.trap_port, *arguments) == 0
        assert collector.traps.untrusted == 0
    assert [notice.name for notice in reports.notices()] == ["link_down"]


def test_engine_id_is_stable_and_boots_increase_after_a_restart(clock: ManualClock) -> None:
    users = [one for one in ACCESS if isinstance(one, SnmpV3)]
    first = V3Receiver(users, "mgmt", clock)
    clock.advance(2)
    second = V3Receiver(users, "mgmt", clock)
    assert second.engine_id == first.engine_id != V3Receiver(users, "other", clock).engine_id
    assert (first.boots + 2, first.time, second.time) == (second.boots, 2, 0)


@needs_snmptrap
@pytest.mark.parametrize(
    "arguments",
    [
        inform("stranger", "SHA-256", "AES"),
        inform("one", "SHA-256", "AES", "a-wrong-password"),
        [
            *("-Ci", "-v3", "-l", "authNoPriv", "-u", "one", "-a", "SHA-256", "-A", "authpass12345"),
            *("-r", "0", "-t", "1", f"0 {LINK_DOWN}"),
        ],
    ],
    ids=["user", "password", "level"],
)
async def test_inform_from_an_unknown_sender_is_refused_and_counted(arguments: list[str]) -> None:
    reports, given = Reports(), source()
    async with receiving(given, reports) as collector:
        assert await snmptrap(given.trap_port, *arguments) != 0
        assert collector.traps.untrusted >= 1
    assert reports.notices() == []


class Recording(NoticeCollector):
    """Keeps received datagrams."""

    def __init__(self, source: NoticeSource, clock: ManualClock, reports: Reports) -> None:
        super().__init__(source, clock=clock, emit=reports)
        self.datagrams: list[bytes] = []

    def trap(self, data: bytes, address: str) -> bytes:
        self.datagrams.append(data)
        return super().trap(data, address)


@needs_snmptrap
async def test_replayed_inform_gets_a_report_and_creates_no_notice(clock: ManualClock) -> None:
    """A recorded inform is refused after 150 s, and after a restart of the receiver."""
    given, reports = source(), Reports()
    collector = Recording(given, clock, reports)
    await collector.start()
    assert await snmptrap(given.trap_port, *inform(*V3_INFORMS["SHA-256 and AES-128"])) == 0
    recorded = collector.datagrams[-1]
    assert collector.trap(recorded[:-1] + bytes((recorded[-1] ^ 1,)), "127.0.0.1") != b""
    clock.advance(151)
    late = collector.trap(recorded, "127.0.0.1")
    assert NOT_IN_TIME_WINDOW in late
    again = NoticeCollector(source(), clock=clock, emit=reports)
    assert NOT_IN_TIME_WINDOW in again.trap(recorded, "127.0.0.1")
    await collector.stop()
    await again.stop()
    assert [notice.name for notice in reports.notices()] == ["link_down"]


@needs_snmptrap
async def test_trap_older_than_the_time_window_is_dropped() -> None:
    reports, given = Reports(), source()
    async with receiving(given, reports) as collector:
        for time in ("1000", "851", "849"):
            arguments = [*v3("one", "SHA-256", "AES"), "-Z", f"7,{time}", f"0 {LINK_DOWN}"]
            assert await snmptrap(given.trap_port, *arguments) == 0
        await until(lambda: collector.traps.untrusted == 1)
    assert len(reports.notices()) == 2


@needs_snmptrap
async def test_v3_trap_without_privacy_is_dropped() -> None:
    reports, given = Reports(), source()
    async with receiving(given, reports) as collector:
        level = ["-v3", "-e", ENGINE, "-l", "authNoPriv", "-u", "one", "-a", "SHA-256", "-A", "authpass12345"]
        assert await snmptrap(given.trap_port, *level, f"0 {LINK_DOWN}") == 0
        await until(lambda: collector.traps.untrusted == 1)
    assert reports.notices() == []


async def test_messages_from_an_unknown_address_are_counted_and_dropped() -> None:
    reports = Reports()
    collector = NoticeCollector(source(), clock=HostClock(), emit=reports)
    assert collector.line(b"<3>disaster", "192.0.2.9") == b""
    assert collector.trap(b"", "192.0.2.9") == b""
    assert (collector.syslog.unknown_senders, collector.traps.unknown_senders) == (1, 1)
    await collector.stop()
    assert reports.notices() == []


async def test_invalid_datagrams_are_counted() -> None:
    collector = NoticeCollector(source(), clock=HostClock(), emit=Reports())
    trap = (1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0)
    asked = Asked(1, message.TRAP, b"traps", 0, 0, ())
    for data in (
        b"",
        b"\x30",
        b"\x30\x84\xff\xff\xff\xff",
        reply(asked, [(trap, number(3))], kind=message.TRAP),
    ):
        collector.trap(data, "127.0.0.1")
    assert collector.traps.malformed == 4


async def test_flood_is_limited_and_its_newest_line_is_sent(clock: ManualClock) -> None:
    reports = Reports()
    collector = NoticeCollector(source(), clock=clock, emit=reports)
    for place in range(500):
        collector.line(f"<12>message {place}".encode(), "127.0.0.1")
    await asyncio.sleep(0.5)
    (report,) = (report for report in reports if isinstance(report, NoticeReport))
    assert (len(report.notices), report.suppressed) == (BURST, 500 - BURST - 1)
    for place in range(200):
        collector.line(f"<12>again {place}".encode(), "127.0.0.1")
    clock.advance(1 / PER_SECOND)
    await asyncio.sleep(0.5)
    last = reports[-1]
    assert isinstance(last, NoticeReport)
    assert ([notice.text for notice in last.notices], last.suppressed) == (["again 199"], 200)
    clock.advance(60)
    collector.line(b"<12>later", "127.0.0.1")
    await collector.stop()
    assert [notice.text for notice in reports.notices()][-1] == "later"


@needs_snmptrap
async def test_v3_traps_of_a_flood_are_decoded_for_a_limited_time(clock: ManualClock) -> None:
    """What is not decoded may have been an alarm: it counts as lost."""
    given, reports = source(), Reports()
    collector = Recording(given, clock, reports)
    await collector.start()
    assert await snmptrap(given.trap_port, *v3("one", "SHA-256", "AES"), f"0 {LINK_DOWN}") == 0
    await until(lambda: bool(collector.datagrams))
    recorded = collector.datagrams[0]
    for _ in range(999):
        collector.trap(recorded, "127.0.0.1")
    decoded = DECODING_MS / V3_COST_MS
    assert collector.traps.overflows == 1000 - BURST - 1 - decoded
    assert collector.traps.suppressed == decoded
    clock.advance(1)
    collector.trap(recorded, "127.0.0.1")
    assert collector.traps.suppressed == decoded + 1
    await collector.stop()
    assert sum(report.suppressed for report in reports if isinstance(report, NoticeReport)) == 1000 - BURST


async def test_syslog_is_received_over_udp() -> None:
    reports, given = Reports(), source(trap_port=0, syslog_port=free_udp_port())
    async with receiving(given, reports):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.sendto(b"<11>Oct 14 13:37:00 grf1 gated[12]: terminated", ("127.0.0.1", given.syslog_port))
        await until(lambda: bool(reports))
    (notice,) = reports.notices()
    assert (notice.name, notice.severity, notice.source) == ("gated_down", "critical", "syslog")
    assert notice.text == "gated[12]: terminated"


async def test_port_in_use_is_reported() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", 0))
        collector = NoticeCollector(
            source(trap_port=other.getsockname()[1]), clock=HostClock(), emit=Reports()
        )
        with pytest.raises(UnusableError, match="UDP port"):
            await collector.start()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            b"<34>1 2003-10-11T22:14:15.003Z m su - ID47 - \xef\xbb\xbf'su root' failed",
            ("other", "critical", "su: 'su root' failed"),
        ),
        (
            b'<165>1 2003-10-11T22:14:15Z m app 1 ID [a@1 b="c\\]"][x@1 y="z"] text',
            ("other", "ok", "app: text"),
        ),
        (
            b"<12>Oct  4 01:02:03 sw1 [RX] Switch Recieve Error. Status: 0x3",
            ("switch_receive_error", "critical", "[RX] Switch Recieve Error. Status: 0x3"),
        ),
        (
            b"<187>Oct 14 01:02:03 sw Interface ge-0/0/1, changed state to down",
            ("link_down", "critical", "Interface ge-0/0/1, changed state to down"),
        ),
        (b"<6>eth0: Link is Up 1000Mbps", ("link_up", "ok", "eth0: Link is Up 1000Mbps")),
        (b"no priority", ("other", "ok", "no priority")),
        (b"<999>odd", ("other", "ok", "<999>odd")),
        (b"<13>\x1b[31m<script>", ("other", "ok", "\ufffd[31m<script>")),
    ],
)
def test_syslog_line_is_parsed(line: bytes, expected: tuple[str, str, str]) -> None:
    found = syslog.parse(line)
    assert (found.name, found.severity, found.text) == expected


async def test_a_nul_byte_in_a_packet_costs_neither_the_notice_nor_its_report() -> None:
    reports, port = Reports(), free_udp_port()
    async with receiving(source(trap_port=0, syslog_port=port), reports):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            for line in (b"<10>spoofed \0 line \xff\xfe", b"<10>power supply 1 failed"):
                sender.sendto(line, ("127.0.0.1", port))
        await until(lambda: len(reports.notices()) == 2)
    for report in reports:
        assert b"\\u0000" not in encode(report)
    texts = [notice.text for notice in reports.notices()]
    assert texts == ["spoofed \ufffd line \u00ff\u00fe", "power supply 1 failed"]


def test_a_report_keeps_its_text_except_for_nul() -> None:
    notice = Notice(at=1, source="trap", name="other", severity="ok", subject="a\0b \\u0000 \\\0", text="c")
    report = NoticeReport(boot=uuid4(), seq=1, device="grf1", at=1, notices=[notice])
    sent = json.loads(encode(report))["notices"][0]
    assert (sent["subject"], sent["text"]) == ("a\ufffdb \\u0000 \\\ufffd", "c")


def test_lone_surrogates_of_a_device_are_replaced() -> None:
    assert text.text("left\ud800right") == text.name("left\udfffright") == "left\ufffdright"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_no_message_holds_a_number_that_json_has_not(value: float) -> None:
    with pytest.raises(ValidationError):
        MetricValue(metric="chrony.offset", value=value)
