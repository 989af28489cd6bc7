"""Start-up settings: location and quota of the agent's state.

Everything else comes from the backend as desired state. All paths are below one private folder.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

MIB = 1024 * 1024


class ConfigError(Exception):
    """A start-up value is missing or unusable; the message contains the remedy."""


@dataclass(frozen=True, slots=True)
class StateDir:
    """The agent's folder (mode 700) and the files in it (mode 600)."""

    root: Path

    @property
    def key(self) -> Path:
        """The Ed25519 private key, PEM."""
        return self.root / "key.pem"

    @property
    def identity(self) -> Path:
        """Identity of this agent: agent id, site, node, backend, credential."""
        return self.root / "identity.json"

    @property
    def desired(self) -> Path:
        """The last desired state, with which the agent works without a backend."""
        return self.root / "desired.json"

    @property
    def status(self) -> Path:
        """The running agent's own status, for `backstay-agent status`."""
        return self.root / "status.json"

    @property
    def failover(self) -> Path:
        """The active gateway of each policy, damping state, and moves in progress."""
        return self.root / "failover.json"

    @property
    def release(self) -> Path:
        """What an administrator released on this node, see `backstay_agent.release`."""
        return self.root / "release.json"

    @property
    def tests(self) -> Path:
        """Throughput test assignments started and ended here."""
        return self.root / "tests.json"

    @property
    def spool(self) -> Path:
        """Folder of the spool's segments."""
        return self.root / "spool"


@dataclass(frozen=True, slots=True)
class Settings:
    """Start-up settings of one agent process."""

    state: StateDir
    backend: str | None = None
    """Base URL; None: the one used for enrolment."""
    token: str | None = None
    ca_file: Path | None = None
    """PEM bundle trusted instead of the system's, for a backend with a private CA."""
    spool_quota: int = 256 * MIB
    """Disk quota of unsent reports, octets."""
    desired_every_s: float = 60.0
    status_every_s: float = 5.0
    allowed_paths: tuple[str, ...] = ()
    """More folders than those of `backstay_wire.allowed_paths` in which assignments may name files."""
    controller_loss_s: float = 600.0
    """Seconds without a controller after which the last change is reverted; 0: never."""


def find_allowed_paths(folders: Sequence[Path] | None) -> tuple[str, ...]:
    """The option's folders and those of `BACKSTAY_ALLOW_PATHS`, which a colon separates.

    Raises ConfigError if one is not absolute.
    """
    named = [str(folder) for folder in folders or []]
    named += [folder for folder in os.environ.get("BACKSTAY_ALLOW_PATHS", "").split(":") if folder]
    for folder in named:
        if not folder.startswith("/"):
            raise ConfigError(f"{folder} is not absolute: name an allowed folder from the root")
    return tuple(named)


def find_token(token: str | None, token_file: Path | None) -> str | None:
    """The enrolment token: the option, else the file's first line, else `BACKSTAY_TOKEN`.

    A file or the environment keeps the token out of the process list. Raises ConfigError if the file cannot
    be read.
    """
    if token is not None:
        return token
    if token_file is not None:
        try:
            return token_file.read_text(encoding="utf-8").strip()
        except OSError as error:
            raise ConfigError(f"cannot read the token file {token_file}: {error.strerror}") from error
    return os.environ.get("BACKSTAY_TOKEN") or None
