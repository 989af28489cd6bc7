"""Exchanges datagrams with one device: requests in flight, responses by number, retries, and a time limit.

A response to an earlier attempt counts as well: a retry carries the same number. Datagrams that answer
nothing are counted; a device that sends a flood of them is given up, and the reader processes only a few
datagrams before it lets other tasks run.
"""

import asyncio
import random
import socket
from collections import deque
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv6Address

from backstay_agent.host.snmp.ber import BerError
from backstay_agent.host.snmp.message import FIRST_NUMBER, LAST_NUMBER, Request
from backstay_agent.host.snmp.values import PollLimits, SnmpError, SnmpTimeoutError

_DATAGRAM = 65_535
_AT_ONCE = 64
"""Datagrams read before other tasks run."""
NumberOf = Callable[[bytes], int]
"""The number of the request that a datagram answers. Raises BerError if it is not a response."""


class Peer:
    """One device's address, and a socket that receives from it only."""

    def __init__(
        self,
        address: IPv4Address | IPv6Address,
        port: int,
        *,
        timeout_s: float,
        retries: int,
        limits: PollLimits,
        number_of: NumberOf,
    ) -> None:
        self._address = (str(address), port)
        self._family = socket.AF_INET6 if isinstance(address, IPv6Address) else socket.AF_INET
        self._timeout_s = timeout_s
        self._attempts = 1 + retries
        self._limits = limits
        self.number_of = number_of
        self._socket: socket.socket | None = None
        self._number = random.randint(FIRST_NUMBER, LAST_NUMBER)  # noqa: S311 - distinguishes requests, no secret
        self._exchange: _Exchange | None = None
        self._listening: asyncio.AbstractEventLoop | None = None
        """The loop that watches the socket. It stays registered between exchanges, because registering and
        unregistering costs more than reading."""
        self.window = limits.window

    async def ask(self, request: Request) -> bytes:
        """The response to one request. Raises SnmpTimeoutError, SnmpError."""
        return (await self.ask_all([request]))[0]

    async def ask_all(self, requests: Sequence[Request]) -> list[bytes]:
        """The responses to all requests, in their order. Raises SnmpTimeoutError, SnmpError."""
        clean = self.window
        loop, connected = asyncio.get_running_loop(), self._connected()
        exchange = _Exchange(self, requests, connected, loop)
        self._exchange = exchange
        if self._listening is None:
            loop.add_reader(connected.fileno(), self._read)
            self._listening = loop
        try:
            answers = await exchange.run()
        finally:
            self._exchange = None
        if self.window == clean:
            # Nothing was lost: increase the window again.
            self.window = min(2 * clean, self._limits.window)
        return answers

    def close(self) -> None:
        """Close the socket."""
        if self._socket is not None:
            self._stop_listening(self._socket)
            self._socket.close()
            self._socket = None

    def _connected(self) -> socket.socket:
        if self._socket is None:
            made = socket.socket(self._family, socket.SOCK_DGRAM)
            try:
                made.setblocking(False)
                made.connect(self._address)
            except OSError as error:
                made.close()
                raise SnmpTimeoutError(f"no route to {self}: {error.strerror}") from error
            self._socket = made
        return self._socket

    def _read(self) -> None:
        """The socket is readable."""
        assert self._socket is not None
        if self._exchange is None:
            # No exchange is active: it may wait for the next one, and costs no time until then.
            self._stop_listening(self._socket)
        else:
            self._exchange.read()

    def _stop_listening(self, connected: socket.socket) -> None:
        if self._listening is not None:
            self._listening.remove_reader(connected.fileno())
            self._listening = None

    def next_numbers(self, count: int) -> int:
        """The first of `count` consecutive numbers that no recent request of this peer used."""
        first = self._number if self._number + count <= LAST_NUMBER else FIRST_NUMBER
        self._number = first + count
        return first

    @property
    def timeout_s(self) -> float:
        """Seconds that each attempt waits."""
        return self._timeout_s

    @property
    def attempts(self) -> int:
        """Maximum number of attempts per request."""
        return self._attempts

    @property
    def limits(self) -> PollLimits:
        """Limits of the device."""
        return self._limits

    def __str__(self) -> str:
        return f"{self._address[0]} port {self._address[1]}"


