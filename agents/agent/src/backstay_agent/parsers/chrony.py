"""`chronyc -c tracking`: fourteen fields, seconds and ppm, in the order of the report in chronyc(1)."""

import math
from dataclasses import dataclass

from backstay_wire import MetricValue

_FIELDS = 14
_MICROSECONDS = 1e6
_LEAPS = frozenset({"normal", "insert-second", "delete-second", "not-synchronised"})


class ChronyError(ValueError):
    """The text is not output of chronyc."""


@dataclass(frozen=True, slots=True)
class Tracking:
    """State of the clock under chrony."""

    stratum: int
    offset_s: float
    """The host's clock minus NTP's time."""
    error_s: float
    """Maximum error of NTP's time on this host: root dispersion plus half of the root delay (RFC 5905 section
    4)."""
    frequency_ppm: float
    """Drift of the uncorrected clock."""
    skew_ppm: float
    leap: str
    """normal, insert-second, delete-second, not-synchronised."""

    @property
    def follows(self) -> bool:
        """Whether there is a source that the values refer to."""
        return self.stratum > 0 and self.leap != "not-synchronised"


def tracking(output: str) -> Tracking:
    """Raises ChronyError.

    `System time` is positive if the clock is behind; so its sign is inverted.
    """
    fields = output.strip().split(",")
    if len(fields) != _FIELDS:
        raise ChronyError(f"{len(fields)} fields where there should be {_FIELDS}")
    leap = fields[13].strip().lower().replace(" ", "-")
    if leap not in _LEAPS:
        raise ChronyError(f"no leap status: {fields[13][:40]!r}")
    try:
        stratum = int(fields[2])
        slow, frequency, skew, delay, dispersion = (float(fields[at]) for at in (4, 7, 9, 10, 11))
    except ValueError as error:
        raise ChronyError(str(error)[:200]) from error
    if not all(map(math.isfinite, (slow, frequency, skew, delay, dispersion))):
        raise ChronyError("a value is not finite")
    return Tracking(stratum, -slow, dispersion + delay / 2, frequency, skew, leap)


def metrics(found: Tracking) -> list[MetricValue]:
    """The reported metrics; without a source there is no offset and no drift."""
    values = [
        MetricValue(metric="chrony.stratum", value=found.stratum),
        MetricValue(metric="chrony.leap", value=found.leap),
    ]
    if found.follows:
        values += [
            MetricValue(metric="chrony.offset", value=round(found.offset_s * _MICROSECONDS, 3)),
            MetricValue(metric="chrony.error", value=round(found.error_s * _MICROSECONDS, 3)),
            MetricValue(metric="chrony.frequency", value=found.frequency_ppm),
            MetricValue(metric="chrony.skew", value=found.skew_ppm),
        ]
    return values
