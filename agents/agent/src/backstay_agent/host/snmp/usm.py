"""What a notification of SNMPv3 needs of the user-based security model (RFC 3414, RFC 3826, RFC 7860).

The sender of a trap is the authoritative engine, so a key is localised to whichever engine speaks. A message
is believed only if its digest is right and its time does not go back by more than 150 s.
"""

import hashlib
import hmac
from dataclasses import dataclass
from functools import lru_cache

from cryptography.hazmat.primitives.ciphers import Cipher, modes
from cryptography.hazmat.primitives.ciphers.algorithms import AES

from backstay_agent.host.snmp import ber
from backstay_agent.host.snmp.ber import BerError
from backstay_wire import SnmpV3

_HASHES = {"SHA-1": ("sha1", 12), "SHA-256": ("sha256", 24), "SHA-512": ("sha512", 48)}
_KEY_OCTETS = {"AES-128": 16, "AES-256": 32}
_EXPANDED = 1 << 20
_WINDOW_S = 150
_AUTH, _PRIV = 1, 2
_MOST_ENGINES = 4096


class UntrustedError(Exception):
    """This message is of nobody we know, or not as its sender made it."""


@dataclass(frozen=True, slots=True)
class _Security:
    """A message's security parameters; `digest_at` is where its digest's octets are."""

    engine: bytes
    boots: int
    time: int
    user: str
    digest_at: int
    digest_end: int
    salt: bytes


@lru_cache(256)
def _localised(password: bytes, algorithm: str, engine: bytes) -> bytes:
    """RFC 3414, appendix A.2."""
    repeated = (password * (_EXPANDED // len(password) + 1))[:_EXPANDED]
    key = hashlib.new(algorithm, repeated).digest()
    return hashlib.new(algorithm, key + engine + key).digest()


def _privacy_key(access: SnmpV3, engine: bytes) -> bytes:
    algorithm, _ = _HASHES[access.auth_protocol]
    wanted = _KEY_OCTETS[access.priv_protocol]
    key = _localised(access.priv_key.get_secret_value().encode(), algorithm, engine)
    while len(key) < wanted:
        key += hashlib.new(algorithm, key).digest()
    return key[:wanted]


class Users:
    """The users whose notifications are believed, and what their engines said last."""

    def __init__(self, users: list[SnmpV3]) -> None:
        self._users = {user.user: user for user in users}
        self._last: dict[bytes, tuple[int, int]] = {}

    def open(self, data: bytes) -> tuple[int, int, int, bytes]:
        """(PDU type, start, end, octets) of a v3 message's PDU. Raises UntrustedError and BerError."""
        start, end = ber.expect(data, 0, len(data), ber.SEQUENCE)
        _, position = ber.integer(data, start, end)
        flags, position = _header(data, position, end)
        security, position = _security(data, position, end)
        user = self._users.get(security.user)
        if user is None or flags & (_AUTH | _PRIV) != _AUTH | _PRIV:
            raise UntrustedError("an unknown user, or no authentication and privacy")
        _check_digest(data, security, user)
        self._check_time(security)
        sealed, stop = ber.expect(data, position, end, ber.OCTETS)
        iv = security.boots.to_bytes(4, "big") + security.time.to_bytes(4, "big") + security.salt
        # RFC 3826 prescribes this mode.
        cipher = Cipher(AES(_privacy_key(user, security.engine)), modes.CFB(iv)).decryptor()
        plain = cipher.update(data[sealed:stop]) + cipher.finalize()
        start, end = ber.expect(plain, 0, len(plain), ber.SEQUENCE)
        _, position = ber.expect(plain, start, end, ber.OCTETS)
        _, position = ber.expect(plain, position, end, ber.OCTETS)
        kind, start, end = ber.element(plain, position, end)
        return kind, start, end, plain

    def _check_time(self, security: _Security) -> None:
        last = self._last.get(security.engine)
        if last is not None:
            boots, when = last
            if security.boots < boots or (security.boots == boots and security.time < when - _WINDOW_S):
                raise UntrustedError("an old message")
        if last is None and len(self._last) >= _MOST_ENGINES:
            self._last.pop(next(iter(self._last)))
        self._last[security.engine] = max(last or (0, 0), (security.boots, security.time))


def _header(data: bytes, position: int, end: int) -> tuple[int, int]:
    start, stop = ber.expect(data, position, end, ber.SEQUENCE)
    _, position = ber.integer(data, start, stop)
    _, position = ber.integer(data, position, stop)
    flags, after = ber.expect(data, position, stop, ber.OCTETS)
    if after - flags != 1:
        raise BerError("message flags of another length than one octet")
    return data[flags], stop


def _security(data: bytes, position: int, end: int) -> tuple[_Security, int]:
    outer, after = ber.expect(data, position, end, ber.OCTETS)
    start, stop = ber.expect(data, outer, after, ber.SEQUENCE)
    engine, engine_end = ber.expect(data, start, stop, ber.OCTETS)
    boots, position = ber.integer(data, engine_end, stop)
    when, position = ber.integer(data, position, stop)
    user, user_end = ber.expect(data, position, stop, ber.OCTETS)
    digest, digest_end = ber.expect(data, user_end, stop, ber.OCTETS)
    salt, salt_end = ber.expect(data, digest_end, stop, ber.OCTETS)
    if not (0 <= boots < 1 << 31 and 0 <= when < 1 << 31 and salt_end - salt == 8):
        raise BerError("security parameters out of their range")
    name = data[user:user_end].decode("utf-8", "replace")
    found = _Security(data[engine:engine_end], boots, when, name, digest, digest_end, data[salt:salt_end])
    return found, after


def _check_digest(data: bytes, security: _Security, user: SnmpV3) -> None:
    algorithm, length = _HASHES[user.auth_protocol]
    if security.digest_end - security.digest_at != length:
        raise UntrustedError("a digest of another algorithm")
    blank = data[: security.digest_at] + bytes(length) + data[security.digest_end :]
    key = _localised(user.auth_key.get_secret_value().encode(), algorithm, security.engine)
    right = hmac.new(key, blank, algorithm).digest()[:length]
    if not hmac.compare_digest(right, data[security.digest_at : security.digest_end]):
        raise UntrustedError("a wrong digest")
