"""Inputs of throughput results: durations, CPU load, ports, start times, the journal."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from backstay_agent.host.throughput.echoes import longest_silence
from backstay_agent.host.throughput.times import Times, bounds, bucket
from backstay_agent.probes.throughput import ports, processors, start_time
from backstay_agent.probes.throughput.journal import Journal
from backstay_agent.probes.throughput.ports import CounterReading, PortFacts, Traffic
from backstay_testing.clock import ManualClock
from backstay_wire import ClockReading, PingSpec, QuietLink, RequestAckSpec, TcpSpec, TestAssignment

SECOND = 1_000_000_000
QUIET = QuietLink(port="hip0", usable=100_000_000, most_percent=5)


@given(value=st.integers(0, 2**40), fine=st.sampled_from((2, 5)))
def test_duration_falls_into_a_narrow_bucket_that_contains_it(value: int, fine: int) -> None:
    low, high = bounds(bucket(value, fine), fine)
    assert low <= value < high
    assert high - low <= max(1, value >> fine)


def test_quantiles_are_within_3_percent_and_extremes_exact() -> None:
    draw = random.Random(7)
    values = sorted(int(draw.lognormvariate(7, 1)) + 1 for _ in range(5000))
    times = Times()
    for value in values:
        times.add(value)
    reported = times.reported()
    assert reported is not None
    assert (reported["least"], reported["most"]) == (values[0], values[-1])
    assert reported["median"] == pytest.approx(values[2500], rel=0.04)
    assert reported["p99"] == pytest.approx(values[4950], rel=0.06)
    assert sum(reported["histogram"]["count"]) == 5000


def test_delayed_acknowledgement_is_distinguished_from_a_long_path() -> None:
    stalled, far = Times(), Times()
    for number in range(100):
        stalled.add(41_000 if number % 2 else 400)
        far.add(80_000 + number * 10)
    number, over = stalled.stalls()
    assert number == 50
    assert over == pytest.approx(40_600, rel=0.04)
    assert far.stalls() == (0, 0)


def test_every_block_stalls_if_the_fastest_did() -> None:
    every = Times()
    for _ in range(20):
        every.add(44_000)
    assert every.stalls() == (0, 0)
    assert every.stalls(200)[0] == 20


def test_durations_of_several_streams_are_merged() -> None:
    one, other = Times(), Times()
    one.add(10)
    other.add(5000)
    both = Times().merge([one, other])
    assert (both.number, both.least, both.most, both.total) == (2, 10, 5000, 5010)


BEFORE = """cpu  100 0 100 800 0 0 0 0 0 0
cpu0 50 0 50 400 0 0 0 0 0 0
cpu1 50 0 50 400 0 0 0 0 0 0
intr 1
"""
AFTER = """cpu  150 0 130 900 0 0 20 0 0 0
cpu0 100 0 80 400 0 0 20 0 0 0
cpu1 50 0 50 500 0 0 0 0 0 0
"""


def test_busiest_processor_is_reported_in_addition_to_the_total() -> None:
    before, after = processors.parse(BEFORE), processors.parse(AFTER)
    assert before is not None
    assert after is not None
    load = processors.load([before, after])
    assert load is not None
    assert (load.cpus, load.busy, load.busiest) == (2, 50.0, 100.0)
    assert (load.softirq, load.busiest_softirq) == (10.0, 20.0)
    assert load.busiest_spans == [100.0]


def test_one_cpu_reading_gives_no_load() -> None:
    before = processors.parse(BEFORE)
    assert before is not None
    assert processors.load([before]) is None


def reading(second: float, came: int, left: int, *, read: int = 0, written: int = 0) -> CounterReading:
    counters = {7: (came, left, came // 1000, left // 1000, 0, 0, 0, 0)}
    return CounterReading(round(second * SECOND), counters, read, written)


def test_test_traffic_is_not_cross_traffic() -> None:
    before, now = reading(0, 0, 0), reading(1, 500_000, 13_000_000, written=12_500_000)
    found = ports.others(before, now, 7)
    assert found is not None
    assert found.left == 0
    assert found.came == 0


def test_cross_traffic_is_separated_from_the_tests_own() -> None:
    before, now = reading(0, 0, 0), reading(1, 2_000_000, 12_600_000 + 3_000_000, written=11_000_000)
    found = ports.others(before, now, 7)
    assert found is not None
    assert found.left > 24_000_000
    assert found.came > 10_000_000
    assert "hip0" in ports.too_much(QUIET, found)
    assert ports.too_much(QUIET, Traffic(4_000_000, 0)) == ""


def test_port_added_meanwhile_has_no_values() -> None:
    before, now = CounterReading(0, {}), reading(1, 1000, 1000)
    assert ports.rate(before, now, 7) is None
    assert ports.load(PortFacts(7, "hip0", 1500, 0), None, [before, now], own=True) is None


def test_decreased_counter_gives_no_value() -> None:
    assert ports.rate(reading(0, 1000, 0), reading(1, 10, 0), 7) is None


def test_start_time_is_corrected_only_for_a_certain_clock_offset() -> None:
    now = ManualClock(now_ns=5 * SECOND, epoch_ns=95 * SECOND)
    near = ClockReading(offset_ns=3_000_000, error_ns=4_000_000)
    far = ClockReading(offset_ns=2 * SECOND, error_ns=4_000_000)
    assert start_time.start_time_of(110 * SECOND, now, None).monotonic_ns == 15 * SECOND
    assert start_time.start_time_of(110 * SECOND, now, near).monotonic_ns == 15 * SECOND
    ahead = start_time.start_time_of(110 * SECOND, now, far)
    assert ahead.monotonic_ns == 17 * SECOND
    assert ahead.late_us(112 * SECOND + 5000) == 5


def test_started_tests_are_known_after_a_restart(tmp_path: Path) -> None:
    first = Journal(tmp_path / "tests.json")
    first.begin(3)
    first.begin(4)
    first.end(4)
    again = Journal(tmp_path / "tests.json")
    assert [again.begun(3), again.ended(3), again.begun(4), again.ended(4)] == [True, False, True, True]
    assert not again.begun(5)


def test_test_without_journal_entry_is_not_started(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "none" / "tests.json")
    with pytest.raises(OSError, match="No such file"):
        journal.begin(3)
    assert not journal.begun(3)


@pytest.mark.parametrize("output", ["", "{", "[1, 2]", '{"a": 1}', '[["x", true]]'])
def test_damaged_journal_is_treated_as_empty(tmp_path: Path, output: str) -> None:
    (tmp_path / "tests.json").write_text(output)
    assert not Journal(tmp_path / "tests.json").begun(1)


def test_journal_drops_the_oldest(tmp_path: Path) -> None:
    path = tmp_path / "tests.json"
    path.write_text(json.dumps([[number, True] for number in range(1, 5001)]))
    journal = Journal(path)
    journal.end(5001)
    assert len(json.loads(path.read_text())) == 4096
    assert journal.ended(5001)
    assert not journal.ended(1)


def test_longest_outage_counts_consecutive_lost_echoes() -> None:
    assert longest_silence({0, 3, 4, 8}, 10) == 3
    assert longest_silence(set(), 4) == 4
    assert longest_silence({0}, 1) == 0


@pytest.mark.parametrize(
    "values",
    [
        {"role": "server", "spec": TcpSpec(duration_s=1)},
        {"role": "client", "spec": TcpSpec(duration_s=1)},
        {"role": "server", "local": "10.0.0.1", "spec": PingSpec()},
        {"role": "client", "local": "10.0.0.1", "peer": "fd00::1", "spec": PingSpec()},
    ],
)
def test_invalid_assignment_is_refused(values: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        TestAssignment.model_validate({"id": 1, "run": 1, "cell": 1, "start_at": 1, "limit_s": 9, **values})


def test_test_has_exactly_one_end_condition() -> None:
    with pytest.raises(ValidationError):
        TcpSpec(duration_s=1, amount=1000)
    with pytest.raises(ValidationError):
        RequestAckSpec(size=1000)
