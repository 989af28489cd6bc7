"""A private PgBouncer in transaction mode in front of a database, with the file of deploy/hosts."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from bench.databases import CannotStartError, unprivileged

RECIPE = Path(__file__).resolve().parent.parent / "deploy/hosts/pgbouncer.ini"
START_S, STOP_S = 20.0, 10.0
PORT = 6432
OVERRIDES = """
listen_addr =
unix_socket_dir = {folder}
auth_type = any
admin_users = backstay
"""


@contextmanager
def pgbouncer(folder: Path, name: str, target: str, more: str = "") -> Iterator[Path]:
    """Its socket's folder.

    `target`: the database entry, as in pgbouncer.ini; `name`: what clients call it; `more`: settings.
    """
    program = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin:/usr/local/bin")
    if program is None:
        raise CannotStartError("PgBouncer is not installed: apt install pgbouncer")
    config = folder / "pgbouncer.ini"
    # The last value of a setting counts; the file ends in the section [pgbouncer].
    text = RECIPE.read_text().replace("[databases]\n", f"[databases]\n{name} = {target}\n", 1)
    config.write_text(text + OVERRIDES.format(folder=folder) + more + "\n")
    command = [*unprivileged(), program, str(config)]
    with (folder / "pgbouncer.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd="/")
    try:
        _until_answers(process, folder, name)
        yield folder
    finally:
        process.terminate()
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _until_answers(process: subprocess.Popen[bytes], folder: Path, name: str) -> None:
    deadline = time.monotonic() + START_S
    while process.poll() is None and time.monotonic() < deadline:
        try:
            psycopg.connect(f"host={folder} port={PORT} user=backstay dbname={name}").close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return
    raise CannotStartError(f"PgBouncer did not come up: {(folder / 'pgbouncer.log').read_text()[-500:]}")
