"""Mail through a real SMTP server: what arrives, encryption, refusals, and names that try to be headers."""

from __future__ import annotations

import email
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword
from pydantic import ValidationError

from backstay.alerts.notify.chart import chart
from backstay.alerts.notify.connection import Deadline
from backstay.alerts.notify.tests.certificate import make_certificate
from backstay.alerts.notify.tests.sinks import EVIL, INCIDENT, MESSAGE, NOW
from backstay.alerts.notify.transports import TRANSPORTS, DeliveryFailed
from backstay.alerts.notify.transports import mail as transport
from backstay.alerts.notify.transports.mail import MailConfig

ADDRESS = "127.0.0.2"


class MailSink:
    """A handler of aiosmtpd that keeps envelopes; `replies`: what recipients get instead of acceptance."""

    def __init__(self) -> None:
        self.envelopes: list[Envelope] = []
        self.replies: dict[str, str] = {}
        self.data_reply = "250 OK"
        self.was_encrypted: list[bool] = []

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Any, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address in self.replies:
            return self.replies[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Any, envelope: Envelope) -> str:  # noqa: N802
        if self.data_reply.startswith("250"):
            self.envelopes.append(envelope)
            self.was_encrypted.append(session.ssl is not None)
        return self.data_reply

    def mail(self) -> EmailMessage:
        (envelope,) = self.envelopes
        assert isinstance(envelope.content, bytes)
        parsed = email.message_from_bytes(envelope.content, policy=default)
        assert isinstance(parsed, EmailMessage)
        return parsed


class Running(Controller):
    """aiosmtpd on a free port of the address."""

    def __init__(self, sink: MailSink, **options: Any) -> None:
        with socket.socket() as free:
            free.bind((ADDRESS, 0))
            port = free.getsockname()[1]
        super().__init__(sink, hostname=ADDRESS, port=port, **options)


@pytest.fixture
def mails(allowed: None) -> Iterator[tuple[MailSink, int]]:
    sink = MailSink()
    running = Running(sink)
    running.start()
    yield sink, running.port
    running.stop()


def config(port: int, **more: Any) -> MailConfig:
    given = {
        "host": ADDRESS,
        "port": port,
        "security": "none",
        "sender": "backstay@example.org",
        "recipients": ["noc@example.org"],
    }
    return MailConfig.model_validate({**given, **more})


def failure(given: MailConfig) -> DeliveryFailed:
    with pytest.raises(DeliveryFailed) as caught:
        TRANSPORTS["mail"].send(given, MESSAGE, None)
    return caught.value


def test_mail_has_text_html_and_the_chart_within_the_html(mails: tuple[MailSink, int]) -> None:
    sink, port = mails
    image = chart([(NOW, 1.0)], 0.9, "grf1", "share", NOW)
    TRANSPORTS["mail"].send(config(port, recipients=["a@example.org", "b@example.org"]), MESSAGE, image)
    got = sink.mail()
    assert sink.envelopes[0].rcpt_tos == ["a@example.org", "b@example.org"]
    assert got["Subject"] == "[critical] argonne: grf1 lost all links"
    assert (got["From"], got["To"]) == ("backstay@example.org", "a@example.org, b@example.org")
    assert got["Auto-Submitted"] == "auto-generated"
    assert got["Message-ID"] == "<route-1-argonne-17@example.org>"
    assert got["References"] == "<incident-7.argonne@example.org>"
    plain, rich = got.get_body(("plain",)), got.get_body(("html",))
    assert plain is not None
    assert rich is not None
    assert "Affected: 3 paths dead, 7 rerouted to atmgw" in plain.get_content()
    assert 'src="cid:chart.route-1-argonne-17@example.org"' in rich.get_content()
    (part,) = [one for one in got.walk() if one.get_content_type() == "image/png"]
    assert part["Content-ID"] == "<chart.route-1-argonne-17@example.org>"
    assert part.get_content_disposition() == "inline"
    assert part.get_payload(decode=True) == image
    assert [one.get_content_type() for one in got.walk()] == [
        "multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png",
    ]  # fmt: skip


def test_mail_without_a_chart_refers_to_none(mails: tuple[MailSink, int]) -> None:
    sink, port = mails
    TRANSPORTS["mail"].send(config(port), MESSAGE, None)
    assert b"cid:" not in (sink.envelopes[0].content or b"")
    assert "image/png" not in [one.get_content_type() for one in sink.mail().walk()]


