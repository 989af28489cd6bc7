"""`events`: what happened, and what happens."""

from __future__ import annotations

import collections
import contextlib
import json as jsonlib
import time
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import typer
from rich.text import Text

from backstay_cli import completion
from backstay_cli.errors import Unreachable
from backstay_cli.frames import Frame, frames
from backstay_cli.models import EventOut
from backstay_cli.output import as_json, say, tell, word
from backstay_cli.reading import read, read_all
from backstay_cli.session import AsJson, Session, session
from backstay_cli.text import clock, shown

AGAIN_S = 1.0
KNOWN = 2000


def events(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on as they happen.")] = False,
    kind: Annotated[str | None, typer.Option(help="Only this kind, e.g. path.switched.")] = None,
    node: Annotated[
        str | None, typer.Option(help="Only this node's.", autocompletion=completion.nodes)
    ] = None,
    since: Annotated[str | None, typer.Option(metavar="TIME", help="From then on, as now-1h.")] = None,
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=1, max=500, help="At most the newest so many.")
    ] = 50,
    json: AsJson = False,
) -> None:
    """What happened at a site, the newest last. With --follow and --json: one object a line."""
    run = session(context)
    wanted = {"kind": kind, "node": node}
    answer = run.api.get("/events", site=run.site, start=since, limit=limit, **wanted)
    known = read_all(EventOut, answer)
    if not follow:
        if json:
            as_json(answer)
        else:
            _print(reversed(known))
        return
    told = _Told(json)
    for item in reversed(answer["items"]):
        told.tell(item)
    with contextlib.suppress(KeyboardInterrupt):
        for item in _live(run, wanted):
            told.tell(item)


class _Told:
    """Prints each event once, whichever way it came."""

    def __init__(self, as_lines: bool) -> None:
        self._as_lines = as_lines
        self._known: collections.deque[int] = collections.deque(maxlen=KNOWN)

    def tell(self, item: Any) -> None:
        """One event as the API gave it."""
        event = read(EventOut, item)
        if event.id in self._known:
            return
        self._known.append(event.id)
        if self._as_lines:
            as_json(item, line=True)
        else:
            _print([event])


def _print(known: Iterable[EventOut]) -> None:
    for item in known:
        say(Text(f"{clock(item.since)} ") + word(item.state) + Text(shown(f" {item.kind}: {item.message}")))


def _live(run: Session, wanted: dict[str, str | None]) -> Iterator[Any]:
    """Events as they come; after every connecting also those that were missed."""
    last: str | None = None
    while True:
        try:
            with run.api.stream("/live", last, site=run.site) as chunks:
                for frame in frames(chunks):
                    last = frame.ident or last
                    yield from _of(run, frame, wanted)
        except Unreachable as error:
            tell(f"{error} Trying again.")
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
