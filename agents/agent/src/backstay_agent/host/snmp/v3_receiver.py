"""Receives SNMPv3 traps and informs: pysnmp's engine with its user-based security model (RFC 3414).

pysnmp decodes, authenticates, decrypts, and creates the reports and acknowledgements. This module adds what a
receiver needs and pysnmp 7.1 does not do:

- The sender of a trap is the authoritative engine. pysnmp only knows users of engines that were registered; a
  configured user is registered for an engine when its first message arrives.
- pysnmp overwrites the stored time of another engine before comparing it, so a replayed trap passes. The
  window of 150 s (RFC 3414, section 3.2, step 7b) is checked here.
- pysnmp accepts notifications from other engines at any security level; here only authPriv is accepted.
- This engine's time comes from the monotonic clock: a step of the wall clock must not refuse informs.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pysnmp.entity import config as _config
from pysnmp.proto import rfc1902 as _rfc1902
from pysnmp.proto import rfc1905
from pysnmp.proto.api import v2c as _v2c

from backstay_agent.host.clock import Clock
from backstay_agent.host.snmp import ber
from backstay_agent.host.snmp.ber import BerError
from backstay_agent.host.snmp.pysnmp_types import AUTH_PROTOCOLS, PRIV_PROTOCOLS, api, plain
from backstay_agent.host.snmp.values import Oid, UntrustedError, Value
from backstay_wire import SnmpV3

_users_table: Any = _config
_types: Any = _rfc1902
_pdu: Any = _v2c.apiPDU
_FORMAT = bytes.fromhex("8000000005")
"""SnmpEngineID with octets assigned by the administrator (RFC 3411), of no manufacturer (number 0)."""
_EPOCH_S = 1_577_836_800
"""1 January 2020."""
_V3, _USM, _AUTH_PRIV = 3, 3, 3
_WINDOW_S = 150
_MAX_ENGINES = 4096
_PDUS = tuple(pdu.tagSet for pdu in (rfc1905.SNMPv2TrapPDU, rfc1905.InformRequestPDU))
_HANDSHAKE = ("usmStatsUnknownEngineIDs", "usmStatsNotInTimeWindows")
"""Reports caused by every new sender of informs."""


def engine_id(device: str) -> bytes:
    """This receiver's SnmpEngineID. Senders of informs may have it configured, so it never changes."""
    return _FORMAT + hashlib.sha256(f"backstay notices {device}".encode()).digest()[:12]


@dataclass(slots=True)
class Received:
    """The result of one message."""

    variables: list[tuple[Oid, Value | None]] | None = None
    """Of a trap or inform; None: the message was only part of the handshake, or refused."""
    answer: bytes = b""
    """Reply to send: an inform's acknowledgement or a report."""
    refused: bool = False
    """Unknown user, wrong password or wrong security level."""


@dataclass(slots=True)
class _Peer:
    """The engine named in the current message."""

    engine: bytes = b""
    boots: int = 0
    time: int = 0


@dataclass(slots=True)
class _Transport:
    """Replaces pysnmp's transport dispatcher: keeps the only reply that the engine creates."""

    sent: list[bytes] = field(default_factory=list)

    def send_message(self, message: bytes, domain: object, address: object) -> None:
        self.sent.append(bytes(message))

    def get_timer_resolution(self) -> float:
        return 1.0


