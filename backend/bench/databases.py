"""A private PostgreSQL and Redis: unix sockets in a new folder, no system service used.

Used by tests and benchmarks. Both servers are children of the calling process, receive a signal when it dies
(prctl(2), PR_SET_PDEATHSIG), and are stopped by process ID.

Tests start with a migrated database. The migrations run once; `migrated_data` keeps what they made.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import redis

START_TIMEOUT_S = 20.0
STOP_TIMEOUT_S = 20.0
UNSAFE = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
"""For tests only: a crash of the machine loses the data."""
BACKEND = Path(__file__).resolve().parent.parent
MIGRATED = BACKEND.parent / ".backstay" / "migrated"
"""Data folders of PostgreSQL servers with a migrated database, by the hash of what made it."""
MIGRATE_TIMEOUT_S = 500.0
"""On a machine that also runs other tests; 20 s of a processor."""


class CannotStartError(Exception):
    """A server is not installed or did not start; the message names its log."""


@dataclass
class PrivateDatabases:
    """Started by `start`, stopped by `stop`; `environment` is for the backend's settings."""

    folder: Path
    children: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        """The settings of the two servers, and plain HTTP."""
        return {
            "BACKSTAY_DB_HOST": str(self.folder),
            "BACKSTAY_DB_PORT": "5432",
            "BACKSTAY_DB_NAME": "backstay",
            "BACKSTAY_DB_USER": "backstay",
            "BACKSTAY_DB_PASSWORD": "",
            "BACKSTAY_REDIS_URL": f"unix://{self.folder}/redis.sock",
            # Servers that tests and benchmarks start speak plain HTTP on the loopback address.
            "BACKSTAY_HTTPS": "0",
        }

    @property
    def dsn(self) -> str:
        """libpq connection string of the database `backstay`."""
        return f"host={self.folder} port=5432 user=backstay dbname=backstay"

    @property
    def pids(self) -> list[int]:
        """Process ids of the PostgreSQL postmaster and of Redis, in this order."""
        return [child.pid for child in self.children]

    def stop(self) -> None:
        """Stop both and remove the folder."""
        self.stop_servers()
        shutil.rmtree(self.folder, ignore_errors=True)

    def stop_servers(self) -> None:
        """Stop both; the folder stays."""
        for child in self.children:
            child.send_signal(signal.SIGINT)
        for child in self.children:
            try:
                child.wait(STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()


def start(*, durable: bool, options: tuple[str, ...] = (), data: Path | None = None) -> PrivateDatabases:
    """Both servers, ready, with an empty database. `options` are PostgreSQL settings, `name=value`.

    `data`: a folder of `migrated_data`, whose copy is used: the database is migrated.
    """
    databases = PrivateDatabases(Path(tempfile.mkdtemp(prefix="backstay-db-")))
    try:
        _start_postgres(databases, (*(() if durable else UNSAFE), *options), data)
        _start_redis(databases)
    except BaseException:
        databases.stop()
        raise
    return databases


def migrated_data(kept: Path = MIGRATED) -> Path:
    """The data folder of a stopped server whose database `backstay` has every migration.

    Made by the first caller; the others, also in other processes, wait and get the same one.
    Raises CannotStartError if a migration fails.
    """
    kept.mkdir(parents=True, exist_ok=True)
    data = kept / _migrations_hash()
    with (kept / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not data.exists():
            for old in kept.glob("*/"):
                shutil.rmtree(old, ignore_errors=True)
            _migrate_into(data)
    return data


def _migrations_hash() -> str:
    """Of the migrations, of the locked versions of Django and others, and of PostgreSQL's program."""
    files = [*BACKEND.glob("backstay/*/migrations/*.py"), BACKEND / "requirements.lock"]
    found = hashlib.sha256(str(postgres_binaries()).encode())
    for file in sorted(files):
        found.update(f"{file.relative_to(BACKEND)}\0".encode() + file.read_bytes())
    return found.hexdigest()[:20]


def _migrate_into(data: Path) -> None:
    """Run all migrations on a new server, and move its data folder when it has stopped."""
    databases = start(durable=False)
    try:
        environment = {**os.environ, **databases.environment, "BACKSTAY_SECRET_KEYS": uuid.uuid4().hex}
        done = subprocess.run(
            [sys.executable, str(BACKEND / "manage.py"), "migrate", "--no-input", "--verbosity", "0"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=MIGRATE_TIMEOUT_S,
        )
        if done.returncode:
            raise CannotStartError(f"migrate failed: {done.stderr.strip()}")
        databases.stop_servers()
        _copy(databases.folder / "data", data)
    finally:
        databases.stop()


def _copy(source: Path, target: Path) -> None:
    """Copy a data folder with its owner: whole, or not at all."""
    part = target.with_name(f"{target.name}.part")
    subprocess.run(["/bin/cp", "-a", "--reflink=auto", str(source), str(part)], check=True)
    part.rename(target)


def _start_postgres(databases: PrivateDatabases, options: tuple[str, ...], migrated: Path | None) -> None:
    folder, binaries = databases.folder, postgres_binaries()
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root.
        shutil.chown(folder, "postgres", "postgres")
    data, log = folder / "data", folder / "postgres.log"
    if migrated is None:
        _initialize(data)
    else:
        _copy(migrated, data)
    settings = ["listen_addresses=", f"unix_socket_directories={folder}", "port=5432", "max_connections=60"]
    command = [*unprivileged(), str(binaries / "postgres"), "-D", str(data)]
    for setting in (*settings, *options):
        command += ["-c", setting]
    with log.open("wb") as output:
        databases.children.append(subprocess.Popen(command, stdout=output, stderr=output, cwd="/"))
    admin = databases.dsn.replace("dbname=backstay", "dbname=postgres")
    _until(lambda: psycopg.connect(admin).close(), psycopg.OperationalError, f"PostgreSQL, see {log}")
    if migrated is None:
        with psycopg.connect(admin, autocommit=True) as connection:
            connection.execute("CREATE DATABASE backstay")


def _initialize(data: Path) -> None:
    """An empty data folder. Raises CannotStartError."""
    program = str(postgres_binaries() / "initdb")
    initdb = [*unprivileged(), program, "-D", str(data), "-U", "backstay", "-A", "trust"]
    done = subprocess.run(
        [*initdb, "--no-locale", "-E", "UTF8", "-N"], capture_output=True, text=True, check=False, cwd="/"
    )
    if done.returncode:
        raise CannotStartError(f"initdb failed: {done.stderr.strip()}")


def _start_redis(databases: PrivateDatabases) -> None:
    program = shutil.which("redis-server")
    if program is None:
        raise CannotStartError("redis-server is not installed: apt install redis-server")
    socket, log = databases.folder / "redis.sock", databases.folder / "redis.log"
    command = ["setpriv", "--pdeathsig", "TERM", program, "--port", "0", "--unixsocket", str(socket)]
    command += ["--dir", str(databases.folder), "--save", "", "--appendonly", "no"]
    with log.open("wb") as output:
        databases.children.append(subprocess.Popen(command, stdout=output, stderr=output))
    client = redis.Redis(unix_socket_path=str(socket))
    _until(client.ping, redis.RedisError, f"Redis, see {log}")
    client.close()


@dataclass
class PrivateStandby:
    """A streaming standby of a private PostgreSQL; its socket is in `folder`."""

    folder: Path
    options: tuple[str, ...]
    process: subprocess.Popen[bytes]

    @property
    def dsn(self) -> str:
        """libpq connection string of its maintenance database."""
        return f"host={self.folder} port=5432 user=backstay dbname=postgres"

    def run(self, statement: str) -> object:
        """The first value of a statement's result."""
        with psycopg.connect(self.dsn, autocommit=True) as connection:
            row = connection.execute(statement).fetchone()
        return row and row[0]

    def kill(self) -> None:
        """As a lost machine: every process at once."""
        own = self.process.pid
        children = Path(f"/proc/{own}/task/{own}/children").read_text().split()
        # By descriptor: a number may be another process's meanwhile.
        processes = [os.pidfd_open(int(pid)) for pid in children]
        self.process.kill()
        self.process.wait()
        for process in processes:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(process, signal.SIGKILL)
            select.select([process], [], [], STOP_TIMEOUT_S)
            os.close(process)

    def restart(self) -> None:
        """Start it again after `kill`."""
        (self.folder / ".s.PGSQL.5432.lock").unlink(missing_ok=True)
        self.process = _standby_process(self.folder, self.options)


@contextmanager
def standby(primary: Path, *options: str) -> Iterator[PrivateStandby]:
    """A standby of the server whose socket is in `primary`, in sync. `options`: settings, `name=value`."""
    folder = Path(tempfile.mkdtemp(prefix="backstay-standby-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    copy = [*unprivileged(), str(postgres_binaries() / "pg_basebackup"), "-D", str(folder / "data")]
    copy += ["-h", str(primary), "-U", "backstay", "-X", "stream", "-c", "fast", "-R", "-N"]
    running: PrivateStandby | None = None
    try:
        done = subprocess.run(copy, capture_output=True, text=True, check=False, cwd="/")
        if done.returncode:
            raise CannotStartError(f"pg_basebackup failed: {done.stderr.strip()}")
        running = PrivateStandby(folder, options, _standby_process(folder, options))
        yield running
    finally:
        if running is not None:
            running.process.send_signal(signal.SIGCONT)
            running.process.send_signal(signal.SIGQUIT)
            running.process.wait(STOP_TIMEOUT_S)
        shutil.rmtree(folder, ignore_errors=True)


def _standby_process(folder: Path, options: tuple[str, ...]) -> subprocess.Popen[bytes]:
    command = [*unprivileged(), str(postgres_binaries() / "postgres"), "-D", str(folder / "data")]
    sockets = ("listen_addresses=", f"unix_socket_directories={folder}", "port=5432", "max_connections=60")
    for setting in (*sockets, *UNSAFE, *options):
        command += ["-c", setting]
    with (folder / "postgres.log").open("ab") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, cwd="/")
    dsn = f"host={folder} port=5432 user=backstay dbname=postgres"

    def streams() -> None:
        with psycopg.connect(dsn) as connection:
            if connection.execute("SELECT FROM pg_stat_wal_receiver").fetchone() is None:
                raise psycopg.OperationalError("it does not stream")

    _until(streams, psycopg.OperationalError, f"the standby, see {folder}/postgres.log")
    return process


def unprivileged() -> list[str]:
    """A command prefix: as root, run as user `postgres`; end with this process."""
    identity = ["--reuid=postgres", "--regid=postgres", "--init-groups"] if os.geteuid() == 0 else []
    return ["setpriv", *identity, "--pdeathsig", "INT"]


def postgres_binaries() -> Path:
    """The newest of Debian; otherwise the folder of `postgres` on the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    program = found[-1] if found else shutil.which("postgres")
    if program is None:
        raise CannotStartError("PostgreSQL is not installed: apt install postgresql")
    return Path(program).parent


def _until(attempt: Callable[[], object], failure: type[Exception], what: str) -> None:
    """Retry every 20 ms until it succeeds; raises CannotStartError after START_TIMEOUT_S."""
    deadline = time.monotonic() + START_TIMEOUT_S
    while True:
        try:
            attempt()
        except failure as problem:
            if time.monotonic() > deadline:
                raise CannotStartError(f"{what} did not come up: {problem}") from problem
            time.sleep(0.02)
        else:
            return
