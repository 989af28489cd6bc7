"""A host's side of its attachment: its TUN device's queue, and how its TCP behaves over it."""

from __future__ import annotations

import json
from pathlib import Path

from backstay_lab import netns
from backstay_lab.programs import run

KERNEL_QUEUE = 64
"""Packets that a host's kernel queues while its interface is full; 64 of 64 KB are 4 MB."""
CONGESTION_CONTROL = "cubic"


def prepare(namespace: str, device: str) -> None:
    """A short queue, and cubic for its connections.

    By route (ip-route(8), congctl): a sysctl of a namespace may only name what the machine allows all.
    """
    enter = ["ip", "-n", namespace]
    run([*enter, "link", "set", "dev", device, "txqueuelen", str(KERNEL_QUEUE)])
    for route in json.loads(run([*enter, "-json", "route", "show", "dev", device])):
        way = ["dev", device, "proto", "kernel", "scope", "link", "src", route["prefsrc"]]
        run([*enter, "route", "change", route["dst"], *way, "congctl", CONGESTION_CONTROL])
    netns.inside(namespace, _forget_metrics)


def _forget_metrics() -> None:
    """Each connection starts afresh: what an earlier one met says nothing about the next experiment."""
    Path("/proc/sys/net/ipv4/tcp_no_metrics_save").write_text("1")