class _Exchange:
    """Some requests and their responses."""

    def __init__(
        self,
        peer: Peer,
        requests: Sequence[Request],
        connected: socket.socket,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self._peer = peer
        self._socket = connected
        self._loop = loop
        self._first = peer.next_numbers(len(requests))
        """The requests are numbered from here."""
        self._octets = [request.numbered(number) for number, request in enumerate(requests, self._first)]
        self._answers: list[bytes | None] = [None] * len(requests)
        self._left = len(requests)
        self._queue = deque(range(len(requests)))
        self._in_flight = 0
        self._progress = False
        self._attempts = 1
        self._strangers = 0
        self._reason = ""
        self._done: asyncio.Future[None] = loop.create_future()

    async def run(self) -> list[bytes]:
        """Send, retry unanswered requests, and return when all are answered. Raises SnmpTimeoutError,
        SnmpError."""
        self._timer = self._loop.call_later(self._peer.timeout_s, self._expired)
        try:
            self._fill()
            await self._done
        finally:
            self._timer.cancel()
        return [answer for answer in self._answers if answer is not None]

    def _fill(self) -> None:
        send, window = self._socket.send, self._peer.window
        while self._queue and self._in_flight < window:
            place = self._queue.popleft()
            if self._answers[place] is not None:
                continue
            self._in_flight += 1
            try:
                send(self._octets[place])
            except (BlockingIOError, ConnectionRefusedError):
                continue  # equivalent to a lost datagram: it is sent again
            except OSError as error:
                self._fail(SnmpTimeoutError(f"no route to {self._peer}: {error.strerror}"))
                return

    def read(self) -> None:
        """Process received datagrams."""
        receive = self._socket.recv
        for _ in range(_AT_ONCE):
            if self._done.done():
                return
            try:
                data = receive(_DATAGRAM)
            except BlockingIOError:
                return
            except OSError:
                continue  # a refusal (ICMP): the device may be about to start
            self._take(data)

    def _take(self, data: bytes) -> None:
        try:
            place = self._peer.number_of(data) - self._first
        except BerError as error:
            place, self._reason = -1, str(error)
        answers = self._answers
        if not 0 <= place < len(answers) or answers[place] is not None:
            self._stranger()
            return
        answers[place] = data
        self._progress, self._attempts = True, 1
        self._in_flight = max(0, self._in_flight - 1)
        self._left -= 1
        if not self._left:
            self._done.set_result(None)
        elif self._queue:
            self._fill()

    def _stranger(self) -> None:
        self._strangers += 1
        if self._strangers > self._peer.limits.strangers:
            self._fail(SnmpError(f"{self._peer} floods us with datagrams that answer nothing"))

    def _expired(self) -> None:
        if self._done.done():
            return
        if not self._progress:
            self._attempts += 1
            if self._attempts > self._peer.attempts:
                self._fail(self._silence())
                return
            self._peer.window = 1
            self._queue = deque(place for place in range(len(self._octets)) if self._answers[place] is None)
            self._in_flight = 0
            self._fill()
        self._progress = False
        self._timer = self._loop.call_later(self._peer.timeout_s, self._expired)

    def _silence(self) -> Exception:
        if self._reason:
            return SnmpError(f"{self._peer} sends what is no answer: {self._reason}")
        if self._strangers:
            return SnmpError(f"{self._peer} answers {self._strangers} requests that we did not make")
        return SnmpTimeoutError(f"no answer from {self._peer}")

    def _fail(self, error: Exception) -> None:
        if not self._done.done():
            self._done.set_exception(error)
