"""Reads every surface of a running demo at one moment."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backstay_bench.apply import Api, CannotMeasureError
from backstay_bench.truth.snapshots import Json, Snapshots

_LIMIT_S = 60.0
_BACK_S = 60.0
"""How long a backend that is starting again may take."""


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
        """All surfaces, at the same time as far as possible. Raises CannotMeasureError."""
        reads: dict[str, Callable[[], Any]] = {
            "overview": lambda: self.api.get(f"overview?site={self.site}"),
            "topology": lambda: self.api.get(f"topology?site={self.site}"),
            "paths": lambda: self._items("paths"),
            "links": lambda: self._items("links"),
            "nodes": lambda: self._items("nodes"),
            "incidents": lambda: self._items("incidents", "&phase=current"),
        }
        if command_line:
            reads["cli_status"] = lambda: self._command("status")
            reads["cli_paths"] = lambda: self._command("paths")["items"]
        began = time.monotonic()
        while True:
            try:
                return self._read(reads)
            except CannotMeasureError:
                if time.monotonic() - began > _BACK_S:
                    raise
                time.sleep(1.0)  # The backend is starting again.

    @staticmethod
    def _read(reads: Mapping[str, Callable[[], Any]]) -> Snapshots:
        with ThreadPoolExecutor(max_workers=len(reads)) as pool:
            asked = {name: pool.submit(read) for name, read in reads.items()}
            return Snapshots(**{name: future.result() for name, future in asked.items()})

    def _items(self, noun: str, query: str = "") -> list[Json]:
        items: list[Json] = []
        cursor: str | None = ""
        while cursor is not None:
            more = f"&cursor={cursor}" if cursor else ""
            page = self.api.get(f"{noun}?site={self.site}&limit=200{query}{more}")
            items += page["items"]
            cursor = page["next"]
        return items

    def _command(self, verb: str) -> Any:
        """`backstay VERB --json`; exit code 1 means that something needs attention."""
        argv = [str(Path(sys.executable).with_name("backstay")), "--site", self.site, verb, "--json"]
        known = {"BACKSTAY_URL": self.api.url, "BACKSTAY_TOKEN": self.api.token}
        try:
            done = subprocess.run(
                argv,
                env={**os.environ, **known},
                capture_output=True,
                text=True,
                check=False,
                timeout=_LIMIT_S,
            )
            return json.loads(done.stdout)
        except (OSError, ValueError, subprocess.TimeoutExpired) as error:
            raise CannotMeasureError(f"backstay {verb}: {error}") from error
