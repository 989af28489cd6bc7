"""Encryption and identification against the RFCs: known answers, and a receiver of its own."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from hypothesis import given
from hypothesis import strategies as st

from backstay.alerts.notify.push.encryption import (
    CURVE,
    MAX_PLAINTEXT,
    RECORD_OCTETS,
    device_key,
    encrypt,
    point_of,
)
from backstay.alerts.notify.push.tests.receiver import Receiver
from backstay.alerts.notify.push.vapid import decoded, encoded, signed_token

# RFC 8291, 5 and Appendix A.
PLAINTEXT = b"When I grow up, I want to be a watermelon"
SENDER_KEY = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
DEVICE_POINT = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH, SALT = "BTBZMqHH6r4Tts7J_aSIgg", "DGv6ra1nlYgDCS1FRnbzlw"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
    "EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_the_example_of_rfc_8291_is_reproduced() -> None:
    sender = ec.derive_private_key(int.from_bytes(decoded(SENDER_KEY), "big"), CURVE)
    body = encrypt(PLAINTEXT, decoded(DEVICE_POINT), decoded(AUTH), sender=sender, salt=decoded(SALT))
    assert encoded(body) == BODY


@given(st.binary(max_size=MAX_PLAINTEXT))
def test_the_device_reads_what_was_encrypted_for_it(plaintext: bytes) -> None:
    device = Receiver.make()
    body = encrypt(plaintext, device.point, device.auth)
    assert len(body) <= RECORD_OCTETS
    assert device.read(body) == plaintext


def test_no_two_messages_share_a_key_or_salt() -> None:
    device = Receiver.make()
    first, second = (encrypt(b"same", device.point, device.auth) for _ in range(2))
    assert first[:16] != second[:16]
    assert first[21:86] != second[21:86]


def test_too_long_a_message_and_a_point_off_the_curve_are_refused() -> None:
    device = Receiver.make()
    with pytest.raises(ValueError, match="at most"):
        encrypt(b"x" * (MAX_PLAINTEXT + 1), device.point, device.auth)
    for point in (b"", device.point[:-1], b"\x04" + b"\x01" * 64):
        with pytest.raises(ValueError):  # noqa: PT011  (its text is the library's)
            device_key(point)


def test_the_token_names_the_origin_and_is_signed_with_the_published_key() -> None:
    key, now = ec.generate_private_key(CURVE), datetime(2026, 11, 29, tzinfo=UTC)
    token = signed_token(key, "https://push.example.org:8443/send/abc?x=1", "mailto:ops@example.org", now)
    head, claims, signature = token.split(".")
    assert json.loads(decoded(head)) == {"typ": "JWT", "alg": "ES256"}
    values = json.loads(decoded(claims))
    assert (values["aud"], values["sub"]) == ("https://push.example.org:8443", "mailto:ops@example.org")
    assert now < datetime.fromtimestamp(values["exp"], UTC) <= now + timedelta(hours=24)
    raw = decoded(signature)
    assert len(raw) == 64
    der = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public = device_key(point_of(key.public_key()))
    public.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))
