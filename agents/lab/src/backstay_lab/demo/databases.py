"""A private PostgreSQL and Redis: Debian's programs, our folders, unix sockets, no system service.

PostgreSQL refuses to run as root, so root runs both as its package's `postgres` account. Durability stays
on: the demo keeps its data, and acknowledgements must be durable.
"""

from __future__ import annotations

import os
import pwd
import re
import shutil
import socket
import tempfile
from dataclasses import dataclass
from pathlib import Path

from backstay_lab.demo.children import Program
from backstay_lab.demo.credentials import Credentials
from backstay_lab.demo.errors import DemoError
from backstay_lab.demo.files import write_private
from backstay_lab.demo.layout import Layout, closed_parent, fits_socket

OLDEST = 15
PORT = 5432
"""Part of the socket's name only; nothing listens on TCP."""
BINARIES = Path("/usr/lib/postgresql")
NAME = USER = "backstay"
"""The database, and the cluster's superuser, which only sets up the two roles below."""
OWNER, APPLICATION = "backstay_owner", "backstay_app"
"""Roles of backend/deploy/roles.sql."""
# One machine, eleven agents, a few people: small buffers, few connections. The rest is PostgreSQL's default.
CONFIGURATION = """
listen_addresses = ''
port = {port}
max_connections = 80
shared_buffers = 64MB
max_wal_size = 256MB
log_line_prefix = '%m %p '
"""


@dataclass(frozen=True, slots=True)
class Databases:
    """Their folders and account (empty: the current user)."""

    programs: Path
    data: Path
    sockets: Path
    user: str

    @property
    def redis_socket(self) -> Path:
        return self.sockets / "redis.sock"

    def owner(self) -> tuple[int, int]:
        """(uid, gid) of the account they run as."""
        account = pwd.getpwnam(self.user) if self.user else pwd.getpwuid(os.getuid())
        return account.pw_uid, account.pw_gid


def choose_version(available: list[int], made_by: int | None) -> int:
    """The major version to run: the one of the data, else the newest; DemoError when it is missing."""
    if made_by is not None and made_by not in available:
        raise DemoError(
            f"The data folder belongs to PostgreSQL {made_by}, which is no longer installed. Install it,"
            " or delete the data folder (its history is lost)."
        )
    usable = [version for version in available if version >= OLDEST]
    if not usable:
        raise DemoError(f"No PostgreSQL {OLDEST} or newer. Install it: apt-get install postgresql")
    return made_by or max(usable)


def installed() -> list[int]:
    """Installed major versions."""
    found = (re.fullmatch(r"(\d+)", folder.parent.parent.name) for folder in BINARIES.glob("*/bin/initdb"))
    return sorted(int(match[1]) for match in found if match)


def plan(layout: Layout, remark: list[str]) -> Databases:
    """Choose the databases' folders; deviations are added to `remark`."""
    user = "postgres" if os.getuid() == 0 else ""
    data = layout.data / "postgres"
    if user and (closed := closed_parent(data)):
        data = Path("/var/tmp") / f"backstay-{layout.id}" / "postgres"  # noqa: S108  # made below, mode 700
        remark.append(f"{closed} is closed to the postgres account, so the database is in {data.parent}")
    version_file = data / "PG_VERSION"
    made_by = int(version_file.read_text()) if version_file.exists() else None
    version = choose_version(installed(), made_by)
    sockets = data.parent / "sockets"
    if not fits_socket(sockets):
        sockets = Path(tempfile.mkdtemp(prefix="backstay-"))
        remark.append(f"{data.parent} is too deep for sockets, so they are in {sockets}")
    return Databases(BINARIES / str(version) / "bin", data, sockets, user)


def prepare(databases: Databases) -> bool:
    """Create the folders; whether a cluster must be created."""
    uid, gid = databases.owner()
    for folder in (databases.data.parent, databases.sockets):
        folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    os.chown(databases.sockets, uid, gid)
    databases.sockets.chmod(0o700)
    return not databases.data.exists()


def initdb(databases: Databases, password: str, log: Path) -> Program:
    """The command that creates a cluster under a temporary name, so that an interrupted one is not used."""
    uid, gid = databases.owner()
    fresh = fresh_folder(databases)
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(mode=0o700)
    os.chown(fresh, uid, gid)
    # In the sockets' folder, which belongs to the database account.
    password_file = databases.sockets / "password"
    write_private(password_file, password)
    os.chown(password_file, uid, gid)
    argv = [str(databases.programs / "initdb"), "-D", str(fresh), "-U", USER, "-E", "UTF8", "--no-locale"]
    argv += ["-A", "scram-sha-256", f"--pwfile={password_file}"]
    return Program("initdb", argv, log, user=databases.user, folder=Path("/"))


def fresh_folder(databases: Databases) -> Path:
    """The temporary folder of a new cluster."""
    return databases.data.with_name("postgres.new")


def adopt(databases: Databases) -> None:
    """Write a new cluster's configuration and rename it into place."""
    fresh = fresh_folder(databases)
    with (fresh / "postgresql.conf").open("a") as handle:
        handle.write(CONFIGURATION.format(port=PORT))
    fresh.rename(databases.data)
    (databases.sockets / "password").unlink(missing_ok=True)


def postgres(databases: Databases, log: Path) -> Program:
    """The server, in the foreground. SIGINT is its fast shutdown."""
    argv = [str(databases.programs / "postgres"), "-D", str(databases.data), "-k", str(databases.sockets)]
    return Program("postgres", argv, log, user=databases.user, folder=Path("/"))


def psql(databases: Databases, password: str, statement: str, log: Path, *, database: str) -> Program:
    """Run one SQL statement with psql(1)."""
    argv = [str(databases.programs / "psql"), "-h", str(databases.sockets), "-p", str(PORT), "-U", USER]
    argv += ["-d", database, "-XAtc", statement]
    return Program("psql", argv, log, environment={"PGPASSWORD": password})


def roles(databases: Databases, credentials: Credentials, script: Path, log: Path) -> Program:
    """Create or update the owner and the application's role; the passwords travel in the environment."""
    argv = [str(databases.programs / "psql"), "-h", str(databases.sockets), "-p", str(PORT), "-U", USER]
    argv += ["-d", NAME, "-XqAt", "-f", str(script)]
    environment = {
        "PGPASSWORD": credentials.database_password,
        "BACKSTAY_DB_OWNER_PASSWORD": credentials.owner_password,
        "BACKSTAY_DB_PASSWORD": credentials.application_password,
    }
    return Program("roles", argv, log, environment)


def redis(databases: Databases, log: Path) -> Program:
    """The server, without persistence: its data may be lost at any time."""
    argv = ["redis-server", "--port", "0", "--unixsocket", str(databases.redis_socket)]
    argv += ["--unixsocketperm", "700", "--dir", str(databases.sockets), "--save", "", "--appendonly", "no"]
    return Program("redis", argv, log, user=databases.user, folder=Path("/"))


def redis_answers(databases: Databases) -> bool:
    """Whether Redis accepts connections; the socket file alone proves nothing, as a killed server leaves
    it.
    """
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(databases.redis_socket))
        except OSError:
            return False
    return True
