"""PostgreSQL with standbys, PgBouncer, Redis and Sentinel on the machines, by the files of deploy/hosts."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import psycopg

from bench.databases import postgres_binaries
from bench.hosts.machines import Machine

BACKEND = Path(__file__).resolve().parents[2]
RECIPE = BACKEND / "deploy/hosts"
POSTGRES = ("setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups")
UP_S = 60.0


def until(condition: Callable[[], bool], what: str, seconds: float = UP_S) -> float:
    """Wait; the seconds it took. Raises TimeoutError."""
    began = time.monotonic()
    while not condition():
        if time.monotonic() > began + seconds:
            raise TimeoutError(f"{what} after {seconds:g} s")
        time.sleep(0.05)
    return time.monotonic() - began


class Stores:
    """A PostgreSQL with its PgBouncer, a Redis and a Sentinel on each machine; the first has the masters."""

    def __init__(self, machines: Sequence[Machine], password: str) -> None:
        self._machines, self._password = machines, password
        self._bin = postgres_binaries()
        self.names = {machine.name: f"db{number}" for number, machine in enumerate(machines, 1)}
        self.addresses = ",".join(machine.address for machine in machines)

    def dsn(self, user: str = "backstay_owner", host: str = "", session: str = "read-write") -> str:
        """Of a direct connection to the server that accepts writes, or to `host`."""
        return (
            f"host={host or self.addresses} port=5432 dbname=backstay user={user} password={self._password}"
            f" connect_timeout=3 target_session_attrs={session}"
        )

    def create(self) -> None:
        """All of them, with an empty database and its roles."""
        first, *others = self._machines
        for machine in self._machines:
            self._prepare(machine)
        self._postgres(first, "initdb", "-A", "peer", "--no-locale", "-E", "UTF8", "-N")
        self._configure(first)
        self.start_postgres(first)
        self._create_database(first)
        for machine in others:
            self._copy(first, machine)
            self.start_postgres(machine)
        for machine in self._machines:
            self.start_pgbouncer(machine)
            self.start_redis(machine, first)
            self.start_sentinel(machine)

    def _prepare(self, machine: Machine) -> None:
        for place in ("data", "sockets"):
            (machine.folder / place).mkdir(mode=0o700)
            shutil.chown(machine.folder / place, "postgres", "postgres")
        passfile = machine.folder / "pgpass"
        passfile.write_text(f"*:*:*:*:{self._password}\n")
        passfile.chmod(0o600)
        shutil.chown(passfile, "postgres", "postgres")
        users = machine.bind("/etc/pgbouncer") / "userlist.txt"
        users.write_text(f'"backstay_app" "{self._password}"\n')
        users.chmod(0o600)
        shutil.chown(users, "postgres", "postgres")
        for name in ("redis", "sentinel"):
            text = (RECIPE / f"{name}.conf").read_text()
            (machine.folder / f"{name}.conf").write_text(text.replace("PASSWORD", self._password))

    def _environment(self, machine: Machine) -> dict[str, str]:
        return {"PGPASSFILE": str(machine.folder / "pgpass"), "PGHOST": str(machine.folder / "sockets")}

    def _postgres(self, machine: Machine, program: str, *arguments: str) -> str:
        command = (str(self._bin / program), "-D", str(machine.folder / "data"), *arguments)
        return machine.run(*POSTGRES, *command, environment=self._environment(machine))

    def _configure(self, machine: Machine) -> None:
        data = machine.folder / "data"
        (data / "backstay.conf").write_text((RECIPE / "postgresql.conf").read_text())
        (data / "pg_hba.conf").write_text((RECIPE / "pg_hba.conf").read_text())
        with (data / "postgresql.conf").open("a") as file:
            file.write("include 'backstay.conf'\n")

    def _create_database(self, machine: Machine) -> None:
        # The standbys do not exist yet.
        alone = {"PGOPTIONS": "-c synchronous_commit=local"}
        role = f"CREATE ROLE replicator LOGIN REPLICATION PASSWORD '{self._password}'"
        self.psql(machine, "postgres", "-c", "CREATE DATABASE backstay", "-c", role, **alone)
        passwords = {"BACKSTAY_DB_OWNER_PASSWORD": self._password, "BACKSTAY_DB_PASSWORD": self._password}
        self.psql(machine, "backstay", "-f", str(BACKEND / "deploy/roles.sql"), **passwords, **alone)

    def psql(self, machine: Machine, database: str, *arguments: str, **environment: str) -> str:
        """Run psql(1) as superuser; its output."""
        command = (*POSTGRES, "psql", "-XqAt", "-d", database, *arguments)
        return machine.run(*command, environment=self._environment(machine) | environment)

    def _copy(self, primary: Machine, machine: Machine) -> None:
        source = f"host={primary.address} user=replicator"
        self._postgres(machine, "pg_basebackup", "-d", source, "-X", "stream", "-c", "fast")
        (machine.folder / "data/standby.signal").touch()

    def start_postgres(self, machine: Machine) -> None:
        """As primary or as standby, and wait until it answers."""
        settings = (
            f"cluster_name={self.names[machine.name]}",
            f"unix_socket_directories={machine.folder}/sockets",
        )
        options = [part for setting in settings for part in ("-c", setting)]
        program = (str(self._bin / "postgres"), "-D", str(machine.folder / "data"), *options)
        machine.start("postgres", *POSTGRES, *program, environment=self._environment(machine), cwd=Path("/"))
        until(lambda: self.answers(machine), f"PostgreSQL of {machine.name} does not answer")

    def answers(self, machine: Machine) -> bool:
        """Whether its PostgreSQL does."""
        try:
            return bool(self.psql(machine, "postgres", "-c", "SELECT 1"))
        except RuntimeError:
            return False

    def start_pgbouncer(self, machine: Machine) -> None:
        """In front of the PostgreSQL of its machine."""
        machine.start("pgbouncer", *POSTGRES, "pgbouncer", str(RECIPE / "pgbouncer.ini"), cwd=Path("/"))

    def start_redis(self, machine: Machine, master: Machine | None = None) -> None:
        """`master`: of the first start; afterwards Sentinel has written it into the file."""
        follow = ("--replicaof", master.address, "6379") if master not in (None, machine) else ()
        file = str(machine.folder / "redis.conf")
        machine.start("redis", "redis-server", file, *follow, cwd=machine.folder)

    def start_sentinel(self, machine: Machine) -> None:
        """With the file that it has written."""
        machine.start("sentinel", "redis-sentinel", str(machine.folder / "sentinel.conf"), cwd=machine.folder)

    def wait_in_sync(self) -> None:
        """Until both standbys stream, and Redis has two replicas."""
        count = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"
        until(lambda: self.psql(self._machines[0], "postgres", "-c", count).strip() == "2", "no standbys")
        until(lambda: len(self.replicas()) == 2, "Redis has not two replicas")

    def replicas(self) -> list[str]:
        """Lines of INFO about replicas that are online, from the master."""
        info = self.redis(self.redis_master(), "INFO", "replication")
        return [line for line in info.splitlines() if "state=online" in line]

    def redis(self, machine: Machine, *command: str, port: int = 6379) -> str:
        """A command for its Redis or its Sentinel."""
        secret = {"REDISCLI_AUTH": self._password}
        return machine.run("redis-cli", "-p", str(port), *command, environment=secret)

    def redis_master(self) -> Machine:
        """As a living Sentinel sees it."""
        asked = next(machine for machine in self._machines if "sentinel" in machine.programs)
        address = self.redis(asked, "SENTINEL", "get-master-addr-by-name", "backstay", port=26379).split()[0]
        return next(machine for machine in self._machines if machine.address == address)

    def promote_best(self) -> Machine:
        """What an operator does when the primary is lost: promote the standby that has received most."""
        alive = [machine for machine in self._machines if "postgres" in machine.programs]
        received = "SELECT pg_last_wal_receive_lsn() - '0/0'::pg_lsn"
        best = max(alive, key=lambda machine: int(self.psql(machine, "postgres", "-c", received)))
        self.psql(best, "postgres", "-c", "SELECT pg_promote()")
        return best

    def rejoin(self, machine: Machine, primary: Machine) -> None:
        """A former primary returns as a standby, as a new copy."""
        shutil.rmtree(machine.folder / "data")
        (machine.folder / "data").mkdir(mode=0o700)
        shutil.chown(machine.folder / "data", "postgres", "postgres")
        self._copy(primary, machine)
        self.start_postgres(machine)

    def connect(self) -> psycopg.Connection[tuple[object, ...]]:
        """To the server that accepts writes, as owner."""
        return psycopg.connect(self.dsn(), autocommit=True)
