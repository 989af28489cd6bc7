"""What postgres_fdw does with samples whose hash partitions are on other servers (docs/decisions/0025).

Three private PostgreSQL servers. The first has the day's partition, divided by hash of the node: one part of
its own and one on each of the others. `make bench-stores` prints what is measured.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import psycopg

from bench import databases
from bench.databases import PrivateDatabases

NODES, PORTS = 600, 48
COLUMNS = "node_id bigint NOT NULL, ts timestamptz NOT NULL, in_octets bigint[], out_octets bigint[]"
LEDGER = "CREATE TABLE ledger (agent int PRIMARY KEY, seqs int8multirange NOT NULL)"
Connection = psycopg.Connection[tuple[object, ...]]


@contextmanager
def servers(count: int) -> Iterator[list[PrivateDatabases]]:
    """Private servers with durable commits."""
    started: list[PrivateDatabases] = []
    try:
        while len(started) < count:
            started.append(databases.start(durable=True, options=("max_prepared_transactions=10",)))
        yield started
    finally:
        for server in started:
            server.stop()


def create(first: Connection, others: list[PrivateDatabases], batch_size: int = 100) -> None:
    """The partitioned table; part 0 is local."""
    first.execute(f"CREATE TABLE samples ({COLUMNS}) PARTITION BY RANGE (ts)")
    first.execute(
        "CREATE TABLE samples_day PARTITION OF samples FOR VALUES FROM ('2026-11-27') TO ('2026-11-28')"
        " PARTITION BY HASH (node_id)"
    )
    parts = len(others) + 1
    part = "PARTITION OF samples_day FOR VALUES WITH (MODULUS {}, REMAINDER {})"
    first.execute(f"CREATE TABLE samples_0 {part.format(parts, 0)}")
    first.execute("CREATE INDEX ON samples_0 (node_id, ts)")
    first.execute("CREATE EXTENSION postgres_fdw")
    for number, other in enumerate(others, 1):
        with psycopg.connect(other.dsn, autocommit=True) as remote:
            remote.execute(f"CREATE TABLE samples_{number} ({COLUMNS})")
            remote.execute(f"CREATE INDEX ON samples_{number} (node_id, ts)")
        options = f"host '{other.folder}', port '5432', dbname 'backstay', batch_size '{batch_size}'"
        first.execute(f"CREATE SERVER store{number} FOREIGN DATA WRAPPER postgres_fdw OPTIONS ({options})")
        first.execute(f"CREATE USER MAPPING FOR CURRENT_USER SERVER store{number} OPTIONS (user 'backstay')")
        first.execute(
            f"CREATE FOREIGN TABLE samples_{number} {part.format(parts, number)} SERVER store{number}"
        )
    first.execute("CREATE TABLE newest (node_id bigint PRIMARY KEY, ts timestamptz NOT NULL)")
    first.execute(LEDGER)
    first.execute("ANALYZE")


def copy(first: Connection, at: str, table: str = "samples", nodes: Iterable[int] = range(NODES)) -> float:
    """Seconds of one COPY of a row for each node."""
    array = "{" + ",".join(str(1_000_000 + port) for port in range(PORTS)) + "}"
    began = time.monotonic()
    with first.cursor().copy(f"COPY {table} FROM STDIN") as stream:
        for node in nodes:
            stream.write_row((node, at, array, array))
    return time.monotonic() - began


def calls_of(server: PrivateDatabases) -> int:
    """Statements in the server's log."""
    return (server.folder / "postgres.log").read_text().count("INSERT INTO")


def measure_copy(first: Connection, others: list[PrivateDatabases]) -> None:
    """COPY into all parts, and into the local table alone."""
    for other in others:
        with psycopg.connect(other.dsn, autocommit=True) as remote:
            remote.execute("ALTER SYSTEM SET log_statement = 'mod'")
            remote.execute("SELECT pg_reload_conf()")
    first.execute(f"CREATE TABLE plain ({COLUMNS})")
    first.execute("CREATE INDEX ON plain (node_id, ts)")
    local = sorted(copy(first, f"2026-11-27 0{hour}:00Z", "plain") for hour in range(5))[2]
    spread = sorted(copy(first, f"2026-11-27 0{hour}:00Z") for hour in range(5))[2]
    calls = sum(map(calls_of, others)) / 5
    rows = sum(count(other, number) for number, other in enumerate(others, 1)) / 5
    print(f"COPY of {NODES} rows of {PORTS} ports, median of 5: local {local * 1000:.0f} ms,")
    print(
        f"  two of three parts foreign {spread * 1000:.0f} ms; {rows:.0f} foreign rows in {calls:.0f} INSERTs"
    )


