"""One cell of the matrix: wait for a healthy site, apply, watch the headline, judge every surface, restore,
judge the recovery.

A cell takes about 90 s on a quiet machine. The fault stands for `HOLD_S`: false causes of standbys and dead
gateways would open only after 10 s and more. Reading all surfaces takes 2 to 5 s. The minute after the
removal is watched to its end, since false causes open late there too; the site settles meanwhile for the next
cell.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from backstay_bench.apply import CannotMeasureError
from backstay_bench.truth.consistency import consistency, lasting
from backstay_bench.truth.faults import DemoFaults, TruthFault, expectations
from backstay_bench.truth.measured_paths import LabNetwork
from backstay_bench.truth.recovery import RECOVERY_S, reading, recovered_s, wrong_recovery
from backstay_bench.truth.results import Outcome
from backstay_bench.truth.snapshots import Json, Snapshots
from backstay_bench.truth.surfaces import Surfaces
from backstay_bench.truth.verdict import (
    Baseline,
    Expected,
    Moment,
    faults_of,
    has_right_headline,
)

HOLD_S = 18.0
"""Age of a fault at which the surfaces are compared."""
BETWEEN_S = 10.0
"""Between the two faults of a sequence."""
HEALTHY_S = 120.0
"""How long a cell waits at most for the site to be as it was before the first one."""
_POLL_S = 0.5
AGAIN_S = 3.0
"""An error must last this long, because responses differ in age."""


@dataclass
class Bench:
    """One site of a running demo."""

    surfaces: Surfaces
    faults: DemoFaults
    network: LabNetwork
    report: Callable[[str], None]
    first: Baseline | None = field(default=None, init=False)
    """The site before the first cell."""

    def run(self, name: str, faults: Sequence[TruthFault], pause_s: float) -> Outcome:
        """One cell; all faults are removed at its end. Raises CannotMeasureError."""
        began = time.monotonic()
        baseline = self.settle()
        outcome = self._run(name, faults, pause_s, baseline)
        return replace(outcome, took_s=round(time.monotonic() - began, 1))

    def settle(self) -> Baseline:
        """The site as it was before the first cell: every path works where it did, and no incident is left.

        After `HEALTHY_S` incidents may be left, which then are not of the next faults. Raises
        CannotMeasureError if paths are still not as before.
        """
        began = time.monotonic()
        while True:
            seen = self.surfaces.read(command_line=False)
            found = Baseline.of(seen, self.network.measure(seen.paths))
            paths, incidents = unhealthy(seen, found, self.first)
            if not paths and not incidents:
                break
            if time.monotonic() - began > HEALTHY_S:
                text = f"after {HEALTHY_S:.0f} s: {'; '.join([*paths, *incidents][:4])}"
                if paths and self.first is not None:
                    raise CannotMeasureError(f"not healthy {text}")
                self.report(f"begins although {text}")
                break
            time.sleep(AGAIN_S)
        self.first = self.first or found
        return found

    def _run(self, name: str, faults: Sequence[TruthFault], pause_s: float, baseline: Baseline) -> Outcome:
        began = time.monotonic()
        try:
            for number, fault in enumerate(faults):
                if number:
                    time.sleep(pause_s)
                began = time.monotonic()
                self.faults.apply(fault)
            expected = expectations(faults)
            seen = self._watch(began)
            moment, wrong = self._judge(baseline, expected)
            headline_s = _first_right(seen, moment, baseline, expected)
        finally:
            self.faults.restore_all()
        after_s, left = self.recover(baseline)
        return Outcome(name, (*wrong, *left), headline_s, after_s)

    def _watch(self, began: float) -> list[tuple[float, Json]]:
        """(seconds since `began`, overview) while the faults stand; the last command began then."""
        seen = list[tuple[float, Json]]()
        while time.monotonic() - began < HOLD_S:
            overview = self.surfaces.overview()
            if overview is not None:
                seen.append((time.monotonic() - began, overview))
            time.sleep(_POLL_S)
        return seen

    def _judge(self, baseline: Baseline, expected: Sequence[Expected]) -> tuple[Moment, list[str]]:
        """Errors; compared a second time if there are any, counting only those of both times."""
        shown = self.surfaces.read()
        moment = Moment(shown, self.network.measure(shown.paths), consistency(shown))
        wrong = faults_of(moment, baseline, expected)
        if not wrong:
            return moment, wrong
        time.sleep(AGAIN_S)
        shown = self.surfaces.read()
        both = lasting(list(moment.contradictions), consistency(shown))
        moment = Moment(shown, self.network.measure(shown.paths), both)
        return moment, faults_of(moment, baseline, expected)

    def recover(self, baseline: Baseline) -> tuple[float | None, list[str]]:
        """Seconds until nothing critical was left; and everything critical of the minute after the removal
        that is not what the faults left.
        """
        began = time.monotonic()
        shown = self.surfaces.read(command_line=False)
        at, readings = shown.overview["at"], [reading(0.0, shown, baseline)]
        while (elapsed := time.monotonic() - began) < RECOVERY_S:
            time.sleep(min(AGAIN_S, RECOVERY_S - elapsed))
            after_s = time.monotonic() - began
            readings.append(reading(after_s, self.surfaces.read(command_line=False), baseline))
        return recovered_s(readings), wrong_recovery(readings, self.surfaces.opened_since(at))


def unhealthy(seen: Snapshots, now: Baseline, first: Baseline | None) -> tuple[list[str], list[str]]:
    """Paths and incidents that differ from the site before the first cell, as text.

    `first` None: this may be that moment, if every path works on its preferred gateway.
    """
    known = first or Baseline(now.incidents)
    paths = [f"{item.name} does not work" for item in now.measured.values() if known.is_dead(item)]
    paths += [f"{item.name} uses {item.gateway}" for item in now.measured.values() if known.is_rerouted(item)]
    bad = [*seen.dead_paths, *seen.rerouted_paths]
    paths += [f"{path['name']} is shown as bad" for path in bad if path["id"] not in known.bad_paths]
    left = [item for item in seen.incidents if item["id"] not in known.incidents]
    return paths, [f"open: {item['title']}" for item in left]


def _first_right(
    seen: Sequence[tuple[float, Json]], moment: Moment, baseline: Baseline, expected: Sequence[Expected]
) -> float | None:
    """When the headline was right for the first time; None if there is nothing to name."""
    if all(item.is_brief for item in expected):
        return None
    for at, overview in seen:
        shown = replace(moment.shown, overview=overview)
        if has_right_headline(shown, moment, baseline, expected):
            return at
    return None
