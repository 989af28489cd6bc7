"""How an agent distinguishes a clock step from a slow backend."""

from backstay_agent.uplink.clock_offset import KEEP_NS, ClockOffset, Instant

MS = 1_000_000
SECOND = 1000 * MS


def _at(seconds: float, ahead: float = 0.0) -> Instant:
    """A host whose wall clock is `ahead` of the backend's, `seconds` after both began at zero."""
    now = int(seconds * SECOND)
    return Instant(wall_ns=now + int(ahead * SECOND), monotonic_ns=now)


def _learn(offset: ClockOffset, left: Instant, received_ns: int, arrived: Instant) -> None:
    """A request that is answered at once."""
    offset.learn(left, received_ns, received_ns, arrived)


def test_time_that_the_backend_takes_does_not_widen_the_bound() -> None:
    offset = ClockOffset()
    offset.learn(_at(10, 5), int(10.001 * SECOND), int(10.055 * SECOND), _at(10.056, 5))
    reading = offset.reading(_at(11, 5))
    assert reading is not None
    assert abs(reading.offset_ns - 5 * SECOND) <= reading.error_ns == 1 * MS


def test_offset_error_is_half_the_round_trip() -> None:
    offset = ClockOffset()
    _learn(offset, _at(10, 5), int(10.002 * SECOND), _at(10.004, 5))
    reading = offset.reading(_at(11, 5))
    assert reading is not None
    assert abs(reading.offset_ns - 5 * SECOND) <= reading.error_ns == 2 * MS


def test_slow_path_widens_the_bound_and_does_not_replace_a_better_one() -> None:
    offset = ClockOffset()
    _learn(offset, _at(10), int(10.002 * SECOND), _at(10.004))
    _learn(offset, _at(11), int(18.9 * SECOND), _at(19))
    reading = offset.reading(_at(20))
    assert reading is not None
    assert reading.error_ns == 2 * MS


def test_old_bound_is_replaced_by_a_newer_one() -> None:
    offset = ClockOffset()
    _learn(offset, _at(10), int(10.002 * SECOND), _at(10.004))
    later = 11 + KEEP_NS / SECOND
    _learn(offset, _at(later), int((later + 0.2) * SECOND), _at(later + 0.4))
    reading = offset.reading(_at(later + 1))
    assert reading is not None
    assert reading.error_ns == 200 * MS


def test_offset_is_unknown_after_a_clock_step_until_the_next_response() -> None:
    offset = ClockOffset()
    _learn(offset, _at(10), int(10.002 * SECOND), _at(10.004))
    assert offset.reading(_at(11, ahead=-3600)) is None
    _learn(offset, _at(12, -3600), int(12.002 * SECOND), _at(12.004, -3600))
    reading = offset.reading(_at(13, -3600))
    assert reading is not None
    assert abs(reading.offset_ns + 3600 * SECOND) <= reading.error_ns


def test_clock_set_during_a_request_is_ignored() -> None:
    offset = ClockOffset()
    _learn(offset, _at(10), int(10.002 * SECOND), _at(10.004, ahead=60))
    assert offset.reading(_at(11, 60)) is None
