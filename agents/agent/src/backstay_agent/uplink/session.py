"""A client with an identity: enrols, renews the credential, and retries a refused call once with a new
one."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from backstay_agent import __version__
from backstay_agent.config import StateDir
from backstay_agent.host import machine
from backstay_agent.host.clock import Clock
from backstay_agent.logs import event
from backstay_agent.uplink.backoff import Backoff
from backstay_agent.uplink.client import BackendClient
from backstay_agent.uplink.errors import RefusedError, UnauthorisedError, UnavailableError
from backstay_agent.uplink.identity import Identity, new_identity, public_key, renewal, save_identity
from backstay_wire import Credential, Enrol

_log = logging.getLogger(__name__)
_SKEW_S = 60
"""A clock further from the backend's than this cannot date a signature."""

Result = TypeVar("Result")


async def enrol(
    client: BackendClient, key: Ed25519PrivateKey, state: StateDir, backend: str, token: str, *, patient: bool
) -> Identity:
    """Exchange the token for an identity and store it. `patient`: wait for a backend that is not there yet.

    Raises BackendError.
    """
    request = Enrol(
        token=token, public_key=public_key(key), hostname=machine.hostname(), agent_version=__version__
    )
    backoff = Backoff()
    while True:
        try:
            enrolled = await client.enrol(request)
            break
        except UnauthorisedError as error:
            raise UnauthorisedError(
                f"the backend does not accept the token ({error}): it may be used up, older than 15 minutes "
                "or mistyped; make a new one"
            ) from None
        except UnavailableError as error:
            if not patient:
                raise
            wait = backoff.next(error.retry_after)
            event(_log, logging.WARNING, "backend not available for enrolment", wait_s=wait, error=error)
            await asyncio.sleep(wait)
    identity = new_identity(enrolled, backend, client.now())
    save_identity(state, identity)
    event(_log, logging.INFO, "enrolled", agent=identity.agent, site=identity.site, node=identity.node)
    return identity


class UplinkSession:
    """Calls on behalf of one agent."""

    def __init__(
        self,
        client: BackendClient,
        identity: Identity,
        key: Ed25519PrivateKey,
        state: StateDir,
        clock: Clock,
    ) -> None:
        self._clock = clock
        self.client = client
        self.identity = identity
        self._key = key
        self._state = state
        self._renewing = asyncio.Lock()
        client.credential = identity.credential

    async def call(self, what: Callable[[], Awaitable[Result]]) -> Result:
        """Make a call, with a fresh credential if ours is old or refused. Raises BackendError."""
        if self.client.now() >= self.identity.renew_at:
            await self._renew_early()
        used = self.identity.credential
        try:
            return await what()
        except UnauthorisedError:
            await self._renew(instead_of=used)
            return await what()

    async def _renew_early(self) -> None:
        """Two thirds of its lifetime are over. While the backend cannot renew it, the old one stays in
        use."""
        try:
            await self._renew(instead_of=self.identity.credential)
        except UnavailableError as error:
            event(_log, logging.WARNING, "credential not renewed yet", error=error)

    async def _renew(self, instead_of: str) -> None:
        async with self._renewing:
            if self.identity.credential != instead_of:
                return
            offset = self._offset()
            try:
                credential = await self._ask(offset)
            except (UnauthorisedError, RefusedError):
                # The refusal carries the backend's time: if our clock is far off, sign that time instead.
                if self._offset() == offset:
                    raise
                credential = await self._ask(self._offset())
            now = self.client.now()
            self.identity = self.identity.renewed(credential, now)
            self.client.credential = self.identity.credential
            save_identity(self._state, self.identity)
            event(
                _log, logging.INFO, "credential renewed", expires_in_s=round(self.identity.expires_at - now)
            )

    def _offset(self) -> int:
        """Seconds between the backend's clock and ours, 0 if the difference is small enough to ignore."""
        offset = round(self.client.server_offset_s)
        return offset if abs(offset) > _SKEW_S else 0

    async def _ask(self, offset: int) -> Credential:
        at = self._clock.wall_ns() // 1_000_000_000 + offset
        return await self.client.renew(renewal(self._key, self.identity.agent, at))
