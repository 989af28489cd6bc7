"""Sources of reference values, and a thread that reads one repeatedly."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from typing import Protocol

from backstay_lab.errors import LabError
from backstay_lab.verify.series import Key, Series, Slack, Value


class ReferenceSource(Protocol):
    """Reference values of the running lab, read by other means than the agents'."""

    @property
    def title(self) -> str:
        """Reader and subject: `/proc/net/dev of the nodes`."""

    @property
    def slack(self) -> Slack:
        """Error of the agents' reading times."""

    @property
    def pause_s(self) -> float:
        """Seconds between two readings."""

    def read(self) -> Iterator[Mapping[Key, Value]]:
        """One reading of everything, piece by piece, each with its own time."""

    def close(self) -> None:
        """Release resources."""


class Reader(threading.Thread):
    """Reads one source until it is stopped."""

    def __init__(self, source: ReferenceSource) -> None:
        super().__init__(daemon=True)
        self.source = source
        self.series: dict[Key, Series] = {}
        self._stop_requested = threading.Event()
        self._has_read = threading.Event()
        self._error: Exception | None = None

    def run(self) -> None:
        """The thread's work; an error is kept for `finish`."""
        try:
            while not self._stop_requested.is_set():
                self._once()
                self._has_read.set()
                self._stop_requested.wait(self.source.pause_s)
            self._once()
        except Exception as error:
            self._error = error
            self._has_read.set()

    def wait(self) -> None:
        """Wait until everything was read once."""
        self._has_read.wait()

    def _once(self) -> None:
        began = time.time()
        for piece in self.source.read():
            ended = time.time()
            for key, value in piece.items():
                self.series.setdefault(key, Series()).add(began, ended, value)
            began = time.time()

    def finish(self) -> None:
        """Read a last time and stop; LabError when reading failed."""
        self._stop_requested.set()
        self.join()
        self.source.close()
        if self._error is not None:
            raise LabError(
                f"{self.source.title} could not be read: {self._error!r}.",
                "Check `backstay-lab status`, then try again.",
            ) from self._error
