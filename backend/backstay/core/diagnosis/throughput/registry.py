"""All causes and shapes by name, the most specific first, and which cause explains which others."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from backstay.core.diagnosis.throughput.causes.cpu import cpu_bound
from backstay.core.diagnosis.throughput.causes.delayed_ack import delayed_ack
from backstay.core.diagnosis.throughput.causes.hop import narrow_hop
from backstay.core.diagnosis.throughput.causes.loss import loss_limited
from backstay.core.diagnosis.throughput.causes.medium import medium_limited
from backstay.core.diagnosis.throughput.causes.mtu import low_mtu_hop
from backstay.core.diagnosis.throughput.causes.packets import packet_rate_limited
from backstay.core.diagnosis.throughput.causes.sender_buffer import sender_buffer
from backstay.core.diagnosis.throughput.causes.shapes import fair_share, one_direction, scaling
from backstay.core.diagnosis.throughput.causes.unstable import unstable
from backstay.core.diagnosis.throughput.causes.window import window_limited
from backstay.core.diagnosis.throughput.facts import Facts
from backstay.core.model.throughput import Verdict, VerdictName

Cause = Callable[[Facts], Verdict | None]

CAUSES: Mapping[str, Cause] = {
    "narrow hop": narrow_hop,
    "medium": medium_limited,
    "delayed ACK": delayed_ack,
    "window": window_limited,
    "CPU": cpu_bound,
    "packet rate": packet_rate_limited,
    "lower MTU": low_mtu_hop,
    "sender buffer": sender_buffer,
    "loss": loss_limited,
}
"""Mechanisms. If two match equally well and neither explains the other, the verdict is inconclusive."""

SHAPES: Mapping[str, Cause] = {
    "fair share": fair_share,
    "one direction": one_direction,
    "scaling": scaling,
}
"""Evaluated in this order if no mechanism matches."""

STEADINESS: Cause = unstable
"""Evaluated for every cell: reliability of its rate."""

EXPLAINS: Mapping[VerdictName, frozenset[VerdictName]] = {
    "narrow_hop": frozenset(
        {
            "loss_limited",
            "packet_rate",
            "window_limited",
            "sender_buffer",
            "cpu_endpoint",
            "cpu_gateway",
        }
    ),
    "medium_limited": frozenset(
        {
            "loss_limited",
            "packet_rate",
            "window_limited",
            "sender_buffer",
            "cpu_endpoint",
            "cpu_gateway",
            "fair_share",
            "one_direction",
        }
    ),
    "delayed_ack": frozenset({"sender_buffer", "window_limited"}),
    "cpu_endpoint": frozenset({"packet_rate", "sender_buffer", "loss_limited"}),
    "cpu_gateway": frozenset({"packet_rate", "sender_buffer", "loss_limited"}),
    "packet_rate": frozenset({"loss_limited", "sender_buffer"}),
    "low_mtu_hop": frozenset({"packet_rate", "cpu_endpoint", "cpu_gateway", "loss_limited"}),
}
"""Cause -> its effects: a full medium drops segments, a full processor limits the packet rate."""
