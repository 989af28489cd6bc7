"""The random SNMP credentials of one lab."""

from __future__ import annotations

import secrets
from dataclasses import dataclass


@dataclass(frozen=True)
class Credentials:
    """Access to one lab's SNMP agents: SNMPv2c community, SNMPv3 user with SHA-256 and AES-128 keys."""

    community: str
    user: str
    auth_key: str
    priv_key: str
    tuner: str
    """Community that may set the cache time; used only inside the lab."""


def new_credentials() -> Credentials:
    """Fresh random credentials."""
    return Credentials(
        community=secrets.token_hex(12),
        user="backstay",
        auth_key=secrets.token_hex(16),
        priv_key=secrets.token_hex(16),
        tuner=secrets.token_hex(12),
    )
