"""Test assignments of agents in wire format; validation of test specs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter, ValidationError

from backstay.core.errors import Refused
from backstay.core.model.throughput_kinds import KINDS
from backstay.inventory.models import Node
from backstay.throughput.models import TestAssignment
from backstay_wire import TestAssignment as WireAssignment
from backstay_wire.throughput_kinds import Spec

_SPEC: TypeAdapter[Spec] = TypeAdapter(Spec)
GRACE_S = 10.0
"""Allowance beyond the expected duration before programs are killed."""
LATE_S = 1.0
_DEFAULT_RATE = 1e8
"""Bit/s assumed when the usable rate is unknown."""
_MAX_S = 3600.0


def checked(point: Mapping[str, Any]) -> dict[str, Any]:
    """A matrix point as a complete spec with defaults. Refused names the invalid fields."""
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
    """Expected duration of a complete spec in seconds; for an amount or count an upper bound."""
    return min(max(KINDS[spec["kind"]].duration(spec, usable or _DEFAULT_RATE), 1.0), _MAX_S)


def assignments(node: Node) -> list[WireAssignment]:
    """The node's assignments in running cells, oldest first."""
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
