"""The lab's InfiniBand fabrics as values: shapes, net files, paths and counters."""

import os
from collections import Counter
from pathlib import Path

import pytest

from backstay_lab.errors import LabError
from backstay_lab.infiniband.breaker import Breaker
from backstay_lab.infiniband.console import Console
from backstay_lab.infiniband.fabric import QDR, SDR
from backstay_lab.infiniband.model import Flaw, IbFlow, Model, Routes
from backstay_lab.infiniband.process import render
from backstay_lab.infiniband.shapes import fat_tree, star, with_flaws
from backstay_lab.sites import parameters, site
from backstay_lab.sites.karlsruhe import FABRICS

STAR = star("sw", 4, ["a", "b", "c"], "hca0", SDR)
GIGABIT = 1e9


def test_karlsruhe_is_the_papers_switch_with_15_hosts() -> None:
    plan = site("karlsruhe", parameters("karlsruhe"))
    kinds = Counter(node.kind for node in plan.nodes)
    assert kinds == {"host": 16, "switch": 1}  # with mgmt1
    assert len(plan.links) == 15
    assert plan.fabric("infiniband").usable_rate == 8_000_000_000
    assert [node.name for node in plan.spaces] == ["mgmt1"]


def test_karlsruhe_large_is_a_full_fat_tree_of_648_hosts() -> None:
    fabric = FABRICS["karlsruhe-large"](parameters("karlsruhe-large")).fabric
    assert Counter(node.kind for node in fabric.nodes) == {"ca": 648, "switch": 54}
    assert len(fabric.cables) == 1296
    used = Counter(name for name, _ in fabric.ends)
    assert {used[node.name] for node in fabric.nodes if node.kind == "switch"} == {36}
    assert len({node.guid for node in fabric.nodes}) == 702


@pytest.mark.parametrize(("name", "nodes"), [("karlsruhe", 15), ("karlsruhe-large", 100)])
def test_invalid_size_is_refused_with_the_valid_range(name: str, nodes: int) -> None:
    with pytest.raises(LabError, match="Choose"):
        site(name, parameters(name, nodes=nodes))


def test_net_file_names_each_cable_from_both_ends() -> None:
    text = render(STAR)
    lines = text.splitlines()
    assert lines[:2] == ["width=3", "speed=1"]
    assert '[1](2c90200000021)\t"S-0002c90200000010"[1]' in lines
    assert '[1]\t"H-0002c90200000020"[1]' in lines
    assert lines.index('Ca\t1 "H-0002c90200000020"\t\t# "a hca0"') < lines.index(
        'Switch\t4 "S-0002c90200000010"\t\t# "sw"'
    )


def test_flawed_cable_is_masked_at_both_ends() -> None:
    spoilt = with_flaws(fat_tree(4, "hca0", QDR), narrow=[0], slow=[1])
    lines = render(spoilt).splitlines()
    assert sum(line.endswith(" w=1") for line in lines) == 2
    assert sum(line.endswith(" s=1") for line in lines) == 2


def test_tree_paths_are_shortest_and_equal_paths_share_the_load() -> None:
    fabric = fat_tree(8, "hca0")
    routes = Routes(fabric)
    assert len(routes.path("node001", "node002")) == 2
    paths = [routes.path("node001", f"node{n:03}") for n in range(5, 33)]
    assert {len(path) for path in paths} == {4}
    spines = Counter(path[1][1][0] for path in paths)
    assert set(spines.values()) == {7}
    assert all(fabric.ends[sender] == receiver for path in paths for sender, receiver in path)


def flow(rate: float = GIGABIT) -> IbFlow:
    return IbFlow("a", "b", rate, period_s=1e9, phase=0.0)


def test_every_cable_receives_what_its_other_end_sends() -> None:
    model = Model(STAR, [flow()], [], start=0.0)
    moved = model.tick(2.0)
    assert set(moved) == {("a", 1), ("sw", 1), ("sw", 2), ("b", 1)}
    assert moved["a", 1].sent == moved["sw", 1].received == moved["b", 1].received
    assert moved["a", 1].sent == pytest.approx(2 * GIGABIT / 8, rel=0.01)


