"""PostgreSQL stopped by SIGSTOP for 10 s: connected, and silent."""

from __future__ import annotations

import signal
import threading
import time

from bench.attack.target import Result, Target
from bench.service.calls import Answer, call
from bench.service.processes import DATABASE

HUNG_S = 10.0
HEALTH_GOAL_S = 3.0


def run(target: Target) -> Result:
    """Health must answer in 3 s throughout, and say that the database does not."""
    result, answers = Result(), list[Answer]()
    stopped = threading.Event()

    def ask() -> None:
        while not stopped.is_set():
            answers.append(call(target.web_port, "GET", "/api/v1/health", timeout_s=HUNG_S))
            stopped.wait(0.5)

    asker = threading.Thread(target=ask, daemon=True)
    # The connections of the pool are in use, as in a running service.
    target.service.call("GET", "/api/v1/overview")
    target.service.signal(signal.SIGSTOP, DATABASE)
    began = time.monotonic()
    asker.start()
    try:
        while time.monotonic() < began + HUNG_S:
            result.others.add(target.service.call("GET", "/api/v1/nodes", timeout_s=HUNG_S))
            time.sleep(0.2)
    finally:
        target.service.signal(signal.SIGCONT, DATABASE)
        stopped.set()
    asker.join(2 * HUNG_S)
    slowest = max((answer.took_s for answer in answers), default=HUNG_S)
    honest = [answer for answer in answers if _names_database(answer)]
    result.expect(slowest <= HEALTH_GOAL_S, f"slowest health answer {slowest:.1f} s")
    result.expect(bool(honest), f"{len(honest)} of {len(answers)} health answers name the database")
    return result


def _names_database(answer: Answer) -> bool:
    """Whether the answer names the fault."""
    return answer.status in {200, 503} and b'"database":false' in answer.body.replace(b" ", b"")
