"""The request/acknowledge test: write a block, wait for the peer's acknowledgement of a few octets, write the
next block.

`python -m ...request_ack PARENT AT JSON`; both ends, one thread per stream. Prints the result as JSON on
stdout. Exit status 3: the port is in use; 4: the other end refused or disconnected; the reason is on
stderr.
"""

import errno
import json
import math
import os
import resource
import socket
import struct
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from backstay_agent.host.throughput import launcher
from backstay_agent.host.throughput.times import Times

IN_USE, REFUSED, LOST, SETTING = 3, 4, 5, 6
_CONNECT_S = 5.0
_EARLY_NS = 200_000_000
"""Connections are opened this long before the start, which is the time of the first block."""
_SECOND = 1_000_000_000
_CHUNK = 1024 * 1024
_STUB_S = 0.1
"""A remainder this short after the last whole second gives no usable rate."""
_MOST_SPANS = 4096
_FIRST_SEGMENTS = 10
"""Segments that a connection sends before the first acknowledgement (RFC 6928)."""
_REFUSALS = (errno.ECONNREFUSED, errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ETIMEDOUT)
_TCP_INFO = struct.Struct("=8B24I4Q4I")
"""linux/tcp.h `struct tcp_info`, as far as tcpi_min_rtt."""
_SND_MSS, _SND_CWND, _TOTAL_RETRANS, _MIN_RTT = 8 + 2, 8 + 18, 8 + 23, 8 + 24 + 4 + 3


class Stream:
    """One connection and its counts."""

    def __init__(self, one: socket.socket) -> None:
        self.socket = one
        self.times = Times()
        self.blocks = 0
        self.ended_ns = 0
        self.seconds: Counter[int] = Counter()
        """Octets of the blocks acknowledged in each second."""
        self.error: OSError | None = None
        self.facts: dict[str, int] = {}

    def count(self, octets: int, now_ns: int, start_ns: int) -> None:
        """One block was acknowledged."""
        self.blocks += 1
        self.ended_ns = now_ns
        self.seconds[(now_ns - start_ns) // _SECOND] += octets


def write_blocks(one: Stream, asked: dict[str, Any], start_ns: int) -> None:
    """The client's side. Raises OSError."""
    handle, size = one.socket.fileno(), asked["size"]
    header, block = memoryview(bytes(asked["header"])), memoryview(bytes(size))
    count = asked["count"] or sys.maxsize
    until = start_ns + round(asked["duration_s"] * _SECOND) if asked["duration_s"] else sys.maxsize
    before = time.monotonic_ns()
    while one.blocks < count and before < until:
        if header:
            _write_all(handle, header)
        _write_all(handle, block)
        _read_ack(handle, asked["ack"])
        after = time.monotonic_ns()
        one.times.add((after - before) // 1000)
        one.count(size, after, start_ns)
        before = after


def _read_ack(handle: int, octets: int) -> None:
    while octets:
        got = len(os.read(handle, octets))
        if not got:
            raise ConnectionResetError(errno.ECONNRESET, "the other end closed the connection")
        octets -= got


def answer_blocks(one: Stream, asked: dict[str, Any], start_ns: int) -> None:
    """The server's side, until the client closes. Raises OSError."""
    handle, whole = one.socket.fileno(), asked["header"] + asked["size"]
    answer = memoryview(bytes(asked["ack"]))
    delay = {"system": None, "quick": 1, "delayed": 0}[asked["ack_delay"]]
    buffer = bytearray(min(whole, _CHUNK))
    while True:
        left = whole
        while left:
            if delay is not None:  # tcp(7): the setting is not permanent.
                one.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, delay)
            got = os.readv(handle, [memoryview(buffer)[:left]])
            if not got:
                if left < whole:
                    raise ConnectionResetError(errno.ECONNRESET, "the client closed within a block")
                return
            left -= got
        one.count(asked["size"], time.monotonic_ns(), start_ns)
        _write_all(handle, answer)


def connect(asked: dict[str, Any]) -> list[Stream]:
    """The client's connections. Raises OSError."""
    found = []
    for _ in range(asked["streams"]):
        one = _make(asked["peer"])
        _prepare(one, asked)
        if asked["local"]:
            one.bind((asked["local"], 0))
        one.settimeout(_CONNECT_S)
        one.connect((asked["peer"], asked["port"]))
        one.settimeout(None)
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, bool(asked["nodelay"]))
        found.append(Stream(one))
    return found


def accept(asked: dict[str, Any]) -> list[Stream]:
    """The server's connections: one per stream, from one client. Raises OSError."""
    listener = _make(asked["local"])
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    _prepare(listener, asked)
    listener.bind((asked["local"], asked["port"]))
    listener.listen(asked["streams"])
    launcher.start_at(0)
    found: list[Stream] = []
    while len(found) < asked["streams"]:
        one, who = listener.accept()
        if asked["peer"] and who[0] != asked["peer"]:
            one.close()
            continue
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        found.append(Stream(one))
    listener.close()
    return found


