"""One cell of the matrix: apply, watch the headline, judge every surface, restore, judge the recovery."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from backstay_bench.truth.consistency import consistency, lasting
from backstay_bench.truth.faults import DemoFaults, TruthFault
from backstay_bench.truth.measured_paths import LabNetwork
from backstay_bench.truth.snapshots import Json, Snapshots
from backstay_bench.truth.surfaces import Surfaces
from backstay_bench.truth.verdict import (
    Baseline,
    Expected,
    Moment,
    after_recovery,
    faults_of,
    has_right_headline,
)

HOLD_S = 18.0
"""How long a fault stands before the surfaces are judged."""
BETWEEN_S = 10.0
"""Between the two faults of a sequence."""
RECOVERY_S = 60.0
_POLL_S = 0.5
AGAIN_S = 3.0
"""A contradiction must last this long: one answer may be older than the other."""


@dataclass(frozen=True)
class Outcome:
    """A cell's result."""

    name: str
    wrong: tuple[str, ...] = ()
    """Empty: right."""
    headline_s: float | None = None
    """From the start of the last fault's command to the correct headline; None: not before the judgement, or
    nothing to name."""
    recovered_s: float | None = None
    """From the removal until nothing critical was left; None: not within 60 s."""

    @property
    def is_right(self) -> bool:
        """Whether nothing was wrong."""
        return not self.wrong


@dataclass(frozen=True)
class Bench:
    """One site of a running demo."""

    surfaces: Surfaces
    faults: DemoFaults
    network: LabNetwork
    report: Callable[[str], None]

    def run(self, name: str, faults: Sequence[TruthFault], pause_s: float) -> Outcome:
        """One cell; all faults are removed at its end. Raises CannotMeasureError."""
        healthy = self.surfaces.read(command_line=False)
        baseline = Baseline.of(healthy, self.network.measure(healthy.paths))
        began = time.monotonic()
        try:
            for number, fault in enumerate(faults):
                if number:
                    time.sleep(pause_s)
                began = time.monotonic()
                self.faults.apply(fault)
            expected = [fault.expected for fault in faults]
            seen = self._watch(began)
            moment = self._moment()
            wrong = faults_of(moment, baseline, expected)
            headline_s = _first_right(seen, moment, baseline, expected)
        finally:
            self.faults.restore_all()
        recovered_s, left = self._recover(baseline)
        return Outcome(name, (*wrong, *left), headline_s, recovered_s)

    def _watch(self, began: float) -> list[tuple[float, Json]]:
        """(seconds since `began`, overview) while the faults stand; the last command began then."""
        seen = list[tuple[float, Json]]()
        while time.monotonic() - began < HOLD_S:
            overview = self.surfaces.overview()
            if overview is not None:
                seen.append((time.monotonic() - began, overview))
            time.sleep(_POLL_S)
        return seen

    def _moment(self) -> Moment:
        first = self.surfaces.read()
        time.sleep(AGAIN_S)
        second = self.surfaces.read()
        measured = self.network.measure(second.paths)
        return Moment(second, measured, lasting(consistency(first), consistency(second)))

    def _recover(self, baseline: Baseline) -> tuple[float | None, list[str]]:
        """Seconds until nothing critical is left, twice in a row; and what is left after 60 s."""
        began, clean_s, left = time.monotonic(), None, ["not read"]
        while (elapsed := time.monotonic() - began) < RECOVERY_S:
            left = after_recovery(self.surfaces.read(command_line=False), baseline)
            if left:
                clean_s = None
            elif clean_s is None:
                clean_s = elapsed
            elif elapsed - clean_s >= 2 * AGAIN_S:
                return clean_s, []
            time.sleep(AGAIN_S)
        return None, [f"{RECOVERY_S:.0f} s after recovery: {text}" for text in left]


def _first_right(
    seen: Sequence[tuple[float, Json]], moment: Moment, baseline: Baseline, expected: Sequence[Expected]
) -> float | None:
    """When the headline was right for the first time; None if there is nothing to name."""
    if all(item.is_brief for item in expected):
        return None
    for at, overview in seen:
        shown = Snapshots(overview, moment.shown.topology, moment.shown.paths, [], [], [])
        if has_right_headline(shown, moment, baseline, expected):
            return at
    return None