def test_cut_node_carries_nothing_and_both_ends_count_one_link_loss() -> None:
    model = Model(STAR, [flow()], [], start=0.0)
    model.tick(1.0)
    assert model.cut({("b", 1)}) == {("b", 1), ("sw", 2)}
    assert model.cut({("b", 1)}) == set()
    assert model.tick(2.0) == {}
    assert model.port(("sw", 2)).errors == {"LinkDownedCounter": 1}
    model.cut(set())
    assert model.tick(3.0)


def test_flaw_counts_at_its_rate_and_the_narrow_counter_saturates() -> None:
    model = Model(STAR, [], [Flaw(("a", 1), "LinkErrorRecoveryCounter", 1.0)], start=0.0)
    for second in range(1, 301):
        model.tick(float(second))
    counters = dict(model.port(("a", 1)).counters())
    assert model.port(("a", 1)).errors["LinkErrorRecoveryCounter"] == 300
    assert counters["PortCounters.LinkErrorRecoveryCounter"] == 255


def test_32_bit_counters_saturate_like_the_hardware() -> None:
    model = Model(STAR, [flow(8e9)], [], start=0.0)
    model.tick(60.0)
    counters = dict(model.port(("a", 1)).counters())
    assert counters["PortCounters.PortXmitData"] == 2**32 - 1
    assert counters["PortCountersExtended.PortXmitData"] > 2**32


class Pipe:
    """Replaces ibsim's standard input, and reads the commands."""

    def __init__(self, folder: Path) -> None:
        self.read, self.write = os.pipe()
        self.console = Console(STAR, folder, self.write)

    def commands(self) -> list[str]:
        os.set_blocking(self.read, False)
        try:
            scripts = os.read(self.read, 65536).decode().split()
        except BlockingIOError:
            return []
        return [line for script in scripts for line in Path(script[1:]).read_text().splitlines()]


def test_console_sends_only_changed_values(tmp_path: Path) -> None:
    pipe, model = Pipe(tmp_path), Model(STAR, [flow()], [], start=0.0)
    pipe.console.set_counters(model.tick(1.0))
    first = pipe.commands()
    assert len(first) == 4 * 4
    assert first[0].startswith('PerformanceSet "H-0002c90200000020"[1] PortCountersExtended.PortXmitData=')
    pipe.console.set_counters({("a", 1): model.port(("a", 1))})
    assert pipe.commands() == []


def test_two_cut_ends_of_one_cable_are_plugged_in_once_both_are_restored(tmp_path: Path) -> None:
    pipe = Pipe(tmp_path)
    breaker = Breaker(STAR, pipe.console, Model(STAR, [], [], start=0.0))
    breaker.become({"a": "cut"})
    assert 'Unlink "H-0002c90200000020"[1]' in pipe.commands()
    breaker.become({"a": "cut", "sw": "cut"})
    unlinked = [line for line in pipe.commands() if line.startswith("Unlink")]
    assert unlinked == ['Unlink "H-0002c90200000030"[1]', 'Unlink "H-0002c90200000040"[1]']
    breaker.become({"sw": "cut"})
    assert not [line for line in pipe.commands() if "Link " in line and "Perf" not in line]
    breaker.become({})
    assert len([line for line in pipe.commands() if line.startswith("ReLink")]) == 3


def test_silenced_node_drops_everything_until_restored(tmp_path: Path) -> None:
    pipe = Pipe(tmp_path)
    breaker = Breaker(STAR, pipe.console, Model(STAR, [], [], start=0.0))
    breaker.become({"a": "silence"})
    assert pipe.commands() == ['Error "H-0002c90200000020"[0] 100', 'Error "H-0002c90200000020"[1] 100']
    breaker.become({})
    assert pipe.commands() == ['Error "H-0002c90200000020"[0] 0', 'Error "H-0002c90200000020"[1] 0']
