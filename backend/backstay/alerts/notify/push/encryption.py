"""Encryption of a push message for one device (RFC 8291), as one record of `aes128gcm` (RFC 8188)."""

from __future__ import annotations

import os
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE: Final = ec.SECP256R1()
POINT_OCTETS = 65
"""An uncompressed point of P-256."""
AUTH_OCTETS = 16
SALT_OCTETS = 16
RECORD_OCTETS = 4_096
"""What every push service accepts (RFC 8030, 7.2)."""
OVERHEAD_OCTETS = SALT_OCTETS + 4 + 1 + POINT_OCTETS + 1 + 16
"""Header, delimiter and tag."""
MAX_PLAINTEXT = RECORD_OCTETS - OVERHEAD_OCTETS
_LAST_RECORD = b"\x02"


def device_key(point: bytes) -> ec.EllipticCurvePublicKey:
    """The public key of a device; ValueError unless it is an uncompressed point on P-256."""
    if len(point) != POINT_OCTETS:
        raise ValueError(f"Expected {POINT_OCTETS} octets.")
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point)


def point_of(key: ec.EllipticCurvePublicKey) -> bytes:
    """The key as an uncompressed point."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encrypt(
    plaintext: bytes,
    device_point: bytes,
    auth: bytes,
    *,
    sender: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """The body of the request. `sender` and `salt` are new for every message; only a test gives them.

    ValueError if the point is invalid or the plaintext exceeds `MAX_PLAINTEXT` octets.
    """
    if len(plaintext) > MAX_PLAINTEXT:
        raise ValueError(f"A push message holds at most {MAX_PLAINTEXT} octets.")
    sender = sender or ec.generate_private_key(CURVE)
    salt = salt or os.urandom(SALT_OCTETS)
    own_point = point_of(sender.public_key())
    shared = sender.exchange(ec.ECDH(), device_key(device_point))
    secret = _derived(shared, auth, b"WebPush: info\x00" + device_point + own_point, 32)
    key = _derived(secret, salt, b"Content-Encoding: aes128gcm\x00", 16)
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\x00", 12)
    header = salt + RECORD_OCTETS.to_bytes(4, "big") + bytes([POINT_OCTETS]) + own_point
    return header + AESGCM(key).encrypt(nonce, plaintext + _LAST_RECORD, None)


def _derived(secret: bytes, salt: bytes, info: bytes, octets: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=octets, salt=salt, info=info).derive(secret)
