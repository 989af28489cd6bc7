"""Commands of a step: limited in time, stopped on request, with their output in a log."""

from __future__ import annotations

import subprocess

from backstay_lab.demo.children import Program, describe, launch
from backstay_lab.demo.errors import Interrupted, StepError
from backstay_lab.demo.shutdown import Stopping

TAIL_LINES = 4


class ParallelStep:
    """A command that runs in parallel to other steps; `finish` waits for it."""

    def __init__(self, program: Program, mark: str) -> None:
        self._program = program
        # Truncate the log, so that the lines quoted after a failure belong to this run.
        program.log.unlink(missing_ok=True)
        try:
            self._process = launch(program, mark)
        except OSError as error:
            raise StepError(f"{program.name} could not be started: {error}") from error

    def finish(self, stopping: Stopping, seconds: float) -> str:
        """The output; StepError when it fails or takes longer than `seconds`."""
        try:
            ended = stopping.wait(lambda: self._process.poll() is not None, seconds)
        except Interrupted:
            self.cancel()
            raise
        output = self._program.log.read_text(errors="replace")
        if not ended:
            self.cancel()
            raise StepError(f"{self._program.name} took longer than {seconds:g} s.", self._program.log)
        if self._process.returncode != 0:
            raise self._failure(self._process.returncode, output)
        return output

    def check(self) -> None:
        """StepError when it has already failed."""
        code = self._process.poll()
        if code:
            raise self._failure(code, self._program.log.read_text(errors="replace"))

    def _failure(self, code: int, output: str) -> StepError:
        why = f"{self._program.name} failed ({describe(code)})."
        return StepError("\n".join([why, *tail(output)]), self._program.log)

    def cancel(self) -> None:
        """Stop it if it still runs: SIGTERM, then SIGKILL."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(3)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()


def tail(text: str) -> list[str]:
    """The last non-empty lines: usually the cause."""
    return [line for line in text.splitlines() if line.strip()][-TAIL_LINES:]


def run(program: Program, mark: str, stopping: Stopping, seconds: float) -> str:
    """Start a command and wait for it."""
    return ParallelStep(program, mark).finish(stopping, seconds)
