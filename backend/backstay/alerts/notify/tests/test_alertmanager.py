"""Debian's Prometheus Alertmanager: takes our incidents, and sends its alerts to our API."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from backstay.accounts.services import create_api_token
from backstay.alerts import services
from backstay.alerts.models import Incident
from backstay.alerts.notify.tests.sinks import EVIL, INCIDENT, MESSAGE
from backstay.alerts.notify.transports import TRANSPORTS
from backstay.alerts.notify.transports.alertmanager import AlertmanagerConfig
from backstay.alerts.rules.external.alert import KIND
from backstay.api.tests.world import World, person
from backstay.core.model.progress import Phase
from backstay.core.roles import Role

PROGRAM = shutil.which("prometheus-alertmanager")
ADDRESS = "127.0.0.2"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.real_clock,
    pytest.mark.skipif(PROGRAM is None, reason="Debian's prometheus-alertmanager is not installed"),
]


class Alertmanager:
    """One running Alertmanager."""

    def __init__(self, folder: Path, receiver: str, token: str) -> None:
        with socket.socket() as free:
            free.bind((ADDRESS, 0))
            self.port = free.getsockname()[1]
        self.url = f"http://{ADDRESS}:{self.port}"
        config = {
            "route": {
                "receiver": "backstay",
                "group_by": ["alertname"],
                "group_wait": "100ms",
                "group_interval": "1s",
                "repeat_interval": "1h",
            },
            "receivers": [{"name": "backstay", "webhook_configs": [self._webhook(receiver, token)]}],
        }
        (folder / "alertmanager.json").write_text(json.dumps(config))
        assert PROGRAM is not None
        self._process = subprocess.Popen(
            [
                PROGRAM,
                f"--config.file={folder / 'alertmanager.json'}",
                f"--storage.path={folder / 'data'}",
                f"--web.listen-address={ADDRESS}:{self.port}",
                "--cluster.listen-address=",
            ],
            stdout=subprocess.DEVNULL,
            stderr=(folder / "log").open("wb"),
        )

    @staticmethod
    def _webhook(receiver: str, token: str) -> dict[str, object]:
        credentials = {"authorization": {"credentials": token}} if token else {}
        return {"url": receiver, "send_resolved": True, "http_config": credentials}

    def call(self, path: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        with urllib.request.urlopen(
            urllib.request.Request(self.url + path, data, headers), timeout=5
        ) as reply:
            return json.loads(reply.read() or b"null")

    def is_ready(self) -> bool:
        try:
            self.call("/api/v2/status")
        except OSError:
            return False
        return True

    def firing(self) -> list[dict[str, Any]]:
        return list(self.call("/api/v2/alerts"))

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(30)


def until(condition: Callable[[], object], seconds: float = 60) -> None:
    """Wait until the condition holds; AssertionError after the time."""
    ends = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < ends, "not within the time"
        time.sleep(0.1)


@pytest.fixture
def alertmanager(tmp_path: Path, allowed: None) -> Iterator[Alertmanager]:
    running = Alertmanager(tmp_path, "http://127.0.0.1:9/", "")
    try:
        until(running.is_ready)
        yield running
    finally:
        running.stop()


def test_an_incident_fires_gets_worse_and_resolves_in_alertmanager(alertmanager: Alertmanager) -> None:
    config = AlertmanagerConfig(url=alertmanager.url)
    send = TRANSPORTS["alertmanager"].send
    now = datetime.now(UTC)
    mild = replace(INCIDENT, severity="warning", since=now - timedelta(minutes=5), labels={"n\x1b": EVIL})
    message = replace(MESSAGE, incidents=(mild,), sent_at=now)
    send(config, message, None)
    (alert,) = alertmanager.firing()
    assert alert["labels"]["alertname"] == "gateway_isolated"
    assert (alert["labels"]["severity"], alert["labels"]["incident"]) == ("warning", "7")
    assert alert["annotations"]["summary"] == "grf1 lost all links"
    assert alert["generatorURL"] == INCIDENT.link
    assert "\x1b" not in json.dumps(alert["labels"], ensure_ascii=False)
    send(config, replace(message, reason="worse", incidents=(replace(mild, severity="critical"),)), None)
    (alert,) = alertmanager.firing()
    assert alert["labels"]["severity"] == "critical"
    ended = replace(mild, severity="critical", resolved_at=now, phase="resolved")
    send(config, replace(message, reason="resolved", incidents=(ended,)), None)
    assert alertmanager.firing() == []


def test_a_test_message_is_an_alert(alertmanager: Alertmanager) -> None:
    message = replace(MESSAGE, reason="test", incidents=(), sent_at=datetime.now(UTC))
    TRANSPORTS["alertmanager"].send(AlertmanagerConfig(url=alertmanager.url), message, None)
    assert [alert["labels"]["alertname"] for alert in alertmanager.firing()] == ["backstay_test"]


@pytest.mark.django_db(transaction=True)
def test_alerts_of_alertmanager_open_and_resolve_incidents(live_server: LiveServer, tmp_path: Path) -> None:
    world = World.make()
    world.describe()
    services.ensure_rules(world.site)
    token = create_api_token(person("alertmanager", Role.OPERATOR), "alertmanager", Role.OPERATOR)
    receiver = f"{live_server.url}/api/v1/alertmanager?site=argonne"
    running = Alertmanager(tmp_path, receiver, token)
    try:
        until(running.is_ready)
        labels = {"alertname": "InstanceDown", "instance": "grf1:9100", "severity": "critical"}
        alert = {"labels": labels, "annotations": {"summary": "grf1 is down"}}
        own = {"labels": {**labels, "instance": "sp01:9100", "source": "backstay"}}
        running.call("/api/v2/alerts", [alert, own])
        until(Incident.objects.filter(rule__kind=KIND).exists)
        services.run_round(timezone.now() + timedelta(seconds=30))
        incident = Incident.objects.get(rule__kind=KIND)
        assert (incident.title, incident.severity) == ("grf1 is down", "critical")
        assert incident.node_id == world.node("grf1").pk
        ended = (datetime.now(UTC) - timedelta(seconds=1)).isoformat()
        running.call("/api/v2/alerts", [{**alert, "endsAt": ended}])
        until(Incident.objects.filter(rule__kind=KIND, phase=Phase.RESOLVED).exists)
        assert Incident.objects.filter(rule__kind=KIND).count() == 1
    finally:
        running.stop()
