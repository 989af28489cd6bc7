"""A brief remainder of a wider fault opens no incident. Without a database."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from backstay.alerts.fault_findings import HELD_S, count_of
from backstay.alerts.models import Incident
from backstay.core.diagnosis.faults.fault import Fault, FaultKind
from backstay.core.model.progress import Phase

NOW = datetime(2026, 3, 1, tzinfo=UTC)
OLD, NEW = NOW - timedelta(minutes=2), NOW - timedelta(seconds=2)
KNOWN = Incident(phase=Phase.PENDING, judged_at=NOW - timedelta(seconds=HELD_S))
SHOWN = Incident(phase=Phase.OPEN)
PARTIAL = Fault(FaultKind.GATEWAY_UNREACHABLE, "grf1", NEW, node_id=1, fabric_id=2)
REMAINING = Fault(FaultKind.FABRIC_DOWN, "sp-switch", OLD, fabric_id=2)
STANDBY = Fault(FaultKind.STANDBY_DEAD, "atmgw", NEW, node_id=3)


@pytest.mark.parametrize("fault", [PARTIAL, REMAINING, STANDBY])
def test_part_or_rest_of_a_fault_is_held_since_it_was_found(fault: Fault) -> None:
    first = count_of(fault, 0.0, NOW, None)
    assert first is not None
    assert (first.firing, first.judged_at) == (False, NOW)
    assert count_of(fault, 0.0, NOW, KNOWN) is None
    assert count_of(fault, 0.0, NOW, SHOWN) is None


def test_new_fault_opens_at_once() -> None:
    assert count_of(Fault(FaultKind.GATEWAY_UNREACHABLE, "grf1", NEW, node_id=1), 0.0, NOW, None) is None
    assert count_of(Fault(FaultKind.GATEWAY_ISOLATED, "grf1", NEW, node_id=1), 1.0, NOW, None) is None


def test_carriers_are_no_rest_of_another_fault() -> None:
    assert count_of(Fault(FaultKind.GATEWAY_ISOLATED, "grf1", OLD, node_id=1), 1.0, NOW, None) is None
