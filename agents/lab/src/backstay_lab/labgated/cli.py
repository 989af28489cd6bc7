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
from backstay_lab.labgated.daemon import Choices, Daemon
from backstay_lab.labgated.place import TIME_SCALE, NoPlaceError, Place, claim, find
from backstay_lab.labgated.program import LABEL

_LOG_OCTETS = 200_000


def main() -> None:
    """The console script `labgated`."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """0, or 1 for a configuration that is refused, a place that is taken, or no place at all."""
    options = _parser().parse_args(arguments)
    try:
        place = find(options.state, options.file, os.environ)
    except NoPlaceError as error:
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
    told = None if options.foreground else _leave()
    choices = Choices(install=not options.no_kernel, time_scale=options.time_scale)
    try:
        daemon = Daemon(place, config, choices)
    except OSError as error:
        return _refuse(f"the kernel refused: {error}")
    # Only now may gdc find us: a signal is no longer the end.
    lock = claim(place)
    if lock is None:
        return _refuse(f"there is a gated already in {place.folder}")
    _log_to(place)
    if told is not None:
        _detach(told)
    daemon.run()
    os.close(lock)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="labgated", description=LABEL)
    add = parser.add_argument
    add("-C", dest="check", action="store_true", help="only check the configuration: 0 or 1")
    add("-c", dest="check_and_dump", action="store_true", help="check it, and print what was read")
    add("-n", dest="no_kernel", action="store_true", help="do not touch the kernel's routes")
    add("-N", dest="foreground", action="store_true", help="stay in the foreground")
    add("-f", dest="file", help="the configuration; gated.conf in the folder by default")
    add("--state", help="folder of all files; LABGATED_DIR by default")
    scale = os.environ.get(TIME_SCALE, "1")
    add("--time-scale", type=float, default=scale, help="what timers of protocols are multiplied by")
    add("--version", action="version", version=LABEL)
    return parser


def _refuse(said: str) -> int:
    print(f"labgated: {said}", file=sys.stderr)
    return 1


def _write_parse(place: Place, said: str) -> None:
    place.parse.write_text(f"{said}\n", encoding="utf-8")


def _log_to(place: Place) -> None:
    handler = logging.handlers.RotatingFileHandler(place.log, maxBytes=_LOG_OCTETS, backupCount=2)
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    log = logging.getLogger("labgated")
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False


def _leave() -> int:
    """Go on as a child in a session of its own; the parent waits until that one has started, or says why not.

    Returns the handle by which the child tells.
    """
    told, tells = os.pipe()
    if os.fork():
        os.close(tells)
        said = os.read(told, 1)
        os._exit(0 if said else 1)
    os.close(told)
    os.setsid()
    return tells


def _detach(tells: int) -> None:
    """Say that it has started, and let go of the terminal."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for handle in range(3):
        os.dup2(nothing, handle)
    os.close(nothing)
    os.write(tells, b".")
    os.close(tells)
