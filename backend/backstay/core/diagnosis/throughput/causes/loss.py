"""Loss-limited: lost segments keep the congestion window small (Mathis et al. 1997), or retransmission
timeouts occur.
"""

from __future__ import annotations

from backstay.core.diagnosis.throughput.facts import NEAR, Facts
from backstay.core.diagnosis.throughput.queueing import mathis_rate
from backstay.core.diagnosis.throughput.series import CONSTANT, PROPORTIONAL, growth
from backstay.core.formatting import interval, rate, share
from backstay.core.model.throughput import Confidence, Verdict, VerdictEvidence

LEAST_LOST = 5
"""Fewer retransmits in a cell are random."""
_FITS = (0.5, 2.0)
"""Ratio of rate to Mathis' rate for which loss is the explanation; delayed ACKs alone are a factor of 1.4."""
_CLOSELY = (0.75, 1.5)
_STEADY = 0.04
_RISING = 2.5
_REMEDY = (
    "Find where segments are lost (error and drop counters hop by hop, cables, queues); "
    "more streams only hide the loss."
)


def loss_limited(facts: Facts) -> Verdict | None:
    """Only if the window does not bind and the medium is not full: a full medium loses segments too."""
    if facts.set.load != "stream" or (facts.used or 0) >= NEAR or facts.set.congestion.startswith("bbr"):
        return None
    window, rtt = facts.window, facts.rtt
    if window and rtt and 8 * window / rtt < 1.3 * facts.per_stream:
        return None
    return _timeouts(facts) or _mathis(facts)


def _mathis(facts: Facts) -> Verdict | None:
    loss, rtt, mss = facts.loss, facts.measured.rtt_s or facts.rtt, facts.mss
    if not (loss and rtt and mss) or _lost(facts) < LEAST_LOST:
        return None
    predicted = mathis_rate(mss, rtt, loss)
    ratio = facts.per_stream / predicted
    if not _FITS[0] <= ratio <= _FITS[1]:
        return None
    text = f"{share_of_loss(loss)} loss at {interval(rtt)} allows {rate(predicted)} per stream (Mathis)"
    confidence, more = _origin(facts)
    if confidence == "high" and not _CLOSELY[0] <= ratio <= _CLOSELY[1]:
        confidence = "medium"
    return Verdict(
        "loss_limited",
        confidence,
        f"Loss-limited: {text}; {rate(facts.per_stream)} was measured.",
        _REMEDY,
        (VerdictEvidence(f"{text}; the measured rate is {ratio:.1f} times that."), *more),
        {"rate": facts.rate, "per_stream": facts.per_stream, "loss": loss, "rtt": rtt, "mathis": predicted},
    )


def _origin(facts: Facts) -> tuple[Confidence, list[VerdictEvidence]]:
    """Distinguish random loss (more streams carry more) from a dropping limit (constant sum, steady rate)."""
    grown, steadiness = growth(facts.over_streams()), facts.seconds_spread
    risen = _risen(facts)
    if risen is not None and risen > _RISING:
        text = f"With more streams the loss is {risen:.0f} times as high: a dropping limit, not random loss."
        return "low", [VerdictEvidence(text, False)]
    if grown is not None and grown < CONSTANT:
        return "low", [
            VerdictEvidence("More streams carry no more: a dropping limit, not random loss.", False)
        ]
    if steadiness is not None and steadiness < _STEADY:
        return "low", [VerdictEvidence("The rate is constant: a dropping limit, not random loss.", False)]
    if grown is not None and grown >= PROPORTIONAL and risen is not None:
        text = f"More streams carry more (rate ~ streams^{grown:.2f}) at the same loss."
        return "high", [VerdictEvidence(text)]
    return "medium", []


def _risen(facts: Facts) -> float | None:
    """Loss with the most streams / loss with the fewest; AIMD at a shared limit makes it grow."""
    reported = [
        Facts(one, facts.matrix) for one in facts.matrix.alike(facts.cell, "streams", "senders", "receivers")
    ]
    losses = sorted((one.set.streams, one.loss) for one in reported if one.loss)
    if not losses or losses[0][0] == losses[-1][0]:
        return None
    return losses[-1][1] / losses[0][1]


def _timeouts(facts: Facts) -> Verdict | None:
    """The congestion window fell to one or two segments: the retransmission timer expired (RFC 5681, 3.1)."""
    least, mss, window, rtt = facts.measured.cwnd_least, facts.mss, facts.window, facts.rtt
    if not (least and mss and window and rtt and facts.measured.retransmits):
        return None
    could = 8 * window / rtt
    if least > 2 * mss or facts.per_stream > 0.3 * could:
        return None
    text = f"The congestion window fell to {least // mss or 1} of {window // mss} segments"
    return Verdict(
        "loss_limited",
        "medium",
        f"Loss-limited: retransmission timeouts; {rate(facts.per_stream)} was measured; the window"
        f" allows {rate(could)}.",
        _REMEDY,
        (
            VerdictEvidence(f"{text}: slow start after a timeout."),
            VerdictEvidence("Segments were retransmitted."),
        ),
        {"rate": facts.rate, "per_stream": facts.per_stream, "rtt": rtt, "window_rate": could},
    )


def share_of_loss(loss: float) -> str:
    """`0.12 %`: two significant digits below one percent."""
    return share(loss) if loss >= 0.0995 else f"{loss * 100:.2g} %"


def _lost(facts: Facts) -> float:
    if facts.measured.retransmits is not None:
        return facts.measured.retransmits
    return (facts.loss or 0) * (facts.segments or 0)
