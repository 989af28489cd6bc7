"""The papers as reference runs: the files match the schema, and our verdicts match the papers."""

from __future__ import annotations

import importlib
import json
from dataclasses import replace

import pytest
from pydantic import ValidationError

from backstay.core.model.throughput import Cell
from backstay.throughput.papers.load import papers, reference_runs
from backstay.throughput.papers.report import agreements
from backstay.throughput.papers.schema import BITS, TableFacts

COMMAND = importlib.import_module("backstay.throughput.papers.__main__")
ROWS = agreements()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.run} {row.row}")
def test_verdict_matches_the_papers_conclusion(row: object) -> None:
    found = next(one for one in ROWS if one is row)
    assert found.agrees, f"{found.why_not}: {found.sentence}"


def test_every_paper_with_measurements_is_included() -> None:
    assert [one.paper for one in papers()] == ["anl98", "casa", "cern96", "fzk04", "sdsc01"]
    assert len(ROWS) >= 56
    keys = {run.key for run in reference_runs()}
    assert {f"cern96/fig{number}" for number in (3, 4, 5, 7, 8, 9)} <= keys
    assert {"cern96/na48", "anl98/switch", "anl98/hippi", "fzk04/readers", "fzk04/mpi"} <= keys


def cell(run: str, key: str) -> Cell:
    found = next(one for one in reference_runs() if one.key == run)
    return next(one for one in found.cells if one.key == key)


@pytest.mark.parametrize(
    ("run", "key", "bits"),
    [
        ("cern96/fig3", "8192x10", 5844 * 8192),
        ("cern96/fig4", "131072x10", 91534 * 8192),
        ("cern96/fig5", "65536x1", 320 * 8192),
        ("cern96/fig7", "n3", 14.8 * 8e6),
        ("anl98/hippi", "sp2", 660e6),
        ("fzk04/readers", "n24", 700 * 8e6),
        ("casa/dropping", "dropping", 10.4e6),
        ("sdsc01/scientific", "4x2", 106.3 * 8e6),
    ],
)
def test_printed_rates_become_bits_per_second(run: str, key: str, bits: float) -> None:
    measured = cell(run, key).measured
    assert measured is not None
    assert measured.rate == pytest.approx(bits)


def test_processor_seconds_become_shares_of_the_transfer() -> None:
    measured = cell("cern96/fig8", "1024k").measured
    assert measured is not None
    assert {one.node: round(one.busy, 3) for one in measured.cpu} == {"shift7": 0.779, "sp023": 0.996}


def test_crashed_cell_has_a_state_and_no_results() -> None:
    crashed = cell("anl98/hippi", "sp3")
    assert (crashed.state, crashed.measured) == ("failed", None)


def test_every_doubtful_value_is_a_cell_of_its_table() -> None:
    for run in reference_runs():
        keys = {one.key for one in run.cells}
        for doubt in run.table.doubtful:
            assert (doubt.key or f"{doubt.buffer}x{doubt.streams}") in keys, (run.key, doubt)


def test_rows_and_comparisons_name_existing_cells() -> None:
    for run in reference_runs():
        keys = {one.key for one in run.cells}
        named = {key for row in run.table.rows for key in row.cells}
        named |= {key for one in run.table.comparisons for key in (*one.before, *one.after) if "/" not in key}
        assert named <= keys, run.key


def test_invalid_row_is_refused() -> None:
    table = {"key": "t", "figure": "f", "about": "a", "unit": "MB/s"}
    assert TableFacts.model_validate(table).unit in BITS
    with pytest.raises(ValidationError):
        TableFacts.model_validate({**table, "windows": [1]})
    with pytest.raises(ValidationError):
        TableFacts.model_validate({**table, "unit": "furlongs"})


def test_changed_value_changes_the_verdict() -> None:
    """The verdicts depend on the values: at ten times the rate, the 64 kB row of figure 5 is not a stall."""
    run = next(one for one in reference_runs() if one.key == "cern96/fig5")
    faster = tuple(
        replace(one, measured=replace(one.measured, rate=one.measured.rate * 10))
        if one.measured and one.parameters.buffer in {16384, 32768, 65536}
        else one
        for one in run.cells
    )
    rows = {one.row: one for one in agreements([replace(run, cells=faster)])}
    assert not rows["64 kB"].agrees
    assert not rows["16 kB"].agrees


def test_command_prints_every_row_and_a_bench_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert COMMAND.main() == 0
    lines = capsys.readouterr().out.splitlines()
    bench = json.loads(lines[-1].removeprefix("BENCH "))
    assert bench["figures"]["rows_agreed"] == {
        "ours": len(ROWS),
        "goal": len(ROWS),
        "unit": "rows",
        "met": True,
    }
    assert sum(line.startswith("  agrees") for line in lines) == len(ROWS)
