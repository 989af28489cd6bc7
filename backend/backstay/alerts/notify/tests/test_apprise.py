"""Services through Apprise: what its plugins really send, and what the guarded process refuses them."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
import time
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
import requests

from backstay.alerts.notify import apprise_process
from backstay.alerts.notify.apprise_guard import AppriseRequest, AppriseResult, deliver
from backstay.alerts.notify.connection import current_policy
from backstay.alerts.notify.destinations import DestinationPolicy
from backstay.alerts.notify.tests.sinks import EVIL, INCIDENT, MESSAGE, HttpSink, answer
from backstay.alerts.notify.transports import TRANSPORTS, DeliveryFailed
from backstay.alerts.notify.transports.apprise_url import AppriseConfig
from backstay.alerts.notify.transports.ntfy import NtfyConfig, apprise_url
from backstay.alerts.notify.transports.slack import SlackConfig
from backstay.alerts.notify.transports.teams import TeamsConfig
from backstay.alerts.notify.transports.telegram import TelegramConfig

pytestmark = pytest.mark.slow

HOSTILE = replace(MESSAGE, incidents=(replace(INCIDENT, title=EVIL, subject=EVIL, detail=EVIL),))
SLACK = "https://hooks.slack.com/services/T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ"
TEAMS = (
    "https://prod-01.westus.logic.azure.com:443/workflows/643e69f83c8944438d68119179a10a64/triggers/manual/paths"
    "/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=KODuebWbDGYFr0z0eu-6Rj8aUKz7108W3wrNJZ"
)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Apprise in this process and without its guard: for plugins whose addresses are patched to a sink."""
    monkeypatch.setattr(apprise_process, "run", lambda request: deliver(request, lambda guard: None))


@pytest.fixture
def redirected(sink: HttpSink, monkeypatch: pytest.MonkeyPatch) -> HttpSink:
    """Requests of Apprise to any service reach the sink instead; everything else is the plugin's."""
    request = requests.Session.request

    def to_sink(session: requests.Session, method: str, url: str, **more: Any) -> requests.Response:
        path = url.partition("://")[2].partition("/")[2]
        return request(session, method, f"{sink.url}/{path}", **more)

    monkeypatch.setattr(requests.Session, "request", to_sink)
    return sink


def url_failure(url: str) -> DeliveryFailed:
    with pytest.raises(DeliveryFailed) as caught:
        TRANSPORTS["apprise"].send(AppriseConfig(url=url), MESSAGE, None)
    return caught.value


def test_slack_gets_text_without_mentions_links_or_controls(here: None, redirected: HttpSink) -> None:
    TRANSPORTS["slack"].send(SlackConfig(url=SLACK), HOSTILE, None)
    (request,) = redirected.requests
    assert request.path == "/services/T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ"
    sent = request.json
    (attachment,) = sent["attachments"]
    assert sent["mrkdwn"] is False
    assert attachment["title"].startswith("[critical] argonne: grf1 Bcc")
    assert "Affected: 3 paths dead, 7 rerouted to atmgw" in attachment["text"]
    for text in (attachment["title"], attachment["text"]):
        assert not [one for one in text if one in "<>\r\x1b\u202e"]
        assert "&lt;!channel&gt;" in text
    assert "image_url" not in json.dumps(sent)


def test_teams_gets_escaped_markdown_in_a_card(here: None, redirected: HttpSink) -> None:
    redirected.reply = answer(202)
    TRANSPORTS["teams"].send(TeamsConfig(url=TEAMS), HOSTILE, None)
    (request,) = redirected.requests
    card = request.json["attachments"][0]["content"]
    texts = [item["text"] for item in card["body"] if item["type"] == "TextBlock"]
    assert len(texts) == 2
    for text in texts:
        assert not [one for one in text if one in "<>\r\x1b\u202e@"]
        assert "](https://evil" not in text
    assert "(https://backstay.example.org/incidents/7)" in texts[1]
    assert not [item for item in card["body"] if item["type"] == "Image"]
    assert "entities" not in card.get("msteams", {})


def test_telegram_gets_escaped_html_and_the_chart(here: None, redirected: HttpSink) -> None:
    redirected.reply = answer(200, body=b'{"ok":true,"result":{"message_id":1}}')
    config = TelegramConfig(token="123456789:abcdefghijklmnopqrstuvwxyz012345678", chat="-100200300")
    TRANSPORTS["telegram"].send(config, HOSTILE, b"\x89PNG\r\n\x1a\n" + b"0" * 64)
    assert {request.path.rpartition("/")[2] for request in redirected.requests} >= {"sendPhoto"}
    written = b"".join(request.body for request in redirected.requests).decode("utf-8", "replace")
    assert "<script>" not in written
    assert "&lt;script&gt;" in written
    assert "grf1" in written


