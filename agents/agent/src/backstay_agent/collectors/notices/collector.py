"""Collector `notices`: receives SNMP notifications and syslog, classifies them, and forwards them at a
limited rate.

A notice is sent a quarter of a second after its arrival, with those that arrived meanwhile. Notices above a
sender's rate are counted; the last one is sent at the next interval, so that a flood is always visible,
however it ends.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from backstay_agent.collectors.base import Ran, UnusableError
from backstay_agent.host.clock import Clock
from backstay_agent.host.datagrams import DatagramPort, listen
from backstay_agent.host.snmp.ber import BerError
from backstay_agent.host.snmp.notification import Notifications
from backstay_agent.host.snmp.values import UntrustedError
from backstay_agent.parsers import syslog, traps
from backstay_agent.report_sink import ReportSink
from backstay_wire import CollectorOutcome, Notice, NoticeReport, NoticeSource

log = logging.getLogger(__name__)

_GATHER_S = 0.25
_MOST = 1000
_FLOOD_NS = 20_000_000
"""Above its rate, one trap of a sender is decoded per this time: one of SNMPv3 takes 1.5 ms."""


BURST = 50.0
PER_SECOND = 5.0


@dataclass(slots=True)
class Bucket:
    """Fifty notices at once, five per second sustained."""

    tokens: float = BURST
    at_ns: int = 0

    def take(self, now_ns: int) -> bool:
        """Whether one more may pass at monotonic time `now_ns`."""
        self.tokens = min(BURST, self.tokens + (now_ns - self.at_ns) * PER_SECOND / 1e9)
        self.at_ns = now_ns
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


@dataclass(slots=True)
class _Sender:
    """One device's recent notices."""

    bucket: Bucket
    waiting: list[Notice] = field(default_factory=list)
    suppressed: int = 0
    last: Notice | None = None
    """The newest suppressed one."""
    suppressed_ns: int = 0
    """When it arrived."""


@dataclass(slots=True)
class Dropped:
    """Dropped messages since the agent's start, by reason."""

    strangers: int = 0
    """From addresses of no known device."""
    untrusted: int = 0
    """With an unknown community or user, or a wrong digest."""
    broken: int = 0
    kernel: int = 0
    """Before the agent could read them: its receive buffer was full."""


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
        self._ports: list[DatagramPort] = []
        self._flush: asyncio.TimerHandle | None = None
        self._closed_drops = 0
        self.dropped = Dropped()

    async def start(self) -> None:
        """Open the ports. Raises UnusableError if one is in use or not permitted."""
        source = self._source
        for port, receive in ((source.trap_port, self.trap), (source.syslog_port, self.line)):
            if not port:
                continue
            try:
                self._ports.append(await listen(source.address, port, receive))
            except OSError as error:
                await self.stop()
                raise UnusableError(f"UDP port {port} of {source.address}: {error.strerror}") from error

    async def stop(self) -> None:
        """Send waiting notices and close the ports."""
        self._send_all()
        self._count_drops()
        while self._ports:
            port = self._ports.pop()
            self._closed_drops += port.dropped
            port.close()

    def _count_drops(self) -> None:
        dropped = self._closed_drops + sum(port.dropped for port in self._ports)
        if dropped > self.dropped.kernel:
            log.warning("the kernel dropped %d notices: receive buffer full", dropped - self.dropped.kernel)
        self.dropped.kernel = dropped

    async def collect(self) -> Ran:
        """Send delayed notices, and report what was dropped."""
        for sender in self._senders.values():
            if sender.last is not None and not sender.waiting:
                sender.waiting, sender.last = [sender.last], None
                sender.suppressed -= 1
        self._send_all()
        self._count_drops()
        counts = self.dropped
        parsed = [
            f"{count} {what}"
            for count, what in (
                (counts.strangers, "from unknown senders"),
                (counts.untrusted, "not trusted"),
                (counts.broken, "not understood"),
                (counts.kernel, "by the kernel, receive buffer full"),
            )
            if count
        ]
        details = [f"dropped: {', '.join(parsed)}"] if parsed else []
        if engine := self._notifications.engine_id:
            details.insert(0, f"v3 informs to engine 0x{engine.hex()}")
        return Ran(CollectorOutcome.OK, "; ".join(details))

    def trap(self, data: bytes, address: str) -> bytes:
        """Process an SNMP notification; returns the acknowledgement or report to send back."""
        device = self._device_of(address)
        if device is None or self._is_flooding(device):
            return b""
        try:
            found = self._notifications.open(data)
        except UntrustedError:
            self.dropped.untrusted += 1
            return b""
        except BerError:
            self.dropped.broken += 1
            return b""
        if not found.trap:
            self.dropped.untrusted += found.refused
            return found.answer
        name, severity = traps.known(found.trap)
        self._take(
            device,
            lambda: Notice(
                at=self._clock.wall_ns(),
                source="trap",
                name=name,
                severity=severity,
                subject=traps.subject(found.variables),
                text=traps.described(found.trap, found.variables),
            ),
        )
        return found.answer

    def line(self, data: bytes, address: str) -> bytes:
        """Process a syslog line; there is no reply."""
        device = self._device_of(address)
        if device is not None:
            parsed = syslog.parse(data)
            self._take(
                device,
                lambda: Notice(
                    at=self._clock.wall_ns(),
                    source="syslog",
                    name=parsed.name,
                    severity=parsed.severity,
                    subject=parsed.subject[:128],
                    text=parsed.text,
                ),
            )
        return b""

    def _device_of(self, address: str) -> str | None:
        device = self._names.get(address) or self._names.get(address.removeprefix("::ffff:"))
        if device is None:
            self.dropped.strangers += 1
        return device

    def _is_flooding(self, device: str) -> bool:
        """Whether to count a trap as suppressed without decoding it."""
        sender = self._senders.get(device)
        if sender is None or sender.last is None:
            return False
        if self._clock.monotonic_ns() - sender.suppressed_ns >= _FLOOD_NS:
            return False
        sender.suppressed += 1
        return True

    def _take(self, device: str, make: Callable[[], Notice]) -> None:
        now = self._clock.monotonic_ns()
        sender = self._senders.get(device)
        if sender is None:
            sender = self._senders[device] = _Sender(Bucket(at_ns=now))
        if not sender.bucket.take(now):
            sender.suppressed += 1
            sender.last, sender.suppressed_ns = make(), now
            return
        sender.waiting.append(make())
        if self._flush is None:
            self._flush = asyncio.get_running_loop().call_later(_GATHER_S, self._send_all)

    def _send_all(self) -> None:
        if self._flush is not None:
            self._flush.cancel()
            self._flush = None
        for device, sender in self._senders.items():
            if sender.waiting:
                notices, sender.waiting = sender.waiting[:_MOST], []
                suppressed, sender.suppressed, sender.last = sender.suppressed, 0, None
                self._send(device, notices, suppressed)

    def _send(self, device: str, notices: list[Notice], suppressed: int) -> None:
        at = self._clock.wall_ns()
        self._emit(
            lambda boot, seq: NoticeReport(
                boot=boot, seq=seq, device=device, at=at, notices=notices, suppressed=suppressed
            ),
            urgent=any(notice.severity == "critical" for notice in notices),
        )
