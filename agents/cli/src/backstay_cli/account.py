"""The server's address and the token: from the environment, else as stored by `backstay sign-in`.

Stored as `backstay/operator.json` in the XDG configuration folder (XDG Base Directory Specification 0.8),
mode 600. A stored token is sent to the stored address only: if BACKSTAY_URL is set to another one,
BACKSTAY_TOKEN must be set as well.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

from backstay_cli.errors import Usage
from backstay_cli.text import shown


@dataclass(frozen=True, slots=True)
class Account:
    """An address and a token for it; `site` is the default site."""

    url: str
    token: str
    site: str = ""


def kept_at(environ: Mapping[str, str]) -> Path:
    """The file's path; relative values of XDG_CONFIG_HOME are ignored, as its specification requires."""
    root = Path(environ.get("XDG_CONFIG_HOME") or ".")
    if not root.is_absolute():
        root = Path(environ.get("HOME") or Path.home()) / ".config"
    return root / "backstay" / "operator.json"


def origin(text: str) -> str:
    """`http://host:port` of a typed address or one copied from a browser."""
    parts = urlsplit(text.strip())
    try:
        good = parts.scheme in {"http", "https"} and parts.hostname is not None and parts.port != 0
    except ValueError:
        good = False
    if not good or parts.username is not None:
        raise Usage(f"{shown(text)} is not a Backstay address: write http://HOST:PORT or https://HOST.")
    return f"{parts.scheme}://{parts.netloc}"


def load(environ: Mapping[str, str]) -> Account:
    """The account to use now."""
    kept = _kept(kept_at(environ))
    named, token = environ.get("BACKSTAY_URL"), environ.get("BACKSTAY_TOKEN")
    url = origin(named) if named else "" if kept is None else kept.url
    same = kept is not None and kept.url == url
    token = token or (kept.token if kept is not None and same else "")
    if not url or not token:
        missing = "BACKSTAY_TOKEN" if url else "BACKSTAY_URL and BACKSTAY_TOKEN"
        raise Usage(f"Not signed in: run backstay sign-in, or set {missing}.")
    return Account(url, token, kept.site if kept is not None and same else "")


def _kept(path: Path) -> Account | None:
    try:
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise Usage(f"Other users can read the token in {path}: run chmod 600 {path}, or sign in again.")
        stored = json.loads(path.read_text())
        return Account(str(stored["url"]), str(stored["token"]), str(stored.get("site", "")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Usage(f"{path} cannot be read ({type(error).__name__}): run backstay sign-in again.") from error


def keep(account: Account, environ: Mapping[str, str]) -> Path:
    """Write the file atomically, and never readable by another user."""
    path = kept_at(environ)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{os.getpid()}")
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(handle, "w") as file:
            json.dump(asdict(account), file, indent=1)
        new.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            new.unlink()
        raise
    return path


def forget(environ: Mapping[str, str]) -> bool:
    """Remove the stored account; returns whether there was one."""
    try:
        kept_at(environ).unlink()
    except FileNotFoundError:
        return False
    return True
