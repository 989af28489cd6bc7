"""Device profiles, one file each, in one registry. Adding one takes a file and a line here.

A device gets every profile that fits its sysObjectID, or the types and names of its ports. The collector
itself reads IF-MIB, which every device has (counters.py, inventory.py).
"""

from collections.abc import Sequence

from backstay_agent.collectors.snmp.profiles import (
    atm,
    bridge,
    entity,
    fddi,
    grf,
    hippi,
    host,
    lag,
    lldp,
    sonet,
    sp_node,
    vlan,
)
from backstay_agent.collectors.snmp.profiles.profile import (
    DeviceFacts,
    Findings,
    Identity,
    IndexPart,
    Profile,
)

PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        grf.PROFILE,
        hippi.SWITCH,
        hippi.GATEWAY,
        sp_node.PROFILE,
        atm.PROFILE,
        sonet.PROFILE,
        fddi.PROFILE,
        lag.PROFILE,
        lldp.PROFILE,
        bridge.PROFILE,
        vlan.PROFILE,
        entity.PROFILE,
        host.PROFILE,
    )
}


def profiles_of(device: DeviceFacts) -> Sequence[Profile]:
    """The profiles that fit a device, in the registry's order."""
    return [profile for profile in PROFILES.values() if profile.fits(device)]


__all__ = ["PROFILES", "DeviceFacts", "Findings", "Identity", "IndexPart", "Profile", "profiles_of"]
