"""The processes of this machine, by their command lines (proc(5))."""

import contextlib
from collections.abc import Iterator
from pathlib import Path


def command_lines() -> Iterator[tuple[int, list[str]]]:
    """Process id and arguments of every process; one that ends meanwhile is left out.

    A pattern such as `/proc/[0-9]*/cmdline` would raise for it (ESRCH of stat(2)).
    """
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                arguments = (entry / "cmdline").read_bytes().decode(errors="replace")
                yield int(entry.name), arguments.split("\0")
