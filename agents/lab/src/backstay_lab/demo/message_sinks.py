"""The demo's receivers: a mail server and a webhook on loopback that keep what they get as files.

    FOLDER/mail/0001.eml       each mail as it arrived
    FOLDER/webhooks.jsonl      one line a request: time, headers and JSON

The supervisor runs it as a program, and configures a channel for each and a route to both at every site that
has no channel yet.
"""

from __future__ import annotations

import argparse
import itertools
import json
import threading
import time
from email import message_from_bytes
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from backstay_lab import public_api as api
from backstay_lab.demo.agents import ApiAccess
from backstay_lab.demo.ports import LOOPBACK

MAX_BODY = 4 * 1024 * 1024
TIMEOUT_S = 30
MAIL, WEBHOOK, ROUTE = "demo-mail", "demo-webhook", "default"


class MailFolder:
    """Stores each accepted mail in a file of its own, numbered on."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        known = [int(path.stem) for path in folder.glob("*.eml") if path.stem.isdecimal()]
        self._folder, self._numbers = folder, itertools.count(max(known, default=0) + 1)

    async def handle_DATA(  # noqa: N802  (the name that aiosmtpd calls)
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        """Keep a mail."""
        content = envelope.content or b""
        raw = content if isinstance(content, bytes) else content.encode()
        (self._folder / f"{next(self._numbers):04}.eml").write_bytes(raw)
        print(f"mail: {message_from_bytes(raw)['Subject']}", flush=True)
        return "250 Message accepted for delivery"


def webhook_handler(file: Path) -> type[BaseHTTPRequestHandler]:
    """Appends each POST to the file."""
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        timeout = TIMEOUT_S

        def do_POST(self) -> None:
            """Keep a message."""
            length = int(self.headers.get("Content-Length") or 0)
            if not 0 < length <= MAX_BODY:
                self.send_error(413)
                return
            try:
                body = json.loads(self.rfile.read(length))
            except ValueError:
                self.send_error(400)
                return
            line = json.dumps({"at": time.time(), "headers": dict(self.headers), "body": body})
            with lock, file.open("a") as stream:
                stream.write(line + "\n")
            self.send_response(204)
            self.end_headers()

    return Handler


def configure(access: ApiAccess, site: str, smtp_port: int, web_port: int) -> bool:
    """Create the two channels and the route at a site without channels; else let ours follow the ports.

    Whether the site has them. Raises ApiError.
    """
    mail = {
        "host": LOOPBACK,
        "port": smtp_port,
        "security": "none",
        "sender": "backstay@demo.invalid",
        "recipients": ["operators@demo.invalid"],
    }
    wanted: dict[str, tuple[str, dict[str, Any]]] = {
        MAIL: ("mail", mail),
        WEBHOOK: ("webhook", {"url": f"http://{LOOPBACK}:{web_port}/"}),
    }
    known = {str(item["name"]): item["id"] for item in access.get("channels", site)}
    if known and not wanted.keys() <= known.keys():
        return False
    for name, (kind, config) in wanted.items():
        body = {"site": site, "name": name, "kind": kind, "config": config}
        if name in known:
            _send(access, "PUT", f"channels/{known[name]}", body)
        else:
            known[name] = _send(access, "POST", "channels", body)["id"]
    if not access.get("notification-routes", site):
        steps = [{"after_s": 0, "channels": [known[name] for name in wanted]}]
        _send(access, "POST", "notification-routes", {"site": site, "name": ROUTE, "steps": steps})
    return True


def _send(access: ApiAccess, method: str, path: str, body: dict[str, Any]) -> Any:
    return api.call(f"{access.url}/api/v1/{path}", token=access.token, method=method, body=body)


def main() -> None:
    """Serve until it is terminated."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--smtp-port", type=int, required=True)
    parser.add_argument("--web-port", type=int, required=True)
    options = parser.parse_args()
    folder: Path = options.folder
    mail = Controller(MailFolder(folder / "mail"), hostname=LOOPBACK, port=options.smtp_port)
    mail.start()
    try:
        ThreadingHTTPServer(
            (LOOPBACK, options.web_port), webhook_handler(folder / "webhooks.jsonl")
        ).serve_forever()
    finally:
        mail.stop()


if __name__ == "__main__":
    main()
