"""A session of SNMPv3 with authentication and privacy (RFC 3414, RFC 3826).

pysnmp runs the discovery: it implements the complete user-based security model. The periodic poll uses
gufo-snmp, whose compiled core decodes about fifty times as many numbers per second.

pysnmp keeps a device's engineBoots and engineTime for 300 s and meanwhile discards every answer with earlier
ones (RFC 3414, 3.2.7b): those of a device that restarted without its stored engineBoots. So its engine is
replaced after a failure, and as soon as the poll finds the device restarted.
"""

import time
from collections.abc import Sequence
from ipaddress import IPv6Address
from typing import Any

from pysnmp.proto.errind import RequestTimedOut

from backstay_agent.host.snmp.pysnmp_types import AUTH_PROTOCOLS, PRIV_PROTOCOLS, api, plain, tag_of
from backstay_agent.host.snmp.readings import Readings
from backstay_agent.host.snmp.v3_poll import V3Poll
from backstay_agent.host.snmp.values import Observer, Oid, PollLimits, SnmpError, SnmpTimeoutError, Value
from backstay_agent.host.snmp.walk import Walks
from backstay_wire import SnmpSource, SnmpV3

_TOO_BIG = 1
_Variable = tuple[Oid, int, Value | None]
"""Name, tag of its type, value."""


def _user(access: SnmpV3) -> Any:
    return api.UsmUserData(
        access.user,
        access.auth_key.get_secret_value(),
        access.priv_key.get_secret_value(),
        authProtocol=AUTH_PROTOCOLS[access.auth_protocol],
        privProtocol=PRIV_PROTOCOLS[access.priv_protocol],
    )


class V3Session:
    """Requests to one device (see interface.Session)."""

    def __init__(self, source: SnmpSource, limits: PollLimits, observe: Observer | None = None) -> None:
        assert isinstance(source.access, SnmpV3)
        self._source = source
        self._limits = limits
        self._observe = observe
        self._engine = api.SnmpEngine()
        self._is_known = False
        """Whether the device has answered this engine."""
        self._user = _user(source.access)
        self._context = api.ContextData()
        self._target: Any = None
        self._per_request = limits.get_variables
        self._poll = V3Poll(source, limits)
        self._walks = Walks(limits, time.monotonic)

    async def get(self, oids: Sequence[Oid]) -> dict[Oid, Value]:
        """See Session."""
        found: dict[Oid, Value] = {}
        rest = list(oids)
        while rest:
            now, rest = rest[: self._per_request], rest[self._per_request :]
            answer = await self._request(api.get_cmd, (), now)
            if answer is None:
                self._per_request = max(1, self._per_request // 2)
                rest = now + rest
                continue
            for oid, tag, value in answer:
                if value is not None:
                    found[oid] = value
                    if self._observe is not None:
                        self._observe(oid, tag, value)
        return found

    async def walk(self, columns: Sequence[Oid]) -> dict[Oid, dict[Oid, Value]]:
        """See Session."""
        with self._walks.of(columns) as walk:
            while heads := walk.heads():
                answer = await self._bulk(heads)
                outside = frozenset(walk.take([(oid, value) for oid, _, value in answer]))
                for place, (oid, tag, value) in enumerate(answer):
                    if self._observe is not None and value is not None and place not in outside:
                        self._observe(oid, tag, value)
        return walk.found

    async def poll(self, *questions: Sequence[Oid]) -> list[Readings]:
        """See Session."""
        before = self._poll.discoveries
        readings = [await self._poll.ask(oids) for oids in questions]
        if before and self._poll.discoveries != before:
            self._forget_device()
        return readings

    def close(self) -> None:
        """Close the sockets."""
        self._poll.close()
        self._engine.close_dispatcher()

    async def _bulk(self, oids: Sequence[Oid]) -> list[_Variable]:
        while True:
            repetitions = max(1, self._per_request // len(oids))
            answer = await self._request(api.bulk_cmd, (0, repetitions), oids)
            if answer is not None:
                return answer
            if repetitions == 1:
                raise SnmpError("the device finds the smallest answer too big")
            self._per_request = max(1, self._per_request // 2)

    async def _request(
        self, command: Any, arguments: tuple[int, ...], oids: Sequence[Oid]
    ) -> list[_Variable] | None:
        """The variables of one response; None if it was too big and more than one was requested."""
        indication, status, index, variables = await self._exchange(command, arguments, oids)
        if indication is not None and self._is_known:
            self._forget_device()
            indication, status, index, variables = await self._exchange(command, arguments, oids)
        if indication is not None:
            self._forget_device()
            if isinstance(indication, RequestTimedOut):
                raise SnmpTimeoutError(f"no answer from {self._source.address} port {self._source.port}")
            raise SnmpError(str(indication))
        self._is_known = True
        if int(status) == _TOO_BIG and self._per_request > 1:
            return None
        if int(status):
            raise SnmpError(f"error-status {int(status)} for variable {int(index)}")
        return [(tuple(int(part) for part in name), tag_of(value), plain(value)) for name, value in variables]

    async def _exchange(self, command: Any, arguments: tuple[int, ...], oids: Sequence[Oid]) -> Any:
        """(error indication, error-status, its index, variables) of one request."""
        target = await self._connected()
        names = [api.ObjectType(api.ObjectIdentity(oid)) for oid in oids]
        return await command(
            self._engine, self._user, target, self._context, *arguments, *names, lookupMib=False
        )

    def _forget_device(self) -> None:
        """Begin again with the discovery of the device's engine id, boots and time."""
        self._engine.close_dispatcher()
        self._engine, self._target, self._is_known = api.SnmpEngine(), None, False

    async def _connected(self) -> Any:
        if self._target is None:
            source = self._source
            six = isinstance(source.address, IPv6Address)
            kind = api.Udp6TransportTarget if six else api.UdpTransportTarget
            self._target = await kind.create(
                (str(source.address), source.port), timeout=source.timeout_s, retries=source.retries
            )
        return self._target
