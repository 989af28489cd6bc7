"""Files of exports in BACKSTAY_EXPORTS, a folder that web and worker share.

An unfinished file has the suffix `partial` and is appended to; bytes beyond those that its row counts are of
a step that was interrupted, and are cut off. A finished one appears by rename(2).
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO
from uuid import UUID

from django.conf import settings

PARTIAL, CONVERTED = "partial", "converted"
LEAST_FREE = 512 * 1024 * 1024
"""Bytes of the disk that exports leave free."""
_NAME = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(?:partial|converted|csv|jsonl|parquet)")


class LostFileError(Exception):
    """The unfinished file is shorter than what was written of it, or missing."""


def is_configured() -> bool:
    return bool(settings.EXPORTS)


def path_of(file: UUID, suffix: str) -> Path:
    """Where a file is, whether it exists or not."""
    return Path(settings.EXPORTS) / f"{file}.{suffix}"


@contextmanager
def appended(file: UUID, size: int) -> Iterator[BinaryIO]:
    """The unfinished file, positioned after its first `size` bytes. Raises OSError, LostFileError."""
    target = path_of(file, PARTIAL)
    target.parent.mkdir(parents=True, exist_ok=True)
    if size and not target.exists():
        raise LostFileError
    with target.open("r+b" if size else "w+b") as stream:
        if stream.seek(0, os.SEEK_END) < size:
            raise LostFileError
        stream.truncate(size)
        stream.seek(size)
        yield stream


def saved(stream: BinaryIO) -> int:
    """Write everything to the disk; the file's size."""
    stream.flush()
    os.fsync(stream.fileno())
    return stream.tell()


def free_bytes() -> int:
    """Free bytes of the folder's disk; raises OSError."""
    folder = Path(settings.EXPORTS)
    folder.mkdir(parents=True, exist_ok=True)
    return shutil.disk_usage(folder).free


def finish(source: Path, target: Path) -> int:
    """Make a complete file appear under its name; its size in bytes."""
    descriptor = os.open(source, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    source.replace(target)
    return target.stat().st_size


def remove(file: UUID, suffixes: Collection[str]) -> None:
    """Remove an export's files, if they are there."""
    for suffix in suffixes:
        with contextlib.suppress(FileNotFoundError):
            path_of(file, suffix).unlink()


def stored() -> dict[UUID, list[Path]]:
    """All files of exports in the folder, by export; others are left out."""
    folder = Path(settings.EXPORTS)
    known: dict[UUID, list[Path]] = {}
    if folder.is_dir():
        for path in folder.iterdir():
            if match := _NAME.fullmatch(path.name):
                known.setdefault(UUID(match[1]), []).append(path)
    return known
