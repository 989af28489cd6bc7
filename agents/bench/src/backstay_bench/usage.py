"""Child processes of a benchmark, and what they use."""

import contextlib
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import IO


@contextlib.contextmanager
def child(
    arguments: list[str], log: Path, output: IO[bytes] | int | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A process that ends with the block; `log` receives its messages."""
    with log.open("wb") as tokens:
        process = subprocess.Popen(arguments, stdout=output if output is not None else tokens, stderr=tokens)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def cpu_s(pid: int) -> float:
    """Time on a processor, all threads, to the nanosecond (Linux Documentation/scheduler/sched-stats)."""
    total_ns = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # a thread that ends meanwhile
            total_ns += int((task / "schedstat").read_text().split()[0])
    return total_ns / 1e9
