"""Journals and snapshots on disk. A step is a compare-and-set under a lock: if the agent confirms and the
guard restores at the same moment, exactly one of them continues."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from backstay_agent.guard.journal import OPEN, Journal, JournalStep, may_follow
from backstay_agent.guard.snapshot import Snapshot
from backstay_agent.host.files import atomic_write, private_dir, stamp
from backstay_agent.host.locks import held

_JOURNAL = ".journal.json"
FAULT_VARIABLE = "BACKSTAY_FAULT_FILE"
WAKE_SIGNAL = signal.SIGURG
"""Makes a guard look at once; a process that does not expect it ignores it (signal(7))."""


class Store:
    """The folder `guard` of an agent's state; `who` is `agent` or `guard`."""

    def __init__(self, state: Path, who: str) -> None:
        self.folder = state / "guard"
        self._who = who
        self._read: dict[Path, tuple[object, Journal]] = {}
        private_dir(self.folder)

    @property
    def alone(self) -> Path:
        """Lock that only one guard holds."""
        return self.folder / "alone.lock"

    @property
    def lock_file(self) -> Path:
        """The lock of a step."""
        return self.folder / "turn.lock"

    @property
    def watching(self) -> Path:
        """The guard's record: its process id and the changes it watches."""
        return self.folder / "watching.json"

    def arm(self, journal: Journal, snapshot: Snapshot) -> None:
        """Write both durably; the journal last, because it is decisive.

        Raises OSError with nothing left behind, as on a full disk; ValueError if it is already armed.
        """
        with held(self.lock_file):
            if self.load(journal.change) is not None:
                raise ValueError(f"change {journal.change} is armed already")
            try:
                atomic_write(self._snapshot(journal.change), snapshot.model_dump_json().encode())
                atomic_write(self.folder / "revision", str(journal.revision).encode())
                atomic_write(self._journal(journal.change), journal.model_dump_json().encode())
            except OSError:
                self._snapshot(journal.change).unlink(missing_ok=True)
                raise
        _inject_fault(self._who, journal.step)

    def advance(self, change: int, step: JournalStep, **values: Any) -> Journal | None:
        """Take a step if it may follow the one on disk; None if not. Raises OSError."""
        with held(self.lock_file):
            journal = self.load(change)
            if journal is None or not may_follow(step, journal.step):
                return None
            taken = journal.model_copy(update={"step": step, **values})
            atomic_write(self._journal(change), taken.model_dump_json().encode())
        _inject_fault(self._who, step)
        return taken

    def load(self, change: int) -> Journal | None:
        """A change's journal; None if there is none. Raises OSError."""
        try:
            return self._journal_at(self._journal(change))
        except FileNotFoundError:
            return None

    def _journal_at(self, path: Path) -> Journal:
        """Both sides poll ten times a second, so the file is read only after it was rewritten.

        Raises OSError, ValidationError.
        """
        now, known = stamp(path), self._read.get(path)
        if known is not None and now is not None and known[0] == now:
            return known[1]
        self._read.pop(path, None)
        journal = Journal.model_validate_json(path.read_bytes())
        if now == stamp(path):
            self._read[path] = (now, journal)
        return journal

    def snapshot(self, change: int) -> Snapshot:
        """Raises OSError, ValidationError."""
        return Snapshot.model_validate_json(self._snapshot(change).read_bytes())

    def all(self) -> Iterator[Journal]:
        """Every journal that can be read, oldest change first."""
        names = [path.name for path in self.folder.iterdir() if path.name.endswith(_JOURNAL)]
        for change in sorted(int(name.removesuffix(_JOURNAL)) for name in names):
            try:
                yield self._journal_at(self._journal(change))
            except (OSError, ValidationError):
                continue

    def open(self) -> list[Journal]:
        """Journals of changes that have not ended."""
        return [journal for journal in self.all() if journal.step in OPEN]

    def highest(self) -> int:
        """The highest revision ever armed here."""
        try:
            return int((self.folder / "revision").read_text(encoding="ascii"))
        except (FileNotFoundError, ValueError):
            return max((journal.revision for journal in self.all()), default=0)

    def disarm(self, change: int) -> None:
        """Undo an arming before anything was touched. Raises OSError."""
        with held(self.lock_file):
            journal = self.load(change)
            if journal is not None and journal.step is JournalStep.ARMED:
                self._journal(change).unlink()
                self._snapshot(change).unlink(missing_ok=True)

    def forget(self, change: int) -> None:
        """Delete an ended change. Raises OSError."""
        with held(self.lock_file):
            journal = self.load(change)
            if journal is not None and journal.step not in OPEN:
                self._journal(change).unlink(missing_ok=True)
                self._snapshot(change).unlink(missing_ok=True)

    def _journal(self, change: int) -> Path:
        return self.folder / f"{change}{_JOURNAL}"

    def _snapshot(self, change: int) -> Path:
        return self.folder / f"{change}.snapshot.json"


def _inject_fault(who: str, step: str) -> None:
    """Fault injection for the tests that kill a process at every step.

    `BACKSTAY_FAULT_FILE` names a file with a text such as `agent applying`. The process that takes that step
    deletes the file and dies as by `kill -9`, right after the step is on disk. With `agent applying held up`
    it stops there instead, until SIGCONT. Without the variable nothing happens.
    """
    name = os.environ.get(FAULT_VARIABLE)
    if not name:
        return
    path = Path(name)
    try:
        wanted = path.read_text(encoding="ascii").strip()
    except OSError:
        return
    how = {f"{who} {step}": signal.SIGKILL, f"{who} {step} held up": signal.SIGSTOP}.get(wanted)
    if how is not None:
        path.unlink()
        os.kill(os.getpid(), how)
