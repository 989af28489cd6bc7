"""`python -m backstay_agent.guard --state DIR`: the guard with minimal imports.

The agent starts it while a change waits, on a host that may be busy: no command-line library, no HTTP.
"""

import argparse
import asyncio
from pathlib import Path

from backstay_agent import logs
from backstay_agent.guard.process import Guard


def main() -> int:
    """Watch until nothing is open; returns 1 if another guard already runs."""
    parser = argparse.ArgumentParser(prog="backstay-agent guard")
    parser.add_argument("--state", type=Path, required=True, help="Folder of the agent's state.")
    state: Path = parser.parse_args().state
    logs.configure()
    return 0 if asyncio.run(Guard(state).run()) else 1


if __name__ == "__main__":
    raise SystemExit(main())
