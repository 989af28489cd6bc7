"""What runs on nodes and devices and what their next boot will make of it."""

from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.http.schemas import State


class SavedItem(BaseModel):
    """One thing of one port."""

    port: str
    what: Literal["mtu", "state", "address"]
    running: str
    saved: str = Field(description="As the boot files that are read set it; empty: none of them does")
    verdict: Literal["saved", "differs", "unknown"] = Field(
        description="unknown: no file that is read sets it, another one of the host may"
    )


class SavedNode(BaseModel):
    """One node or device."""

    node: str
    node_id: int
    state: State
    text: str
    files: list[str] = Field(description="Boot files that are read; empty: none can be read here")
    items: list[SavedItem] = Field(description="What would be different after a boot first")
    reported: list[str] = Field(description="What the device itself reports about saving, unchanged")
    reminders: list[str] = Field(description="Manual steps for what cannot be read")
    url: str
