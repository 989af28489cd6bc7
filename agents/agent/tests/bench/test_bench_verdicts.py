"""The faults of the verdict benchmark: enough of each kind, realistic, and within the time limit."""

import json
from collections import Counter
from pathlib import Path

from backstay_agent.probes.throughput import processors
from backstay_bench.verdicts.fault import Declared, Fault, PathSpec, matrix, seconds
from backstay_bench.verdicts.nodes import HOSTS
from backstay_bench.verdicts.processors import stat_text
from backstay_bench.verdicts.table import KINDS, faults
from backstay_wire import Spec

OVERHEAD_S, GAP_S, MOST_S = 4.6, 0.8, 1200.0


def test_at_least_eight_faults_of_each_kind_and_six_healthy_paths() -> None:
    counted = Counter(one.kind for one in faults())
    assert set(counted) == set(KINDS)
    assert all(count >= (6 if kind == "healthy" else 8) for kind, count in counted.items())
    assert sum(count for kind, count in counted.items() if kind != "healthy") >= 60


def test_fault_names_and_settings_are_unique() -> None:
    every = faults()
    assert len({one.name for one in every}) == len(every)
    assert len({(one.kind, one.described()) for one in every}) == len(every)


def test_each_matrix_has_two_to_six_short_cells() -> None:
    for one in faults():
        assert 2 <= len(one.cells) <= 6, one.name
        assert all(2 <= seconds(cell) <= 8 for cell in one.cells), one.name


def test_only_mtu_faults_have_a_lower_mtu_in_the_middle() -> None:
    for one in faults():
        assert (one.path.middle_mtu < one.path.end_mtu) is (one.kind == "mtu"), one.name


def test_whole_table_takes_at_most_twenty_minutes() -> None:
    whole = sum(OVERHEAD_S + sum(seconds(cell) + GAP_S for cell in one.cells) for one in faults())
    assert whole <= MOST_S


def test_suspect_is_a_hop_or_a_host() -> None:
    for one in faults():
        hops = [hop["name"] for hop in one.medium()["hops"]]
        assert one.suspect in {"", *hops, *HOSTS}, one.name


def test_unknown_link_speed_uses_the_speed_of_the_ends() -> None:
    path = PathSpec(rate=155)
    hidden = Fault("narrow", "x", path, (), frozenset(), Declared(usable=800))
    assert [hop["usable"] for hop in hidden.medium()["hops"]] == [800e6] * 3
    known = Fault("narrow", "x", path, (), frozenset(), Declared(usable=800, middle=148)).medium()
    assert [hop["usable"] for hop in known["hops"]] == [800e6, 148e6, 800e6]


def test_usable_rate_excludes_headers() -> None:
    assert PathSpec(rate=100).usable() == 100e6 * 1448 / 1514


def test_matrix_contains_every_combination_in_a_stable_order() -> None:
    cells = matrix("tcp", {"duration_s": 2}, window=(16384, 32768), streams=(1, 2))
    assert [(_of(one, "window"), _of(one, "streams")) for one in cells] == [
        (16384, 1),
        (16384, 2),
        (32768, 1),
        (32768, 2),
    ]
    assert faults() == faults()


def test_faults_are_selected_by_kind_and_name() -> None:
    assert {one.kind for one in faults("loss,mtu")} == {"loss", "mtu"}
    assert [one.name for one in faults("stall-2")] == ["stall-2"]
    assert faults("nothing") == []


def test_applied_settings_are_reported_as_json_values() -> None:
    (one,) = faults("window-1")
    assert one.described() == "400 Mb/s, 5 ms, MTU 9000, window 16384/32768/65536"
    json.dumps(one.medium())


def test_simulated_proc_stat_matches_the_kernels_format(tmp_path: Path) -> None:
    second = 1_000_000_000
    file, seen = tmp_path / "stat", []
    for at, busy in ((0, [0, 0]), (1, [second, 0]), (2, [2 * second, second // 2])):
        file.write_text(stat_text(busy, at * second))
        seen.append(processors.read(file))
    load = processors.load([one for one in seen if one])
    assert load is not None
    assert (load.cpus, round(load.busiest)) == (2, 100)
    assert [round(one) for one in load.busy_spans] == [50, 75]


def test_simulated_proc_stat_has_a_constant_length() -> None:
    assert len(stat_text([0, 0], 1)) == len(stat_text([10**15, 7], 10**16))


def _of(spec: Spec, name: str) -> object:
    return getattr(spec, name)
