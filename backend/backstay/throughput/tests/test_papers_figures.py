"""The papers' values in the data files equal the collected results, cell by cell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from backstay.throughput.papers.load import reference_runs
from backstay.throughput.papers.schema import BITS

RESULTS = Path(__file__).resolve().parents[5] / "shared" / "gear" / "seed-results.yaml"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not RESULTS.is_file(), reason="../shared/gear is absent"),
]


@pytest.fixture(scope="module")
def results() -> Any:
    return yaml.safe_load(RESULTS.read_text())


def rates(run: str) -> dict[str, float]:
    """Key of each measured cell -> its rate in the table's unit."""
    found = next(one for one in reference_runs() if one.key == run)
    scale = BITS[found.table.unit]
    return {one.key: round(one.measured.rate / scale, 6) for one in found.cells if one.measured}


@pytest.mark.parametrize(
    ("run", "table"),
    [
        ("cern96/fig3", "fig3_ultranet_tcp_kBps"),
        ("cern96/fig4", "fig4_hippi_tcp_kBps"),
        ("cern96/fig5", "fig5_hippi_rfio_kBps"),
    ],
)
def test_every_cell_of_the_matrices(results: Any, run: str, table: str) -> None:
    printed = {
        f"{buffer * 1024}x{streams}": rate
        for buffer, row in results["cern96"][table].items()
        for streams, rate in row.items()
    }
    assert rates(run) == printed


def test_tables_of_the_tape_server_papers(results: Any) -> None:
    fig7 = results["cern96"]["fig7_tape_server_tcp"]["rows"]
    run = next(one for one in reference_runs() if one.key == "cern96/fig7")
    for row, cell in zip(fig7, run.cells, strict=True):
        assert cell.measured is not None
        assert rates("cern96/fig7")[cell.key] == row["MBps"]
        assert {one.node: round(100 * one.busy, 1) for one in cell.measured.cpu} == row["cpu_pct"]
    fig8 = results["cern96"]["fig8_tape_server_rfio"]["rows"]
    assert rates("cern96/fig8") == {f"{row['buffer_kB']}k": row["MBps"] for row in fig8}
    fig9 = results["cern96"]["fig9_ntp_tape"]
    assert list(rates("cern96/fig9").values()) == [row["MBps"] for row in fig9]


def test_tables_of_the_other_papers(results: Any) -> None:
    anl, casa, fzk = results["anl98"], results["casa"]["tcp"], results["fzk04"]
    both_directions = [row["Mbps"] for row in anl["sp_to_hippi"] if "Mbps" in row]
    both_directions += [row["aggregate"] for row in anl["hippi_to_sp"][:2]]
    assert list(rates("anl98/hippi").values())[:4] == both_directions
    switch = anl["switch_node_to_node"]
    assert rates("anl98/switch") == {"one-way": switch["one_way_Mbps"], "both": switch["bidir_Mbps"]}
    assert rates("anl98/adapter")["five"] == anl["multi_card"]["Mbps"]
    assert rates("casa/open")["open"] == casa["unblocked_Mbps"]
    assert rates("casa/waiting")["waiting"] == casa["h_inf_Mbps"]
    assert rates("casa/dropping")["dropping"] == casa["h_10ms_Mbps"]
    readers = fzk["rfio_ib"]
    assert list(rates("fzk04/readers").values()) == [
        readers["one_reader_MBps"],
        *[readers["saturated_MBps"]] * 2,
    ]
    assert rates("fzk04/mpi")["xeon"] == fzk["mpi"]["xeon"]["peak_MBps"]
    assert rates("cern96/na48")["link"] == results["cern96"]["na48"]["measured_MBps"]


@pytest.mark.parametrize("kind", ["sparse", "uncompressible", "scientific"])
def test_table_of_the_stripe_paper(results: Any, kind: str) -> None:
    printed = [row[kind] for row in results["sdsc01"]["table1_hpss_write_MBps"]]
    assert list(rates(f"sdsc01/{kind}").values()) == printed
