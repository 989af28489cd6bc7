"""How a node is collected, split in two: what anyone may read, and the secrets, which are kept encrypted.

`Node.sources` holds the first as a JSON list; `Node.secrets` the second, by the source's kind.
"""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import SecretStr

from backstay.accounts.secrets import JsonObject
from backstay.inventory.site_schema import SnmpItem, SourceItem


def public_sources(items: Iterable[SourceItem]) -> list[JsonObject]:
    """Each source without its secrets; of SNMP access only version, user and protocols are left."""
    return [_public(item) for item in items]


def source_secrets(items: Iterable[SourceItem]) -> JsonObject:
    """`{kind: {key: secret}}` of the sources that have any."""
    return {
        item.kind: {
            name: value.get_secret_value() for name, value in item.access if isinstance(value, SecretStr)
        }
        for item in items
        if isinstance(item, SnmpItem)
    }


def _public(item: SourceItem) -> JsonObject:
    values: JsonObject = item.model_dump(mode="json", exclude={"access"}, exclude_none=True)
    if isinstance(item, SnmpItem):
        values["access"] = {name: value for name, value in item.access if not isinstance(value, SecretStr)}
    return values
