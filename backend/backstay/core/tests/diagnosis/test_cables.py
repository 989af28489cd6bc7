"""InfiniBand cables to swap, with reasons."""

from __future__ import annotations

import pytest

from backstay.core.diagnosis.cables import LONG_S, SHORT_S, Grown, PortHealth, allowed, judge

SDR_4X = 10_000_000_000


def end(
    name: str = "sw1:1", *, text: dict[str, str] | None = None, **grown: tuple[float, float]
) -> PortHealth:
    reported = {f"ib.{metric}": Grown(*values) for metric, values in grown.items()}
    return PortHealth(name, SDR_4X, SHORT_S, LONG_S, reported, text or {})


def test_no_verdict_for_a_good_cable() -> None:
    healthy = {"ib.cable": "expected", "ib.link_width": "full", "ib.link_speed": "full"}
    assert judge([end(text=healthy), end("x01:1", text=healthy, symbol_errors=(1, 3))]) is None


def test_allowed_errors_depend_on_rate_and_time() -> None:
    assert allowed(SDR_4X, SHORT_S) == pytest.approx(7.2)
    assert allowed(SDR_4X, LONG_S) == pytest.approx(75)
    assert allowed(SDR_4X, 1) == 3


def test_lasting_symbol_errors_mean_swap_and_a_burst_means_watch() -> None:
    lasting = judge([end(symbol_errors=(2, 80))])
    assert lasting is not None
    assert (lasting.action, lasting.reasons) == ("swap", ("sw1:1: 80 symbol errors in 125 min, 75 allowed",))
    burst = judge([end(symbol_errors=(20, 20))])
    assert burst is not None
    assert (burst.action, burst.reasons) == ("watch", ("sw1:1: 20 symbol errors in 12 min, 7 allowed",))


@pytest.mark.parametrize(("times", "action"), [(1, "watch"), (2, "watch"), (3, "swap")])
def test_repeated_retraining_means_swap(times: int, action: str) -> None:
    verdict = judge([end(link_error_recovery=(0, times))])
    assert verdict is not None
    assert verdict.action == action


def test_reasons_are_listed_most_urgent_first() -> None:
    verdict = judge(
        [
            end(text={"ib.link_width": "degraded"}),
            end("x01:1", text={"ib.cable": "swapped"}, link_downed=(1, 1)),
        ]
    )
    assert verdict is not None
    assert verdict.action == "recable"
    assert verdict.reasons == (
        "x01:1: the cable is swapped",
        "sw1:1 runs below the width of both its ends",
        "x01:1: the link went down 1 time in 125 min",
    )


def test_limits_depend_on_the_observed_time() -> None:
    young = PortHealth("sw1:1", SDR_4X, 60, 60, {"ib.symbol_errors": Grown(2, 2)})
    assert judge([young]) is None
