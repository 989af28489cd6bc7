"""The kinds of throughput test, one file each: parameters, bounds, shapes and programs.

The API's matrix and validation, the plan form, the CLI's options and all labels derive from `KINDS` (clients:
`core.client_spec`). The wire's specs (`backstay_wire.throughput_kinds`) carry the same parameters; a test
compares. Adding a kind takes a file, and its name and a line here.
"""

from __future__ import annotations

from typing import Literal

from backstay.core.model.throughput_kinds import ping, rdma, request_ack, tcp, udp
from backstay.core.model.throughput_kinds.spec import (
    DIRECTIONS,
    SHAPES,
    Direction,
    Load,
    Parameter,
    Shape,
    TestKind,
)

Kind = Literal["tcp", "udp", "request_ack", "ping", "rdma", "file"]
"""`file` is a transfer from or to storage: agents run none, the papers' tables hold some."""
KINDS: dict[str, TestKind] = {
    kind.name: kind for kind in (tcp.KIND, udp.KIND, request_ack.KIND, ping.KIND, rdma.KIND)
}
"""Kinds that agents run."""

__all__ = ["DIRECTIONS", "KINDS", "SHAPES", "Direction", "Kind", "Load", "Parameter", "Shape", "TestKind"]
