"""A process of its own that sends one message through Apprise, and may do nothing else.

Apprise's plugins make their own requests: they resolve, follow redirects, read replies of any length and open
files that a URL names. So each message has a process that its parent ends after a time, with a limit of
memory, without the parent's environment, and with an audit hook (PEP 578) that sees each connection of any
library when it is made, with the address that the kernel gets: neither redirects nor DNS rebinding pass it.

`python -m backstay.alerts.notify.apprise_guard` reads a request as JSON on stdin and writes a result as JSON.
"""

from __future__ import annotations

import base64
import json
import logging
import mimetypes
import os
import resource
import socket
import sys
from collections.abc import Callable
from typing import Any, TypedDict

from backstay.alerts.notify.destinations import DestinationPolicy

MAX_MEMORY = 512 * 2**20
"""Octets of data: a reply without end must not take the machine's memory."""
MAX_LOG = 20
"""Lines of the log that are kept."""
_PROGRAMS = ("subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.startfile", "pty.")
_SENDS = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class AppriseRequest(TypedDict):
    """One message for one Apprise URL."""

    url: str
    plugin: str
    """Class of the plugin that the URL must select; empty: any that speaks HTTP."""
    title: str
    body: str
    markdown: str
    """The body for services that read Markdown; empty: they get `body`."""
    format: str
    """`text`, `markdown` or `html`: what the service is given; empty: what its plugin prefers."""
    severity: str
    chart: str
    """PNG, base64; empty: none."""
    policy: str


class AppriseResult(TypedDict):
    """What became of it."""

    ok: bool
    invalid: str
    """Why the URL cannot be used at all."""
    refused: list[str]
    """What the guard refused."""
    log: list[str]


class Refusal(PermissionError):  # noqa: N818 - an event of the guard
    """The guard does not allow it."""


class Guard:
    """An audit hook that allows connections to permitted addresses and reading of Python's own files."""

    def __init__(self, policy: DestinationPolicy) -> None:
        self.refused: list[str] = []
        self._policy = policy
        self._folders = tuple({os.path.realpath(path) for path in (sys.prefix, sys.base_prefix)})
        self._files = {*mimetypes.knownfiles, os.devnull, "/dev/urandom"}

    def __call__(self, event: str, args: tuple[Any, ...]) -> None:
        """Called by the interpreter; raises Refusal."""
        if event in _SENDS:
            self._check_address(args[0], args[1])
        elif event == "open":
            self._check_file(args[0], args[2])
        elif event.startswith(_PROGRAMS):
            self._refuse(f"{event} is not allowed")

    def _check_address(self, connected: socket.socket, address: object) -> None:
        if address is None and connected.family in {socket.AF_INET, socket.AF_INET6}:
            return  # The socket is connected: its address was checked then.
        if not isinstance(address, tuple) or connected.family not in {socket.AF_INET, socket.AF_INET6}:
            self._refuse("only connections over IP are allowed")
        assert isinstance(address, tuple)
        why = self._policy.refusal(str(address[0]), int(address[1]))
        if why:
            self._refuse(f"{address[0]} port {address[1]} {why}")

    def _check_file(self, path: object, flags: object) -> None:
        if isinstance(path, int):
            return
        name = os.path.realpath(os.fsdecode(path))  # type: ignore[arg-type]
        is_written = isinstance(flags, int) and flags & _WRITES
        is_known = name in self._files or name.startswith(tuple(f"{one}/" for one in self._folders))
        if is_written or not is_known:
            self._refuse("a file of this machine is not allowed")

    def _refuse(self, why: str) -> None:
        if len(self.refused) < MAX_LOG:
            self.refused.append(why)
        raise Refusal(why)


class LogLines(logging.Handler):
    """Keeps warnings of Apprise: the only place where it says why a message was not sent."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line."""
        if len(self.lines) < MAX_LOG:
            self.lines.append(record.getMessage()[:500])


def deliver(request: AppriseRequest, install: Callable[[Guard], None]) -> AppriseResult:
    """Send one message; `install` activates the guard once Apprise is loaded."""
    from apprise import Apprise, AppriseAsset, NotifyFormat, NotifyType

    guard, kept = Guard(DestinationPolicy.from_json(request["policy"])), LogLines()
    logger = logging.getLogger("apprise")
    logger.addHandler(kept)
    logger.propagate = False
    asset = AppriseAsset(
        app_id="Backstay",
        app_desc="Backstay",
        app_url="",
        image_url_mask="",
        image_url_logo="",
        async_mode=False,
        http_redirects=False,
        storage_mode="memory",
    )
    Apprise(asset=asset).add("json://localhost")  # Loads the plugins, which are files.
    install(guard)
    server = Apprise.instantiate(request["url"], asset=asset)
    invalid = _invalid(server, request["plugin"])
    if invalid:
        return {"ok": False, "invalid": invalid, "refused": guard.refused, "log": kept.lines}
    assert server is not None
    server.redirects = False
    server.interpret_emojis = False
    if hasattr(server, "include_image"):
        server.include_image = False
    if request["format"]:
        server.notify_format = NotifyFormat(request["format"])
    is_markdown = bool(request["markdown"]) and server.notify_format == NotifyFormat.MARKDOWN
    sender = Apprise(asset=asset)
    sender.add(server)
    types = {"critical": NotifyType.FAILURE, "warning": NotifyType.WARNING, "resolved": NotifyType.SUCCESS}
    ok = sender.notify(
        title=request["title"],
        body=request["markdown"] if is_markdown else request["body"],
        body_format=NotifyFormat.MARKDOWN if is_markdown else NotifyFormat.TEXT,
        notify_type=types.get(request["severity"], NotifyType.INFO),
        attach=_attachment(request["chart"]),
        interpret_escapes=False,
    )
    return {"ok": bool(ok), "invalid": "", "refused": guard.refused, "log": kept.lines}


def _invalid(server: Any, plugin: str) -> str:
    """Why the server of a URL cannot be used; empty: it can."""
    if server is None:
        return "Apprise does not understand this URL"
    name = type(server).__name__
    if plugin and name != plugin:
        return f"This URL is not one of {plugin.removeprefix('Notify')}"
    # Plugins over HTTP import requests. The others start programs, open local sockets or speak protocols that
    # wait without a limit.
    is_http = any(
        "requests" in vars(sys.modules[base.__module__])
        for base in type(server).__mro__[:-1]
        if (base.__module__.startswith("apprise.plugins.") and base.__module__ != "apprise.plugins.base")
    )
    return "" if is_http else f"{name.removeprefix('Notify')} does not send over HTTP"


def _attachment(chart: str) -> Any:
    from apprise import AppriseAttachment
    from apprise.attachment.memory import AttachMemory

    if not chart:
        return None
    memory: Any = AttachMemory  # Apprise annotates neither its arguments nor its base.
    return AppriseAttachment(memory(content=base64.b64decode(chart), name="chart.png", mimetype="image/png"))


def main() -> int:
    """Send the message on stdin."""
    request: AppriseRequest = json.load(sys.stdin)
    output, sys.stdout = sys.stdout, sys.stderr
    resource.setrlimit(resource.RLIMIT_DATA, (MAX_MEMORY, MAX_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    json.dump(deliver(request, sys.addaudithook), output)
    output.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
