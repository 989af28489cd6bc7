"""Unsolicited messages of devices: SNMP notifications (RFC 3416), syslog lines (RFC 3164, RFC 5424)."""

from typing import Annotated, Literal

from pydantic import Field

from backstay_wire.base import Message, Text
from backstay_wire.report import Nanoseconds, ReportBase

NoticeName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]


class Notice(Message):
    """One notice; `name` is `other` for an unknown type."""

    at: Nanoseconds
    """When the agent received it."""
    source: Literal["trap", "syslog"]
    name: NoticeName
    """link_down, card_down, gated_down, pvc_down, sm_trap, ..."""
    severity: Literal["ok", "warning", "critical"]
    subject: Annotated[str, Field(max_length=128)] = ""
    """The affected port or part, if the notice names one."""
    text: Text
    """The trap's OID and values, or the line, as data."""


class NoticeReport(ReportBase):
    """Notices of one device, sent soon after receipt."""

    kind: Literal["notices"] = "notices"
    notices: Annotated[list[Notice], Field(min_length=1, max_length=1000)]
    suppressed: Annotated[int, Field(ge=0)] = 0
    """Number of further notices since the previous report, left out because the device sent too many.

    Of what is left out while a device exceeds its rate, the newest of each kind and subject is sent later.
    """
