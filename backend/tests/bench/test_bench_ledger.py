"""The ledger of the attack and fault benchmarks finds what is late, lost, doubled or altered."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

import pytest

from bench.attack.registry import ATTACKS
from bench.service import ledger
from bench.service.processes import Service

SECOND = 1_000_000


def written(folder: Path, *lines: Iterable[object]) -> Path:
    path = folder / "ledger"
    path.write_text("".join(json.dumps(list(line)) + "\n" for line in lines))
    return path


def line(kind: str, seq: int, when: float) -> list[object]:
    return [kind, "site", "host", seq, seq * SECOND, when]


class Stored:
    """A database with these rows: (seq of the time, value)."""

    def __init__(self, *rows: tuple[int, int]) -> None:
        self._rows = rows

    def rows(self, _: str) -> list[tuple[Any, ...]]:
        return [("site", "host", seq * SECOND, value) for seq, value in self._rows]


def test_waiting_report_counts_with_its_age_at_the_end_of_the_period(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        line("made", 1, 10.0),
        line("acked", 1, 10.5),
        line("made", 2, 12.0),
        line("failed", 503, 13.0),
        line("acked", 2, 40.0),
        line("made", 3, 25.0),
    )
    found = ledger.period(path, 10.0, 20.0)
    assert found.latencies_s == [0.5, 8.0]
    assert (found.waiting, dict(found.failures)) == (1, {503: 1})
    assert found.quantile(0.99) == 8.0


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ([(1, 1), (2, 2)], ""),
        ([(1, 1)], "lost"),
        ([(1, 1), (1, 1), (2, 2)], "doubled"),
        ([(1, 1), (2, 7)], "altered"),
        ([(1, 1), (2, 2), (9, 9)], "foreign"),
        ([(1, 1), (2, 2), (3, 3)], ""),
    ],
)
def test_comparison_names_what_differs(tmp_path: Path, rows: list[tuple[int, int]], fault: str) -> None:
    """The third report was sent and not acknowledged: it may be stored or not."""
    lines = [line("made", seq, 1.0) for seq in (1, 2, 3)] + [line("acked", seq, 2.0) for seq in (1, 2)]
    found = ledger.compare(written(tmp_path, *lines), cast(Service, Stored(*rows)))
    assert found.is_right == (not fault)
    assert all(getattr(found, name) == (name == fault) for name in ("lost", "doubled", "altered", "foreign"))


def test_every_attack_has_its_own_name() -> None:
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS)
