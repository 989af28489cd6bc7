"""Collector `notices`: receives SNMP notifications and syslog, classifies them, and forwards them at a
limited rate (`notice_queue`).

A notice is sent a quarter of a second after its arrival, with those that arrived meanwhile. What became of
every datagram is counted by port and reported as device metrics of the host that receives.
"""

import asyncio
import logging
from collections.abc import Mapping
from functools import partial

from backstay_agent.collectors.base import Ran, UnusableError
from backstay_agent.collectors.metric_reporter import MetricReporter
from backstay_agent.collectors.notices.counts import Counts
from backstay_agent.collectors.notices.notice_queue import Arrival, Bucket, NoticeQueue
from backstay_agent.host.clock import Clock
from backstay_agent.host.datagrams import DatagramPort, listen
from backstay_agent.host.snmp.ber import BerError
from backstay_agent.host.snmp.notification import Notification, Notifications, is_v3
from backstay_agent.host.snmp.values import UntrustedError
from backstay_agent.parsers import syslog, traps
from backstay_agent.report_sink import ReportSink
from backstay_wire import CollectorOutcome, Notice, NoticeReport, NoticeSource

log = logging.getLogger(__name__)

_GATHER_S = 0.25
DECODING_MS = 300.0
"""Processor time per second for traps of one device above its rate: 15,000 of v1 and v2c, 200 of v3."""
COST_MS, V3_COST_MS = 0.02, 1.5
"""Of decoding one trap."""


class _Sender:
    """One device: its notices, and the time left for decoding its traps."""

    def __init__(self, now_ns: int) -> None:
        self.queue = NoticeQueue(now_ns)
        self.decoding = Bucket(DECODING_MS, DECODING_MS, now_ns)


