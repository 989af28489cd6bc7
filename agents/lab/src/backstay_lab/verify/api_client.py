"""A client of one site's public API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from backstay_lab import public_api as api


@dataclass(frozen=True, slots=True)
class ApiClient:
    """The API's address, site and token."""

    url: str
    token: str
    site: str

    def one(self, path: str) -> Any:
        """The answer to a GET."""
        return api.call(f"{self.url}/api/v1/{path}", token=self.token)

    def items(self, path: str, kind: str = "") -> list[dict[str, Any]]:
        """All items of a site's list, optionally of one kind."""
        found = api.every_item(f"{self.url}/api/v1/{path}?site={self.site}", self.token)
        return [item for item in found if not kind or item["kind"] == kind]
