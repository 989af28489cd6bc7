"""Mail over SMTP, with STARTTLS, TLS or neither; the chart is an image in the text."""

from __future__ import annotations

import re
import smtplib
import socket
import ssl
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from backstay.alerts.notify.connection import DELIVERY_S, Deadline, connect, failures_of
from backstay.alerts.notify.destinations import check_host
from backstay.alerts.notify.transport import Config, DeliveryFailed, Transport
from backstay.core.alerting.message import Message, html, one_line, subject, text
from backstay.core.formatting import listing

MAX_RECIPIENTS = 50
MAX_CHART = 1_000_000
"""Octets; a larger image is left out."""
_ADDRESS = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?"
)
"""Mailboxes as HTML's input of type email takes them: RFC 5321 without quotes and comments."""
_UNSAFE_ID = re.compile(r"[^A-Za-z0-9._-]")
_PERMANENT_FROM = 500
"""First reply of SMTP that repeats itself (RFC 5321, 4.2.1)."""


def mailbox(value: str) -> str:
    """A plain mail address; ValueError for anything else, a line break above all."""
    if not _ADDRESS.fullmatch(value) or len(value) > 254:
        raise ValueError("Expected a mail address like operator@example.org, without a name.")
    return value


Mailbox = Annotated[str, AfterValidator(mailbox)]


class MailConfig(Config):
    """A mail server and who writes to whom."""

    host: Annotated[str, AfterValidator(check_host)] = Field(max_length=253, description="Mail server")
    port: int = Field(587, ge=1, le=65_535, description="587 for STARTTLS, 465 for TLS, 25 for a relay")
    security: Literal["starttls", "tls", "none"] = Field(
        "starttls", description="Encryption of the connection"
    )
    user: str = Field("", max_length=254, pattern=r"^[ -~]*$", description="Empty: without authentication")
    password: str = Field("", max_length=1024, repr=False, description="Of this user")
    sender: Mailbox = Field(description="Address in From")
    recipients: list[Mailbox] = Field(min_length=1, max_length=MAX_RECIPIENTS, description="Addresses in To")


class _Client(smtplib.SMTP):
    """smtplib on a connection that is already checked."""

    def __init__(self, connected: socket.socket, host: str, port: int, timeout: float) -> None:
        self._connected = connected
        # Without a name of its own, smtplib would resolve one.
        super().__init__(host, port, local_hostname=_own_name(), timeout=timeout)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        return self._connected


def _own_name() -> str:
    return _UNSAFE_ID.sub("-", socket.gethostname())[:253] or "localhost"


def build(config: MailConfig, message: Message, chart: bytes | None) -> EmailMessage:
    """The mail: plain text, HTML, and the chart within the HTML.

    Each header's value is one line; the email package raises ValueError for others. The Message-ID is the
    same for each attempt, and mails about one incident refer to one id: clients show them together.
    """
    domain = config.sender.rpartition("@")[2]
    mail = EmailMessage(policy=SMTP)
    mail["Subject"] = subject(message)
    mail["From"] = config.sender
    mail["To"] = ", ".join(config.recipients)
    mail["Date"] = format_datetime(_aware(message.sent_at))
    mail["Message-ID"] = f"<{_id_part(message.key)}@{domain}>"
    if message.incidents:
        thread = f"<incident-{message.incidents[0].id}.{_id_part(message.site)}@{domain}>"
        mail["In-Reply-To"], mail["References"] = thread, thread
    # RFC 3834: no automatic replies to it, please.
    mail["Auto-Submitted"] = "auto-generated"
    mail["X-Backstay-Site"] = _id_part(message.site)
    mail.set_content(text(message))
    image = chart if chart is not None and len(chart) <= MAX_CHART else None
    cid = f"chart.{_id_part(message.key)}@{domain}"
    mail.add_alternative(html(message, chart=f"cid:{cid}" if image else ""), subtype="html")
    if image is not None:
        body = mail.get_body(("html",))
        assert isinstance(body, EmailMessage)
        body.add_related(image, "image", "png", cid=f"<{cid}>", disposition="inline", filename="chart.png")
    return mail


def _id_part(value: str) -> str:
    return _UNSAFE_ID.sub("-", one_line(value, 120)) or "none"


def _aware(at: datetime) -> datetime:
    return at.astimezone()


def send(config: MailConfig, message: Message, chart: bytes | None) -> None:
    """Send one mail to all recipients; those that the server refuses fail it for good, the others have it."""
    mail, deadline = build(config, message, chart), Deadline()
    with connect(config.host, config.port, deadline) as plain, deadline.enforced(plain):
        refused = _outcome(config, mail, plain, deadline)
    if refused:
        code, reply = next(iter(refused.values()))
        names = listing(sorted(refused))
        failed = _refusal(f"{config.host} refused {names}", code, reply)
        is_partial = len(refused) < len(config.recipients)
        raise DeliveryFailed(failed.reason, permanent=failed.permanent or is_partial)


def _outcome(
    config: MailConfig, mail: EmailMessage, plain: socket.socket, deadline: Deadline
) -> dict[str, tuple[int, bytes]]:
    """The refused recipients; DeliveryFailed if the server took nothing for another reason."""
    with failures_of(deadline, config.host):
        try:
            return _transmit(config, mail, plain)
        except smtplib.SMTPRecipientsRefused as problem:
            return problem.recipients
        except smtplib.SMTPNotSupportedError as problem:
            raise DeliveryFailed(f"{config.host}: {one_line(str(problem))}", permanent=True) from None
        except smtplib.SMTPResponseException as problem:
            if deadline.is_over:
                raise deadline.failure() from None  # What came until then is no reply.
            raise _refusal(config.host, problem.smtp_code, problem.smtp_error) from None


def _transmit(config: MailConfig, mail: EmailMessage, plain: socket.socket) -> dict[str, tuple[int, bytes]]:
    """Talk SMTP; the recipients that were refused while others were accepted."""
    context = ssl.create_default_context()
    connected: socket.socket = plain
    if config.security == "tls":
        connected = context.wrap_socket(plain, server_hostname=config.host)
    with _Client(connected, config.host, config.port, DELIVERY_S) as client:
        if config.security == "starttls":
            client.starttls(context=context)
        if config.user:
            client.login(config.user, config.password)
        return client.send_message(mail, config.sender, config.recipients)


def _refusal(who: str, code: int, reply: bytes | str) -> DeliveryFailed:
    answer = reply.decode("utf-8", "replace") if isinstance(reply, bytes) else reply
    return DeliveryFailed(f"{who}: {code} {one_line(answer, 200)}", permanent=code >= _PERMANENT_FROM)


TRANSPORT = Transport("mail", "Mail", MailConfig, frozenset({"password"}), send)
