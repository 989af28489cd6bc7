"""A node's sources, split into public settings and encrypted secrets.

`Node.sources` holds the settings as a JSON list, `Node.secrets` the secrets by source kind: the secret keys
of one access, or a list of these for several.
"""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import SecretStr

from backstay.accounts.secrets import JsonObject
from backstay.inventory.site_file.sources import AccessV2c, AccessV3, NoticesItem, SnmpItem, SourceItem


def public_sources(items: Iterable[SourceItem]) -> list[JsonObject]:
    """Each source without its secrets; SNMP access keeps version, user and protocols."""
    return [_public(item) for item in items]


def source_secrets(items: Iterable[SourceItem]) -> JsonObject:
    """`{kind: secrets}` of the sources with secrets."""
    found: JsonObject = {}
    for item in items:
        if isinstance(item, SnmpItem):
            found[item.kind] = _hidden(item.access)
        elif isinstance(item, NoticesItem) and item.access:
            found[item.kind] = {"access": [_hidden(access) for access in item.access]}
    return found


def _public(item: SourceItem) -> JsonObject:
    values: JsonObject = item.model_dump(mode="json", exclude={"access"}, exclude_none=True)
    if isinstance(item, SnmpItem):
        values["access"] = _shown(item.access)
    elif isinstance(item, NoticesItem):
        values["access"] = [_shown(access) for access in item.access]
    return values


def _shown(access: AccessV2c | AccessV3) -> JsonObject:
    return {name: value for name, value in access if not isinstance(value, SecretStr)}


def _hidden(access: AccessV2c | AccessV3) -> JsonObject:
    return {name: value.get_secret_value() for name, value in access if isinstance(value, SecretStr)}
