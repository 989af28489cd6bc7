"""`make papers`: the papers' rows, their conclusions, our verdicts, and a BENCH line."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from textwrap import wrap

from backstay.throughput.papers.load import reference_runs
from backstay.throughput.papers.report import Agreement, agreements

_WIDTH = 112


def main() -> int:
    """Print the rows; 0 if they could be judged."""
    rows = agreements()
    figure = ""
    for row in rows:
        if (heading := f"{row.run}, {row.figure}") != figure:
            figure = heading
            print(f"\n{heading}: {_about(row.run)}")
        _print(row)
    agreed = sum(row.agrees for row in rows)
    print(f"\n{agreed} of {len(rows)} rows agree with their paper.")
    print("BENCH " + json.dumps({"name": "papers", "figures": _figures(rows, agreed)}))
    return 0


def _print(row: Agreement) -> None:
    sure = f" ({row.confidence})" if row.confidence else ""
    print(f"  {'agrees  ' if row.agrees else 'DIFFERS '}  {row.row}")
    print(f"            paper: {row.paper}  [{row.expected}]")
    lines = wrap(f"{row.verdict}{sure}: {row.sentence}", _WIDTH - 19)
    print("            ours:  " + ("\n" + " " * 19).join(lines))
    if row.why_not:
        print(f"            differs by: {row.why_not}")


def _about(key: str) -> str:
    return next(run.table.about for run in reference_runs() if run.key == key)


def _figures(rows: Sequence[Agreement], agreed: int) -> dict[str, object]:
    cells = sum(len(run.cells) for run in reference_runs())
    wrong = sum(not row.agrees and row.confidence == "high" for row in rows)
    return {
        "rows_agreed": {"ours": agreed, "goal": len(rows), "unit": "rows", "met": agreed == len(rows)},
        "confidently_wrong": {"ours": wrong, "goal": 0, "unit": "rows", "met": wrong == 0},
        "cells_judged": {"ours": cells, "unit": "cells"},
    }


if __name__ == "__main__":
    sys.exit(main())
