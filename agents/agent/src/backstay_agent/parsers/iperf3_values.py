"""Measurements of one iperf3 run as values: the basis of a throughput test's verdict.

Units: seconds, octets, bit/s, and microseconds if a name ends in `_us`. None means that the tool did not
report the value, such as a receiver's retransmits; 0 means that it reported 0.
"""

from dataclasses import dataclass
from typing import Literal

Failure = Literal[
    "refused",
    "busy",
    "in use",
    "unreachable",
    "stopped",
    "peer ended",
    "lost",
    "denied",
    "setting",
    "other",
]
"""Why a run gave no result: no listener; the server runs another test; another program uses the port; no
route; this end was terminated; the other end was terminated and reported it; the connection broke during the
test, as when the other end was killed; not authorised; an unavailable option; anything else."""


@dataclass(frozen=True, slots=True)
class Span:
    """Traffic of one stream, or all of one direction, in a span of time, as one end reports it."""

    socket: int | None
    """The stream's socket at the reporting end; None in a sum."""
    start_s: float
    end_s: float
    octets: int
    bits_per_second: float
    sending: bool | None
    """Away from the reporting end; None in releases before 3.7, whose tests have one direction."""
    omitted: bool = False
    """In the warm-up that `--omit` excludes from the result."""
    retransmits: int | None = None
    congestion_window: int | None = None
    """Octets, at the span's end."""
    send_window: int | None = None
    """Octets offered by the receiver (snd_wnd)."""
    rtt_us: int | None = None
    """Smoothed, at the span's end."""
    rtt_variation_us: int | None = None
    path_mtu: int | None = None
    packets: int | None = None
    """Datagrams (UDP)."""
    lost: int | None = None
    out_of_order: int | None = None
    jitter_s: float | None = None


@dataclass(frozen=True, slots=True)
class Extremes:
    """Extremes seen by a TCP sender over the whole test."""

    most_congestion_window: int | None
    most_send_window: int | None
    rtt_us: tuple[int, int, int] | None
    """Minimum, mean, maximum; None if no round trip was measured (`-R`, or a system without TCP_INFO)."""


@dataclass(frozen=True, slots=True)
class Stream:
    """One stream over the whole test."""

    sent: Span
    received: Span | None
    """By the receiver's count; None for UDP, whose single row has the sent and lost datagrams."""
    extremes: Extremes | None


@dataclass(frozen=True, slots=True)
class Interval:
    """One interval of the reporting end."""

    streams: tuple[Span, ...]
    total: Span | None
    reverse_total: Span | None
    """The other direction of `--bidir`."""


@dataclass(frozen=True, slots=True)
class Totals:
    """One direction over the whole test."""

    sent: Span | None
    received: Span | None


@dataclass(frozen=True, slots=True)
class Cpu:
    """Percent of one processor that iperf3 itself used; with threads (3.16) it may exceed 100."""

    total: float
    user: float
    system: float


@dataclass(frozen=True, slots=True)
class Connection:
    """Both ends of one stream."""

    socket: int
    local: tuple[str, int]
    remote: tuple[str, int]


@dataclass(frozen=True, slots=True)
class Asked:
    """The test's parameters, as requested and as the system applied them."""

    protocol: str
    """TCP, UDP or SCTP."""
    streams: int
    block: int
    """Octets per write."""
    duration_s: float
    """0: the test ended by an amount."""
    omit_s: float
    octets: int
    blocks: int
    reverse: bool
    bidirectional: bool
    tos: int
    target_bits_per_second: float
    """0: unlimited."""
    segment: int | None
    """Octets of a TCP segment that both ends use (MSS)."""
    buffer_wanted: int | None
    """Octets, `-w`; 0: the system's default with autotuning."""
    send_buffer: int | None
    """Octets granted by the system at the start (SO_SNDBUF); Linux doubles the requested value."""
    receive_buffer: int | None


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why there is no result, or only a partial one."""

    failure: Failure
    text: str
    """The tool's own message."""


@dataclass(frozen=True, slots=True)
class Result:
    """One run. With an error, everything measured before it is kept."""

    version: str
    """`3.12`; "" if missing."""
    system: str
    started_s: int | None
    """Unix time by the clock of the reporting host."""
    asked: Asked | None
    """None if the ends never agreed on a test."""
    connections: tuple[Connection, ...]
    intervals: tuple[Interval, ...]
    streams: tuple[Stream, ...]
    forward: Totals
    """The requested direction: from the server with `-R`, else to it."""
    reverse: Totals
    """The other direction of `--bidir`."""
    cpu: Cpu | None
    remote_cpu: Cpu | None
    congestion: tuple[str, str] | None
    """The sender's and the receiver's congestion control."""
    trouble: Trouble | None
    remote: "Result | None" = None
    """The server's report of the same test (`--get-server-output`)."""
