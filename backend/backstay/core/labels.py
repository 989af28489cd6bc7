"""Labels of throughput verdicts, cell states and detection methods, for clients (`client_spec`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from backstay.core.model.routing import Detection
from backstay.core.model.throughput import CellProgress, VerdictName


@dataclass(frozen=True, slots=True)
class Label:
    """`glyph` is one character, `short` fits a cell of a matrix, `text` completes a sentence."""

    glyph: str
    short: str
    text: str


VERDICT_LABELS: Mapping[VerdictName, Label] = {
    "medium_limited": Label("■", "medium", "medium-limited"),
    "window_limited": Label("◧", "window", "window-limited"),
    "delayed_ack": Label("◔", "ACK wait", "delayed acknowledgements"),
    "sender_buffer": Label("▤", "buffer", "sender buffer"),
    "packet_rate": Label("⋮", "packets", "packet rate"),
    "cpu_endpoint": Label("▲", "end CPU", "endpoint CPU"),
    "cpu_gateway": Label("△", "gw CPU", "gateway CPU"),
    "loss_limited": Label("✕", "loss", "loss-limited"),
    "fair_share": Label("÷", "shared", "fair share"),
    "one_direction": Label("⇀", "one way", "one direction"),
    "narrow_hop": Label("◇", "narrow", "narrow hop"),
    "low_mtu_hop": Label("▁", "MTU", "low-MTU hop"),
    "unstable": Label("≈", "unstable", "unstable"),
    "scaling": Label("↗", "scales", "scales"),
    "inconclusive": Label("?", "unclear", "inconclusive"),
}

CELL_STATE_LABELS: Mapping[CellProgress, Label] = {
    "queued": Label("·", "queued", "queued"),
    "running": Label("▸", "running", "running"),
    "done": Label("✓", "done", "done"),
    "missing_tool": Label("!", "no tool", "tool not installed"),
    "wrong_version": Label("!", "version", "unsupported tool version"),
    "refused": Label("!", "refused", "refused by the peer"),
    "port_busy": Label("!", "port busy", "port in use"),
    "killed": Label("!", "killed", "tool killed"),
    "peer_gone": Label("!", "peer gone", "the peer ended during the test"),
    "truncated": Label("!", "truncated", "tool output truncated"),
    "timed_out": Label("!", "timeout", "timed out"),
    "cancelled": Label("-", "cancelled", "cancelled"),
    "lost_agent": Label("!", "no agent", "agent lost"),
    "aborted_by_load": Label("-", "link busy", "aborted: cross traffic on the link"),
    "failed": Label("!", "failed", "failed"),
}


@dataclass(frozen=True, slots=True)
class DetectionSpec:
    """Detection times by kind of failure, measured in network namespaces at 50 ms x 3, and requirements."""

    label: str
    carrier_lost: str
    unreachable: str
    not_forwarding: str
    requires: str


DETECTIONS: Mapping[Detection, DetectionSpec] = {
    Detection.CHECKER: DetectionSpec(
        label="checker",
        carrier_lost="immediate",
        unreachable="interval x probes",
        not_forwarding="interval x probes, with a target",
        requires="Backstay's agent on the node; no support from the network, the gateway or this backend."
        " A target also detects a gateway that is reachable but not forwarding.",
    ),
    Detection.BFD: DetectionSpec(
        label="BFD",
        carrier_lost="about 1 ms",
        unreachable="interval x probes",
        not_forwarding="never",
        requires="BFD on both ends, in the node's routing daemon and in the gateway.",
    ),
    Detection.PROTOCOL: DetectionSpec(
        label="routing protocol",
        carrier_lost="10 ms to 200 ms",
        unreachable="announcements x missed",
        not_forwarding="never",
        requires="OSPF, RIP or router discovery on node and gateway. A node without one listens to RIP and"
        " needs the announcement interval of its gateways.",
    ),
}
