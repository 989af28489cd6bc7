"""Running state of nodes and devices, and their state after the next boot."""

from pydantic import BaseModel, Field

from backstay.api.http.schemas import State
from backstay.core.diagnosis.saved_ports import Setting, Verdict


class SavedItem(BaseModel):
    """One property of one port."""

    port: str
    what: Setting
    running: str
    saved: str = Field(description="Value in the boot files; empty: none")
    verdict: Verdict = Field(
        description="unknown: not set in any boot file that is read; another file may set it"
    )


class SavedNode(BaseModel):
    """One node or device."""

    node: str
    node_id: int
    state: State
    text: str
    files: list[str] = Field(description="Boot files that are read; empty: none")
    items: list[SavedItem] = Field(description="Settings that a reboot would change come first")
    reported: list[str] = Field(description="The device's own save status, verbatim")
    reminders: list[str] = Field(description="Manual steps for what cannot be read")
    url: str
