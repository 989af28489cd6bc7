"""Concurrent and repeated requests in any order: exactly the acknowledged reports are stored."""

from __future__ import annotations

import random
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from backstay.intake.site_files import import_text
from backstay.telemetry.ingest import store
from backstay.telemetry.ingest.store import multirange
from bench.agent_requests import enrolled, rejections, rows, send, value
from bench.site import AgentIdentity, batch, port_samples, switch_site

PORTS = ["Ethernet1/1"]
SECOND = 10**9


@pytest.fixture
def identity(transactional_db: None) -> Iterator[AgentIdentity]:
    """The agent of mgmt0, which polls sw000 and sw001; samples have no model, so they are deleted here."""
    _empty()
    import_text(switch_site("lab", devices=2, ports=1, agents=1), "lab.yaml", timezone.now())
    yield enrolled(Client(), "lab", "mgmt0")
    _empty()


def _empty() -> None:
    rows("WITH gone AS (DELETE FROM telemetry_samples RETURNING 1) SELECT count(*) FROM gone")
    rows("WITH gone AS (DELETE FROM telemetry_newest RETURNING 1) SELECT count(*) FROM gone")


def stored() -> list[int]:
    """Sequence numbers in the sample table: each report has its own number as its counter."""
    return sorted(seq for (seq,) in rows("SELECT in_octets[1] FROM telemetry_samples"))


def taken(client: Client, identity: AgentIdentity, text: bytes) -> Any:
    """The reply to a request that is repeated while others of the agent are being stored (429)."""
    while (reply := send(client, identity, text)).status_code == 429:
        assert reply["Retry-After"]
        time.sleep(0.05)
    return reply


def test_report_sent_on_eight_connections_is_stored_once(identity: AgentIdentity) -> None:
    now, boot = time.time_ns(), uuid.uuid4()
    text = batch([port_samples("sw000", PORTS, seq, boot=boot, at=now) for seq in range(1, 11)], sent=now)
    start, outcomes = threading.Barrier(8), []

    def attempt() -> None:
        client = Client()
        start.wait()
        reply = taken(client, identity, text)
        outcomes.append((reply.status_code, reply.json()["stored"]))
        connection.close()

    threads = [threading.Thread(target=attempt) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == [(200, 10)] + [(409, 0)] * 7
    assert stored() == list(range(1, 11))


@pytest.mark.parametrize("seed", range(4))
def test_rows_equal_the_ledger_after_shuffled_replays(identity: AgentIdentity, seed: int) -> None:
    dice, boots = random.Random(seed), [uuid.uuid4(), uuid.uuid4()]
    now = time.time_ns()
    reports = [
        port_samples(f"sw00{seq % 2}", PORTS, seq, boot=boots[seq % 3 == 0], at=now - seq * SECOND)
        for seq in range(1, 61)
    ]
    pieces = []
    for _ in range(24):
        first = dice.randrange(60)
        pieces.append(reports[first : first + dice.randint(1, 20)])
    pieces.append(reports)
    acknowledged: set[int] = set()
    lock = threading.Lock()

    def sender(share: list[list[dict[str, object]]]) -> None:
        client = Client()
        for piece in share:
            reply = taken(client, identity, batch(piece, sent=now))
            refused = {index for index, code in rejections(reply) if code == "duplicate"}
            assert reply.status_code in {200, 409}
            with lock:
                for index, report in enumerate(piece):
                    seq = report["seq"]
                    assert isinstance(seq, int)
                    if index not in refused:
                        assert seq not in acknowledged, "acknowledged as new twice"
                        acknowledged.add(seq)
        connection.close()

    threads = [threading.Thread(target=sender, args=(pieces[at::4],)) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert acknowledged == set(range(1, 61))
    assert stored() == list(range(1, 61))
    for at, boot in enumerate(boots):
        seqs = [seq for seq in range(1, 61) if (seq % 3 == 0) == at]
        ledger = value("SELECT seqs::text FROM telemetry_reportledger WHERE boot = %s", str(boot))
        assert ledger == multirange(seqs)


def test_lost_database_connection_is_retried(
    identity: AgentIdentity, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time_ns()
    failures: list[None] = []
    finish = store.finish

    def dying(ends: Sequence[store.Finish]) -> object:
        if not failures:
            failures.append(None)
            store.query("SELECT pg_terminate_backend(pg_backend_pid())", [])
        return finish(ends)

    monkeypatch.setattr(store, "finish", dying)
    reports = [port_samples("sw000", PORTS, seq, boot=uuid.uuid4(), at=now) for seq in (1, 2)]
    reply = send(Client(), identity, batch(reports, sent=now))
    assert (reply.status_code, len(failures)) == (200, 1)
    assert stored() == [1, 2]


def test_agent_is_asked_to_retry_while_the_database_is_unavailable(
    identity: AgentIdentity, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dying(ends: Sequence[store.Finish]) -> object:
        return store.query("SELECT pg_terminate_backend(pg_backend_pid())", [])

    now = time.time_ns()
    text = batch([port_samples("sw000", PORTS, 1, boot=uuid.uuid4(), at=now)], sent=now)
    with monkeypatch.context() as away:
        away.setattr(store, "finish", dying)
        reply = send(Client(), identity, text)
    assert (reply.status_code, reply["Retry-After"], stored()) == (503, "2", [])
    assert send(Client(), identity, text).status_code == 200


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ([], "{}"),
        ([5], "{[5,6)}"),
        ([1, 2, 3, 7], "{[1,4),[7,8)}"),
        ([3, 1, 2, 2], "{[1,4)}"),
        ([1, 3, 5], "{[1,2),[3,4),[5,6)}"),
    ],
)
def test_consecutive_numbers_become_ranges(numbers: list[int], text: str) -> None:
    assert multirange(numbers) == text
