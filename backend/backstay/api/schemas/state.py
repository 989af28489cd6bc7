"""How good something is, everywhere the same five words."""

from typing import Literal

State = Literal["ok", "warning", "critical", "unknown", "disabled"]
"""Five states, everywhere: unknown is stale or never heard of, and never shown as good."""
