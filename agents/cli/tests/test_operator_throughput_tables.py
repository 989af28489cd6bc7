"""Matrices and grids in a terminal: rows and columns, blocks that fit, marks."""

from __future__ import annotations

import pytest

from backstay_cli.models import TestCellOut
from backstay_cli.reading import read
from backstay_cli.throughput import labels
from backstay_testing.cli import throughput as known
from backstay_testing.cli.fake_server import Run, World

WIDE = 100


@pytest.fixture
def narrow(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 100 columns; removes earlier settings first."""
    monkeypatch.setenv("COLUMNS", str(WIDE))


def shown(cell: object) -> TestCellOut:
    return read(TestCellOut, cell.model_dump(mode="json"))  # type: ignore[attr-defined]


@pytest.mark.usefixtures("narrow")
def test_paper_table_of_7_buffers_and_10_streams_fits_100_columns(run: Run) -> None:
    done = run("tests", "show", known.PAPER)
    assert done.code == 0
    assert max(map(len, done.out.splitlines())) <= WIDE
    lines = done.squeezed().splitlines()
    at, second = lines.index("buffer 1 2 3 4 5 "), lines.index("buffer 6 7 8 9 10 ")
    assert lines[at + 1].startswith("16 KiB 167.8 21% 272 34%")
    assert lines[second + 2].split()[-3:] == ["medium", "medium", "medium"]
    assert lines[at + 13].startswith("1 MiB 139.8 17%")
    assert "row paper Backstay " in lines


@pytest.mark.usefixtures("narrow")
def test_wide_matrix_is_split_into_blocks_of_similar_width(world: World, run: Run) -> None:
    world.answers["GET", "/test-runs/12"] = known.run(cells=[known.cell(at) for at in range(24)])
    lines = run("tests", "show", "12").squeezed().splitlines()
    heads = [line.split() for line in lines if line.replace(" ", "").isdigit()]
    assert [int(one) for head in heads for one in head] == list(range(1, 25))
    assert {len(head) for head in heads} == {12}


def test_dependent_parameters_have_no_column(world: World, run: Run) -> None:
    cells = [
        known.cell(at, parameters=known.parameters(streams=n, senders=n, window=w, direction=route))
        for at, (n, w, route) in enumerate(
            (n, w, route) for route in ("forward", "reverse") for w in (None, 65536) for n in (1, 2)
        )
    ]
    world.answers["GET", "/test-runs/12"] = known.run(cells=cells)
    output = run("tests", "show", "12").squeezed()
    assert "window direction 1 2" in output
    assert "senders" not in output
    assert "\ndefault forward 40 74%" in output
    assert "\n64 KiB reverse 40 74%" in output


def test_repeats_are_listed_below_each_other(world: World, run: Run) -> None:
    cells = [
        known.cell(at, 1e6 * (at + 1), parameters=known.parameters(streams=1 + at % 2)) for at in range(4)
    ]
    world.answers["GET", "/test-runs/12"] = known.run(cells=cells)
    answer = run("tests", "show", "12").squeezed()
    assert "\ntime 1 1 2% 2 4%" in answer
    assert "\ntime 2 3 6% 4 7%" in answer


def test_echo_results_are_lines_with_round_trip_and_loss(world: World, run: Run) -> None:
    cells = [
        known.cell(at, 1e4, parameters=known.parameters(kind="ping", size=size),
                   measured=known.measured(1e4, rtt_s=0.0012, loss=0.01))
        for at, size in enumerate((64, 9000))
    ]  # fmt: skip
    world.answers["GET", "/test-runs/12"] = known.run(cells=cells)
    answer = run("tests", "show", "12").squeezed()
    assert "cell size rate of usable round trip lost cause" in answer
    assert "1 9000 B 10 kb/s <0.1 % 1.2 ms 1 % window" in answer


def test_mesh_is_a_grid_with_the_slow_sender_marked(world: World, run: Run) -> None:
    world.answers["GET", "/test-runs/12"] = known.mesh()
    answer = run("tests", "show", "12").squeezed()
    assert "Mb/s; senders on the left, receivers above" in answer
    assert "\nsp03 9.5* 9.5* . 9.5*" in answer
    assert "\nsp04 47.5 47.5 47.5 ." in answer
    assert "sp03 sends slowly: 9.5 Mb/s." in answer


def test_marks_belong_to_the_displayed_run(world: World, run: Run) -> None:
    world.answers["GET", "/test-runs/12"] = known.mesh()
    world.answers["GET", "/test-grids/3"] = known.grid(of_run="13")
    answer = run("tests", "show", "12").squeezed()
    assert "\nsp03 9.5 9.5 . 9.5" in answer
    assert "sends slowly" not in answer


@pytest.mark.usefixtures("narrow")
def test_large_mesh_is_split_and_long_names_are_numbered(world: World, run: Run) -> None:
    hosts = tuple(f"compute-node-{at:02}" for at in range(1, 15))
    world.answers["GET", "/test-runs/12"] = known.mesh(hosts, slow=hosts[2])
    done = run("tests", "show", "12")
    assert max(map(len, done.out.splitlines())) <= WIDE
    assert "\n 3 compute-node-03" in done.out
    assert done.out.count("\n14 compute-node-14") == 2


def test_ends_are_abbreviated_for_every_shape() -> None:
    pairs = [
        known.cell(0, ends="a c"),
        known.cell(0, ends="b d"),
        known.cell(0, ends="b c"),
        known.cell(0, ends="a d"),
    ]
    flows = [shown(pair).flows[0] for pair in pairs]
    assert labels.ends(flows[:1]) == "a to c"
    assert labels.ends(flows[:2]) == "a to c, b to d"
    assert labels.ends(flows) == "a, b to c, d"
    assert labels.ends([]) == ""


def test_output_to_a_file_is_neither_split_nor_padded(run: Run) -> None:
    assert max(map(len, run("tests", "show", "12").out.splitlines())) < 200
