"""Saves boot files: written whole, read back, never over another author's change."""

from collections.abc import Sequence
from pathlib import Path

from backstay_agent.actuators.actuator import ActuatorError
from backstay_agent.host import boot_files
from backstay_wire import FileIntent


def save(files: Sequence[FileIntent]) -> None:
    """Write each file unless it already has the desired content. Raises ActuatorError with the reason."""
    for file in files:
        path = Path(file.path)
        try:
            now = boot_files.read(path)
            if now == file.text:
                continue
            if (boot_files.digest(now) if now is not None else "") != file.base:
                raise ActuatorError(f"{path} was changed since the plan was made")
            boot_files.write(path, file.text)
            if boot_files.read(path) != file.text:
                raise ActuatorError(f"{path} does not hold what was written to it")
        except OSError as error:
            raise ActuatorError(f"cannot write {path}: {error.strerror or error}") from error