def test_ntfy_gets_text_with_title_and_token(sink: HttpSink) -> None:
    config = NtfyConfig(server=sink.url, topic="backstay", token="tk_abc123")
    TRANSPORTS["ntfy"].send(config, HOSTILE, None)
    (request,) = sink.requests
    assert request.headers["Authorization"] == "Bearer tk_abc123"
    assert (request.json["topic"], request.json["title"][:28]) == ("backstay", "[critical] argonne: grf1 Bcc")
    assert "Affected: 3 paths dead" in request.json["message"]
    assert "\x1b" not in request.json["message"]
    assert "Bcc" not in request.headers
    assert "X-Markdown" not in request.headers


@pytest.mark.parametrize("server", ["https://ntfy.sh", "http://10.1.2.3:8080", "https://[2001:db8::1]"])
def test_ntfy_url_names_any_server(server: str) -> None:
    url = apprise_url(NtfyConfig(server=server, topic="t"))
    assert url.endswith("/t?mode=private")
    assert server.partition("://")[2] in url


def test_any_apprise_url_over_http_gets_title_text_and_chart(sink: HttpSink) -> None:
    url = f"json://{sink.address}:{sink.port}/hook"
    TRANSPORTS["apprise"].send(AppriseConfig(url=url), HOSTILE, b"\x89PNG")
    (request,) = sink.requests
    assert request.json["title"].startswith("[critical] argonne: grf1 Bcc")
    assert "@" not in request.json["message"]
    assert request.json["type"] == "failure"
    assert request.json["attachments"][0]["filename"] == "chart.png"


def test_a_refused_address_is_not_reached_and_is_named(forbidden: HttpSink, allowed: None) -> None:
    problem = url_failure(f"json://127.0.0.3:{forbidden.port}/")
    assert problem.permanent
    assert f"127.0.0.3 port {forbidden.port} is a loopback address" in problem.reason
    for host in ("localhost", "2130706435", "0x7f000003", "[::ffff:127.0.0.3]", "127.3"):
        assert url_failure(f"json://{host}:{forbidden.port}/").permanent
    assert forbidden.connections == 0


def test_own_servers_are_refused_to_plugins_too(settings: Any, forbidden: HttpSink) -> None:
    import ipaddress

    settings.NOTIFY_ALLOWED = [ipaddress.ip_network("127.0.0.0/8")]
    settings.NOTIFY_REFUSED = [("127.0.0.3", forbidden.port)]
    assert "Backstay itself" in url_failure(f"json://127.0.0.3:{forbidden.port}/").reason
    assert forbidden.connections == 0


@pytest.mark.parametrize("redirects", ["", "?redirect=yes"])
def test_a_redirect_is_not_followed(sink: HttpSink, forbidden: HttpSink, redirects: str) -> None:
    sink.reply = answer(307, {"Location": f"{forbidden.url}/"})
    problem = url_failure(f"json://{sink.address}:{sink.port}/{redirects}")
    assert problem.permanent
    assert (len(sink.requests), forbidden.connections) == (1, 0)


def guarded(policy: DestinationPolicy, code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process with the guard, as Apprise's plugins run."""
    begin = f"""
        import socket, sys
        from backstay.alerts.notify.apprise_guard import Guard
        from backstay.alerts.notify.destinations import DestinationPolicy
        import requests
        sys.addaudithook(Guard(DestinationPolicy.from_json({policy.to_json()!r})))
    """
    program = textwrap.dedent(begin) + textwrap.dedent(code)
    paths = ":".join(part for part in sys.path if part)
    return subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
        env={"PYTHONPATH": paths, "PATH": "/usr/bin"},
        check=False,
    )


def test_the_guard_refuses_the_target_of_a_redirect_that_a_library_follows(
    sink: HttpSink, forbidden: HttpSink
) -> None:
    sink.reply = answer(302, {"Location": f"{forbidden.url}/"})
    done = guarded(current_policy(), f"requests.get({sink.url!r}, timeout=5)")
    assert "Refusal" in done.stderr
    assert (len(sink.requests), forbidden.connections) == (1, 0)
    direct = f"print(requests.get({sink.url!r}, timeout=5, allow_redirects=False).status_code)"
    assert guarded(current_policy(), direct).stdout.strip() == "302"


