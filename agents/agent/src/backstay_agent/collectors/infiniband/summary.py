"""A sweep's result for the fabric as a whole: metrics of the sweeping host, and a line for the operator.
Pure.
"""

from collections.abc import Set

from backstay_agent.collectors.infiniband.names import Names
from backstay_agent.collectors.infiniband.sweeper import SweepResult
from backstay_agent.collectors.infiniband.view import FabricView
from backstay_agent.parsers.infiniband.ib_sm import SubnetManager
from backstay_wire import MetricValue

_SM_STATES = ("not_active", "discovering", "standby", "master")
_NO_SM = "none"
_DETAIL_LIMIT = 1024
_NAMED = 10
"""Nodes or cables named in a sentence; the rest are counted."""


def absent(names: Set[str], view: FabricView) -> list[str]:
    """Devices of the map that the sweep did not find."""
    return sorted(name for name in names if name not in view.devices)


def fabric_metrics(
    fabric: str, reading: SweepResult, view: FabricView, missing: list[str], took_ms: float
) -> list[MetricValue]:
    """Metrics of one fabric, which is their subject."""
    topology = reading.fabric.topology
    levels: dict[str, int | float] = {
        "ib.nodes": len(topology.nodes),
        "ib.cables": len(topology.cables) // 2,
        "ib.silent": len(reading.silent),
        "ib.absent": len(missing),
        "ib.degraded": view.degraded,
        "ib.could_do_more": view.could_do_more,
        "ib.cables_wrong": view.cables.faults,
        "ib.sweep_ms": round(took_ms, 1),
    }
    metrics = [MetricValue(subject=fabric, metric=metric, value=value) for metric, value in levels.items()]
    return metrics + _sm_metrics(fabric, reading.sm)


def _sm_metrics(fabric: str, sm: SubnetManager | None) -> list[MetricValue]:
    if sm is None:
        return [MetricValue(subject=fabric, metric="ib.sm_state", value=_NO_SM)]
    state = _SM_STATES[sm.state] if sm.state < len(_SM_STATES) else str(sm.state)
    return [
        MetricValue(subject=fabric, metric="ib.sm_state", value=state),
        MetricValue(subject=fabric, metric="ib.sm_priority", value=sm.priority),
    ]


def detail(reading: SweepResult, view: FabricView, missing: list[str], names: Names) -> str:
    """Faults, sentence by sentence; empty if there are none."""
    sentences: list[str] = []
    if reading.sm is None:
        sentences.append("no subnet manager answers")
    if missing:
        sentences.append(f"not in the fabric: {_some(missing)}")
    if reading.silent:
        silent = sorted(names.device(guid) or guid for guid in reading.silent)
        sentences.append(f"counters not given by: {_some(silent)}")
    sentences += reading.notes
    if view.cables.sentences:
        sentences.append(f"{view.cables.faults} cables: {_some(list(view.cables.sentences))}")
    return "; ".join(sentences)[:_DETAIL_LIMIT]


def _some(items: list[str]) -> str:
    more = f" and {len(items) - _NAMED} more" if len(items) > _NAMED else ""
    return ", ".join(items[:_NAMED]) + more
