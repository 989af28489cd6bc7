"""SNMP v2c and v3 requests to one device: these columns of this device, now.

The one narrow interface behind which the engine can be changed. Today it is pysnmp's asyncio engine with
MIB look-ups off and numeric OIDs only; nothing above this module imports pysnmp, and nothing imports this
module before an SNMP source is assigned.

Walks are guarded against broken and hostile agents: OIDs must grow strictly (RFC 3416, section 4.2.2), at
most 100,000 variables, at most 30 seconds.
"""

import time
from collections.abc import Sequence
from ipaddress import IPv6Address
from typing import Any

import pysnmp.hlapi.v3arch.asyncio as _pysnmp
from pyasn1.type.univ import ObjectIdentifier, OctetString
from pysnmp.proto.errind import RequestTimedOut

from backstay_wire import SnmpSource, SnmpV2c, SnmpV3

_api: Any = _pysnmp
"""pysnmp's high-level interface; it has no types."""

Oid = tuple[int, ...]
Value = int | bytes | Oid
"""Counters, gauges, ticks and enums are int; strings and IpAddress are bytes."""

_AUTH = {
    "SHA-1": _api.USM_AUTH_HMAC96_SHA,
    "SHA-256": _api.USM_AUTH_HMAC192_SHA256,
    "SHA-512": _api.USM_AUTH_HMAC384_SHA512,
}
_PRIV = {"AES-128": _api.USM_PRIV_CFB128_AES, "AES-256": _api.USM_PRIV_CFB256_AES}
_PER_REQUEST = 40
"""Variables in one request: about 1,000 octets of answer, below an Ethernet MTU."""
_WALK_LIMIT = 100_000
_WALK_S = 30.0
_TOO_BIG = 1
_ABSENT = (_api.NoSuchObject, _api.NoSuchInstance, _api.EndOfMibView)


class SnmpTimeoutError(Exception):
    """The device did not answer."""


class SnmpError(Exception):
    """The device answered with an error, or with what the protocol forbids."""


def _credentials(access: SnmpV2c | SnmpV3) -> Any:
    if isinstance(access, SnmpV2c):
        return _api.CommunityData(access.community.get_secret_value(), mpModel=1)
    return _api.UsmUserData(
        access.user,
        access.auth_key.get_secret_value(),
        access.priv_key.get_secret_value(),
        authProtocol=_AUTH[access.auth_protocol],
        privProtocol=_PRIV[access.priv_protocol],
    )


def _octets(value: Any) -> bytes:
    return bytes(value.asOctets())


def _plain(value: Any) -> Value:
    if isinstance(value, ObjectIdentifier):
        return tuple(int(part) for part in value)
    if isinstance(value, OctetString):
        return _octets(value)
    return int(value)


class SnmpSession:
    """Requests to one device. Raises SnmpTimeoutError and SnmpError; neither text holds a secret."""

    def __init__(self, source: SnmpSource) -> None:
        self._source = source
        self._engine = _api.SnmpEngine()
        self._credentials = _credentials(source.access)
        self._context = _api.ContextData()
        self._target: Any = None
        self._per_request = _PER_REQUEST

    async def get(self, oids: Sequence[Oid]) -> dict[Oid, Value]:
        """The values of `oids`; those that the device does not have are left out."""
        found: dict[Oid, Value] = {}
        rest = list(oids)
        while rest:
            now, rest = rest[: self._per_request], rest[self._per_request :]
            answer = await self._request(_api.get_cmd, (), now)
            if answer is None:
                self._per_request = max(1, self._per_request // 2)
                rest = now + rest
                continue
            found.update((oid, _plain(value)) for oid, value in answer if not isinstance(value, _ABSENT))
        return found

    async def walk(self, columns: Sequence[Oid]) -> dict[Oid, dict[Oid, Value]]:
        """Every instance of each column: column -> index -> value. Columns may be empty."""
        found: dict[Oid, dict[Oid, Value]] = {column: {} for column in columns}
        last = {column: column for column in columns}
        deadline = time.monotonic() + _WALK_S
        count = 0
        while last:
            if time.monotonic() > deadline:
                raise SnmpError(f"the walk was not over after {_WALK_S:.0f} s")
            heads = list(last)
            answer = await self._bulk([last[column] for column in heads])
            count += len(answer)
            if count > _WALK_LIMIT:
                raise SnmpError(f"the walk did not end within {_WALK_LIMIT} variables")
            if not answer:
                return found
            for position, (oid, value) in enumerate(answer):
                self._take(heads[position % len(heads)], oid, value, last, found)
        return found

    @staticmethod
    def _take(
        column: Oid, oid: Oid, value: Any, last: dict[Oid, Oid], found: dict[Oid, dict[Oid, Value]]
    ) -> None:
        """Note one variable of a walk; a column that is over leaves `last`."""
        if column not in last:
            return
        if isinstance(value, _ABSENT) or oid[: len(column)] != column:
            del last[column]
            return
        if oid <= last[column]:
            raise SnmpError("the device's OIDs do not increase: the walk would never end")
        last[column] = oid
        found[column][oid[len(column) :]] = _plain(value)

    async def _bulk(self, oids: Sequence[Oid]) -> list[tuple[Oid, Any]]:
        while True:
            repetitions = max(1, self._per_request // len(oids))
            answer = await self._request(_api.bulk_cmd, (0, repetitions), oids)
            if answer is not None:
                return answer
            if repetitions == 1:
                raise SnmpError("the device finds one row too big for an answer")
            self._per_request = max(1, self._per_request // 2)

    async def _request(
        self, command: Any, arguments: tuple[int, ...], oids: Sequence[Oid]
    ) -> list[tuple[Oid, Any]] | None:
        """The variables of one answer; None when it was too big and more than one was asked for."""
        target = await self._connected()
        names = [_api.ObjectType(_api.ObjectIdentity(oid)) for oid in oids]
        indication, status, index, variables = await command(
            self._engine, self._credentials, target, self._context, *arguments, *names, lookupMib=False
        )
        if indication is not None:
            if isinstance(indication, RequestTimedOut):
                raise SnmpTimeoutError(f"no answer from {self._source.address} port {self._source.port}")
            raise SnmpError(str(indication))
        if int(status) == _TOO_BIG and self._per_request > 1:
            return None
        if int(status):
            raise SnmpError(f"error-status {int(status)} for variable {int(index)}")
        return [(tuple(int(part) for part in name), value) for name, value in variables]

    async def _connected(self) -> Any:
        if self._target is None:
            source = self._source
            six = isinstance(source.address, IPv6Address)
            kind = _api.Udp6TransportTarget if six else _api.UdpTransportTarget
            self._target = await kind.create(
                (str(source.address), source.port), timeout=source.timeout_s, retries=source.retries
            )
        return self._target

    def close(self) -> None:
        """Close the sockets."""
        self._engine.close_dispatcher()
