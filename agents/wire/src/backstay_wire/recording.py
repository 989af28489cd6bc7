"""Recordings of devices: the backend asks for one, the agent sends it as a report."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from backstay_wire.base import Message, Name, Text
from backstay_wire.report import ReportBase

MAX_RECORDINGS = 16
"""Requests of one agent at a time."""
MAX_RECORDING_CHARS = 3 * 1024 * 1024
"""Characters of a recording in a report: with its other fields it fits into one request."""

Base64 = Annotated[str, StringConstraints(max_length=MAX_RECORDING_CHARS, pattern=r"^[A-Za-z0-9+/]*=*$")]


class RecordingRequest(Message):
    """Record this SNMP device once, anonymised. A request that disappears is withdrawn."""

    id: Name
    device: Name
    seconds: Annotated[float, Field(ge=1, le=600)]
    """Longest time for reading the device."""


class RecordingReport(ReportBase):
    """The result of a request for a recording."""

    kind: Literal["recording"] = "recording"
    recording: Name
    """`RecordingRequest.id`."""
    state: Literal["recorded", "failed"]
    detail: Text = ""
    """Failed: why. Recorded: what is not whole, empty if it is."""
    objects: Annotated[int, Field(ge=0)] = 0
    data: Base64 = ""
    """The file in snmpsim's format: gzip, then base64; empty if it failed."""
