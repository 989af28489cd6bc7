"""Webhook, PagerDuty and Alertmanager against real web servers: content, limits, refused addresses."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import json
import socket
import ssl
import threading
import time
from dataclasses import replace
from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from pytest_django import Settings

from backstay.alerts.notify import connection
from backstay.alerts.notify.connection import Deadline, connect, own_servers
from backstay.alerts.notify.destinations import DestinationPolicy
from backstay.alerts.notify.http_post import MAX_REPLY, post
from backstay.alerts.notify.tests.certificate import make_certificate
from backstay.alerts.notify.tests.sinks import EVIL, INCIDENT, MESSAGE, NOW, HttpSink, answer
from backstay.alerts.notify.transports import TRANSPORTS, DeliveryFailed
from backstay.alerts.notify.transports.alertmanager import AlertmanagerConfig, alerts
from backstay.alerts.notify.transports.pagerduty import PagerDutyConfig
from backstay.alerts.notify.transports.webhook import WebhookConfig
from backstay.core.alerting.message import payload

SECRET = "sixteen characters"


def send_webhook(url: str, **more: str) -> None:
    TRANSPORTS["webhook"].send(WebhookConfig(url=url, **more), MESSAGE, b"chart")


def failure(url: str) -> DeliveryFailed:
    with pytest.raises(DeliveryFailed) as caught:
        send_webhook(url)
    return caught.value


def test_webhook_sends_the_message_signed_over_time_and_body(sink: HttpSink) -> None:
    send_webhook(f"{sink.url}/hook?a=b", secret=SECRET, token="t0ken")
    (request,) = sink.requests
    assert (request.method, request.path) == ("POST", "/hook?a=b")
    assert request.json == json.loads(json.dumps(payload(MESSAGE)))
    assert request.headers["Content-Type"] == "application/json"
    assert request.headers["Idempotency-Key"] == MESSAGE.key
    assert request.headers["Authorization"] == "Bearer t0ken"
    timestamp = request.headers["X-Backstay-Timestamp"]
    assert abs(time.time() - int(timestamp)) < 30
    mac = hmac.new(SECRET.encode(), f"{timestamp}.".encode() + request.body, hashlib.sha256).hexdigest()
    assert request.headers["X-Backstay-Signature"] == f"sha256={mac}"


def test_webhook_without_a_secret_is_unsigned(sink: HttpSink) -> None:
    send_webhook(sink.url)
    assert not {"X-Backstay-Signature", "Authorization"} & set(sink.requests[0].headers)


def test_hostile_names_reach_no_header_and_stay_text(sink: HttpSink) -> None:
    message = replace(MESSAGE, key=EVIL, incidents=(replace(INCIDENT, title=EVIL, subject=EVIL),))
    TRANSPORTS["webhook"].send(WebhookConfig(url=sink.url), message, None)
    (request,) = sink.requests
    assert "Bcc" not in request.headers
    assert "\x1b" not in json.dumps(request.json, ensure_ascii=False)
    assert "\u202e" not in json.dumps(request.json, ensure_ascii=False)


@pytest.mark.parametrize(
    ("status", "permanent"),
    [
        (400, True),
        (401, True),
        (404, True),
        (410, True),
        (408, False),
        (429, False),
        (500, False),
        (503, False),
    ],
)
def test_status_decides_whether_another_attempt_makes_sense(
    sink: HttpSink, status: int, permanent: bool
) -> None:
    sink.reply = answer(status, {"Retry-After": "7"})
    problem = failure(sink.url)
    assert (problem.permanent, problem.retry_after_s) == (permanent, None if permanent else 7.0)
    assert str(status) in problem.reason


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_not_followed(sink: HttpSink, forbidden: HttpSink, status: int) -> None:
    sink.reply = answer(status, {"Location": f"{forbidden.url}/"})
    assert failure(sink.url).permanent
    assert forbidden.connections == 0


def test_an_address_of_this_machine_is_refused_unless_allowed(forbidden: HttpSink, allowed: None) -> None:
    for host in ("127.0.0.3", "[::ffff:127.0.0.3]"):
        problem = failure(f"http://{host}:{forbidden.port}/")
        assert problem.permanent
        assert "loopback" in problem.reason
    assert failure(f"http://localhost:{forbidden.port}/").permanent
    assert forbidden.connections == 0


def test_own_servers_are_refused_even_in_an_allowed_network(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.NOTIFY_ALLOWED = [ipaddress.ip_network("0.0.0.0/0"), ipaddress.ip_network("::/0")]
    settings.NOTIFY_REFUSED = [("127.0.0.1", 7001)]
    settings.REDIS_URL = "sentinel://:secret@127.0.0.1:7002,127.0.0.1:7003/backstay/0"
    settings.INGEST_URLS = ["http://127.0.0.1:7004"]
    monkeypatch.setitem(settings.DATABASES["default"], "HOST", "127.0.0.1,/run/postgresql")
    monkeypatch.setitem(settings.DATABASES["default"], "PORT", "7005")
    monkeypatch.setitem(settings.DATABASES, "standby", {"HOST": "127.0.0.1", "PORT": "7006"})
    assert {7001, 7002, 7003, 7004, 7005, 7006, 80, 443, 8080} <= {port for _, port in own_servers()}
    for port in (7001, 7002, 7003, 7004, 7005, 7006, 8080):
        assert "Backstay itself" in failure(f"http://127.0.0.1:{port}/").reason


def test_one_resolution_decides_so_that_rebinding_gains_nothing(
    sink: HttpSink, forbidden: HttpSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(["127.0.0.2", "127.0.0.3", "127.0.0.3"])
    asked: list[str] = []
    real = socket.getaddrinfo

    def resolve(host: Any, port: Any, *rest: Any, **more: Any) -> Any:
        if host != "rebind.example":
            return real(host, port, *rest, **more)
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), sink.port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    send_webhook(f"http://rebind.example:{sink.port}/")
    assert asked == ["rebind.example"]
    assert (len(sink.requests), forbidden.connections) == (1, 0)
    assert sink.requests[0].headers["Host"] == f"rebind.example:{sink.port}"
    assert "loopback" in failure(f"http://rebind.example:{sink.port}/").reason


def test_a_name_with_one_refused_address_is_refused(
    sink: HttpSink, forbidden: HttpSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = [
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, sink.port)) for one in ("127.0.0.2", "127.0.0.3")
    ]
    real = socket.getaddrinfo
    monkeypatch.setattr(
        socket,
        "getaddrinfo",
        lambda host, *rest, **more: both if host == "two.example" else real(host, *rest, **more),
    )
    assert failure(f"http://two.example:{sink.port}/").permanent
    assert sink.connections == 0


def test_proxies_of_the_environment_are_ignored(
    sink: HttpSink, forbidden: HttpSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, forbidden.url)
    send_webhook(sink.url)
    assert (len(sink.requests), forbidden.connections) == (1, 0)


@pytest.mark.real_clock
def test_a_reply_that_drips_ends_at_the_deadline(sink: HttpSink, monkeypatch: pytest.MonkeyPatch) -> None:
    def drip(handler: BaseHTTPRequestHandler) -> None:
        try:
            for octet in b"HTTP/1.1 200 OK\r\nX-Long: " + b"a" * 1000:
                handler.wfile.write(bytes([octet]))
                handler.wfile.flush()
                time.sleep(0.05)
        except OSError:
            pass

    sink.reply = drip
    begun = time.monotonic()
    with pytest.raises(DeliveryFailed, match="No complete reply within"):
        post(sink.url, b"{}", {}, Deadline(0.5))
    assert time.monotonic() - begun < 5


def test_own_names_are_refused_and_resolved_once(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.NOTIFY_REFUSED = [("own.example", 7001), ("own.example", 7002), ("gone.example", 7003)]
    asked: list[str] = []
    real = socket.getaddrinfo

    def resolve(host: Any, port: Any, *rest: Any, **more: Any) -> Any:
        if not str(host).endswith(".example"):
            return real(host, port, *rest, **more)
        asked.append(host)
        if host != "own.example":
            raise socket.gaierror(-2, "Name or service not known")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.77.0.1", 0))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(connection, "_resolved", {})
    for _ in range(2):
        assert "Backstay itself" in failure("http://10.77.0.1:7002/").reason
    assert asked.count("own.example") == 1
    assert "Backstay itself" in failure("http://gone.example:7003/").reason


def test_a_reply_without_end_is_cut(sink: HttpSink) -> None:
    sink.reply = answer(200, body=b"x" * (4 * MAX_REPLY))
    assert len(post(sink.url, b"{}", {}).body) == MAX_REPLY


def test_a_port_without_a_server_is_a_failure_that_may_pass(allowed: None) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.2", 0))
        problem = failure(f"http://127.0.0.2:{free.getsockname()[1]}/")
    assert not problem.permanent
    assert "refused" in problem.reason


@pytest.mark.real_clock
def test_a_name_server_that_does_not_answer_ends_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: released.wait(30) and [])
    monkeypatch.setattr(connection, "CONNECT_S", 0.2)
    begun = time.monotonic()
    with pytest.raises(DeliveryFailed, match="not resolved"):
        connect("slow.example", 80, Deadline(5), DestinationPolicy())
    assert time.monotonic() - begun < 3
    released.set()


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    return make_certificate(tmp_path, "127.0.0.2")


@pytest.fixture
def tls_sink(sink: HttpSink, certificate: tuple[Path, Path]) -> HttpSink:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    sink.server.socket = context.wrap_socket(sink.server.socket, server_side=True)
    sink.url = sink.url.replace("http://", "https://")
    return sink


def test_tls_is_checked_against_the_trusted_certificates(
    tls_sink: HttpSink, certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = failure(tls_sink.url)
    assert problem.permanent
    assert "certificate" in problem.reason
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    send_webhook(tls_sink.url)
    assert len(tls_sink.requests) == 1


@pytest.mark.parametrize("kind", list(TRANSPORTS))
def test_secrets_are_fields_of_the_config_and_in_no_representation(kind: str) -> None:
    transport = TRANSPORTS[kind]
    fields = transport.config.model_fields
    assert transport.secrets <= set(fields)
    assert all(fields[name].repr is False for name in transport.secrets)
    assert all(field.description for field in fields.values())
    with pytest.raises(ValidationError):
        transport.config.model_validate({"no_such_field": 1})


@pytest.mark.parametrize(
    "url",
    ["http://user:pw@sink/", "ftp://sink/", "http://127.1/", "http://sink/\r\nX: y", "http://0x7f000001/"],
)
def test_unusable_urls_are_refused_when_a_channel_is_saved(url: str) -> None:
    for config in (WebhookConfig, AlertmanagerConfig):
        with pytest.raises(ValidationError):
            config.model_validate({"url": url})


def test_pagerduty_triggers_and_resolves_one_incident_per_incident(sink: HttpSink) -> None:
    sink.reply = answer(202)
    config = PagerDutyConfig(routing_key="R0UTING", url=f"{sink.url}/v2/enqueue")
    send = TRANSPORTS["pagerduty"].send
    send(config, MESSAGE, None)
    send(config, replace(MESSAGE, reason="reminder"), None)
    send(config, replace(MESSAGE, reason="resolved", incidents=(replace(INCIDENT, resolved_at=NOW),)), None)
    bodies = [request.json for request in sink.requests]
    assert [body["event_action"] for body in bodies] == ["trigger", "trigger", "resolve"]
    assert {body["dedup_key"] for body in bodies} == {"backstay/argonne/7"}
    assert bodies[0]["routing_key"] == "R0UTING"
    assert bodies[0]["payload"]["summary"] == "argonne: grf1 lost all links"
    assert (bodies[0]["payload"]["severity"], bodies[0]["payload"]["source"]) == ("critical", "grf1")
    assert bodies[0]["links"] == [{"href": INCIDENT.link, "text": "Open in Backstay"}]


def test_a_test_of_pagerduty_leaves_nothing_open(sink: HttpSink) -> None:
    sink.reply = answer(202)
    config = PagerDutyConfig(routing_key="R0UTING", url=sink.url)
    TRANSPORTS["pagerduty"].send(config, replace(MESSAGE, reason="test"), None)
    assert [request.json["event_action"] for request in sink.requests] == ["trigger", "resolve"]


def test_alertmanager_gets_labels_that_do_not_change_while_the_incident_lasts(sink: HttpSink) -> None:
    config = AlertmanagerConfig(url=sink.url, token="abc")
    TRANSPORTS["alertmanager"].send(config, MESSAGE, None)
    (request,) = sink.requests
    assert (request.path, request.headers["Authorization"]) == ("/api/v2/alerts", "Bearer abc")
    firing, other = request.json
    assert firing["labels"] == {
        "alertname": "gateway_isolated", "severity": "critical", "site": "argonne", "object": "grf1",
        "incident": "7", "source": "backstay", "fabric": "hippi",
    }  # fmt: skip
    assert (firing["startsAt"], firing["endsAt"]) == ("2026-11-27T15:00:00.000Z", "2026-11-27T20:00:00.000Z")
    assert other["labels"] == {**firing["labels"], "severity": "warning"}
    assert other["endsAt"] == "2026-11-27T15:00:00.001Z"
    worse = alerts(replace(MESSAGE, reason="worse"), 60)
    assert [item["labels"] for item in worse] == [item["labels"] for item in request.json]


def test_alertmanager_ends_every_severity_of_a_resolved_incident() -> None:
    ended = replace(INCIDENT, resolved_at=NOW + timedelta(minutes=1), phase="resolved")
    found = alerts(replace(MESSAGE, reason="resolved", incidents=(ended,)), 60)
    assert {item["endsAt"] for item in found} == {"2026-11-27T15:01:00.000Z"}
    assert len(found) == 2


def test_labels_of_alertmanager_have_valid_names_and_never_replace_our_own() -> None:
    hostile = {"__name__": "x", "severity": "none", "source": "other", "a b\r\n": EVIL, "1st": "y", "": "z"}
    (first, _) = alerts(replace(MESSAGE, incidents=(replace(INCIDENT, labels=hostile),)), 60)
    labels = first["labels"]
    assert isinstance(labels, dict)
    assert (labels["severity"], labels["source"]) == ("critical", "backstay")
    assert set(labels) - {"alertname", "severity", "site", "object", "incident", "source"} == {
        "label___name__", "label_severity", "label_source", "a_b__", "label_1st", "label_",
    }  # fmt: skip
    assert all(name.isascii() and name.replace("_", "a").isalnum() for name in labels)
    assert not any(one in value for value in labels.values() for one in "\r\n\x1b\u202e")
