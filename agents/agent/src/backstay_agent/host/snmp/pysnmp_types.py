"""Shared by the two users of pysnmp: its names of the wire's protocols, and conversion of its values."""

from typing import Any

import pysnmp.hlapi.v3arch.asyncio as _pysnmp
from pyasn1.type.univ import Integer, Null, ObjectIdentifier, OctetString

from backstay_agent.host.snmp.values import Value

api: Any = _pysnmp
"""pysnmp's high-level interface; it has no types."""
AUTH_PROTOCOLS = {
    "SHA-1": api.USM_AUTH_HMAC96_SHA,
    "SHA-256": api.USM_AUTH_HMAC192_SHA256,
    "SHA-512": api.USM_AUTH_HMAC384_SHA512,
}
PRIV_PROTOCOLS = {"AES-128": api.USM_PRIV_CFB128_AES, "AES-256": api.USM_PRIV_CFB256_AES}


def tag_of(value: Any) -> int:
    """The tag of a variable's type as one octet (X.690): class, form and number."""
    return sum(value.tagSet[0])


def plain(value: Any) -> Value | None:
    """A variable's value; None for noSuchObject, noSuchInstance, endOfMibView and Null."""
    if isinstance(value, Null):  # In pyasn1 it is an OctetString; the three exceptions are its subclasses.
        return None
    if isinstance(value, ObjectIdentifier):
        return tuple(int(part) for part in value)
    if isinstance(value, OctetString):
        octets: Any = value
        return bytes(octets.asOctets())
    return int(value) if isinstance(value, Integer) else None
