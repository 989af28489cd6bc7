"""R21: a node is cut off while its change waits, verifies or is being confirmed; it must return by itself."""

import subprocess
import time
from threading import Semaphore

from backstay_bench.safe_change.nodes import NotMeasuredError, Observed, compare, prepared
from backstay_bench.safe_change.outcomes import GRACE_S, Outcome
from backstay_testing.changed_node import ChangedNode
from backstay_testing.cutoffs import Cutoff
from backstay_testing.engines import wait_until
from backstay_wire import ChangeReport, EngineKind, NodePhase, Phase

MOMENTS: tuple[Phase | None, ...] = (None, Phase.VERIFY, Phase.CONFIRM)
"""What the backend asks of the node that is cut off, by round: nothing, to verify, to confirm."""
_LIMIT_S = 30.0
"""Beyond the timeout: then the run is wrong whatever comes."""
_ENDED = ("restored", "failed", "confirmed")
_ENDED_PHASES = (NodePhase.ROLLED_BACK, NodePhase.FAILED, NodePhase.CONFIRMED)


def run(
    cutoff: Cutoff, engine: EngineKind, moment: Phase | None, timeout_s: float, starting: Semaphore
) -> Outcome:
    """One run. `moment` is ignored where the node may confirm: its agent or guard was only restarted."""
    try:
        with prepared(engine, cutoff.gateways, timeout_s, starting) as (node, before):
            node.want(Phase.APPLY)
            if cutoff.by_itself:
                return _alone(node, cutoff, before)
            return _cut(node, cutoff, before, moment if cutoff.detected else None, timeout_s)
    except NotMeasuredError as error:
        return Outcome(cutoff.name, engine, str(error), measured=False)
    except (OSError, subprocess.SubprocessError) as error:
        return Outcome(cutoff.name, engine, f"{type(error).__name__}: {error}")


def _cut(
    node: ChangedNode, cutoff: Cutoff, before: Observed, moment: Phase | None, timeout_s: float
) -> Outcome:
    engine = node.engine.engine.kind
    applied = node.until(NodePhase.APPLIED, NodePhase.ROLLED_BACK, NodePhase.FAILED, NodePhase.REFUSED)
    if applied.phase is not NodePhase.APPLIED or applied.guard_until is None:
        raise NotMeasuredError(f"{applied.phase} before the fault: {applied.reason}")
    cut_at = time.time()
    try:
        cutoff.apply(node)
    except (OSError, subprocess.SubprocessError) as error:
        raise NotMeasuredError(f"no fault: {error}") from error
    cut_off_at = time.time()  # a reboot takes longer than the timeout
    if moment is not None:
        node.want(moment)
    try:
        wait_until(lambda: node.step() in _ENDED, timeout_s + _LIMIT_S)
        node.until_as(before.state, _LIMIT_S)
    except TimeoutError as error:
        return Outcome(cutoff.name, engine, f"journal at {node.step()!r}; {error}")
    restored_at = time.time()
    late_s = restored_at - max(applied.guard_until / 1e9, cut_off_at)
    if not node.driver_runs:
        node.start()
    fault = _fault(node, before, node.until(*_ENDED_PHASES)) or _late(late_s)
    return Outcome(cutoff.name, engine, fault, restored_at - cut_at, late_s)


def _alone(node: ChangedNode, cutoff: Cutoff, before: Observed) -> Outcome:
    """The change is the fault: the node never reports it as applied."""
    report = node.until(*_ENDED_PHASES, NodePhase.APPLIED)
    return Outcome(cutoff.name, node.engine.engine.kind, _fault(node, before, report))


def _fault(node: ChangedNode, before: Observed, report: ChangeReport) -> str:
    """What is wrong with the report or the state that it follows; empty: nothing."""
    if report.phase is not NodePhase.ROLLED_BACK:
        bad = "; ".join(f"{item.what}: {item.found}" for item in report.evidence if not item.ok)
        return f"{report.phase}: {report.reason}; {bad}"
    return compare(node, before)


def _late(late_s: float) -> str:
    return f"{late_s:.1f} s after the deadline" if late_s > GRACE_S else ""
