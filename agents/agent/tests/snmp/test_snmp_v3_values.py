"""Values of pysnmp, which serves SNMPv3 walks, as plain values."""

from typing import Any

import pysnmp.proto.rfc1902
import pytest
from pyasn1.type.univ import Null
from pysnmp.proto.rfc1905 import EndOfMibView, NoSuchInstance, NoSuchObject

from backstay_agent.host.snmp.pysnmp_types import plain

TYPES: Any = pysnmp.proto.rfc1902
"""pysnmp's types of values; they are not annotated."""


@pytest.mark.parametrize("kind", [Null, NoSuchObject, NoSuchInstance, EndOfMibView])
def test_absent_value_is_none_and_no_empty_text(kind: type) -> None:
    """Otherwise a walk that reaches the end of a device's objects sees the same object again and fails."""
    assert plain(kind("")) is None


def test_values_become_numbers_octets_and_identifiers() -> None:
    assert plain(TYPES.OctetString("")) == b""
    assert plain(TYPES.IpAddress("10.0.0.1")) == bytes([10, 0, 0, 1])
    assert plain(TYPES.Counter64(2**63)) == 2**63
    assert plain(TYPES.ObjectIdentifier("1.3.6")) == (1, 3, 6)
