"""The running service with objects of every kind, renewed for each round: cases delete and change them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.argonne import site_file
from bench.fuzz import bodies, existing_values
from bench.fuzz.bodies import Sender
from bench.fuzz.existing_values import Known
from bench.fuzz.response_checks import Caller
from bench.service.calls import call
from bench.service.processes import Service
from bench.service.sites import enrol
from bench.site import AgentIdentity, batch, port_samples

BACKEND = Path(__file__).resolve().parents[2]
SITE, OTHER = "argonne", "elsewhere"
"""The agent whose reports are fuzzed is of the other site: no case can revoke it by an id that it knows."""
NODES = ("sp01", "sp02", "grf1", "atmgw")
REPORTING = {"sp01": ["css0"], "sp02": ["css0"], "origin1": ["at0", "at1"]}
PASSWORD = "BACKSTAY_PASSWORD"  # noqa: S105  # the variable's name
CREATED = ("create_failover_policy", "create_arp_policy", "create_test_plan", "create_change", "create_drill")


@dataclass(slots=True)
class Target:
    """One service; `service` is running."""

    service: Service
    boot: uuid.UUID
    agent: AgentIdentity
    seq: int = 0

    @classmethod
    def prepare(cls, service: Service) -> Target:
        """Import both sites and enrol the agent that is fuzzed. Raises RuntimeError."""
        _import(service, SITE)
        _import(service, OTHER)
        return cls(service, uuid.uuid4(), enrol(service, OTHER, "sp01").identity)

    @property
    def sender(self) -> Sender:
        return Sender("sp01", REPORTING["sp01"], uuid.uuid4())

    def callers(self) -> dict[str, Caller]:
        """The roles of the public API, and the agent."""
        roles = {
            "admin": self.service.token,
            "operator": self._token("operator"),
            "viewer": self._token("viewer"),
        }
        callers = {name: Caller(name, _bearer(token)) for name, token in roles.items()}
        agent = Caller("agent", {"Authorization": self.agent.authorization})
        return callers | {"nobody": Caller("nobody", {}), "agent": agent}

    def renew(self) -> Known:
        """Create what cases have removed; what exists now."""
        _import(self.service, SITE)
        self._report()
        found = self._read()
        for operation in CREATED:
            self._create(operation, found)
            found = self._read()
        for run in found.ids["test-plans"][:1]:
            self.service.call("POST", f"/api/v1/test-plans/{run}/run")
        return self._read()

    def _read(self) -> Known:
        found = existing_values.read(self._get, SITE)
        found.bodies = bodies.accepted(SITE, found.ids, "sp-switch", NODES)
        return found

    def _get(self, path: str) -> Any:
        answer = self.service.call("GET", path)
        return answer.json() if answer.status == 200 else None

    def _create(self, operation: str, found: Known) -> None:
        """One more object; refused if the site has it already."""
        paths = {
            "create_failover_policy": "failover-policies",
            "create_arp_policy": "arp-policies",
            "create_test_plan": "test-plans",
            "create_change": "changes",
            "create_drill": "drills",
        }
        body = {**found.bodies[operation]}
        if "name" in body:
            body["name"] = f"kept-{time.time_ns() % 10**9}"
        if "prefix" in body:
            body["prefix"] = f"10.{time.time_ns() // 1000 % 200 + 20}.0.0/24"
        self.service.call("POST", f"/api/v1/{paths[operation]}", json.dumps(body).encode())

    def _report(self) -> None:
        """Devices, samples, and a failover, by agents enrolled anew: cases revoke agents."""
        now, port = time.time_ns(), self.service.backend.ingest_port
        for node, ports in REPORTING.items():
            identity = enrol(self.service, SITE, node).identity
            self.seq += 4
            head = {"boot": str(self.boot), "device": node, "at": now}
            reports = [
                {
                    **head,
                    "kind": "device",
                    "seq": self.seq,
                    "sys_name": node,
                    "uptime_s": 1000.0,
                    "ports": _states(ports),
                },
                port_samples(node, ports, self.seq + 1, boot=self.boot, at=now),
                {**head, "kind": "path", "seq": self.seq + 2, **_path(now)},
            ]
            headers = {"Authorization": identity.authorization, "Content-Encoding": "gzip"}
            answer = call(port, "POST", "/api/agent/v1/reports", batch(reports, sent=now), headers)
            if answer.status != 200:
                raise RuntimeError(f"{node}'s reports are refused: {answer.status} {answer.body[:300]!r}")

    def _token(self, role: str) -> str:
        """A new user of this role at every site."""
        file = self.service.layout.data / f"token-{role}"
        command = [sys.executable, "manage.py", "bootstrap", "--user", role, "--role", role]
        command += ["--password-env", PASSWORD, "--token-out", str(file)]
        environment = {**os.environ, **self.service.environment, PASSWORD: uuid.uuid4().hex}
        subprocess.run(
            command, cwd=BACKEND, env=environment, check=True, stdout=subprocess.DEVNULL, timeout=120
        )
        return file.read_text().strip()


def _bearer(token: str) -> Mapping[str, str]:
    return {"Authorization": f"Bearer {token}"}


def _import(service: Service, site: str) -> None:
    body = json.dumps({"text": site_file(name=site), "name": f"{site}.yaml"}).encode()
    answer = service.call("POST", "/api/v1/site-files", body)
    if answer.status not in {200, 201}:
        raise RuntimeError(f"{site} was not imported: {answer.status} {answer.body[:300]!r}")


def _states(ports: list[str]) -> list[dict[str, Any]]:
    return [
        {"name": port, "index": index, "admin_up": True, "oper_up": True, "speed": 622_080_000, "mtu": 9180}
        for index, port in enumerate(ports, start=1)
    ]


def _path(now: int) -> dict[str, Any]:
    """The site's default policy has failed over."""
    switch = {
        "id": str(uuid.uuid4()),
        "at": now,
        "from_gateway": "grf1",
        "to_gateway": "atmgw",
        "probe_interval_ms": 50,
    }
    return {
        "policy": "sp-default",
        "prefix": "0.0.0.0/0",
        "active": "atmgw",
        "target_alive": True,
        "gateways": [{"name": "grf1", "alive": False}, {"name": "atmgw", "alive": True}],
        "switch": switch,
    }
