"""Verdicts of single cells and patterns: MTU, direction, steadiness, offered rate, missing measurements."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backstay.core.diagnosis.throughput.compare import compare
from backstay.core.diagnosis.throughput.matrix import Matrix
from backstay.core.diagnosis.throughput.run import best_used, judge_cell, judge_run
from backstay.core.model.throughput import (
    MEASURED,
    Cell,
    Measured,
    Medium,
    NodeCpu,
    Parameters,
    PathHop,
    Stalls,
    Verdict,
)

GIGABIT = Medium(usable=941e6, rtt_s=1e-3)


def cell(rate: float, *, measured: Measured | None = None, **parameters: object) -> Cell:
    return Cell(Parameters(**parameters), replace(measured or Measured(0.0), rate=rate))  # type: ignore[arg-type]


def verdict(one: Cell, medium: Medium = GIGABIT) -> Verdict:
    return judge_cell(one, medium).verdict


def test_unmeasured_cell_is_inconclusive_with_its_state() -> None:
    for state in ("missing_tool", "lost_agent", "aborted_by_load"):
        found = verdict(Cell(Parameters(), None, state))
        assert found.name == "inconclusive"
        assert state.replace("_", " ") in found.sentence


def test_results_of_a_failed_cell_are_ignored() -> None:
    assert verdict(Cell(Parameters(), Measured(930e6), "truncated")).name == "inconclusive"
    assert verdict(Cell(Parameters(), Measured(930e6), MEASURED)).name == "medium_limited"


def test_offered_rate_reached_means_no_limit() -> None:
    found = verdict(cell(100e6, kind="udp", size=1400, offered_rate=100e6))
    assert found.name == "inconclusive"
    assert "as much as was offered" in found.sentence


def test_production_traffic_reduces_the_available_rate() -> None:
    busy = replace(GIGABIT, production=600e6)
    assert verdict(cell(330e6), busy).name == "medium_limited"
    assert verdict(cell(330e6)).name != "medium_limited"


def test_bidirectional_test_has_twice_the_medium() -> None:
    assert verdict(cell(930e6, direction="both")).name != "medium_limited"
    assert verdict(cell(1800e6, direction="both")).name == "medium_limited"
    hop = Medium(10e9, (PathHop("r1", usable=1e9),))
    assert verdict(cell(990e6, direction="both"), hop).name != "narrow_hop"
    assert verdict(cell(1900e6, direction="both"), hop).suspect == "r1"


def test_single_cell_recommends_measurements() -> None:
    found = verdict(cell(200e6), Medium())
    assert found.name == "inconclusive"
    assert "the capacity of the medium" in found.remedy
    assert "CPU load" in found.remedy


def test_tie_between_causes_is_inconclusive() -> None:
    full = (NodeCpu("tape", "endpoint_receiver", 1.0),)
    seen = Measured(0.0, retransmits=0, segments=1000, cpu=full)
    judged = judge_cell(cell(8 * 64e3 / 1e-3, measured=seen, window=64_000), replace(GIGABIT, usable=10e9))
    assert judged.verdict.name == "inconclusive"
    assert {one.name for one in judged.others} == {"window_limited", "cpu_endpoint"}
    assert len(judged.verdict.evidence) == 2


def test_equally_busy_nodes_lower_the_confidence() -> None:
    both = (NodeCpu("a", "endpoint_sender", 0.99), NodeCpu("b", "endpoint_receiver", 0.98))
    found = verdict(cell(300e6, measured=Measured(0.0, cpu=both)))
    assert (found.name, found.confidence) == ("cpu_endpoint", "medium")
    assert "a and b" in found.sentence


def test_one_full_processor_is_cpu_bound() -> None:
    one = (NodeCpu("a", "endpoint_sender", 1.2, cores=16, busiest=0.99),)
    found = verdict(cell(300e6, measured=Measured(0.0, cpu=one)))
    assert found.name == "cpu_endpoint"
    assert "one processor" in found.sentence


def test_cpu_load_independent_of_the_rate_has_low_confidence() -> None:
    busy = (NodeCpu("a", "endpoint_sender", 0.97),)
    cells = [cell(100e6 * n, measured=Measured(0.0, cpu=busy), streams=n) for n in (1, 2, 4)]
    found = judge_run(cells, Medium(usable=10e9)).cells[-1].verdict
    assert found.confidence != "high"


def test_blocked_sizes_name_the_hop_with_the_lower_mtu() -> None:
    medium = Medium(941e6, (PathHop("r1", mtu=9000), PathHop("r2", mtu=1500)))
    sizes = {64: 0.0, 1400: 0.0, 4000: 1.0, 8000: 1.0}
    cells = [
        cell(0.0 if loss else 5e6, measured=Measured(0.0, loss=loss), kind="ping", size=size)
        for size, loss in sizes.items()
    ]
    judged = judge_run(cells, medium).cells
    assert [one.verdict.name for one in judged[2:]] == ["low_mtu_hop", "low_mtu_hop"]
    assert (judged[2].verdict.suspect, judged[2].verdict.confidence) == ("r2", "high")
    assert all(one.verdict.name != "low_mtu_hop" for one in judged[:2])


def test_path_mtu_below_the_port_mtu_is_named() -> None:
    medium = Medium(10e9, (PathHop("old switch", mtu=1500),))
    full = (NodeCpu("a", "endpoint_sender", 1.0),)
    found = verdict(cell(3e9, measured=Measured(0.0, path_mtu=1500, cpu=full), mtu=9000), medium)
    assert (found.name, found.suspect) == ("low_mtu_hop", "old switch")
    assert found.numbers["packets_ratio"] == 6.0


def test_harmless_lower_mtu_is_not_the_limit() -> None:
    found = verdict(cell(930e6, measured=Measured(0.0, path_mtu=1500), mtu=9000))
    assert found.name == "medium_limited"


def test_slow_direction_is_named_with_its_cause() -> None:
    cells = [cell(900e6 * one, direction="forward", streams=n) for n, one in ((1, 0.5), (2, 1.0))]
    cells += [cell(200e6, direction="reverse", streams=n) for n in (1, 2, 4)]
    found = judge_run(cells, Medium(10e9)).verdict
    assert found.name == "one_direction"
    assert found.numbers["ratio"] == 4.5
    assert "reverse" in found.sentence


def test_confirmed_cause_has_precedence_over_one_direction() -> None:
    full = Measured(0.0, cpu=(NodeCpu("tape", "endpoint_receiver", 1.0),))
    cells = [cell(900e6, direction="forward"), cell(200e6, direction="reverse", measured=full)]
    found = judge_run(cells, Medium(10e9)).verdict
    assert found.name == "cpu_endpoint"
    assert "900 Mb/s" in found.evidence[-1].text


def test_sender_cpu_does_not_limit_lost_datagrams() -> None:
    full = (NodeCpu("flooder", "endpoint_sender", 1.0), NodeCpu("r", "endpoint_receiver", 0.3))
    cells = [
        cell(8 * size * 20e3, measured=Measured(0.0, cpu=full, loss=0.5), kind="udp", size=size)
        for size in (100, 400, 1400)
    ]
    found = judge_run(cells, Medium(10e9)).verdict
    assert (found.name, found.confidence) == ("packet_rate", "high")


def test_fixable_cause_wins_with_equal_counts() -> None:
    seen = Measured(0.0, retransmits=0)
    cells = [
        cell(8 * 65536 / 2e-3, measured=seen, window=65536),
        cell(930e6, measured=seen, window=4 << 20),
    ]
    found = judge_run(cells, Medium(usable=941e6, rtt_s=2e-3)).verdict
    assert found.name == "window_limited"
    assert any("Medium-limited" in one.text for one in found.evidence)


def test_enlarged_window_is_still_the_likely_cause() -> None:
    found = verdict(cell(1.3 * 8 * 65536 / 2e-3, window=65536), Medium(rtt_s=2e-3))
    assert (found.name, found.confidence) == ("window_limited", "medium")


def test_offered_window_is_used_if_larger_than_requested() -> None:
    """Linux offers up to twice the requested window (socket(7))."""
    far = Medium(usable=941e6, rtt_s=10e-3)
    given = Measured(0.0, retransmits=0, peer_window=185_460, duration_s=3)
    found = verdict(cell(8 * 185_460 / 10.4e-3, measured=given, window=131_072), far)
    assert (found.name, found.confidence) == ("window_limited", "high")
    assert found.numbers["window"] == 185_460
    assert "128 KiB was requested" in found.evidence[0].text


def test_far_larger_peer_window_means_the_requested_window() -> None:
    far = Medium(usable=941e6, rtt_s=10e-3)
    given = Measured(0.0, retransmits=0, peer_window=4_000_000, duration_s=3)
    found = verdict(cell(8 * 131_072 / 10.4e-3, measured=given, window=131_072), far)
    assert (found.name, found.numbers["window"]) == ("window_limited", 131_072)


def test_window_is_not_full_with_a_shorter_round_trip() -> None:
    near = Medium(usable=40e9, rtt_s=56e-6)
    seen = Measured(0.0, retransmits=0, peer_window=13_312, cwnd=376_480, rtt_s=21e-6, rtt_least_s=18e-6)
    assert verdict(cell(541e6, measured=seen, buffer=256), near).name != "window_limited"
    slow = replace(seen, rtt_s=200e-6, rtt_least_s=150e-6)
    assert verdict(cell(541e6, measured=slow, buffer=256), near).name == "window_limited"


def test_mechanism_wins_over_shape_with_equal_counts() -> None:
    """One stream reaches 87 % of the hop, two stay just below 85 %."""
    path = Medium(usable=47.8e6, ends=380e6, hops=(PathHop("gate", 380e6), PathHop("mid", 47.8e6)))
    run = judge_run([cell(41.6e6, streams=1), cell(40.4e6, streams=2)], path)
    assert {one.verdict.name for one in run.cells} == {"narrow_hop", "fair_share"}
    assert (run.verdict.name, run.verdict.suspect) == ("narrow_hop", "mid")


def test_unsteady_rates_lower_confidence_or_are_unstable() -> None:
    swinging = Measured(0.0, seconds=tuple(930e6 * one for one in (1, 0.5, 1.4, 0.6, 1.3, 1.0)))
    assert verdict(cell(930e6, measured=swinging)).confidence == "low"
    wild = Measured(0.0, seconds=tuple(930e6 * one for one in (1, 0.05, 2.5, 0.1, 2, 0.2)))
    found = verdict(cell(930e6, measured=wild))
    assert (found.name, found.confidence) == ("unstable", "high")


def test_unsteady_rates_with_loss_have_medium_confidence() -> None:
    rates = tuple(30e6 * one for one in (2.4, 0.8, 0.7, 0.2, 0.4))
    found = verdict(cell(30e6, measured=Measured(0.0, seconds=rates, retransmits=6)))
    assert (found.name, found.confidence) == ("unstable", "medium")


def test_differing_repeats_are_unstable() -> None:
    cells = [cell(rate) for rate in (100e6, 300e6, 30e6, 500e6)]
    assert judge_run(cells, GIGABIT).verdict.name == "unstable"


def test_stall_with_nodelay_has_medium_confidence() -> None:
    seen = Measured(0.0, stalls=Stalls(99, 100, 0.041))
    found = verdict(cell(8 * 65536 / 0.042, measured=seen, kind="request_ack", buffer=65536, no_delay=True))
    assert (found.name, found.confidence) == ("delayed_ack", "medium")


def test_stall_on_a_long_path_includes_two_round_trips() -> None:
    """A write takes 40 ms plus two round trips of 12 ms."""
    seen = Measured(0.0, stalls=Stalls(30, 30, 0.052))
    far = Medium(usable=941e6, rtt_s=0.012)
    found = verdict(cell(8 * 1024 / 0.064, measured=seen, kind="request_ack", buffer=1024), far)
    assert (found.name, found.confidence) == ("delayed_ack", "high")
    assert found.numbers["wait"] == 0.04


def test_round_trips_equal_to_a_timer_are_not_a_stall() -> None:
    far = Medium(usable=941e6, rtt_s=0.012)
    assert verdict(cell(8 * 1024 / 0.064, kind="request_ack", buffer=1024), far).name != "delayed_ack"


def test_constant_sum_with_drops_is_not_random_loss() -> None:
    rate, rtt, mss = 100e6, 2e-3, 1460
    cells = []
    for streams in (1, 2, 4, 8):
        loss = (8 * mss * 1.22 * streams / (rtt * rate)) ** 2
        seen = Measured(0.0, loss=loss, retransmits=500, rtt_s=rtt, path_mtu=1500)
        cells.append(cell(rate, measured=seen, streams=streams))
    found = judge_run(cells, Medium(941e6)).verdict
    assert found.name == "fair_share"
    assert found.numbers["level"] == rate


def test_fair_share_text_for_one_and_several_streams() -> None:
    seen = Measured(0.0, retransmits=0)
    cells = [cell(380e6, measured=seen, streams=streams) for streams in (1, 2, 4)]
    text = [one.verdict.sentence for one in judge_run(cells, Medium(800e6)).cells]
    assert [one.rpartition("; ")[2] for one in text] == [
        "1 stream gets 380 Mb/s.",
        "2 streams get 190 Mb/s each.",
        "4 streams get 95 Mb/s each.",
    ]


def test_rdma_programs_are_different_points() -> None:
    rates = {"ib_write_bw": 90e9, "ib_send_lat": 9e9}
    cells = [
        cell(rate / pairs, kind="rdma", size=65536, program=program, streams=pairs)
        for program, rate in rates.items()
        for pairs in (1, 2)
    ]
    matrix = Matrix(cells, Medium(100e9))
    assert matrix.over_streams(cells[0]) == [(1.0, 90e9), (2.0, 45e9)]
    assert matrix.over_streams(cells[2]) == [(1.0, 9e9), (2.0, 4.5e9)]
    found = compare(cells, cells)
    assert found is not None
    assert len(found.differences) == 4


def test_run_without_results_is_inconclusive() -> None:
    assert judge_run([], GIGABIT).verdict.name == "inconclusive"
    failed = [Cell(Parameters(), None, "refused"), Cell(Parameters(streams=2), None, "refused")]
    assert judge_run(failed, GIGABIT).verdict.sentence == "Inconclusive: not measured (refused)."


def test_run_lists_other_causes() -> None:
    idle = (NodeCpu("a", "endpoint_sender", 0.1),)
    seen = Measured(0.0, cpu=idle)
    cells = [
        cell(min(n * 8 * 65536 / 2e-3, 930e6), measured=seen, streams=n, window=65536) for n in (1, 2, 4)
    ]
    medium = Medium(usable=941e6, rtt_s=2e-3)
    run = judge_run(cells, medium)
    assert run.verdict.name == "window_limited"
    assert any("Medium-limited" in one.text for one in run.verdict.evidence)
    assert best_used(run.cells, GIGABIT) == "99 % of usable at best"


def test_verdict_has_a_sentence_with_numbers_and_a_remedy() -> None:
    medium = Medium(usable=800e6, rtt_s=3.1e-3)
    found = verdict(cell(8 * 65536 / 3.1e-3, window=65536), medium)
    assert found.sentence == (
        "Window-limited: 64 KiB / 3.1 ms = 169.1 Mb/s per stream."
        " A window of 302.7 KiB would fill the medium."
    )
    assert "6 streams of 64 KiB would reach 85 %" in found.remedy


def test_loaded_round_trip_alone_gives_low_confidence() -> None:
    seen = Measured(0.0, rtt_least_s=2e-3, retransmits=0, segments=1000)
    found = verdict(cell(8 * 65536 / 2e-3, measured=seen, window=65536), Medium(usable=10e9))
    assert (found.name, found.confidence) == ("window_limited", "low")


def test_window_binds_each_direction() -> None:
    seen = Measured(0.0, retransmits=0, segments=1000)
    found = verdict(
        cell(2 * 8 * 65536 / 2e-3, measured=seen, window=65536, direction="both"),
        replace(GIGABIT, rtt_s=2e-3),
    )
    assert (found.name, found.confidence) == ("window_limited", "high")
    assert found.numbers["per_stream"] == 8 * 65536 / 2e-3
    assert found.numbers["window_needed"] == 941e6 * 2e-3 / 8


def test_larger_mtu_on_the_path_is_not_a_lower_mtu() -> None:
    ends, middle = PathHop("atm", mtu=9180), PathHop("hippi", mtu=65280)
    full = (NodeCpu("a", "endpoint_sender", 1.0),)
    found = verdict(
        cell(200e6, measured=Measured(0.0, path_mtu=9180, cpu=full)), Medium(1e9, (ends, middle, ends))
    )
    assert found.name == "cpu_endpoint"


def test_lower_mtu_with_idle_processors_has_medium_confidence() -> None:
    hops = (PathHop("a", mtu=9000), PathHop("old switch", mtu=1500), PathHop("b", mtu=9000))
    idle = (NodeCpu("a", "endpoint_sender", 0.1),)
    found = verdict(cell(3e9, measured=Measured(0.0, path_mtu=1500, cpu=idle)), Medium(10e9, hops))
    assert (found.name, found.confidence, found.suspect) == ("low_mtu_hop", "medium", "old switch")


def test_small_window_uses_the_full_segment_round_trip() -> None:
    # HIPPI at a tenth of its rate: a packet of 64 kB takes 6.5 ms of 30 ms; the window is larger than needed.
    hop = PathHop("hippi-switch: port9", 80e6, 65280)
    route = Medium(usable=80e6, hops=(hop,), rtt_s=23.8e-3)
    asked = Parameters(streams=1, buffer=16384, window=65536)
    came = Measured(
        15.7e6, duration_s=3.0, retransmits=0, segments=250, rtt_s=30.5e-3, rtt_least_s=29.8e-3,
        cwnd=534440, peer_window=125000, path_mtu=65280,
    )  # fmt: skip
    verdict = judge_cell(Cell(asked, came, medium=route), route).verdict
    assert (verdict.name, verdict.confidence) == ("window_limited", "high")
    assert verdict.numbers["rtt"] == pytest.approx(30.3e-3, rel=0.01)
    assert verdict.sentence.startswith("Window-limited: 64 KiB / 30.3 ms = 17.3 Mb/s per stream.")


def test_full_medium_does_not_hide_the_limit_of_few_streams() -> None:
    route = Medium(usable=80e6, rtt_s=30e-3)
    per_stream = 8 * 65536 / 30e-3
    cells = [
        Cell(
            Parameters(streams=n, window=65536),
            Measured(min(n * per_stream, 76e6), retransmits=0, segments=1000, peer_window=65536),
        )
        for n in (1, 2, 5, 6, 7, 8)
    ]
    found = judge_run(cells, route)
    assert [one.verdict.name for one in found.cells].count("medium_limited") == 4
    assert found.verdict.name == "window_limited"
    assert any("In 4 the medium is full" in one.text for one in found.verdict.evidence)


def test_observed_stall_is_named_on_a_long_path() -> None:
    # 97 ms per write, of which two round trips are 48 ms: Linux's 40 ms timer, not another system's 100 ms.
    route = Medium(usable=80e6, rtt_s=23.8e-3)
    cells = [
        Cell(
            Parameters(kind="request_ack", buffer=size),
            Measured(8 * size / 97e-3, stalls=Stalls(20, 21, 70e-3), retransmits=0),
        )
        for size in (16384, 32768)
    ]
    for one in judge_run(cells, route).cells:
        assert (one.verdict.name, one.verdict.confidence) == ("delayed_ack", "medium")
        assert one.verdict.numbers["wait"] == 0.04
