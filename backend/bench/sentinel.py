"""A private Redis with a replica and a Sentinel on free loopback ports, for tests."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import redis

from bench.servers import free_port

START_S, STOP_S = 20.0, 10.0
SERVICE, PASSWORD = "backstay", "a password"
RECIPE = Path(__file__).resolve().parent.parent / "deploy/hosts"
LOOPBACK = "127.0.0.1"


class ReplicatedRedis:
    """Two servers and one Sentinel, with the files of deploy/hosts; use it as a context manager."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="backstay-sentinel-"))
        self._ports = [free_port(), free_port()]
        self._sentinel = free_port()
        self._programs: list[subprocess.Popen[bytes]] = []
        self.url = f"sentinel://:{PASSWORD.replace(' ', '%20')}@{LOOPBACK}:{self._sentinel}/{SERVICE}"

    def __enter__(self) -> ReplicatedRedis:
        try:
            master, replica = self._ports
            self._start_server(master)
            self._start_server(replica, "--replicaof", LOOPBACK, str(master))
            _until(lambda: self._info(master).get("connected_slaves") == 1, "the replica")
            self._start("sentinel", self._sentinel, self._sentinel_text(), "--sentinel")
            _until(lambda: self.master() == master, "Sentinel")
            _until(lambda: self._sentinels_view()["num-slaves"] == 1, "the replica in Sentinel")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for program in self._programs:
            program.kill()
            program.wait(STOP_S)
        shutil.rmtree(self._folder, ignore_errors=True)

    def master(self) -> int:
        """Port of the master, by Sentinel; 0 while it knows none."""
        try:
            return int(self._sentinels_view()["port"])
        except redis.RedisError:
            return 0

    def kill_master(self) -> None:
        """The first server; the second one is promoted."""
        self._programs[0].kill()
        self._programs[0].wait(STOP_S)

    def _sentinels_view(self) -> dict[str, int]:
        with redis.Redis(LOOPBACK, self._sentinel, password=PASSWORD) as known:
            found: dict[str, int] = known.sentinel_master(SERVICE)
            return found

    def _info(self, port: int) -> dict[str, int]:
        with redis.Redis(LOOPBACK, port, password=PASSWORD) as server:
            found: dict[str, int] = server.info("replication")
            return found

    def _start_server(self, port: int, *arguments: str) -> None:
        # One of two must accept writes when the other is gone.
        self._start(f"redis-{port}", port, _text("redis.conf"), "--min-replicas-to-write", "0", *arguments)

    def _sentinel_text(self) -> str:
        """One Sentinel, which knows the master at another address and is to decide alone and soon."""
        text = _text("sentinel.conf").replace("192.0.2.11 6379 2", f"{LOOPBACK} {self._ports[0]} 1")
        return text.replace("milliseconds backstay 3000", "milliseconds backstay 500")

    def _start(self, name: str, port: int, text: str, *arguments: str) -> None:
        file = self._folder / f"{name}.conf"
        lines = [line for line in text.splitlines() if not line.startswith(("port ", "bind "))]
        file.write_text("\n".join([f"bind {LOOPBACK}", f"port {port}", *lines]) + "\n")
        command = ["setpriv", "--pdeathsig", "KILL", "redis-server", str(file), *arguments]
        with (self._folder / f"{name}.log").open("wb") as log:
            self._programs.append(subprocess.Popen(command, cwd=self._folder, stdout=log, stderr=log))


def _text(name: str) -> str:
    return (RECIPE / name).read_text().replace("PASSWORD", f'"{PASSWORD}"')


def _until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + START_S
    while True:
        try:
            if condition():
                return
        except redis.RedisError:
            pass
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what} did not come up")
        time.sleep(0.05)
