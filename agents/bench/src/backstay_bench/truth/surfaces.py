"""Reads every surface of a running demo at one moment."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from backstay_bench.apply import Api, CannotMeasureError
from backstay_bench.truth.snapshots import Json, Snapshots

_Answer = TypeVar("_Answer")
_LIMIT_S = 60.0
_BACK_S = 60.0
"""How long a backend that is starting again may take."""
_TABLES = ("paths", "links", "gateways")
"""Commands whose printed tables are read."""
_OF_TERMINALS = frozenset({"COLUMNS", "FORCE_COLOR", "CLICOLOR_FORCE", "TTY_COMPATIBLE"})
_GROUPS = 50
"""Groups of events that are compared, the newest."""


@dataclass(frozen=True)
class Surfaces:
    """The API and the command line for one site of a demo."""

    api: Api
    site: str

    def overview(self) -> Json | None:
        """The overview alone; None while the backend does not answer."""
        try:
            found: Json = self.api.get(f"overview?site={self.site}")
        except CannotMeasureError:
            return None
        return found

    def read(self, *, command_line: bool = True) -> Snapshots:
        """All surfaces, at the same time as far as possible; without the command line also without groups of
        events and evidence. Raises CannotMeasureError.
        """
        reads: dict[str, Callable[[], Any]] = {
            "overview": lambda: self.api.get(f"overview?site={self.site}"),
            "topology": lambda: self.api.get(f"topology?site={self.site}"),
            "paths": lambda: self._items("paths"),
            "links": lambda: self._items("links"),
            "nodes": lambda: self._items("nodes"),
            "incidents": lambda: self._items("incidents", "&phase=current"),
        }
        if command_line:
            reads |= self._more()
        return self._again(lambda: self._read(reads, with_details=command_line))

    def opened_since(self, at: str) -> list[Json]:
        """Events of incidents that opened at or after a time, also of those that are resolved by now; each
        with the incident's `cause_id`.

        Raises CannotMeasureError.
        """
        query = f"&kind=incident.opened&start={quote(at)}"
        events = self._again(lambda: self._items("events", query))
        return [event | {"cause_id": self._cause_of(event["incident_id"])} for event in events]

    def _cause_of(self, incident: int) -> int | None:
        found: Json = self._again(lambda: self.api.get(f"incidents/{incident}"))
        cause: int | None = found["cause_id"]
        return cause

    def _more(self) -> dict[str, Callable[[], Any]]:
        """Groups of events, and everything of the command line."""
        return {
            "groups": lambda: self.api.get(f"events/groups?site={self.site}&limit={_GROUPS}")["items"],
            "labels": lambda: self._labels,
            "cli_status": lambda: self._command("status"),
            "cli_paths": lambda: self._command("paths")["items"],
            "cli_tables": lambda: {verb: self._printed(verb, "-o", "wide") for verb in _TABLES},
            "cli_incidents": lambda: self._command("incidents")["items"],
            "cli_groups": lambda: self._command("events", "--grouped", "--limit", str(_GROUPS))["items"],
        }

    @cached_property
    def _labels(self) -> Json:
        found: Json = self.api.get("openapi.json")["x-backstay"]["states"]
        return found

    @staticmethod
    def _again(read: Callable[[], _Answer]) -> _Answer:
        """Repeat a read while the backend is starting again."""
        began = time.monotonic()
        while True:
            try:
                return read()
            except CannotMeasureError:
                if time.monotonic() - began > _BACK_S:
                    raise
                time.sleep(1.0)

    def _read(self, reads: Mapping[str, Callable[[], Any]], *, with_details: bool) -> Snapshots:
        with ThreadPoolExecutor(max_workers=len(reads)) as pool:
            asked = {name: pool.submit(read) for name, read in reads.items()}
            shown = Snapshots(**{name: future.result() for name, future in asked.items()})
        if not with_details:
            return shown
        details = {root["id"]: self.api.get(f"incidents/{root['id']}") for root in shown.roots}
        return replace(shown, details=details)

    def _items(self, noun: str, query: str = "") -> list[Json]:
        items: list[Json] = []
        cursor: str | None = ""
        while cursor is not None:
            more = f"&cursor={cursor}" if cursor else ""
            page = self.api.get(f"{noun}?site={self.site}&limit=200{query}{more}")
            items += page["items"]
            cursor = page["next"]
        return items

    def _command(self, *arguments: str) -> Any:
        """`backstay VERB --json`."""
        try:
            return json.loads(self._printed(*arguments, "--json"))
        except ValueError as error:
            raise CannotMeasureError(f"backstay {' '.join(arguments)}: {error}") from error

    def _printed(self, *arguments: str) -> str:
        """What the command prints; exit code 1 means that something needs attention."""
        argv = [str(Path(sys.executable).with_name("backstay")), "--site", self.site, *arguments]
        # Otherwise tables are wrapped and coloured as on a terminal; Playwright sets FORCE_COLOR.
        kept = {name: text for name, text in os.environ.items() if name not in _OF_TERMINALS}
        known = {"BACKSTAY_URL": self.api.url, "BACKSTAY_TOKEN": self.api.token}
        try:
            done = subprocess.run(
                argv,
                env={**kept, **known},
                capture_output=True,
                text=True,
                check=False,
                timeout=_LIMIT_S,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise CannotMeasureError(f"backstay {' '.join(arguments)}: {error}") from error
        if done.returncode not in {0, 1}:
            raise CannotMeasureError(f"backstay {' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout
