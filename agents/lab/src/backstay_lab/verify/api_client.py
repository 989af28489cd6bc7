"""The public API of one site, as any client asks it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from backstay_lab import public_api as api


@dataclass(frozen=True, slots=True)
class ApiClient:
    """Where it is, and whose token opens it."""

    url: str
    token: str
    site: str

    def one(self, path: str) -> Any:
        """The answer to a GET."""
        return api.call(f"{self.url}/api/v1/{path}", token=self.token)

    def items(self, path: str, kind: str = "") -> list[dict[str, Any]]:
        """All items of a list of the site, of one kind where that is named."""
        found = api.every_item(f"{self.url}/api/v1/{path}?site={self.site}", self.token)
        return [item for item in found if not kind or item["kind"] == kind]