class V3Receiver:
    """The SNMP engine that receives for one node."""

    def __init__(self, users: Sequence[SnmpV3], device: str, clock: Clock) -> None:
        self._users = {user.user.encode(): user for user in users}
        self._clock = clock
        self._started_ns = clock.monotonic_ns()
        self.engine_id = engine_id(device)
        # Not the constructor's argument: with that pysnmp keeps the boots in a predictable file below /tmp.
        self._engine = api.SnmpEngine()
        framework = "__SNMP-FRAMEWORK-MIB"
        self._set(framework, "snmpEngineID", self.engine_id)
        self._engine.snmpEngineID = self._object(framework, "snmpEngineID").syntax
        # Increases at each start without a file: seconds until the start.
        self._set(framework, "snmpEngineBoots", max(1, clock.wall_ns() // 1_000_000_000 - _EPOCH_S))
        self._object(framework, "snmpEngineTime").syntax = self._engine_time()
        self._engine.transport_dispatcher = self._transport = _Transport()
        self._engine.message_dispatcher.register_context_engine_id(b"", _PDUS, self._take)
        self._engine.observer.register_observer(self._note_peer, "rfc3414.processIncomingMsg")
        self._registered: dict[tuple[bytes, bytes], None] = {}
        self._times: dict[bytes, tuple[int, int]] = {}
        self._peer = _Peer()
        self._received = Received()
        for user in self._users:
            self._register(self.engine_id, user)

    @property
    def boots(self) -> int:
        """snmpEngineBoots."""
        return int(self._object("__SNMP-FRAMEWORK-MIB", "snmpEngineBoots").syntax)

    @property
    def time(self) -> int:
        """snmpEngineTime: seconds since the start."""
        return (self._clock.monotonic_ns() - self._started_ns) // 1_000_000_000

    def receive(self, data: bytes) -> Received:
        """Process one message. Raises UntrustedError for one to drop, BerError for an unreadable one."""
        engine, user = _parties(data)
        if engine and user in self._users:
            self._register(engine, user)
        self._received, self._peer = Received(), _Peer()
        self._transport.sent.clear()
        handshakes = self._count(*_HANDSHAKE)
        unreadable = self._count("snmpInASNParseErrs", mib="__SNMPv2-MIB")
        try:
            self._engine.message_dispatcher.receive_message(self._engine, (), ("", 0), data)
        except Exception as error:  # pysnmp lets various exceptions of its decoders escape
            raise BerError(f"not readable: {type(error).__name__}") from error
        finally:
            self._forget()
        received = self._received
        if self._count("snmpInASNParseErrs", mib="__SNMPv2-MIB") > unreadable:
            raise BerError("not readable")
        if received.variables is None:
            received.refused = self._count(*_HANDSHAKE) == handshakes
            if received.refused and not self._transport.sent:
                raise UntrustedError("unknown user, wrong digest or level, or an old message")
        received.answer = self._transport.sent[0] if self._transport.sent else b""
        return received

    def _register(self, engine: bytes, name: bytes) -> None:
        """Register a user for messages of `engine`; the oldest registration is dropped."""
        if (engine, name) in self._registered or not 5 <= len(engine) <= 32:
            return
        user = self._users[name]
        if len(self._registered) >= _MAX_ENGINES:
            old = next(key for key in self._registered if key[0] != self.engine_id)
            del self._registered[old]
            self._times.pop(old[0], None)
            _users_table.delete_v3_user(self._engine, old[1].decode(), _types.OctetString(old[0]))
        _users_table.add_v3_user(
            self._engine,
            user.user,
            AUTH_PROTOCOLS[user.auth_protocol],
            user.auth_key.get_secret_value(),
            PRIV_PROTOCOLS[user.priv_protocol],
            user.priv_key.get_secret_value(),
            securityEngineId=_types.OctetString(engine),
        )
        self._registered[engine, name] = None

    def _note_peer(self, engine: object, point: object, variables: Any, context: object) -> None:
        self._peer = _Peer(
            bytes(variables["securityEngineId"]),
            int(variables["snmpEngineBoots"]),
            int(variables["snmpEngineTime"]),
        )

    def _take(self, engine: Any, model: Any, security: Any, name: Any, level: Any, *rest: Any) -> None:
        """pysnmp's callback for an authenticated PDU."""
        context_engine, context_name, version, pdu, max_size, state = rest
        if level != _AUTH_PRIV:
            return
        if pdu.tagSet == rfc1905.InformRequestPDU.tagSet:
            if self._peer.engine != self.engine_id:
                return
            reply = _pdu.get_response(pdu)
            _pdu.set_varbinds(reply, _pdu.get_varbinds(pdu))
            to = (context_engine, context_name, version, reply, max_size, state)
            engine.message_dispatcher.return_response_pdu(engine, model, security, name, level, *to, {})
        elif not self._is_in_time():
            return
        self._received.variables = [
            (tuple(int(part) for part in oid), plain(value)) for oid, value in _pdu.get_varbinds(pdu)
        ]

    def _is_in_time(self) -> bool:
        """Whether a trap's time is at most 150 s behind its sender's newest."""
        peer = self._peer
        boots, time = self._times.get(peer.engine, (0, 0))
        if peer.boots < boots or (peer.boots == boots and peer.time < time - _WINDOW_S):
            return False
        self._times[peer.engine] = max((boots, time), (peer.boots, peer.time))
        return peer.engine != self.engine_id

    def _forget(self) -> None:
        """Drop what pysnmp stores about past messages: its dispatcher's timer does not run here."""
        security = self._engine.security_models[_USM]
        processing = self._engine.message_processing_subsystems[_V3]
        security.receive_timer_tick(self._engine, 0)
        processing.receive_timer_tick(self._engine, 0)
        if not security._cache.is_empty():
            security._cache = type(security._cache)()

    def _engine_time(self) -> Any:
        receiver = self

        class EngineTime(_types.Integer32):  # type: ignore[misc]
            """snmpEngineTime; pysnmp reads it by `clone()`."""

            def clone(self, *args: Any, **values: Any) -> Any:
                return _types.Integer32(*(args or (receiver.time,)), **values)

        made: Any = EngineTime
        return made(0)

    def _object(self, mib: str, name: str) -> Any:
        (found,) = self._engine.get_mib_builder().import_symbols(mib, name)
        return found

    def _set(self, mib: str, name: str, value: object) -> None:
        found = self._object(mib, name)
        found.syntax = found.syntax.clone(value)

    def _count(self, *names: str, mib: str = "__SNMP-USER-BASED-SM-MIB") -> int:
        return sum(int(self._object(mib, name).syntax) for name in names)


def _parties(data: bytes) -> tuple[bytes, bytes]:
    """A message's authoritative engine and user name. Raises BerError."""
    start, end = ber.expect(data, 0, len(data), ber.SEQUENCE)
    _, position = ber.integer(data, start, end)
    _, position = ber.expect(data, position, end, ber.SEQUENCE)
    start, end = ber.expect(data, position, end, ber.OCTETS)
    start, end = ber.expect(data, start, end, ber.SEQUENCE)
    engine, position = ber.expect(data, start, end, ber.OCTETS)
    found = data[engine:position]
    _, position = ber.integer(data, position, end)
    _, position = ber.integer(data, position, end)
    user, position = ber.expect(data, position, end, ber.OCTETS)
    return found, data[user:position]
