"""Sends a message through Apprise in a process of its own (`apprise_guard`)."""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable

from backstay.alerts.notify.apprise_guard import AppriseRequest, AppriseResult
from backstay.alerts.notify.connection import DELIVERY_S, current_policy
from backstay.alerts.notify.transport import DeliveryFailed
from backstay.core.alerting.message import Message, one_line, severity

COMMAND = (sys.executable, "-m", "backstay.alerts.notify.apprise_guard")
MAX_REASON = 300
_KEPT = ("LANG", "PATH", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE")
"""Of the environment: neither proxies nor the settings' secrets."""
_STATUS = re.compile(r"error=(\d{3})\b")
_SECRET = "***"  # noqa: S105 - what stands for one
_SHORTEST_SECRET = 6


def deliver(
    message: Message,
    *,
    url: str,
    plugin: str,
    title: str,
    body: str,
    markdown: str = "",
    body_format: str = "",
    chart: bytes | None = None,
) -> None:
    """Send to an Apprise URL, which is a secret; DeliveryFailed.

    `plugin`: class that the URL must select, empty: any. `markdown`: the body for readers of Markdown.
    `body_format`: what the service is given; empty: what its plugin prefers.
    """
    request: AppriseRequest = {
        "url": url,
        "plugin": plugin,
        "title": title,
        "body": body,
        "markdown": markdown,
        "format": body_format,
        "severity": severity(message),
        "chart": base64.b64encode(chart).decode() if chart else "",
        "policy": current_policy().to_json(),
    }
    check(run(request), secrets=secret_parts(url))


def run(request: AppriseRequest) -> AppriseResult:
    """Run the process to its end or its limit; DeliveryFailed if it has no result."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    path = os.pathsep.join(part for part in sys.path if part)
    try:
        done = subprocess.run(
            COMMAND,
            input=json.dumps(request).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=DELIVERY_S,
            env={**kept, "PYTHONPATH": path, "HOME": "/nonexistent"},
            cwd="/",
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise DeliveryFailed(f"No complete reply within {DELIVERY_S:g} s") from None
    try:
        result: AppriseResult = json.loads(done.stdout)
    except ValueError:
        raise DeliveryFailed(f"The process that sends ended with status {done.returncode}") from None
    return result


def check(result: AppriseResult, secrets: Iterable[str]) -> None:
    """Raise DeliveryFailed unless the message was sent."""
    if result["ok"]:
        return
    if result["refused"]:
        text = f"{result['refused'][0]}; BACKSTAY_NOTIFY_ALLOWED lists exceptions"
        raise DeliveryFailed(one_line(text, MAX_REASON), permanent=True)
    if result["invalid"]:
        raise DeliveryFailed(result["invalid"], permanent=True)
    text = result["log"][-1] if result["log"] else "The service did not accept the message"
    status = _STATUS.search(text)
    is_final = status is not None and 300 <= int(status[1]) < 500 and status[1] not in {"408", "425", "429"}
    for secret in secrets:
        text = text.replace(secret, _SECRET)
    raise DeliveryFailed(one_line(text, MAX_REASON), permanent=is_final)


def secret_parts(url: str) -> list[str]:
    """Parts of a URL that may be secret, the longest first: log lines may quote them."""
    parts = {url, *re.split(r"[/@:?&=]+", url)}
    return sorted((part for part in parts if len(part) >= _SHORTEST_SECRET), key=len, reverse=True)
