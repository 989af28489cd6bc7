"""`labgated [-C|-c] [-n] [-N] [-f FILE] [--state DIR]`: the stand-in's command line, after gated(8)."""

from __future__ import annotations

import argparse
import logging
import logging.handlers
import os
import socket
import sys
from collections.abc import Sequence

from backstay_lab.labgated.config import ConfigError, load
from backstay_lab.labgated.daemon import Choices, LabgatedDaemon
from backstay_lab.labgated.program import LABEL
from backstay_lab.labgated.state_files import TIME_SCALE, NoStateError, StateFiles, claim, find

_LOG_OCTETS = 200_000


def main() -> None:
    """The console script `labgated`."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """0, or 1 when the configuration is refused or the state folder is missing or in use."""
    options = _parser().parse_args(arguments)
    try:
        place = find(options.state, options.file, os.environ)
    except NoStateError as error:
        return _refuse(str(error))
    try:
        config = load(place.conf, [name for _, name in socket.if_nameindex()])
    except ConfigError as fault:
        if not options.check and not options.check_and_dump:
            _write_parse(place, str(fault))
        return _refuse(str(fault))
    if options.check or options.check_and_dump:
        if options.check_and_dump:
            print(config)
        return 0
    place.folder.mkdir(parents=True, exist_ok=True)
    ready_fd = None if options.foreground else _fork_to_background()
    choices = Choices(install=not options.no_kernel, time_scale=options.time_scale)
    try:
        daemon = LabgatedDaemon(place, config, choices)
    except OSError as error:
        return _refuse(f"the kernel refused: {error}")
    # Only now may gdc find us: signals are handled from here on.
    lock = claim(place)
    if lock is None:
        return _refuse(f"a gated is already running in {place.folder}")
    _log_to(place)
    if ready_fd is not None:
        _detach(ready_fd)
    daemon.run()
    os.close(lock)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="labgated", description=LABEL)
    add = parser.add_argument
    add(
        "-C",
        dest="check",
        action="store_true",
        help="check the configuration and exit with 0 if it is valid, otherwise 1",
    )
    add("-c", dest="check_and_dump", action="store_true", help="check the configuration and print it")
    add("-n", dest="no_kernel", action="store_true", help="do not change the kernel's routes")
    add("-N", dest="foreground", action="store_true", help="stay in the foreground")
    add("-f", dest="file", help="configuration file; default: gated.conf in the state folder")
    add("--state", help="state folder, which contains all files; default: LABGATED_DIR")
    scale = os.environ.get(TIME_SCALE, "1")
    add(
        "--time-scale",
        type=float,
        default=scale,
        help="factor by which the protocols' timers are multiplied; default: 1",
    )
    add("--version", action="version", version=LABEL)
    return parser


def _refuse(text: str) -> int:
    print(f"labgated: {text}", file=sys.stderr)
    return 1


def _write_parse(place: StateFiles, text: str) -> None:
    place.parse.write_text(f"{text}\n", encoding="utf-8")


def _log_to(place: StateFiles) -> None:
    handler = logging.handlers.RotatingFileHandler(place.log, maxBytes=_LOG_OCTETS, backupCount=2)
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    log = logging.getLogger("labgated")
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False


def _fork_to_background() -> int:
    """Continue as a child in a session of its own; the parent exits when the child has started or failed.

    Returns the pipe end that the child writes to when it has started.
    """
    reader, writer = os.pipe()
    if os.fork():
        os.close(writer)
        has_started = os.read(reader, 1)
        os._exit(0 if has_started else 1)
    os.close(reader)
    os.setsid()
    return writer


def _detach(ready_fd: int) -> None:
    """Detach from the terminal and report the start to the parent."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for handle in range(3):
        os.dup2(nothing, handle)
    os.close(nothing)
    os.write(ready_fd, b".")
    os.close(ready_fd)
