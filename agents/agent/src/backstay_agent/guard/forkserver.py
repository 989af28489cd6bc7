"""Forks guards: a change needs one on each of its nodes at once, and programs start slowly."""

import asyncio
import logging
import os
from functools import partial
from pathlib import Path
from typing import NoReturn

from backstay_agent import logs
from backstay_agent.guard.process import Guard
from backstay_agent.host import forkserver, processes
from backstay_agent.host.forkserver import ForkServer
from backstay_agent.logs import event

_log = logging.getLogger(__name__)


def fork(state: Path) -> ForkServer:
    """A fork server for guards of this agent's state; see host.forkserver. Raises OSError."""
    return forkserver.fork("backstay-fork", partial(_guard, state))


def _guard(state: Path) -> NoReturn:
    code = 1
    try:
        processes.detach(state / "guard" / "guard.log")
        processes.name("backstay-guard")
        logs.configure()
        code = 0 if asyncio.run(Guard(state).run()) else 1
    except Exception as error:
        event(_log, logging.CRITICAL, "the guard died", error=f"{type(error).__name__}: {error}")
    finally:
        os._exit(code)
