"""What each recorded column identifies: the discovery's here, the profiles' in the profiles."""

from collections.abc import Mapping

from backstay_agent.collectors.snmp.profiles import PROFILES, Identity, IndexPart
from backstay_agent.host.snmp.values import Oid
from backstay_agent.parsers import ifmib, ipmib

_SYS_CONTACT, _SYS_LOCATION = (*ifmib.MIB2, 1, 4), (*ifmib.MIB2, 1, 6)
SYS_DESCR = ifmib.SYS_DESCR[:-1]
PORT_NAMES = (ifmib.IF_NAME, ifmib.IF_DESCR)

IDENTITIES: Mapping[Oid, Identity] = {
    ifmib.SYS_NAME[:-1]: Identity.HOST,
    _SYS_CONTACT: Identity.NOTE,
    _SYS_LOCATION: Identity.NOTE,
    ifmib.HR_SYSTEM_DATE[:-1]: Identity.NOTHING,
    ifmib.IF_ALIAS: Identity.NOTE,
    ifmib.IF_PHYS: Identity.MAC,
    ipmib.ADDRESS_PREFIX: Identity.ADDRESS_POINTER,
    ipmib.OLD_ADDRESS_MASK: Identity.MASK,
    ipmib.PHYSICAL_MAC: Identity.MAC,
    ipmib.MEDIA_MAC: Identity.MAC,
    **{column: identity for profile in PROFILES.values() for column, identity in profile.identities.items()},
}
INDEXES: Mapping[Oid, IndexPart] = {
    **dict.fromkeys((ipmib.ADDRESS_IF, ipmib.ADDRESS_TYPE, ipmib.ADDRESS_PREFIX), IndexPart.INET),
    **dict.fromkeys((ipmib.OLD_ADDRESS_IF, ipmib.OLD_ADDRESS_MASK), IndexPart.IPV4),
    **dict.fromkeys((ipmib.PHYSICAL_MAC, ipmib.PHYSICAL_TYPE), IndexPart.INET),
    **dict.fromkeys((ipmib.MEDIA_MAC, ipmib.MEDIA_TYPE), IndexPart.IPV4),
    **{column: part for profile in PROFILES.values() for column, part in profile.indexes.items()},
}
_COLUMNS = {*IDENTITIES, *INDEXES, *PORT_NAMES, SYS_DESCR}
_LENGTHS = sorted({len(column) for column in _COLUMNS}, reverse=True)


def column_of(oid: Oid) -> Oid:
    """The column of an object, if it has an identity, an index part or a port's name; else the object."""
    for length in _LENGTHS:
        if oid[:length] in _COLUMNS:
            return oid[:length]
    return oid