def work(
    streams: list[Stream],
    part: Callable[[Stream, dict[str, Any], int], None],
    asked: dict[str, Any],
    start_ns: int,
) -> None:
    """Each stream's side in its own thread, until all have ended."""

    def run(one: Stream) -> None:
        try:
            part(one, asked, start_ns)
            one.facts = _facts(one.socket)
        except OSError as error:
            one.error = error
        finally:
            one.socket.close()

    threads = [threading.Thread(target=run, args=(one,)) for one in streams]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def result(streams: list[Stream], asked: dict[str, Any], start_ns: int) -> dict[str, Any]:
    """Results of all streams, in the form of the wire's `RequestAckResult`."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    times = Times().merge(one.times for one in streams)
    seconds = max(0, *(one.ended_ns - start_ns for one in streams), 0) / _SECOND
    octets = sum(one.blocks for one in streams) * asked["size"]
    per_second = sum((one.seconds for one in streams), Counter[int]())
    rows = range(max(1, math.ceil(seconds - _STUB_S)))[:_MOST_SPANS]
    spans = [min(1.0, max(seconds - row, 0.001)) for row in rows]
    first = next((one.facts for one in streams if one.facts), {})
    stalled, stall_us = times.stalls(_unstalled_us(asked, first))
    return {
        "kind": "request_ack",
        "blocks": sum(one.blocks for one in streams),
        "octets": octets,
        "seconds": seconds,
        "rate": octets * 8 / seconds if seconds else 0.0,
        "latency": times.reported(),
        "stalled": stalled,
        "stall_us": stall_us if stalled else None,
        "streams": [_last_reported(one, asked["size"], start_ns) for one in streams],
        "spans": {
            "start_ms": [row * 1000 for row in rows],
            "rate": [per_second[row] * 8 / span for row, span in zip(rows, spans, strict=True)],
        },
        "mss": first.get("mss"),
        "send_buffer": first.get("send_buffer"),
        "receive_buffer": first.get("receive_buffer"),
        "program_cpu": 100 * (used.ru_utime + used.ru_stime) / seconds if seconds else None,
    }


def _unstalled_us(asked: dict[str, Any], facts: dict[str, int]) -> int | None:
    """Time of a block sent without a stall: the path's minimum round trip; None if it is not that short."""
    at_once = _FIRST_SEGMENTS * facts.get("mss", 0)
    return facts.get("round_trip_us") if asked["header"] + asked["size"] <= at_once else None


def _last_reported(one: Stream, size: int, start_ns: int) -> dict[str, Any]:
    took = (one.ended_ns - start_ns) / _SECOND
    rate = one.blocks * size * 8 / took if one.blocks and took > 0 else 0.0
    return {"sent": rate, "retransmits": one.facts.get("retransmits"), "window": one.facts.get("window")}


def run(asked: dict[str, Any], at_ns: int) -> list[Stream]:
    """Run the test and print its result. Raises OSError if it cannot start."""
    if asked["role"] == "server":
        streams = accept(asked)
        start_ns = time.monotonic_ns()
        work(streams, answer_blocks, asked, start_ns)
    else:
        launcher.wait_until(at_ns - _EARLY_NS)
        streams = connect(asked)
        launcher.start_at(at_ns)
        start_ns = time.monotonic_ns()
        work(streams, write_blocks, asked, start_ns)
    sys.stdout.write(json.dumps(result(streams, asked, start_ns)))
    return streams


def _make(address: str) -> socket.socket:
    """A TCP socket of the address's family."""
    return socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)


def _prepare(one: socket.socket, asked: dict[str, Any]) -> None:
    """Apply the settings that must precede the connection. Raises OSError."""
    if asked["window"]:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, asked["window"])
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, asked["window"])


def _write_all(handle: int, data: memoryview) -> None:
    """Write all of it. Raises OSError.

    write(2) rather than send: the kernel counts the octets of read(2) and write(2) per process
    (/proc/PID/io), which separates a test's own traffic from cross traffic.
    """
    done = os.write(handle, data)
    while done < len(data):
        done += os.write(handle, data[done:])


def _facts(one: socket.socket) -> dict[str, int]:
    """The kernel's data about the connection."""
    info = _TCP_INFO.unpack(one.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO.size))
    return {
        "mss": info[_SND_MSS],
        "window": info[_SND_CWND] * info[_SND_MSS],
        "retransmits": info[_TOTAL_RETRANS],
        "round_trip_us": info[_MIN_RTT],
        "send_buffer": one.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF),
        "receive_buffer": one.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF),
    }


def main() -> int:
    """See the module."""
    launcher.die_with(int(sys.argv[1]))
    try:
        streams = run(json.loads(sys.argv[3]), int(sys.argv[2]))
    except OSError as error:
        sys.stderr.write(f"{error.strerror or error}\n")
        if error.errno == errno.EADDRINUSE:
            return IN_USE
        refused = error.errno in _REFUSALS or isinstance(error, TimeoutError)
        return REFUSED if refused else SETTING
    broken = next((one.error for one in streams if one.error is not None), None)
    if broken is not None:
        sys.stderr.write(f"{broken.strerror or broken}\n")
        return LOST
    return 0


if __name__ == "__main__":
    sys.exit(main())
