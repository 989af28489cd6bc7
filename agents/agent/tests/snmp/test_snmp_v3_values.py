"""Values of pysnmp, which serves SNMPv3 walks, as plain values."""

import pytest
from pyasn1.type.univ import Null
from pysnmp.proto.rfc1902 import Counter64, IpAddress, ObjectIdentifier, OctetString
from pysnmp.proto.rfc1905 import EndOfMibView, NoSuchInstance, NoSuchObject

from backstay_agent.host.snmp.pysnmp_types import plain


@pytest.mark.parametrize("kind", [Null, NoSuchObject, NoSuchInstance, EndOfMibView])
def test_absent_value_is_none_and_no_empty_text(kind: type) -> None:
    """Otherwise a walk that reaches the end of a device's objects sees the same object again and fails."""
    assert plain(kind("")) is None


def test_values_become_numbers_octets_and_identifiers() -> None:
    assert plain(OctetString("")) == b""
    assert plain(IpAddress("10.0.0.1")) == bytes([10, 0, 0, 1])
    assert plain(Counter64(2**63)) == 2**63
    assert plain(ObjectIdentifier("1.3.6")) == (1, 3, 6)
