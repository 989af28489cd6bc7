"""`python -m backstay_bench.verdicts OUT` (as root): measures every fault of the table by real agents.

OUT becomes a JSON list: settings, the site file's declaration and the agents' reports.
`backend/bench/verdicts.py` reads the file and computes the verdicts. Exits 0 when every fault could be
measured.
"""

import argparse
import json
import signal
import sys
import tempfile
import time
from pathlib import Path

from backstay_bench.verdicts.fault import Fault
from backstay_bench.verdicts.machine import go_first
from backstay_bench.verdicts.measure import measure
from backstay_bench.verdicts.nodes import HOSTS, nodes
from backstay_bench.verdicts.processors import hosts
from backstay_bench.verdicts.table import faults
from backstay_bench.verdicts.wires import wires


def run(chosen: list[Fault], out: Path) -> None:
    """Measure the faults in sequence; the file always contains the finished ones."""
    done, began = [], time.monotonic()
    with tempfile.TemporaryDirectory(prefix="backstay-bench-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        with hosts(HOSTS, folder) as views, wires(views) as lab, nodes(lab, folder) as agents:
            for number, fault in enumerate(chosen, 1):
                done.append(measure(fault, lab, agents))
                out.write_text(json.dumps(done))
                progress = f"{number} of {len(chosen)}, {time.monotonic() - began:.0f} s: {fault.name}"
                print(progress, file=sys.stderr, flush=True)


def main() -> int:
    """See the module."""
    parser = argparse.ArgumentParser(prog="python -m backstay_bench.verdicts")
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", default="", help="only these kinds or names, separated by commas")
    arguments = parser.parse_args()
    chosen = faults(arguments.only)
    if not chosen:
        parser.error(f"no fault is named {arguments.only}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that everything is removed
    go_first()
    run(chosen, arguments.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
