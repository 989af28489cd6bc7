"""Where the archive's files are: a folder, or a bucket of an S3-compatible store.

    /var/lib/backstay/archive
    s3://bucket/prefix?endpoint_override=host:9000&scheme=http&region=us-east-1

A file appears whole or not at all: in a folder by fsync(2) and rename(2), in a bucket because a PUT is
atomic. The keys of a bucket come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or what else the AWS SDK
reads; a URL that contains them is refused. Failures are OSError.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pyarrow as pa
from pyarrow import fs

CONNECT_S, REQUEST_S, ATTEMPTS = 3.0, 15.0, 2
OPTIONS = frozenset(("endpoint_override", "scheme", "region"))
TEMPORARY = "_writing-"
"""Prefix of unfinished files; Spark, Trino and Hive ignore names with an underscore."""
LARGEST = 2**31
"""Most octets of a file that is read into memory; those of the archive are a hundred times smaller."""


class SettingError(ValueError):
    """BACKSTAY_ARCHIVE is invalid; the message does not repeat it."""


@dataclass(frozen=True, slots=True)
class Store:
    """The archive's root; paths are relative to it, with slashes."""

    filesystem: Any
    root: str
    is_local: bool

    def put(self, path: str, content: pa.Buffer) -> None:
        """Write or replace a file."""
        if self.is_local:
            _write_durably(Path(self.root) / path, content)
            return
        with self.filesystem.open_output_stream(f"{self.root}/{path}") as stream:
            stream.write(content)

    def get(self, path: str) -> pa.Buffer:
        """A whole file, as the store returns it. Raises FileNotFoundError."""
        with self.open(path) as stream:
            if stream.size() > LARGEST:
                raise OSError(f"{path} has {stream.size()} octets")
            return stream.read_buffer()

    def open(self, path: str) -> Any:
        """A file for random access. Raises FileNotFoundError."""
        return self.filesystem.open_input_file(f"{self.root}/{path}")

    def delete(self, path: str) -> None:
        """Remove a file, if it is there."""
        with contextlib.suppress(FileNotFoundError):
            self.filesystem.delete_file(f"{self.root}/{path}")

    def list(self, folder: str) -> list[str]:
        """Paths of the files and folders in a folder; none if it is missing."""
        selector = fs.FileSelector(f"{self.root}/{folder}", allow_not_found=True)
        found = self.filesystem.get_file_info(selector)
        return sorted(info.path.removeprefix(f"{self.root}/").rstrip("/") for info in found)

    def free_bytes(self) -> int | None:
        """Free octets of a folder's disk; None for a bucket."""
        if not self.is_local:
            return None
        there = next(path for path in (Path(self.root), *Path(self.root).parents) if path.exists())
        return shutil.disk_usage(there).free


def open_store(setting: str) -> Store | None:
    """The store of BACKSTAY_ARCHIVE; None if it is empty. Raises SettingError; opens no connection."""
    if not setting:
        return None
    if "://" not in setting:
        if not setting.startswith("/"):
            raise SettingError("BACKSTAY_ARCHIVE: expected an absolute path or s3://bucket/prefix")
        return Store(fs.LocalFileSystem(), setting.rstrip("/"), is_local=True)
    return _bucket(setting)


def _bucket(setting: str) -> Store:
    url = urlsplit(setting)
    options = dict(parse_qsl(url.query))
    if url.scheme != "s3" or not url.netloc or "@" in url.netloc:
        raise SettingError("BACKSTAY_ARCHIVE: expected s3://bucket/prefix without user and password")
    if unknown := options.keys() - OPTIONS:
        raise SettingError(f"BACKSTAY_ARCHIVE: unknown option {', '.join(sorted(unknown))}")
    filesystem = fs.S3FileSystem(
        connect_timeout=CONNECT_S,
        request_timeout=REQUEST_S,
        retry_strategy=fs.AwsStandardS3RetryStrategy(max_attempts=ATTEMPTS),
        # Without a region, the SDK asks the store for the bucket's.
        region=options.pop("region", "us-east-1" if "endpoint_override" in options else None),
        **options,
    )
    return Store(filesystem, f"{url.netloc}{url.path}".rstrip("/"), is_local=False)


def _write_durably(target: Path, content: pa.Buffer) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f"{TEMPORARY}{target.name}")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    for parent in target.parents[:4]:  # Of new folders, each one's parent has its name.
        _sync_folder(parent)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