def test_the_guard_refuses_a_name_that_resolves_anew_to_another_address(
    sink: HttpSink, forbidden: HttpSink, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The first resolution gives the allowed address, each later one the forbidden one."""
    script = tmp_path / "rebinding.py"
    script.write_text(
        textwrap.dedent(f"""
            import socket, sys
            from backstay.alerts.notify import apprise_guard
            answers = iter(["127.0.0.2"])
            real = socket.getaddrinfo
            def resolve(host, port, *rest, **more):
                if host != "rebind.example":
                    return real(host, port, *rest, **more)
                address = next(answers, "127.0.0.3")
                return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, {forbidden.port}))]
            socket.getaddrinfo = resolve
            socket.getaddrinfo("rebind.example", 80)
            sys.exit(apprise_guard.main())
        """)
    )
    monkeypatch.setattr(apprise_process, "COMMAND", (sys.executable, str(script)))
    problem = url_failure(f"json://rebind.example:{forbidden.port}/")
    assert problem.permanent
    assert "127.0.0.3" in problem.reason
    assert forbidden.connections == 0


@pytest.mark.parametrize(
    "code",
    [
        "open('/etc/passwd').read()",
        "open('/tmp/written-by-a-plugin', 'w')",
        "open(sys.prefix + '/written-by-a-plugin', 'w')",
        "import os; os.open('/etc/hostname', os.O_RDONLY)",
        "import subprocess; subprocess.run(['/bin/true'])",
        "import os; os.system('true')",
        "import os; os.fork()",
        "socket.socket(socket.AF_UNIX).connect('/run/postgresql/.s.PGSQL.5432')",
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 514))",
        "socket.socket().connect_ex(('localhost', 22))",
        "socket.socket(socket.AF_INET6).connect(('::1', 22))",
        "socket.create_connection(('127.0.0.1', 22), 1)",
    ],
)
def test_the_guard_refuses_files_programs_and_local_sockets(code: str) -> None:
    done = guarded(DestinationPolicy(), code)
    assert done.returncode != 0
    assert "Refusal" in done.stderr, done.stderr


@pytest.mark.parametrize(
    "url",
    [
        "syslog:///",
        "dbus:///",
        "mqtt://broker/topic",
        "rsyslog://10.0.0.1",
        "mailto://a:b@example.org",
        "nonsense://x",
    ],
)
def test_services_that_do_not_use_http_are_refused(url: str) -> None:
    assert url_failure(url).permanent


def test_a_template_in_a_url_reads_no_file_of_this_machine(sink: HttpSink, tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text('{"text": "a secret of this machine"}')
    for scheme in ("workflows", "slack"):
        url = f"{scheme}://{sink.address}:{sink.port}/abc/def?template={secret}"
        with pytest.raises(DeliveryFailed):
            TRANSPORTS["apprise"].send(AppriseConfig(url=url), MESSAGE, None)
    assert b"a secret" not in b"".join(request.body for request in sink.requests)


@pytest.mark.real_clock
def test_a_service_that_never_finishes_its_reply_ends_at_the_limit(
    sink: HttpSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    def drip(handler: BaseHTTPRequestHandler) -> None:
        try:
            handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
            for _ in range(400):
                handler.wfile.write(b"x")
                handler.wfile.flush()
                time.sleep(0.05)
        except OSError:
            pass

    sink.reply = drip
    monkeypatch.setattr(apprise_process, "DELIVERY_S", 3.0)
    begun = time.monotonic()
    problem = url_failure(f"json://{sink.address}:{sink.port}/")
    assert (problem.permanent, "within 3 s" in problem.reason) == (False, True)
    assert time.monotonic() - begun < 15


@pytest.mark.parametrize(("status", "permanent"), [(401, True), (404, True), (429, False), (500, False)])
def test_status_of_a_service_decides_and_no_secret_is_in_the_reason(
    sink: HttpSink, status: int, permanent: bool
) -> None:
    sink.reply = answer(status)
    problem = url_failure(f"json://user:hunter22@{sink.address}:{sink.port}/path-with-token-0123456789")
    assert problem.permanent == permanent
    assert str(status) in problem.reason
    assert "hunter22" not in problem.reason
    assert "0123456789" not in problem.reason


def test_secrets_are_replaced_in_reasons() -> None:
    result: AppriseResult = {
        "ok": False,
        "invalid": "",
        "refused": [],
        "log": ["POST to /s3cret-part failed"],
    }
    with pytest.raises(DeliveryFailed) as caught:
        apprise_process.check(result, apprise_process.secret_parts("slack://a/s3cret-part"))
    assert "s3cret" not in caught.value.reason


def test_the_process_gets_neither_proxies_nor_settings(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    script = tmp_path / "environment.py"
    result = '{"ok": False, "invalid": "", "refused": [], "log": [",".join(os.environ)]}'
    script.write_text(f"import json, os\nprint(json.dumps({result}))")
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("BACKSTAY_SECRET_KEYS", "key")
    monkeypatch.setattr(apprise_process, "COMMAND", (sys.executable, str(script)))
    empty = dict.fromkeys(AppriseRequest.__annotations__, "")
    request: AppriseRequest = json.loads(json.dumps(empty))
    names = set(apprise_process.run(request)["log"][0].split(","))
    assert names <= {"LANG", "PATH", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "PYTHONPATH", "HOME", "LC_CTYPE"}
