"""Small files, written atomically, readable by their owner only."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any


def write_private(path: Path, text: str) -> None:
    """Replace a file atomically, mode 600; creates its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as handle:
        handle.write(text)
    fresh.replace(path)


def write_json(path: Path, value: object) -> None:
    """As `write_private`, as indented JSON."""
    write_private(path, json.dumps(value, indent=1) + "\n")


def read_json(path: Path) -> dict[str, Any] | None:
    """The object in a JSON file; None without a file or object."""
    try:
        value = json.loads(path.read_text())
    except (FileNotFoundError, ValueError):
        return None
    return value if isinstance(value, dict) else None
