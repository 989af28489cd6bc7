"""`gdc`: the stand-in's operational interface, with the commands, files and exit statuses of gdc(8).

A driver calls it several times per change, so it must start fast: commands import their own requirements.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time

from backstay_lab.labgated import config_history
from backstay_lab.labgated.config_history import RequestRefusedError
from backstay_lab.labgated.program import LABEL, python_path
from backstay_lab.labgated.state_files import NoStateError, StateFiles, find, find_daemon

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_POLL_S = 0.004


class Gdc:
    """One call of gdc: its state files, its time limit, and the options of a gated that it starts."""

    def __init__(
        self,
        place: StateFiles,
        seconds: float,
        no_kernel: bool = False,
        limits: Sequence[tuple[str, int]] = (),
    ) -> None:
        self.place, self.seconds, self.no_kernel, self.limits = place, seconds, no_kernel, limits

    def do(self, command: str) -> str:
        """The text to print. Raises RefusedError."""
        try:
            return COMMANDS[command](self)
        except OSError as error:
            raise RequestRefusedError(f"{error.filename or command}: {error.strerror}") from error

    def pid(self) -> int:
        """The daemon's process ID. Raises RefusedError when none runs."""
        found = find_daemon(self.place)
        if found is None:
            raise RequestRefusedError("gated is not running")
        return found

    def wait(self, until: Callable[[], bool], what: str) -> None:
        """Wait for `done`. Raises RefusedError after the time limit of -t."""
        end = time.monotonic() + self.seconds
        while not until():
            if time.monotonic() > end:
                raise RequestRefusedError(f"{what} within {self.seconds:g} s")
            time.sleep(_POLL_S)


def _send(number: signal.Signals, text: str) -> Callable[[Gdc], str]:
    def command(gdc: Gdc) -> str:
        os.kill(gdc.pid(), number)
        return text

    return command


def _dump(gdc: Gdc) -> str:
    """Return when the dump is complete: the daemon renames it into place."""
    path, pid = gdc.place.dump, gdc.pid()

    def stamp() -> tuple[int, int]:
        try:
            found = path.stat()
        except FileNotFoundError:
            return 0, 0
        return found.st_ino, found.st_mtime_ns

    before = stamp()
    os.kill(pid, signal.SIGINT)
    gdc.wait(lambda: stamp() != before, f"gated did not write {path}")
    return f"gated has dumped to {path}"


def _check(ending: str) -> Callable[[Gdc], str]:
    def command(gdc: Gdc) -> str:
        import socket

        from backstay_lab.labgated.config import ConfigError, load

        path = gdc.place.version_of(ending)
        try:
            load(path, [name for _, name in socket.if_nameindex()])
        except ConfigError as fault:
            gdc.place.parse.write_text(f"{fault}\n", encoding="utf-8")
            raise RequestRefusedError(
                f"{fault}\nconfiguration file {path} is refused, see {gdc.place.parse}"
            ) from fault
        gdc.place.parse.unlink(missing_ok=True)
        return f"configuration file {path} checks out okay"

    return command


def _newconf(gdc: Gdc) -> str:
    config_history.activate_new(gdc.place)
    return f"{gdc.place.version_of('+')} is now {gdc.place.conf}"


def _backout(force: bool) -> Callable[[Gdc], str]:
    def command(gdc: Gdc) -> str:
        config_history.back_out(gdc.place, force=force)
        return f"{gdc.place.version_of('-')} is {gdc.place.conf} again"

    return command


def _running(gdc: Gdc) -> str:
    return f"gated is running (pid {gdc.pid()})"


def _start(gdc: Gdc) -> str:
    import subprocess

    if (pid := find_daemon(gdc.place)) is not None:
        raise RequestRefusedError(f"gated is already running (pid {pid})")
    argv = [sys.executable, "-S", "-m", "backstay_lab.labgated"]
    argv += ["--state", str(gdc.place.folder), "-f", str(gdc.place.conf)] + ["-n"] * gdc.no_kernel
    done = subprocess.run(
        argv,
        env={**os.environ, "PYTHONPATH": python_path()},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=gdc.seconds,
        preexec_fn=lambda: _limit(gdc.limits),
    )
    if done.returncode:
        raise RequestRefusedError(f"gated did not start: {done.stderr.strip()}")
    return f"gated is started (pid {gdc.pid()})"


