"""Reference values of each path: whether a ping from the node arrives, and through which gateway.

It is asked with ping(8) and `ip route get` in the nodes' namespaces, not through anything that Backstay runs.
"""

import json
import subprocess
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from backstay_bench.truth.snapshots import Json

_WORKERS = 8
_LIMIT_S = 20.0


@dataclass(frozen=True, slots=True)
class Measured:
    """One path as the lab has it."""

    path_id: int
    name: str
    gateway: str
    """Name of the node that the kernel would send to; empty: no route."""
    is_alive: bool
    """Whether the target answered at least one of three pings."""


@dataclass(frozen=True)
class LabNetwork:
    """The names of a running lab: `backstay-lab status --json`."""

    namespaces: Mapping[str, str]
    """Node -> its network namespace."""
    owners: Mapping[str, str]
    """Address -> its node."""

    @classmethod
    def of(cls, status: Json) -> "LabNetwork":
        """From the status of a lab that this user may enter."""
        nodes = status["nodes"]
        return cls(
            {node["name"]: node["namespace"] for node in nodes if node["namespace"]},
            {
                address.partition("/")[0]: node["name"]
                for node in nodes
                for port in node["ports"]
                for address in port["addresses"]
            },
        )

    def measure(self, paths: Iterable[Json]) -> dict[int, Measured]:
        """Path id -> what the lab itself does; paths without a target, or of unknown nodes, are left out."""
        known = [path for path in paths if path["target"] and path["node"] in self.namespaces]
        with ThreadPoolExecutor(max_workers=_WORKERS) as pool:
            return {item.path_id: item for item in pool.map(self._measure, known)}

    def _measure(self, path: Json) -> Measured:
        gateway = self._gateway(path["node"], path["target"])
        pings = ("ping", "-n", "-q", "-c", "3", "-i", "0.2", "-W", "1", path["target"])
        is_alive = bool(gateway) and self._run(path["node"], *pings).returncode == 0
        return Measured(path["id"], path["name"], gateway, is_alive)

    def _gateway(self, node: str, target: str) -> str:
        done = self._run(node, "ip", "-json", "route", "get", target)
        if done.returncode != 0 or not done.stdout.strip():
            return ""
        found: Json = json.loads(done.stdout)[0]
        return self.owners.get(found.get("gateway", target), found.get("gateway", ""))

    def _run(self, node: str, *argv: str) -> subprocess.CompletedProcess[str]:
        enter = ("ip", "netns", "exec", self.namespaces[node])
        return subprocess.run(
            [*enter, *argv],
            capture_output=True,
            text=True,
            check=False,
            timeout=_LIMIT_S,
        )
