"""How a node is collected, split in two: what anyone may read, and the secrets, which are kept encrypted.

`Node.sources` holds the first as a JSON list; `Node.secrets` the second, by the source's kind: of one access
its secret keys, of several a list of these.
"""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import SecretStr

from backstay.accounts.secrets import JsonObject
from backstay.inventory.site_file.sources import AccessV2c, AccessV3, NoticesItem, SnmpItem, SourceItem


def public_sources(items: Iterable[SourceItem]) -> list[JsonObject]:
    """Each source without its secrets; of SNMP access only version, user and protocols are left."""
    return [_public(item) for item in items]


def source_secrets(items: Iterable[SourceItem]) -> JsonObject:
    """`{kind: secrets}` of the sources that have any."""
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
