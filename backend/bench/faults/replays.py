"""R5: each batch three times, in any order, on four connections; the first acknowledgement is cut."""

from __future__ import annotations

import contextlib
import http.client
import random
import socket
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from bench.faults.environment import World
from bench.faults.row import Score
from bench.service.calls import LOOPBACK
from bench.service.ledger import stored_of
from bench.service.sites import PORTS
from bench.site import Json, batch, port_samples

CONNECTIONS, REPLAYS, A_BATCH = 4, 3, 3
ANSWER_S = 30.0
CUT = 0
"""Instead of a status."""


def run(world: World, tries: int) -> Score:
    """`tries` cut acknowledgements; right: the rows of that batch equal what was sent."""
    score, dice = Score(), random.Random(5)  # noqa: S311
    sender = world.hosts[-1]
    first = (time.time_ns() - 3_600_000_000_000) // 1_000_000 * 1_000_000
    batches = [_batch(world, sender.node, first, number) for number in range(tries)]
    sends = [number for number in range(tries) for _ in range(REPLAYS)]
    dice.shuffle(sends)
    # The first sending of each batch is the one whose acknowledgement is cut.
    cut_done: set[int] = set()
    statuses: Counter[int] = Counter()
    lock = threading.Lock()

    def send(number: int) -> None:
        with lock:
            is_cut = number not in cut_done
            cut_done.add(number)
        status = _post(world, sender.identity.authorization, batches[number], is_cut)
        with lock:
            statuses[status] += 1

    with ThreadPoolExecutor(CONNECTIONS) as pool:
        list(pool.map(send, sends))
    stored = stored_of(world.service, sender.site, sender.node)
    for reports in batches:
        counts = [stored.pop((report["at"] // 1000, report["in_octets"][0]), 0) for report in reports]
        score.count(counts == [1] * A_BATCH, f"stored {counts} times")
    if foreign := sum(1 for at_us, _ in stored if at_us >= first // 1000):
        score.count(False, f"{foreign} rows that nobody sent")
    score.remarks.append(f"{len(sends)} requests, {statuses[CUT]} acknowledgements cut; {dict(statuses)}")
    return score


def _batch(world: World, node: str, first: int, number: int) -> list[Json]:
    made = []
    for place in range(A_BATCH):
        at = first + (number * A_BATCH + place) * 1_000_000
        made.append(port_samples(node, PORTS, world.next_seq(), boot=world.boot, at=at))
    return made


def _post(world: World, authorization: str, reports: list[Json], is_cut: bool) -> int:
    """Send until stored; with `is_cut` the response is awaited and thrown away with its connection."""
    body = batch(reports, sent=time.time_ns())
    headers = {"Authorization": authorization, "Content-Encoding": "gzip"}
    for _ in range(200):
        connection = http.client.HTTPConnection(LOOPBACK, world.service.backend.ingest_port, timeout=ANSWER_S)
        with contextlib.suppress(OSError, http.client.HTTPException):
            connection.request("POST", "/api/agent/v1/reports", body, headers)
            if is_cut:
                # "HTTP/1.1 200": the transaction is committed. Nothing more is read.
                first = connection.sock.recv(12, socket.MSG_WAITALL)
                connection.close()
                if first.endswith((b" 200", b" 409")):  # 409: another sending was stored before.
                    return CUT if first.endswith(b" 200") else 409
                time.sleep(0.05)
                continue
            status = connection.getresponse().status
            if status in {200, 409}:
                return status
        connection.close()
        time.sleep(0.05)
    return -1
