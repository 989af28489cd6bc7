"""R22: agent, guard, daemon or controller die at a step of the journal; the node ends old or new, never
between."""

import subprocess
from threading import Semaphore

from backstay_bench.safe_change.nodes import NotMeasuredError, Observed, compare, prepared
from backstay_bench.safe_change.outcomes import Outcome
from backstay_testing.kill_points import KillPoint, NotReachedError, play
from backstay_wire import EngineKind, Phase

_LIMIT_S = 45.0
_UNHURRIED = 4
"""The guard waits so many times as long where it is not what ends the change: few nodes are that quick on a
busy machine."""


def kind(point: KillPoint) -> str:
    """The row of the table."""
    return f"{point.victim} at {point.step}"


def run(
    point: KillPoint, engine: EngineKind, new: Observed, timeout_s: float, starting: Semaphore
) -> Outcome:
    """One run; `new` is a node after the same change went well."""
    hurried = point.victim == "paused agent" or point.after_applied is None
    timeout_s *= 1 if hurried else _UNHURRIED
    try:
        with prepared(engine, ("atmgw", "grf1"), timeout_s, starting) as (node, before):
            node.want(Phase.APPLY)
            ending = play(node, point, timeout_s + _LIMIT_S)
            if ending not in point.endings:
                return Outcome(kind(point), engine, f"ended {ending}: {node.reports()[-1].reason}")
            return Outcome(kind(point), engine, compare(node, new if ending == "confirmed" else before))
    except (NotMeasuredError, NotReachedError) as error:
        return Outcome(kind(point), engine, str(error), measured=False)
    except (OSError, subprocess.SubprocessError) as error:
        return Outcome(kind(point), engine, f"{type(error).__name__}: {error}")