class NoticeCollector:
    """Receives on one address."""

    name = "notices"
    limit_s = 10.0

    def __init__(self, source: NoticeSource, *, clock: Clock, emit: ReportSink) -> None:
        self.device = source.device
        self.interval_s = source.interval_s
        self._source = source
        self._names: Mapping[str, str] = source.senders
        self._notifications = Notifications(source.access, source.device, clock)
        self._clock = clock
        self._emit = emit
        self._senders: dict[str, _Sender] = {}
        self._ports: dict[str, DatagramPort] = {}
        self._flush: asyncio.TimerHandle | None = None
        self._metrics = MetricReporter(device=source.device, collector=self.name, clock=clock, emit=emit)
        self.traps, self.syslog = Counts(), Counts()

    async def start(self) -> None:
        """Open the ports. Raises UnusableError if one is in use or not permitted."""
        source = self._source
        for name, number, receive in (
            ("trap", source.trap_port, self.trap),
            ("syslog", source.syslog_port, self.line),
        ):
            if not number:
                continue
            try:
                self._ports[name] = await listen(source.address, number, receive)
            except OSError as error:
                await self.stop()
                raise UnusableError(f"UDP port {number} of {source.address}: {error.strerror}") from error
        self._report_counts()

    async def stop(self) -> None:
        """Send waiting notices and close the ports."""
        self._send_all(at_once=True)
        self._report_counts()
        while self._ports:
            self._ports.popitem()[1].close()

    async def collect(self) -> Ran:
        """Report what became of the datagrams."""
        self._report_counts()
        both = (self.traps, self.syslog)
        refused = [
            f"{count} {what}"
            for count, what in (
                (sum(counts.unknown_senders for counts in both), "from unknown senders"),
                (sum(counts.untrusted for counts in both), "not trusted"),
                (sum(counts.malformed for counts in both), "not understood"),
                (sum(counts.kernel_drops for counts in both), "by the kernel, receive buffer full"),
            )
            if count
        ]
        details = [f"dropped: {', '.join(refused)}"] if refused else []
        if engine := self._notifications.engine_id:
            details.insert(0, f"v3 informs to engine 0x{engine.hex()}")
        return Ran(CollectorOutcome.OK, "; ".join(details))

    def _report_counts(self) -> None:
        """The growth of the counts of the open ports."""
        counters: dict[tuple[str, str], int] = {}
        for name, counts in (("trap", self.traps), ("syslog", self.syslog)):
            if (port := self._ports.get(name)) is None:
                continue
            dropped = port.dropped
            if dropped > counts.kernel_drops:
                lost = dropped - counts.kernel_drops
                log.warning("the kernel dropped %d datagrams of %s: receive buffer full", lost, name)
            counts.kernel_drops = dropped
            counters |= counts.counters(name)
        self._metrics.report([], counters)

    def trap(self, data: bytes, address: str) -> bytes:
        """Process an SNMP notification; returns the acknowledgement or report to send back."""
        self.traps.received += 1
        device = self._device_of(address, self.traps)
        if device is None or not self._may_decode(device, data):
            return b""
        try:
            found = self._notifications.open(data)
        except UntrustedError:
            self.traps.untrusted += 1
            return b""
        except BerError:
            self.traps.malformed += 1
            return b""
        if found.trap:
            self._put_trap(device, found)
        else:
            self.traps.untrusted += found.refused
        return found.answer

    def _put_trap(self, device: str, found: Notification) -> None:
        name, severity = traps.known(found.trap)
        subject, at = traps.subject(found.variables), self._clock.wall_ns()

        def render() -> Notice:
            text = traps.described(found.trap, found.variables)
            return Notice(at=at, source="trap", name=name, severity=severity, subject=subject, text=text)

        self._put(device, Arrival((found.trap, subject), render, self.traps))

    def line(self, data: bytes, address: str) -> bytes:
        """Process a syslog line; there is no reply."""
        self.syslog.received += 1
        device = self._device_of(address, self.syslog)
        if device is None:
            return b""
        line = syslog.parse(data)
        render = partial(
            Notice,
            at=self._clock.wall_ns(),
            source="syslog",
            name=line.name,
            severity=line.severity,
            subject=line.subject[:128],
            text=line.text,
        )
        self._put(device, Arrival((line.name, line.subject), render, self.syslog))
        return b""

    def _device_of(self, address: str, counts: Counts) -> str | None:
        device = self._names.get(address) or self._names.get(address.removeprefix("::ffff:"))
        if device is None:
            counts.unknown_senders += 1
        return device

    def _may_decode(self, device: str, data: bytes) -> bool:
        """Whether there is time to decode a trap of a device above its rate; otherwise it is lost."""
        sender = self._senders.get(device)
        if sender is None or not sender.queue.is_limited:
            return True
        cost_ms = V3_COST_MS if is_v3(data) else COST_MS
        if sender.decoding.take(self._clock.monotonic_ns(), cost_ms):
            return True
        sender.queue.lose(self.traps)
        return False

    def _put(self, device: str, arrival: Arrival) -> None:
        now = self._clock.monotonic_ns()
        sender = self._senders.get(device)
        if sender is None:
            sender = self._senders[device] = _Sender(now)
        sender.queue.put(arrival, now)
        self._schedule()

    def _schedule(self) -> None:
        if self._flush is None:
            self._flush = asyncio.get_running_loop().call_later(_GATHER_S, self._send_all)

    def _send_all(self, *, at_once: bool = False) -> None:
        """Send what the rates permit; `at_once` everything."""
        if self._flush is not None:
            self._flush.cancel()
            self._flush = None
        now = None if at_once else self._clock.monotonic_ns()
        for device, sender in self._senders.items():
            notices, left_out = sender.queue.take(now)
            if notices:
                self._send(device, notices, left_out)
        if any(not sender.queue.is_empty for sender in self._senders.values()):
            self._schedule()

    def _send(self, device: str, notices: list[Notice], left_out: int) -> None:
        at = self._clock.wall_ns()
        self._emit(
            lambda boot, seq: NoticeReport(
                boot=boot, seq=seq, device=device, at=at, notices=notices, suppressed=left_out
            ),
            urgent=any(notice.severity == "critical" for notice in notices),
        )
