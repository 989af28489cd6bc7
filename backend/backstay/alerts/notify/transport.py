"""A transport and its failures. One file in `transports/` defines one kind; the registry is there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict

from backstay.core.alerting.message import Message


class Config(BaseModel):
    """What a channel of one kind needs to deliver. An unknown field is an error; errors quote no value."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class DeliveryFailed(Exception):  # noqa: N818 - an outcome, as Conflict
    """A message was not delivered.

    `reason` is plain text of one line for pages and logs and holds no secret. A `permanent` failure repeats
    itself however often it is tried: a wrong address, a refused password. `retry_after_s`: seconds until the
    receiver wants the next attempt.
    """

    def __init__(self, reason: str, *, permanent: bool = False, retry_after_s: float | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.permanent = permanent
        self.retry_after_s = retry_after_s


class RecipientLost(DeliveryFailed):
    """The delivery's only recipient cannot get it any more; the channel is not at fault."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, permanent=True)


@dataclass(frozen=True, slots=True)
class Transport:
    """A kind of channel."""

    kind: str
    """Stored with each channel and sent to clients."""
    label: str
    """On pages."""
    config: type[Config]
    secrets: frozenset[str]
    """Fields of `config` that are stored encrypted; clients write them and never read them."""
    send: Callable[[Any, Message, bytes | None], None]
    """Deliver a message to one channel, with a chart as PNG or None, or raise `DeliveryFailed`.

    The first argument is an instance of `config`. Every wait has a limit; the whole call takes at most
    `DEADLINE_S` plus one wait.
    """
    is_admins_choice: bool = False
    """Whether the site's administrators decide about it although it has no secrets."""

    @property
    def needs_admin(self) -> bool:
        """Whether only an administrator of the site may write such a channel."""
        return bool(self.secrets) or self.is_admins_choice