def _limit(limits: Sequence[tuple[str, int]]) -> None:
    import resource

    for name, value in limits:
        resource.setrlimit(getattr(resource, name), (value, value))


def _stop(gdc: Gdc) -> str:
    """SIGTERM; SIGKILL after the time limit of -t."""
    pid = gdc.pid()
    os.kill(pid, signal.SIGTERM)
    try:
        gdc.wait(lambda: find_daemon(gdc.place) is None, "")
    except RequestRefusedError:
        os.kill(pid, signal.SIGKILL)
        gdc.wait(lambda: find_daemon(gdc.place) is None, "gated did not end")
    return "gated has ended"


def _restart(gdc: Gdc) -> str:
    if find_daemon(gdc.place) is not None:
        _stop(gdc)
    return _start(gdc)


def _modeconf(gdc: Gdc) -> str:
    config_history.set_modes(gdc.place)
    return "modes of the configuration files set"


def _createconf(gdc: Gdc) -> str:
    config_history.create(gdc.place)
    return f"{gdc.place.version_of('+')} exists"


def _remove(name: str) -> Callable[[Gdc], str]:
    def command(gdc: Gdc) -> str:
        (gdc.place.folder / name).unlink(missing_ok=True)
        return f"{gdc.place.folder / name} is gone"

    return command


def _no_core(_gdc: Gdc) -> str:
    raise RequestRefusedError("COREDUMP is refused: a core dump of the stand-in is useless")


COMMANDS: dict[str, Callable[[Gdc], str]] = {
    "COREDUMP": _no_core,
    "dump": _dump,
    "interface": _send(signal.SIGUSR2, "gated looks at the interfaces"),
    "KILL": _send(signal.SIGKILL, "gated is killed"),
    "reconfig": _send(signal.SIGHUP, "gated reads its configuration again"),
    "term": _send(signal.SIGTERM, "gated is to end"),
    "toggletrace": _send(signal.SIGUSR1, "gated's tracing is turned over"),
    "checkconf": _check(""),
    "checknew": _check("+"),
    "newconf": _newconf,
    "backout": _backout(force=False),
    "BACKOUT": _backout(force=True),
    "modeconf": _modeconf,
    "createconf": _createconf,
    "running": _running,
    "start": _start,
    "stop": _stop,
    "restart": _restart,
    "rmcore": _remove("core"),
    "rmdump": _remove("gated_dump"),
    "rmparse": _remove("gated_parse"),
}
LIMITS = {"c": "RLIMIT_CORE", "f": "RLIMIT_FSIZE", "m": "RLIMIT_DATA", "s": "RLIMIT_STACK"}


def main() -> None:
    """The console script `gdc`."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """0 on success, 1 on failure, 2 for an invalid command line."""
    parser = argparse.ArgumentParser(prog="gdc", description=f"gdc of {LABEL}")
    parser.add_argument("-q", dest="quiet", action="store_true", help="print nothing on success")
    parser.add_argument(
        "-n", dest="no_kernel", action="store_true", help="start without changing the kernel's routes"
    )
    parser.add_argument(
        "-t", dest="seconds", type=float, default=10.0, help="time limit, seconds; default: 10"
    )
    for letter, limit in LIMITS.items():
        parser.add_argument(f"-{letter}", dest=limit, type=int, help=f"{limit} of the gated that is started")
    parser.add_argument("--state", help="state folder, which contains all files; default: LABGATED_DIR")
    parser.add_argument("--version", action="version", version=f"gdc of {LABEL}")
    parser.add_argument("command", choices=COMMANDS, metavar="|".join(COMMANDS))
    options = parser.parse_args(arguments)
    limits = [(limit, value) for limit in LIMITS.values() if (value := getattr(options, limit)) is not None]
    try:
        place = find(options.state, None, os.environ)
        text = Gdc(place, options.seconds, options.no_kernel, tuple(limits)).do(options.command)
    except (RequestRefusedError, NoStateError) as error:
        print(f"gdc: {error}", file=sys.stderr)
        return 1
    if not options.quiet:
        print(text)
    return 0


if __name__ == "__main__":
    main()
