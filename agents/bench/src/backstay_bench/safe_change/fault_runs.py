"""One run of a fault during a change.

R21: a node is cut off while its change waits, verifies or is being confirmed; it must return by itself.
R22: agent, guard, daemon or controller die at a step of the journal; the node ends old or new, never between.
"""

import subprocess
import time
from threading import Semaphore

from backstay_bench.safe_change.nodes import NotMeasuredError, Observed, compare, prepared
from backstay_bench.safe_change.outcomes import GRACE_S, Outcome
from backstay_testing.change_node import ChangedNode
from backstay_testing.cutoffs import Cutoff
from backstay_testing.engines import wait_until
from backstay_testing.kill_points import KillPoint, NotReachedError, play
from backstay_wire import ChangeReport, EngineKind, NodePhase, Phase

MOMENTS: tuple[Phase | None, ...] = (None, Phase.VERIFY, Phase.CONFIRM)
"""What the backend requests from the unreachable node, by round: nothing, to verify, to confirm."""
_CUTOFF_LIMIT_S = 30.0
"""Beyond the timeout: a later report fails the run."""
_KILL_LIMIT_S = 45.0
_UNHURRIED = 4
"""The guard waits so many times as long where it is not what ends the change: few nodes are that quick on a
busy machine."""
_ENDED = ("restored", "failed", "confirmed")
_ENDED_PHASES = (NodePhase.ROLLED_BACK, NodePhase.FAILED, NodePhase.CONFIRMED)


def run_cutoff(
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
        wait_until(lambda: node.step() in _ENDED, timeout_s + _CUTOFF_LIMIT_S)
        node.until_as(before.state, _CUTOFF_LIMIT_S)
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
    """Errors of the report or of the node's state; empty: none."""
    if report.phase is not NodePhase.ROLLED_BACK:
        bad = "; ".join(f"{item.what}: {item.found}" for item in report.evidence if not item.ok)
        return f"{report.phase}: {report.reason}; {bad}"
    return compare(node, before)


def _late(late_s: float) -> str:
    return f"{late_s:.1f} s after the deadline" if late_s > GRACE_S else ""


def _kind(point: KillPoint) -> str:
    """The row of the table."""
    return f"{point.victim} at {point.step}"


def run_kill(
    point: KillPoint, engine: EngineKind, new: Observed, timeout_s: float, starting: Semaphore
) -> Outcome:
    """One run; `new` is a node after the same change went well."""
    hurried = point.victim == "paused agent" or point.after_applied is None
    timeout_s *= 1 if hurried else _UNHURRIED
    try:
        with prepared(engine, ("atmgw", "grf1"), timeout_s, starting) as (node, before):
            node.want(Phase.APPLY)
            ending = play(node, point, timeout_s + _KILL_LIMIT_S)
            if ending not in point.endings:
                return Outcome(_kind(point), engine, f"ended {ending}: {node.reports()[-1].reason}")
            return Outcome(_kind(point), engine, compare(node, new if ending == "confirmed" else before))
    except (NotMeasuredError, NotReachedError) as error:
        return Outcome(_kind(point), engine, str(error), measured=False)
    except (OSError, subprocess.SubprocessError) as error:
        return Outcome(_kind(point), engine, f"{type(error).__name__}: {error}")
