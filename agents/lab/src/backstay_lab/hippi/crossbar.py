"""The crossbar: which inputs are connected to which outputs, wait, or are refused.

A HIPPI connection is simplex, from one input to one output; an output has one at a time, and so has an
input. HIPPI-SC leaves the order of waiting inputs to the switch: this one serves them round robin, so that
none starves. The crossbar adds no delay.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from backstay_lab.hippi.counters import PortCounters
from backstay_lab.hippi.ifield import FIRST_OF_LIST, ROUTE_BITS, SOURCE_ROUTE, IField


class InputSource(Protocol):
    """Requests connections at an input."""

    def granted(self, output: int, now: int) -> None:
        """The connection is open until it is released."""

    def refused(self, now: int) -> None:
        """The request is cancelled."""


class Answer(enum.Enum):
    """The immediate result of a request."""

    GRANTED = "granted"
    CAMPED = "camped"
    REJECTED = "rejected"


@dataclass(slots=True)
class _Request:
    source: InputSource
    outputs: tuple[int, ...]
    since: int


class Crossbar:
    """One switch of `size` ports, numbered from 0; input and output of a number are one attachment."""

    def __init__(self, name: str, size: int, pathways: Mapping[int, tuple[int, ...]]) -> None:
        self.name = name
        self.size = size
        self.pathways = dict(pathways)
        """Outputs by logical address, the preferred first."""
        self.counters = [PortCounters() for _ in range(size)]
        self._enabled = [True] * size
        self._connected: dict[int, int] = {}
        self._speaker: dict[int, int] = {}
        self._camping: dict[int, _Request] = {}
        self._served = [size - 1] * size

    def outputs(self, ifield: IField) -> tuple[int, ...]:
        """The outputs that an I-field allows; empty when there is none."""
        if ifield.selection == SOURCE_ROUTE:
            hop = ifield.address & ((1 << ROUTE_BITS) - 1)
            return (hop,) if hop < self.size else ()
        listed = self.pathways.get(ifield.address, ())
        return listed[:1] if ifield.selection == FIRST_OF_LIST else listed

    def request(self, port: int, ifield: IField, source: InputSource, now: int) -> Answer:
        """Request a connection from input `port`; `source` has been notified of GRANTED only."""
        counters = self.counters[port]
        counters.last_ifield = ifield.value
        assert port not in self._connected, "an input has one connection at a time"
        assert port not in self._camping, "an input has one request at a time"
        wanted = tuple(output for output in self.outputs(ifield) if self._enabled[output])
        if not wanted or not self._enabled[port]:
            counters.rejects += 1
            return Answer.REJECTED
        free = next((output for output in wanted if output not in self._speaker), None)
        if free is not None:
            self._connect(port, free, source, now)
            return Answer.GRANTED
        if not ifield.camp_on:
            counters.rejects += 1
            return Answer.REJECTED
        counters.campons += 1
        self._camping[port] = _Request(source, wanted, now)
        return Answer.CAMPED

    def withdraw(self, port: int, now: int) -> None:
        """Cancel the waiting request."""
        request = self._camping.pop(port)
        self.counters[port].campon_ns += now - request.since

    def release(self, port: int, now: int) -> None:
        """End the input's connection; the next input waiting for that output, in rotation, gets it."""
        output = self._connected.pop(port)
        del self._speaker[output]
        self._serve(output, now)

    def enable(self, port: int, enabled: bool, now: int) -> None:
        """Switch a port on or off: requests waiting for a disabled port are refused, connections end
        normally.
        """
        self._enabled[port] = enabled
        if enabled:
            return
        for waiting, request in list(self._camping.items()):
            request.outputs = tuple(output for output in request.outputs if output != port)
            if waiting == port or not request.outputs:
                self.withdraw(waiting, now)
                self.counters[waiting].rejects += 1
                request.source.refused(now)

    def waited_ns(self, port: int, now: int) -> int:
        """Total waiting time of the input's requests, including the current one."""
        request = self._camping.get(port)
        return self.counters[port].campon_ns + (now - request.since if request else 0)

    def waits(self, port: int) -> bool:
        """Whether the input waits for a busy output."""
        return port in self._camping

    def enabled(self, port: int) -> bool:
        """Whether the port is switched on."""
        return self._enabled[port]

    def speaking_to(self, port: int) -> int | None:
        """The output that the input is connected to."""
        return self._connected.get(port)

    def busy(self, output: int) -> bool:
        """Whether a connection to the output is open."""
        return output in self._speaker

    def camping(self, output: int) -> Iterable[int]:
        """The inputs that wait for the output."""
        return [port for port, request in self._camping.items() if output in request.outputs]

    def _serve(self, output: int, now: int) -> None:
        waiting = self.camping(output)
        if not waiting or not self._enabled[output]:
            return
        last = self._served[output]
        port = min(waiting, key=lambda port: (port - last - 1) % self.size)
        request = self._camping[port]
        self.withdraw(port, now)
        self._connect(port, output, request.source, now)

    def _connect(self, port: int, output: int, source: InputSource, now: int) -> None:
        self._connected[port] = output
        self._speaker[output] = port
        self._served[output] = port
        source.granted(output, now)
