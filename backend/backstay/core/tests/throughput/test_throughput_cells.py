"""What one cell or one pattern tells: MTU, direction, steadiness, what was offered, what is missing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backstay.core.diagnosis.throughput.compare import compare
from backstay.core.diagnosis.throughput.matrix import Matrix
from backstay.core.diagnosis.throughput.run import best_used, judge_cell, judge_run
from backstay.core.model.throughput import (
    MEASURED,
    Cell,
    Hop,
    Measured,
    Medium,
    NodeCpu,
    Parameters,
    Stalls,
    Verdict,
)

GIGABIT = Medium(usable=941e6, rtt_s=1e-3)


def cell(rate: float, *, measured: Measured | None = None, **parameters: object) -> Cell:
    return Cell(Parameters(**parameters), replace(measured or Measured(0.0), rate=rate))  # type: ignore[arg-type]


def verdict(one: Cell, medium: Medium = GIGABIT) -> Verdict:
    return judge_cell(one, medium).verdict


def test_a_cell_that_was_not_measured_says_so_in_its_state() -> None:
    for state in ("missing_tool", "lost_agent", "aborted_by_load"):
        found = verdict(Cell(Parameters(), None, state))
        assert found.name == "inconclusive"
        assert state.replace("_", " ") in found.sentence


def test_figures_of_a_cell_that_did_not_end_well_are_not_judged() -> None:
    assert verdict(Cell(Parameters(), Measured(930e6), "truncated")).name == "inconclusive"
    assert verdict(Cell(Parameters(), Measured(930e6), MEASURED)).name == "medium_limited"


def test_what_was_offered_and_came_was_limited_by_nothing() -> None:
    found = verdict(cell(100e6, kind="udp", size=1400, offered_rate=100e6))
    assert found.name == "inconclusive"
    assert "as much as was offered" in found.sentence


def test_production_traffic_makes_the_medium_smaller() -> None:
    busy = replace(GIGABIT, production=600e6)
    assert verdict(cell(330e6), busy).name == "medium_limited"
    assert verdict(cell(330e6)).name != "medium_limited"


def test_both_ways_at_a_time_have_twice_the_medium() -> None:
    assert verdict(cell(930e6, direction="both")).name != "medium_limited"
    assert verdict(cell(1800e6, direction="both")).name == "medium_limited"
    hop = Medium(10e9, (Hop("r1", usable=1e9),))
    assert verdict(cell(990e6, direction="both"), hop).name != "narrow_hop"
    assert verdict(cell(1900e6, direction="both"), hop).suspect == "r1"


def test_a_single_cell_without_anything_else_says_what_to_measure() -> None:
    found = verdict(cell(200e6), Medium())
    assert found.name == "inconclusive"
    assert "the capacity of the medium" in found.remedy
    assert "CPU load" in found.remedy


def test_two_causes_that_fit_equally_well_are_both_named_and_none_is_chosen() -> None:
    full = (NodeCpu("tape", "endpoint_receiver", 1.0),)
    seen = Measured(0.0, retransmits=0, segments=1000, cpu=full)
    judged = judge_cell(cell(8 * 64e3 / 1e-3, measured=seen, window=64_000), replace(GIGABIT, usable=10e9))
    assert judged.verdict.name == "inconclusive"
    assert {one.name for one in judged.others} == {"window_limited", "cpu_endpoint"}
    assert len(judged.verdict.evidence) == 2


def test_nodes_that_are_equally_busy_cannot_be_told_apart() -> None:
    both = (NodeCpu("a", "endpoint_sender", 0.99), NodeCpu("b", "endpoint_receiver", 0.98))
    found = verdict(cell(300e6, measured=Measured(0.0, cpu=both)))
    assert (found.name, found.confidence) == ("cpu_endpoint", "medium")
    assert "a and b" in found.sentence


def test_one_full_processor_of_many_is_enough() -> None:
    one = (NodeCpu("a", "endpoint_sender", 1.2, cores=16, busiest=0.99),)
    found = verdict(cell(300e6, measured=Measured(0.0, cpu=one)))
    assert found.name == "cpu_endpoint"
    assert "one processor" in found.sentence


def test_a_processor_that_is_busy_whatever_the_rate_is_not_surely_the_cause() -> None:
    busy = (NodeCpu("a", "endpoint_sender", 0.97),)
    cells = [cell(100e6 * n, measured=Measured(0.0, cpu=busy), streams=n) for n in (1, 2, 4)]
    found = judge_run(cells, Medium(usable=10e9)).cells[-1].verdict
    assert found.confidence != "high"


def test_sizes_above_one_that_do_not_pass_name_the_hop_with_the_lower_mtu() -> None:
    medium = Medium(941e6, (Hop("r1", mtu=9000), Hop("r2", mtu=1500)))
    sizes = {64: 0.0, 1400: 0.0, 4000: 1.0, 8000: 1.0}
    cells = [
        cell(0.0 if loss else 5e6, measured=Measured(0.0, loss=loss), kind="ping", size=size)
        for size, loss in sizes.items()
    ]
    judged = judge_run(cells, medium).cells
    assert [one.verdict.name for one in judged[2:]] == ["low_mtu_hop", "low_mtu_hop"]
    assert (judged[2].verdict.suspect, judged[2].verdict.confidence) == ("r2", "high")
    assert all(one.verdict.name != "low_mtu_hop" for one in judged[:2])


def test_a_path_mtu_below_the_ports_own_is_told_and_named() -> None:
    medium = Medium(10e9, (Hop("old switch", mtu=1500),))
    full = (NodeCpu("a", "endpoint_sender", 1.0),)
    found = verdict(cell(3e9, measured=Measured(0.0, path_mtu=1500, cpu=full), mtu=9000), medium)
    assert (found.name, found.suspect) == ("low_mtu_hop", "old switch")
    assert found.numbers["packets_ratio"] == 6.0


def test_a_lower_mtu_that_costs_nothing_is_not_the_limit() -> None:
    found = verdict(cell(930e6, measured=Measured(0.0, path_mtu=1500), mtu=9000))
    assert found.name == "medium_limited"


def test_one_slow_direction_is_told_of_the_run_with_what_holds_it() -> None:
    cells = [cell(900e6 * one, direction="forward", streams=n) for n, one in ((1, 0.5), (2, 1.0))]
    cells += [cell(200e6, direction="reverse", streams=n) for n in (1, 2, 4)]
    found = judge_run(cells, Medium(10e9)).verdict
    assert found.name == "one_direction"
    assert found.numbers["ratio"] == 4.5
    assert "reverse" in found.sentence


def test_a_sure_cause_of_the_slow_direction_is_named_rather_than_the_direction() -> None:
    full = Measured(0.0, cpu=(NodeCpu("tape", "endpoint_receiver", 1.0),))
    cells = [cell(900e6, direction="forward"), cell(200e6, direction="reverse", measured=full)]
    found = judge_run(cells, Medium(10e9)).verdict
    assert found.name == "cpu_endpoint"
    assert "900 Mb/s" in found.evidence[-1].text


def test_datagrams_that_were_sent_and_did_not_arrive_were_not_held_by_their_sender() -> None:
    full = (NodeCpu("flooder", "endpoint_sender", 1.0), NodeCpu("r", "endpoint_receiver", 0.3))
    cells = [
        cell(8 * size * 20e3, measured=Measured(0.0, cpu=full, loss=0.5), kind="udp", size=size)
        for size in (100, 400, 1400)
    ]
    found = judge_run(cells, Medium(10e9)).verdict
    assert (found.name, found.confidence) == ("packet_rate", "high")


def test_of_as_many_cells_what_can_be_cured_is_the_runs_verdict() -> None:
    seen = Measured(0.0, retransmits=0)
    cells = [
        cell(8 * 65536 / 2e-3, measured=seen, window=65536),
        cell(930e6, measured=seen, window=4 << 20),
    ]
    found = judge_run(cells, Medium(usable=941e6, rtt_s=2e-3)).verdict
    assert found.name == "window_limited"
    assert any("Medium-limited" in one.text for one in found.evidence)


def test_a_window_that_the_system_made_larger_is_still_the_likely_cause() -> None:
    found = verdict(cell(1.3 * 8 * 65536 / 2e-3, window=65536), Medium(rtt_s=2e-3))
    assert (found.name, found.confidence) == ("window_limited", "medium")


def test_the_window_is_the_one_that_the_peer_offered_when_more_was_given_than_asked_for() -> None:
    """Linux offers up to twice what was asked for (socket(7))."""
    far = Medium(usable=941e6, rtt_s=10e-3)
    given = Measured(0.0, retransmits=0, peer_window=185_460, duration_s=3)
    found = verdict(cell(8 * 185_460 / 10.4e-3, measured=given, window=131_072), far)
    assert (found.name, found.confidence) == ("window_limited", "high")
    assert found.numbers["window"] == 185_460
    assert "128 KiB was requested" in found.evidence[0].text


def test_a_peer_that_offers_far_more_than_was_asked_for_leaves_the_senders_buffer() -> None:
    far = Medium(usable=941e6, rtt_s=10e-3)
    given = Measured(0.0, retransmits=0, peer_window=4_000_000, duration_s=3)
    found = verdict(cell(8 * 131_072 / 10.4e-3, measured=given, window=131_072), far)
    assert (found.name, found.numbers["window"]) == ("window_limited", 131_072)


def test_a_window_is_not_full_when_the_streams_own_round_trip_says_that_it_came_round_sooner() -> None:
    near = Medium(usable=40e9, rtt_s=56e-6)
    seen = Measured(0.0, retransmits=0, peer_window=13_312, cwnd=376_480, rtt_s=21e-6, rtt_least_s=18e-6)
    assert verdict(cell(541e6, measured=seen, buffer=256), near).name != "window_limited"
    slow = replace(seen, rtt_s=200e-6, rtt_least_s=150e-6)
    assert verdict(cell(541e6, measured=slow, buffer=256), near).name == "window_limited"


def test_of_a_mechanism_and_a_shape_in_as_many_cells_the_mechanism_is_the_runs() -> None:
    """One stream reaches 87 % of the hop, and two stay just below 85 %."""
    path = Medium(usable=47.8e6, ends=380e6, hops=(Hop("gate", 380e6), Hop("mid", 47.8e6)))
    run = judge_run([cell(41.6e6, streams=1), cell(40.4e6, streams=2)], path)
    assert {one.verdict.name for one in run.cells} == {"narrow_hop", "fair_share"}
    assert (run.verdict.name, run.verdict.suspect) == ("narrow_hop", "mid")


def test_seconds_that_swing_make_a_verdict_less_sure_and_wild_ones_make_it_unstable() -> None:
    swinging = Measured(0.0, seconds=tuple(930e6 * one for one in (1, 0.5, 1.4, 0.6, 1.3, 1.0)))
    assert verdict(cell(930e6, measured=swinging)).confidence == "low"
    wild = Measured(0.0, seconds=tuple(930e6 * one for one in (1, 0.05, 2.5, 0.1, 2, 0.2)))
    found = verdict(cell(930e6, measured=wild))
    assert (found.name, found.confidence) == ("unstable", "high")


def test_wild_seconds_of_a_stream_that_loses_segments_are_no_sure_sign() -> None:
    rates = tuple(30e6 * one for one in (2.4, 0.8, 0.7, 0.2, 0.4))
    found = verdict(cell(30e6, measured=Measured(0.0, seconds=rates, retransmits=6)))
    assert (found.name, found.confidence) == ("unstable", "medium")


def test_repeats_that_differ_are_unstable() -> None:
    cells = [cell(rate) for rate in (100e6, 300e6, 30e6, 500e6)]
    assert judge_run(cells, GIGABIT).verdict.name == "unstable"


def test_a_stall_that_was_seen_though_nagle_is_off_is_no_sure_verdict() -> None:
    seen = Measured(0.0, stalls=Stalls(99, 100, 0.041))
    found = verdict(cell(8 * 65536 / 0.042, measured=seen, kind="request_ack", buffer=65536, no_delay=True))
    assert (found.name, found.confidence) == ("delayed_ack", "medium")


def test_a_stall_on_a_long_way_takes_the_timer_and_two_round_trips() -> None:
    """40 ms and twice 12 ms a write; of each, 52 ms are more than the quickest way."""
    seen = Measured(0.0, stalls=Stalls(30, 30, 0.052))
    far = Medium(usable=941e6, rtt_s=0.012)
    found = verdict(cell(8 * 1024 / 0.064, measured=seen, kind="request_ack", buffer=1024), far)
    assert (found.name, found.confidence) == ("delayed_ack", "high")
    assert found.numbers["wait"] == 0.04


def test_round_trips_that_add_up_to_a_timer_are_no_stall_unless_one_was_seen() -> None:
    far = Medium(usable=941e6, rtt_s=0.012)
    assert verdict(cell(8 * 1024 / 0.064, kind="request_ack", buffer=1024), far).name != "delayed_ack"


def test_a_drop_limit_that_more_streams_do_not_raise_is_not_loss_at_random() -> None:
    rate, rtt, mss = 100e6, 2e-3, 1460
    cells = []
    for streams in (1, 2, 4, 8):
        loss = (8 * mss * 1.22 * streams / (rtt * rate)) ** 2
        seen = Measured(0.0, loss=loss, retransmits=500, rtt_s=rtt, path_mtu=1500)
        cells.append(cell(rate, measured=seen, streams=streams))
    found = judge_run(cells, Medium(941e6)).verdict
    assert found.name == "fair_share"
    assert found.numbers["level"] == rate


def test_one_stream_gets_what_there_is_and_several_get_it_each() -> None:
    seen = Measured(0.0, retransmits=0)
    cells = [cell(380e6, measured=seen, streams=streams) for streams in (1, 2, 4)]
    text = [one.verdict.sentence for one in judge_run(cells, Medium(800e6)).cells]
    assert [one.rpartition("; ")[2] for one in text] == [
        "1 stream gets 380 Mb/s.",
        "2 streams get 190 Mb/s each.",
        "4 streams get 95 Mb/s each.",
    ]


def test_programs_that_measure_different_things_are_no_one_point() -> None:
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


def test_a_run_without_cells_and_one_of_failures_are_inconclusive() -> None:
    assert judge_run([], GIGABIT).verdict.name == "inconclusive"
    failed = [Cell(Parameters(), None, "refused"), Cell(Parameters(streams=2), None, "refused")]
    assert judge_run(failed, GIGABIT).verdict.sentence == "Inconclusive: not measured (refused)."


def test_a_run_says_where_another_cause_takes_over() -> None:
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


def test_a_verdict_reads_as_a_sentence_with_its_figures_and_a_remedy() -> None:
    medium = Medium(usable=800e6, rtt_s=3.1e-3)
    found = verdict(cell(8 * 65536 / 3.1e-3, window=65536), medium)
    assert found.sentence == (
        "Window-limited: 64 KiB / 3.1 ms = 169.1 Mb/s a stream. A window of 302.7 KiB would fill the medium."
    )
    assert "6 streams of 64 KiB would reach 85 %" in found.remedy


def test_a_busy_round_trip_alone_makes_a_window_no_sure_cause() -> None:
    seen = Measured(0.0, rtt_least_s=2e-3, retransmits=0, segments=1000)
    found = verdict(cell(8 * 65536 / 2e-3, measured=seen, window=65536), Medium(usable=10e9))
    assert (found.name, found.confidence) == ("window_limited", "low")


def test_a_window_binds_each_direction_of_a_test_both_ways() -> None:
    seen = Measured(0.0, retransmits=0, segments=1000)
    found = verdict(
        cell(2 * 8 * 65536 / 2e-3, measured=seen, window=65536, direction="both"),
        replace(GIGABIT, rtt_s=2e-3),
    )
    assert (found.name, found.confidence) == ("window_limited", "high")
    assert found.numbers["per_stream"] == 8 * 65536 / 2e-3
    assert found.numbers["window_needed"] == 941e6 * 2e-3 / 8


def test_a_wider_mtu_in_the_middle_of_the_path_makes_the_ends_own_no_lower_one() -> None:
    ends, middle = Hop("atm", mtu=9180), Hop("hippi", mtu=65280)
    full = (NodeCpu("a", "endpoint_sender", 1.0),)
    found = verdict(
        cell(200e6, measured=Measured(0.0, path_mtu=9180, cpu=full)), Medium(1e9, (ends, middle, ends))
    )
    assert found.name == "cpu_endpoint"


def test_a_lower_mtu_beside_idle_processors_is_no_sure_cause() -> None:
    hops = (Hop("a", mtu=9000), Hop("old switch", mtu=1500), Hop("b", mtu=9000))
    idle = (NodeCpu("a", "endpoint_sender", 0.1),)
    found = verdict(cell(3e9, measured=Measured(0.0, path_mtu=1500, cpu=idle)), Medium(10e9, hops))
    assert (found.name, found.confidence, found.suspect) == ("low_mtu_hop", "medium", "old switch")


def test_a_window_of_hardly_two_segments_is_told_by_the_round_trip_of_a_full_one() -> None:
    # HIPPI at a tenth of its rate: a packet of 64 kB takes 6.5 ms of 30; what was offered beyond is not used.
    hop = Hop("hippi-switch: port9", 80e6, 65280)
    route = Medium(usable=80e6, hops=(hop,), rtt_s=23.8e-3)
    asked = Parameters(streams=1, buffer=16384, window=65536)
    came = Measured(
        15.7e6, duration_s=3.0, retransmits=0, segments=250, rtt_s=30.5e-3, rtt_least_s=29.8e-3,
        cwnd=534440, peer_window=125000, path_mtu=65280,
    )  # fmt: skip
    verdict = judge_cell(Cell(asked, came, medium=route), route).verdict
    assert (verdict.name, verdict.confidence) == ("window_limited", "high")
    assert verdict.numbers["rtt"] == pytest.approx(30.3e-3, rel=0.01)
    assert verdict.sentence.startswith("Window-limited: 64 KiB / 30.3 ms = 17.3 Mb/s a stream.")


def test_a_medium_that_many_streams_fill_does_not_hide_what_holds_a_few() -> None:
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


def test_a_stall_on_a_way_of_half_its_length_is_told_by_what_was_seen_of_it() -> None:
    # 97 ms a write of which two round trips are 48: Linux's 40 ms, not the 100 of another system.
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
