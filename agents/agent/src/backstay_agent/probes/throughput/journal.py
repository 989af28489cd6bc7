"""Started assignments, on disk: none is executed twice, whatever ends the agent in between."""

import json
import logging
import threading
from pathlib import Path

from backstay_agent.host.files import atomic_write
from backstay_agent.logs import event

_log = logging.getLogger(__name__)
_MOST = 4096
"""Number of ids kept, newest first; the backend does not assign an old one again."""


class Journal:
    """Ids of started and ended assignments. Threads may share it."""

    def __init__(self, path: Path | None) -> None:
        """`path`: None keeps it in memory only."""
        self._path = path
        self._lock = threading.Lock()
        self._begun: dict[int, bool] = _read(path) if path is not None else {}

    def begun(self, assignment: int) -> bool:
        """Whether it was started before."""
        return assignment in self._begun

    def ended(self, assignment: int) -> bool:
        """Whether its end was reported."""
        return self._begun.get(assignment, False)

    def begin(self, assignment: int) -> None:
        """Must return before anything is done. Raises OSError: then nothing may be done."""
        with self._lock:
            self._begun[assignment] = False
            try:
                self._write()
            except OSError:
                del self._begun[assignment]
                raise

    def end(self, assignment: int) -> None:
        """Its end was reported."""
        with self._lock:
            self._begun[assignment] = True
            try:
                self._write()
            except OSError as error:
                event(_log, logging.WARNING, "cannot note the end of a test", error=error.strerror)

    def _write(self) -> None:
        for old in sorted(self._begun)[:-_MOST]:
            del self._begun[old]
        if self._path is not None:
            rows = [[assignment, ended] for assignment, ended in self._begun.items()]
            atomic_write(self._path, json.dumps(rows).encode())


def _read(path: Path) -> dict[int, bool]:
    try:
        return {int(assignment): bool(ended) for assignment, ended in json.loads(path.read_bytes())}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError) as error:
        event(_log, logging.WARNING, "the journal of tests is not usable", error=type(error).__name__)
        return {}