def count(server: PrivateDatabases, number: int) -> int:
    """Rows of a remote part."""
    with psycopg.connect(server.dsn) as remote:
        row = remote.execute(f"SELECT count(*) FROM samples_{number}").fetchone()  # noqa: S608
    assert row is not None
    return int(row[0])


def measure_newest(first: Connection) -> None:
    """The query of the view telemetry_latest, over local and over spread samples."""
    at = "2026-11-27 12:00Z"
    copy(first, at)
    copy(first, at, "plain")
    first.execute("INSERT INTO newest SELECT n, %s FROM generate_series(0, %s) AS n", [at, NODES - 1])
    first.execute("ANALYZE")
    for table in ("plain", "samples"):
        query = (
            f"SELECT count(x.in_octets) FROM newest p CROSS JOIN LATERAL (SELECT s.in_octets FROM {table} s"  # noqa: S608
            " WHERE s.node_id = p.node_id AND s.ts = p.ts LIMIT 1) x"
        )
        began = time.monotonic()
        row = first.execute(query).fetchone()
        took = time.monotonic() - began
        print(f"newest sample of each of {NODES} nodes from {table}: {took * 1000:.0f} ms, {row}")


def group(first: Connection, at: str, nodes: Iterable[int]) -> None:
    """A group of reports: their samples and, in the same transaction, the ledger of what is stored."""
    with first.transaction():
        first.execute("INSERT INTO ledger VALUES (1, '{[1,2)}')")
        copy(first, at, nodes=nodes)


def nodes_of(first: Connection, number: int) -> list[int]:
    """Nodes whose samples are in this part of three."""
    rows = first.execute(
        "SELECT n FROM generate_series(0, %s) AS n"
        " WHERE satisfies_hash_partition('samples_day'::regclass, 3, %s, n::bigint)",
        [NODES - 1, number],
    )
    return [int(str(row[0])) for row in rows]


def measure_lost_server(first: Connection, others: list[PrivateDatabases]) -> None:
    """The second server is killed after the group's COPY and before its COMMIT; then agents send again."""
    at = "2026-11-27 20:00Z"
    copy(first, "2026-11-27 19:00Z")
    try:
        with first.transaction():
            first.execute("INSERT INTO ledger VALUES (1, '{[1,2)}')")
            copy(first, at)
            others[1].children[0].kill()
            others[1].children[0].wait()
    except psycopg.Error as problem:
        print(f"server 2 killed before COMMIT: {str(problem).splitlines()[0]}")
    row = first.execute("SELECT count(*) FROM ledger").fetchone()
    print(f"  entries of the ledger: {row}; rows that server 1 has committed: {rows_at(others[0], at)[0]}")
    group(first, at, nodes_of(first, 1))
    print(f"  sent again by the agents of server 1: rows, nodes: {rows_at(others[0], at)}")
    for what, nodes in (("a node of the local part", nodes_of(first, 0)[:1]), ("all nodes", range(NODES))):
        try:
            first.execute("SELECT count(*) FROM samples WHERE node_id = ANY (%s)", [list(nodes)])
            print(f"  read of {what}: works")
        except psycopg.Error as problem:
            print(f"  read of {what}: {str(problem).splitlines()[0]}")


def measure_prepared(first: Connection) -> None:
    """Whether the transaction can be the first phase of a two-phase commit."""
    try:
        with first.transaction():
            copy(first, "2026-11-27 18:00Z")
            first.execute("PREPARE TRANSACTION 'group'")
    except psycopg.Error as problem:
        print(f"PREPARE TRANSACTION: {str(problem).splitlines()[0]}")


def rows_at(server: PrivateDatabases, at: str) -> tuple[object, ...]:
    """Rows of one time in the part of server 1, and their nodes."""
    with psycopg.connect(server.dsn) as remote:
        query = "SELECT count(*), count(DISTINCT node_id) FROM samples_1 WHERE ts = %s"
        row = remote.execute(query, [at]).fetchone()
    assert row is not None
    return row


def main() -> None:
    """Every measurement, on servers of its own where one is killed."""
    with servers(3) as (own, *others), psycopg.connect(own.dsn, autocommit=True) as first:
        create(first, others)
        measure_copy(first, others)
        measure_newest(first)
        measure_prepared(first)
    with servers(3) as (own, *others), psycopg.connect(own.dsn, autocommit=True) as first:
        create(first, others)
        measure_lost_server(first, others)


if __name__ == "__main__":
    main()
