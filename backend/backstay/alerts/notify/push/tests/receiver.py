"""The other side of a push message: a device with its keys, written after RFC 8188 and 8291 alone."""

from __future__ import annotations

import hashlib
import hmac
import os
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


@dataclass(frozen=True, slots=True)
class Receiver:
    """Keys of one browser's subscription."""

    key: ec.EllipticCurvePrivateKey
    auth: bytes

    @classmethod
    def make(cls) -> Receiver:
        return cls(ec.generate_private_key(ec.SECP256R1()), os.urandom(16))

    @property
    def point(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def read(self, body: bytes) -> bytes:
        """The plaintext of a body of one record; raises if anything was altered."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, record = body[21 : 21 + length], body[21 + length :]
        assert len(record) <= size
        shared = self.key.exchange(
            ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        )
        secret = _hmac(_hmac(self.auth, shared), b"WebPush: info\x00" + self.point + sender + b"\x01")
        extracted = _hmac(salt, secret)
        key = _hmac(extracted, b"Content-Encoding: aes128gcm\x00\x01")[:16]
        nonce = _hmac(extracted, b"Content-Encoding: nonce\x00\x01")[:12]
        padded = AESGCM(key).decrypt(nonce, record, None).rstrip(b"\x00")
        assert padded[-1] == 2
        return padded[:-1]


def _hmac(key: bytes, value: bytes) -> bytes:
    return hmac.new(key, value, hashlib.sha256).digest()
