"""Repairs the state folder, so that an agent always starts.

Nothing is deleted: what cannot be used is set aside (`NAME.damaged-N`) and logged. A damaged release or hold
stays where it is, because it keeps the agent from changing routes.
"""

import contextlib
import logging

from pydantic import ValidationError

from backstay_agent.config import ConfigError, Settings, StateDir
from backstay_agent.host.clock import Clock
from backstay_agent.host.files import DAMAGED, report_aside, usable_dir
from backstay_agent.logs import event
from backstay_agent.status import Status, read_status
from backstay_agent.uplink.client import BackendClient
from backstay_agent.uplink.errors import BackendError
from backstay_agent.uplink.identity import Identity, load_identity, load_key, load_or_make_key
from backstay_agent.uplink.session import enrol
from backstay_wire import Desired

_log = logging.getLogger(__name__)
_LOCKS = ("lock", "alone.lock", "turn.lock")
UNKNOWN_BACKEND = "http://backend.invalid"
"""No such host (RFC 6761): reports stay in the spool."""
_NO_CREDENTIAL = "none"


def mend(state: StateDir) -> None:
    """Set aside whatever has the name, but not the type, of a file or folder of the state. Raises OSError."""
    usable_dir(state.root)
    for folder in (state.spool, state.root / "guard"):
        usable_dir(folder)
    files = [state.key, state.identity, state.desired, state.status, state.failover, state.tests]
    files += [folder / name for folder in (state.root, state.root / "guard") for name in _LOCKS]
    for path in files:
        if path.is_dir():
            report_aside(path, IsADirectoryError("a folder has its name"))


async def find_identity(settings: Settings, clock: Clock) -> Identity:
    """The stored identity; if it is damaged, the one that the last status names and the key proves; else
    one by enrolment.

    Without any, an agent that knows its assignments collects into the spool, and says so. Raises ConfigError
    if it knows none either, BackendError if a first enrolment is refused.
    """
    state = settings.state
    identity, key = load_identity(state), load_key(state)
    is_damaged = any(state.root.glob(f"{state.identity.name}{DAMAGED}*"))
    if identity is not None and (key is not None or not settings.token):
        return identity
    last, desired = read_status(state), _stored_desired(state)
    if is_damaged and identity is None and key is not None and last is not None:
        event(_log, logging.WARNING, "identity recovered from the last status", agent=last.agent)
        return _recovered(last, settings)
    if desired is None or (identity is None and not is_damaged):
        return await enrol_here(settings, patient=True, clock=clock)
    with contextlib.suppress(ConfigError, BackendError):
        return await enrol_here(settings, patient=False, clock=clock)
    event(
        _log,
        logging.ERROR,
        "this agent has no identity: reports stay in the spool until it is enrolled again with a new token",
        node=desired.node,
    )
    return identity or _anonymous(desired, settings)


def _recovered(last: Status, settings: Settings) -> Identity:
    """An expired credential: the first request renews it with the key."""
    backend = last.backend or settings.backend or UNKNOWN_BACKEND
    return Identity(last.agent, last.site, last.node, backend, _NO_CREDENTIAL, 0.0, 0.0)


def _anonymous(desired: Desired, settings: Settings) -> Identity:
    backend = settings.backend or UNKNOWN_BACKEND
    return Identity("unknown", desired.site, desired.node, backend, _NO_CREDENTIAL, 0.0, 0.0)


def _stored_desired(state: StateDir) -> Desired | None:
    try:
        return Desired.model_validate_json(state.desired.read_bytes())
    except (OSError, ValidationError):
        return None


async def enrol_here(settings: Settings, *, patient: bool, clock: Clock) -> Identity:
    """Enrol this host with the settings' backend and token. Raises ConfigError, BackendError."""
    if not settings.backend or not settings.token:
        raise ConfigError("not enrolled yet: --backend and a one-time token (--token-file) are needed")
    usable_dir(settings.state.root)
    key = load_or_make_key(settings.state)
    client = BackendClient(settings.backend, clock, settings.ca_file)
    try:
        return await enrol(client, key, settings.state, settings.backend, settings.token, patient=patient)
    finally:
        await client.close()
