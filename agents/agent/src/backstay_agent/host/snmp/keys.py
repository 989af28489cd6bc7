"""A user's passwords as keys of one engine, and what is done by them (RFC 3414, RFC 3826, RFC 7860)."""

import hashlib
import hmac
from functools import lru_cache

from cryptography.hazmat.primitives.ciphers import Cipher, modes
from cryptography.hazmat.primitives.ciphers.algorithms import AES

from backstay_wire import SnmpV3

_HASHES = {"SHA-1": ("sha1", 12), "SHA-256": ("sha256", 24), "SHA-512": ("sha512", 48)}
_KEY_OCTETS = {"AES-128": 16, "AES-256": 32}
_EXPANDED = 1 << 20


def digest_length(user: SnmpV3) -> int:
    """Octets of a message's digest."""
    return _HASHES[user.auth_protocol][1]


def digest(user: SnmpV3, engine: bytes, message: bytes) -> bytes:
    """Of a message whose own digest is blank (RFC 3414, section 6.3)."""
    algorithm, length = _HASHES[user.auth_protocol]
    key = _localised(user.auth_key.get_secret_value().encode(), algorithm, engine)
    return hmac.new(key, message, algorithm).digest()[:length]


def vector(boots: int, time: int, salt: bytes) -> bytes:
    """The initial vector (RFC 3826, section 3.1.2.1); `salt` has eight octets and is used once."""
    return boots.to_bytes(4, "big") + time.to_bytes(4, "big") + salt


def decrypted(user: SnmpV3, engine: bytes, initial: bytes, sealed: bytes) -> bytes:
    """A scoped PDU in the clear."""
    # RFC 3826 prescribes this mode.
    cipher = Cipher(AES(_privacy_key(user, engine)), modes.CFB(initial)).decryptor()
    return cipher.update(sealed) + cipher.finalize()


def encrypted(user: SnmpV3, engine: bytes, initial: bytes, plain: bytes) -> bytes:
    """A scoped PDU under lock."""
    cipher = Cipher(AES(_privacy_key(user, engine)), modes.CFB(initial)).encryptor()
    return cipher.update(plain) + cipher.finalize()


@lru_cache(256)
def _localised(password: bytes, algorithm: str, engine: bytes) -> bytes:
    """RFC 3414, appendix A.2."""
    repeated = (password * (_EXPANDED // len(password) + 1))[:_EXPANDED]
    key = hashlib.new(algorithm, repeated).digest()
    return hashlib.new(algorithm, key + engine + key).digest()


def _privacy_key(user: SnmpV3, engine: bytes) -> bytes:
    algorithm, _ = _HASHES[user.auth_protocol]
    wanted = _KEY_OCTETS[user.priv_protocol]
    key = _localised(user.priv_key.get_secret_value().encode(), algorithm, engine)
    while len(key) < wanted:
        key += hashlib.new(algorithm, key).digest()
    return key[:wanted]
