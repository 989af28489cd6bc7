"""60 parallel sign-ins with wrong passwords while the administrator signs in and reads pages."""

from __future__ import annotations

import json
import threading
import time

from bench.attack.target import Result, Target, in_parallel
from bench.service.calls import Answer, bearer, call

PARALLEL = 60
SIGN_IN_S, PAGE_S = 5.0, 2.0
"""The administrator's own limits: more is an outage to a person."""
PAGES = ("overview", "nodes", "incidents")


def run(target: Target) -> Result:
    """Wrong passwords for the administrator's own name and for unknown ones."""
    result, reads = Result(), list[float]()
    signed_in: list[Answer] = []
    stopped = threading.Event()

    def person() -> None:
        while not stopped.is_set():
            signed_in.append(result.others.add(_sign_in(target, *target.service.user)))
            for page in PAGES:
                headers = bearer(target.service.token)
                answer = call(target.web_port, "GET", f"/api/v1/{page}", None, headers, timeout_s=30)
                reads.append(result.others.add(answer).took_s)
            stopped.wait(0.5)

    reader = threading.Thread(target=person, daemon=True)
    reader.start()
    name = target.service.user[0]

    def guess(number: int) -> None:
        user = name if number % 2 else f"nobody{number}-{time.monotonic_ns() % 1000}"
        answer = _sign_in(target, user, f"wrong {time.monotonic_ns()}", origin=f"127.0.1.{number + 1}")
        result.attacker.add(answer)
        if answer.status == 429:
            time.sleep(0.05)

    in_parallel(PARALLEL, target.seconds, guess)
    stopped.set()
    reader.join(60)
    good = [answer for answer in signed_in if answer.status == 200]
    result.expect(
        len(good) == len(signed_in),
        f"administrator signed in {len(good)} of {len(signed_in)} times",
    )
    slowest = max((answer.took_s for answer in signed_in), default=0.0)
    result.expect(slowest <= SIGN_IN_S, f"slowest sign-in {slowest:.1f} s")
    result.expect(max(reads, default=0.0) <= PAGE_S, f"slowest page {max(reads, default=0.0):.1f} s")
    return result


def _sign_in(target: Target, user: str, password: str, origin: str = "") -> Answer:
    body = json.dumps({"username": user, "password": password}).encode()
    headers = {"Content-Type": "application/json"}
    return call(
        target.web_port, "POST", "/api/v1/session", body, headers, timeout_s=30, source=origin or None
    )
