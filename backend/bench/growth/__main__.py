"""`make bench-growth`: what imports, rounds, requests, live clients and plans cost as a site grows.

For each size a process of its own (`size_process.py`) with a private PostgreSQL (durable, as shipped, without
autovacuum) builds a site (`site_blueprint.py`) and measures processor seconds of itself and PostgreSQL. An
exponent is the slope of log cost over log nodes, by least squares: 0 does not grow, 1 grows with the site.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from bench.growth.figures import Sizes, figures, table

BACKEND = Path(__file__).resolve().parents[2]
SIZES = "100,300,1000,3000,10000"
LIMIT_S = 60.0


def main() -> None:
    """Run the benchmark and print its results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default=SIZES, help="numbers of nodes, separated by commas")
    parser.add_argument("--limit", type=float, default=LIMIT_S, help="seconds of one operation")
    options = parser.parse_args()
    found: Sizes = {}
    for size in sorted(int(text) for text in options.sizes.split(",")):
        argv = [sys.executable, "-m", "bench.growth.size_process", str(size), str(options.limit)]
        done = subprocess.run(argv, cwd=BACKEND, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            print(f"{size} nodes: not measured (exit status {done.returncode})")
            break
        found[size] = json.loads(done.stdout.splitlines()[-1])
        for line in table(found):
            print(line)
        print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors", flush=True)
    print("BENCH " + json.dumps({"name": "growth", "figures": figures(found)}))


if __name__ == "__main__":
    main()
