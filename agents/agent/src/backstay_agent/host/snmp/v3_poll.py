"""The periodic poll over SNMPv3, by gufo-snmp.

Its session keeps the device's engine id, boots and time. After any error it is dropped, and the next attempt
begins with their discovery: a device that restarted is polled again at once.
"""

import asyncio
from collections.abc import Sequence

import numpy as np
from gufo.snmp import (
    Aes128Key,
    Aes256Key,
    BaseAuthKey,
    BasePrivKey,
    Sha1Key,
    Sha256Key,
    Sha512Key,
    SnmpAuthError,
    User,
)
from gufo.snmp import SnmpError as GufoError
from gufo.snmp.aio import SnmpSession

from backstay_agent.host.snmp.readings import Readings
from backstay_agent.host.snmp.values import Oid, PollLimits, SnmpError, SnmpTimeoutError
from backstay_wire import SnmpSource, SnmpV3

_AUTH: dict[str, type[BaseAuthKey]] = {"SHA-1": Sha1Key, "SHA-256": Sha256Key, "SHA-512": Sha512Key}
_PRIV: dict[str, type[BasePrivKey]] = {"AES-128": Aes128Key, "AES-256": Aes256Key}

_KEPT = 4
"""Number of requests whose names are cached."""


def _user(access: SnmpV3) -> User:
    return User(
        access.user,
        auth_key=_AUTH[access.auth_protocol](access.auth_key.get_secret_value().encode()),
        priv_key=_PRIV[access.priv_protocol](access.priv_key.get_secret_value().encode()),
    )


class V3Poll:
    """Polls of one device."""

    def __init__(self, source: SnmpSource, limits: PollLimits) -> None:
        assert isinstance(source.access, SnmpV3)
        self._source = source
        self._user = _user(source.access)
        self._most = limits.poll_variables
        self._session: SnmpSession | None = None
        self.discoveries = 0
        """How often the device's engine was discovered: again after each error."""
        self._names: list[tuple[Sequence[Oid], list[str]]] = []

    async def ask(self, oids: Sequence[Oid]) -> Readings:
        """See interface.Session."""
        values = np.zeros(len(oids), dtype=np.uint64)
        present = np.zeros(len(oids), dtype=np.bool_)
        names = self._named(oids)
        for start in range(0, len(names), self._most):
            part = names[start : start + self._most]
            found = await self._attempts(part)
            for place, name in enumerate(part, start):
                value = found.get(name)
                if isinstance(value, int) and 0 <= value < 1 << 64:
                    values[place], present[place] = value, True
        return Readings(oids, values, present)

    def close(self) -> None:
        """Drop the device; gufo closes its socket with the object."""
        self._session = None

    def _named(self, oids: Sequence[Oid]) -> list[str]:
        for known, names in self._names:
            if known is oids:
                return names
        made = [".".join(map(str, oid)) for oid in oids]
        self._names = [(oids, made), *self._names[: _KEPT - 1]]
        return made

    async def _attempts(self, names: list[str]) -> dict[str, object]:
        for left in range(self._source.retries, -1, -1):
            try:
                # gufo's own timeout restarts with each datagram from any sender.
                async with asyncio.timeout(2 * self._source.timeout_s):
                    session = await self._ready()
                    return dict(await session.get_many(names))
            except (TimeoutError, OSError) as error:
                self.close()
                if not left:
                    where = f"{self._source.address} port {self._source.port}"
                    raise SnmpTimeoutError(f"no answer from {where}") from error
            except SnmpAuthError as error:
                self.close()
                if not left:
                    raise SnmpError("the device refuses this SNMPv3 user or its keys") from error
            except (GufoError, ValueError, RuntimeError) as error:
                self.close()
                if not left:
                    raise SnmpError(f"the device's answer is not usable ({type(error).__name__})") from error
        raise AssertionError("the last attempt returns or raises")

    async def _ready(self) -> SnmpSession:
        if self._session is None:
            source = self._source
            session = SnmpSession(str(source.address), source.port, user=self._user, timeout=source.timeout_s)
            await session.refresh()
            self._session = session
            self.discoveries += 1
        return self._session
