"""`events`: past and live events."""

from __future__ import annotations

import collections
import contextlib
import json as jsonlib
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from rich.text import Text

from backstay_cli import completion
from backstay_cli.errors import Unreachable
from backstay_cli.models import EventGroupPageOut, EventOut
from backstay_cli.output import as_json, print_lines, print_note, state_label
from backstay_cli.reading import read, read_all
from backstay_cli.session import AsJson, Session, Since, Until, session
from backstay_cli.text import SPEC, clock, count, period, shown

AGAIN_S = 1.0
KNOWN = 2000
LABELS: dict[str, str] = {item["kind"]: item["label"] for item in SPEC["event_kinds"]}
"""Kind of an event -> its label; `--json` has the kind."""
LONGEST = 1 << 20
"""Octets of one line of a stream; longer ones are dropped."""


Kind = Annotated[str | None, typer.Option(help="Only events of this kind, e.g. path.switched.")]
Node = Annotated[str | None, typer.Option(help="Only events of this node.", autocompletion=completion.nodes)]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, max=500, help="Maximum number of events.")]


def events(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    grouped: Annotated[bool, typer.Option("--grouped", "-g", help="Group events by root cause.")] = False,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Print new events as they occur.")] = False,
    kind: Kind = None,
    node: Node = None,
    since: Since = None,
    limit: Limit = 50,
    json: AsJson = False,
) -> None:
    """List a site's events, or groups of them, or follow them."""
    if grouped and follow:
        raise typer.BadParameter("--grouped cannot be combined with --follow.")
    if grouped:
        list_groups(context, kind, node, since, limit=limit, json=json)
    else:
        list_events(context, follow, kind, node, since, limit=limit, json=json)


def list_groups(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    kind: Kind = None,
    node: Node = None,
    since: Since = None,
    until: Until = None,
    limit: Limit = 50,
    json: AsJson = False,
) -> None:
    """List events grouped by root cause, newest last."""
    run = session(context)
    wanted = {"kind": kind, "node": node, "start": since, "end": until}
    answer = _newest(run, "/events/groups", node, limit, wanted)
    as_json(answer) if json else _print_groups(answer)


def list_events(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Print new events as they occur.")] = False,
    kind: Kind = None,
    node: Node = None,
    since: Since = None,
    until: Until = None,
    limit: Limit = 50,
    json: AsJson = False,
) -> None:
    """List a site's events, newest last.

    --follow prints an event again when it is amended, such as a path switch whose outage has been measured.
    With --json as well, it prints one object per line.
    """
    run = session(context)
    wanted = {"kind": kind, "node": node}
    answer = _newest(run, "/events", node, limit, {**wanted, "start": since, "end": until})
    known = read_all(EventOut, answer)
    if not follow:
        if json:
            as_json(answer)
        else:
            _print(reversed(known))
        return
    printer = _EventPrinter(json)
    for item in reversed(answer["items"]):
        printer.add(item)
    with contextlib.suppress(KeyboardInterrupt):
        for item in _live(run, wanted):
            printer.add(item)


def _newest(run: Session, path: str, node: str | None, limit: int, wanted: dict[str, str | None]) -> Any:
    """The newest entries; an empty answer to an unknown node is an error."""
    answer = run.api.get(path, site=run.site, limit=limit, **wanted)
    if node is not None and not answer["items"]:
        run.node(node)
    return answer


class _EventPrinter:
    """Prints each event once, whether listed or live, and again when its text or data changed."""

    def __init__(self, as_lines: bool) -> None:
        self._as_lines = as_lines
        self._known: collections.OrderedDict[int, tuple[str, Any]] = collections.OrderedDict()
        """Id -> text and data as printed, the newest last."""

    def add(self, item: Any) -> None:
        """One event as the API gave it."""
        event = read(EventOut, item)
        before, printed = self._known.get(event.id), (event.message, event.data)
        if before == printed:
            return
        self._known[event.id] = printed
        self._known.move_to_end(event.id)
        if len(self._known) > KNOWN:
            self._known.popitem(last=False)
        if self._as_lines:
            as_json(item, line=True)
        else:
            _print([event], note="" if before is None else " (updated)")


def _print_groups(answer: Any) -> None:
    page = read(EventGroupPageOut, answer)
    for item in reversed(page.items):
        effects = f": {item.detail}" if item.detail and item.events > 1 else ""
        print_lines(
            Text(f"{period(item.start, item.end)} ")
            + state_label(item.state)
            + Text(shown(f" {item.title}{effects} ({count(item.events, 'event')})"))
        )
    if page.total > len(page.items):
        print_note(f"{page.total - len(page.items)} older groups are not shown: raise --limit.")
    if page.grouped_since is not None:
        print_note(f"Only events since {clock(page.grouped_since)} are grouped: give a later --since.")


def _print(known: Iterable[EventOut], note: str = "") -> None:
    for item in known:
        print_lines(
            Text(f"{clock(item.since)} ")
            + state_label(item.state)
            + Text(shown(f" {LABELS.get(item.kind, item.kind)}: {item.message}{note}"))
        )


def _live(run: Session, wanted: dict[str, str | None]) -> Iterator[Any]:
    """Events as they arrive; after each reconnect also the missed ones."""
    last: str | None = None
    while True:
        try:
            with run.api.stream("/live", last, site=run.site) as chunks:
                for frame in frames(chunks):
                    last = frame.ident or last
                    yield from _of(run, frame, wanted)
        except Unreachable as error:
            print_note(f"{error} Retrying.")
        time.sleep(AGAIN_S)


def _of(run: Session, frame: Frame, wanted: dict[str, str | None]) -> Iterator[Any]:
    if frame.kind in {"hello", "gap"}:
        yield from reversed(run.api.get("/events", site=run.site, limit=100, **wanted)["items"])
    elif frame.kind == "event":
        try:
            item = jsonlib.loads(frame.data).get("event")
        except (ValueError, AttributeError):
            return
        if item is not None and all(item.get(name) == value for name, value in wanted.items() if value):
            yield item


@dataclass(frozen=True, slots=True)
class Frame:
    """One message; `ident` resumes after it, None if the message does not set it."""

    kind: str
    data: str
    ident: str | None


def frames(chunks: Iterable[bytes]) -> Iterator[Frame]:
    """Parse server-sent events (WHATWG HTML, section 9.2), each as its last line arrives.

    Comments, `retry` and messages without data are dropped. Lines end at LF or CRLF only: other Unicode line
    separators are part of the data.
    """
    fields: dict[str, str] = {}
    for line in _lines(chunks):
        if line:
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "data" and "data" in fields:
                value = f"{fields['data']}\n{value}"
            fields[name] = value
            continue
        if "data" in fields:
            yield Frame(fields.get("event", "message"), fields["data"], fields.get("id"))
        fields = {}


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line.removesuffix(b"\r").decode("utf-8", "replace")
        if len(rest) > LONGEST:
            rest = b""
