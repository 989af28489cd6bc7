"""`python -m bench.growth.size_process SIZE LIMIT`: builds one site in a database of its own and measures it.

Prints one line of JSON. A process for each size: no cache and no table of another size has a part in it.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import uuid
from typing import Any

from bench import databases

Figures = dict[str, dict[str, Any]]


def main() -> None:
    """Measure one size."""
    parser = argparse.ArgumentParser()
    parser.add_argument("size", type=int)
    parser.add_argument("limit_s", type=float)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # The servers are stopped in any case.
    stores = databases.start(durable=True, options=("autovacuum=off",))
    try:
        os.environ |= stores.environment | {
            "BACKSTAY_SECRET_KEYS": uuid.uuid4().hex,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "BACKSTAY_ALLOWED_HOSTS": "testserver",  # The name that Django's test clients use.
            "BACKSTAY_LOG_LEVEL": "ERROR",
            "BACKSTAY_LIVE_STREAMS_PER_USER": "500",
        }
        figures = _run(stores.pids[0], options.size, options.limit_s)
    finally:
        stores.stop()
    print(json.dumps(figures))


def _run(postgres: int, size: int, limit_s: float) -> Figures:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    from bench.growth.measure import Measurement

    return Measurement(size, postgres, limit_s).run()


if __name__ == "__main__":
    main()