def test_hostile_names_add_no_header_no_recipient_and_no_markup(mails: tuple[MailSink, int]) -> None:
    sink, port = mails
    incident = replace(INCIDENT, title=EVIL, subject=EVIL, detail=EVIL, effects=(EVIL,), kind=EVIL)
    message = replace(MESSAGE, key=EVIL, site=EVIL, incidents=(incident,))
    TRANSPORTS["mail"].send(config(port), message, None)
    got = sink.mail()
    assert sink.envelopes[0].rcpt_tos == ["noc@example.org"]
    assert set(got.keys()) == {
        "Subject", "From", "To", "Date", "Message-ID", "In-Reply-To", "References", "Auto-Submitted",
        "X-Backstay-Site", "MIME-Version", "Content-Type",
    }  # fmt: skip
    assert "\n" not in got["Subject"]
    for kind in ("plain", "html"):
        body = got.get_body((kind,))
        assert body is not None
        content = body.get_content()
        assert not [one for one in content if one in "\x1b\u202e"]
        assert ("<script>" in content) == (kind == "plain")


def test_starttls_encrypts_before_the_password(
    allowed: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = make_certificate(tmp_path, ADDRESS)
    sink, context = MailSink(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)

    def authenticate(
        server: Any, session: Any, envelope: Any, mechanism: str, data: LoginPassword
    ) -> AuthResult:
        is_right = (data.login, data.password) == (b"bot", b"secret")
        return AuthResult(success=is_right and session.ssl is not None, handled=False)

    running = Running(
        sink, tls_context=context, require_starttls=True, authenticator=authenticate, auth_required=True
    )
    running.start()
    try:
        given = config(running.port, security="starttls", user="bot", password="secret")
        untrusted = failure(given)
        assert untrusted.permanent
        assert "certificate" in untrusted.reason
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
        TRANSPORTS["mail"].send(given, MESSAGE, None)
        assert sink.was_encrypted == [True]
        wrong = failure(config(running.port, security="starttls", user="bot", password="wr0ng pass"))
        assert wrong.permanent
        assert "wr0ng pass" not in wrong.reason
        assert failure(config(running.port)).permanent
    finally:
        running.stop()


def test_tls_from_the_first_octet(allowed: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate = make_certificate(tmp_path, ADDRESS)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    sink = MailSink()
    running = Running(sink, ssl_context=context)
    running.start()
    try:
        TRANSPORTS["mail"].send(config(running.port, security="tls"), MESSAGE, None)
        assert len(sink.envelopes) == 1
    finally:
        running.stop()


def test_a_server_without_starttls_gets_no_mail(mails: tuple[MailSink, int]) -> None:
    sink, port = mails
    problem = failure(config(port, security="starttls"))
    assert problem.permanent
    assert "STARTTLS" in problem.reason
    assert sink.envelopes == []


def test_replies_decide_whether_another_attempt_makes_sense(mails: tuple[MailSink, int]) -> None:
    sink, port = mails
    sink.data_reply = "451 try later"
    assert (failure(config(port)).permanent, "451 try later" in failure(config(port)).reason) == (False, True)
    sink.data_reply = "554 spam"
    assert failure(config(port)).permanent
    sink.data_reply = "250 OK"
    sink.replies = {"gone@example.org": "550 no such user", "full@example.org": "452 mailbox full"}
    assert failure(config(port, recipients=["gone@example.org"])).permanent
    assert not failure(config(port, recipients=["full@example.org"])).permanent
    partly = failure(config(port, recipients=["noc@example.org", "full@example.org"]))
    assert partly.permanent
    assert "full@example.org" in partly.reason
    assert len(sink.envelopes) == 1


def test_a_mail_server_on_a_refused_address_is_not_reached() -> None:
    with socket.socket() as listening:
        listening.bind((ADDRESS, 0))
        listening.listen()
        listening.settimeout(0.2)
        problem = failure(config(listening.getsockname()[1]))
        assert (problem.permanent, "loopback" in problem.reason) == (True, True)
        with pytest.raises(TimeoutError):
            listening.accept()


@pytest.mark.real_clock
def test_a_server_that_drips_its_greeting_ends_at_the_deadline(
    allowed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "Deadline", lambda: Deadline(0.5))
    with socket.socket() as listening:
        listening.bind((ADDRESS, 0))
        listening.listen()

        def drip() -> None:
            accepted, _ = listening.accept()
            with accepted:
                try:
                    for _ in range(200):
                        accepted.sendall(b"2")
                        time.sleep(0.05)
                except OSError:
                    pass

        thread = threading.Thread(target=drip, daemon=True)
        thread.start()
        begun = time.monotonic()
        assert "No complete reply" in failure(config(listening.getsockname()[1])).reason
        assert time.monotonic() - begun < 5
        thread.join(15)


@pytest.mark.parametrize(
    "value",
    [
        "a@b\r\nBcc: c@d",
        "a b@example.org",
        "a@",
        "@example.org",
        "a@b@c",
        '"a"@example.org',
        "Name <a@b.org>",
        "a,b@c.org",
    ],
)
def test_only_plain_mailboxes_are_accepted(value: str) -> None:
    for more in ({"sender": value}, {"recipients": [value]}):
        with pytest.raises(ValidationError):
            config(25, **more)
