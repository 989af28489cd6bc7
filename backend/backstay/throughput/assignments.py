"""Test assignments of agents in wire format; validation of test specs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter, ValidationError

from backstay.core.errors import Refused
from backstay.inventory.models import Node
from backstay.throughput.models import TestAssignment
from backstay_wire import PingSpec, RdmaSpec, RequestAckSpec, TcpSpec, UdpSpec
from backstay_wire import TestAssignment as WireAssignment
from backstay_wire.throughput import Spec

_SPEC: TypeAdapter[Spec] = TypeAdapter(Spec)
GRACE_S = 10.0
"""Beyond what a test should take, before its programs are ended."""
LATE_S = 1.0
_STALL_S = 0.2
"""A block with a delayed acknowledgement, the slowest that is waited for."""
_SLOWEST = 0.05
"""Of the usable rate: an amount is expected to come through at no less."""
_USUAL = 1e8
"""Bit/s where nothing is known."""
_RDMA_LATENCY_S = 5.0
_LONGEST_S = 3600.0


def checked(point: Mapping[str, Any]) -> dict[str, Any]:
    """A point of a matrix as a whole spec with its defaults. Refused names the fields that do not fit."""
    try:
        return _SPEC.validate_python(dict(point)).model_dump(mode="json")
    except ValidationError as problem:
        fields = {
            _field(error["loc"]): error["msg"].removeprefix("Value error, ") for error in problem.errors()
        }
        named = "; ".join(f"{name}: {message}" for name, message in fields.items())
        raise Refused(
            f"The matrix does not fit a {point.get('kind')} test: {named}.", fields=fields
        ) from problem


def _field(loc: tuple[int | str, ...]) -> str:
    """`matrix.streams`; the first part is the kind."""
    return ".".join(["matrix", *(str(part) for part in loc[1:])])


def expected_s(spec: Mapping[str, Any], usable: float | None = None) -> float:
    """How long a test should take, seconds; of an amount or a count at most."""
    parsed = _SPEC.validate_python(dict(spec))
    match parsed:
        case TcpSpec(duration_s=int() as seconds):
            found = float(seconds + parsed.omit_s)
        case TcpSpec(amount=int() as amount):
            found = 8 * amount / ((usable or _USUAL) * _SLOWEST)
        case RequestAckSpec(count=int() as count):
            found = count * _STALL_S
        case PingSpec():
            found = parsed.count / parsed.rate + parsed.wait_s
        case RdmaSpec():
            found = float(parsed.duration_s) if parsed.program == "ib_write_bw" else _RDMA_LATENCY_S
        case UdpSpec() | RequestAckSpec() | TcpSpec():
            found = float(parsed.duration_s or 0.0)
    return min(max(found, 1.0), _LONGEST_S)


def has_server(spec: Mapping[str, Any]) -> bool:
    """Whether the receiver takes part by a program; echoes are answered by its system."""
    return str(spec["kind"]) != "ping"


def assignments(node: Node) -> list[WireAssignment]:
    """The node's parts in the cells that run, oldest first."""
    rows = TestAssignment.objects.filter(node=node, final=False, cell__state="running").select_related("cell")
    return [_assignment(row) for row in rows.order_by("pk")]


def _assignment(row: TestAssignment) -> WireAssignment:
    cell = row.cell
    assert cell.start_at is not None
    return WireAssignment.model_validate(
        {
            "id": row.pk,
            "run": cell.run_id,
            "cell": cell.pk,
            "flow": row.flow,
            "role": row.role,
            "spec": cell.spec,
            **row.wire,
            "start_at": _nanoseconds(cell.start_at),
            "late_s": LATE_S,
            "limit_s": cell.seconds + GRACE_S,
        }
    )


def _nanoseconds(at: datetime) -> int:
    return round(at.timestamp() * 1e6) * 1000
