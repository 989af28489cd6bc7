"""Enrolment: an agent obtains and renews its identity.

`POST /api/agent/v1/enrol` exchanges a one-time token (15 minutes) for an agent id; the Ed25519 key is
generated on the host and its private half never leaves it. `POST /api/agent/v1/credential` exchanges a
signature with that key for a short-lived bearer credential, which every other call carries in
`Authorization`.
"""

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from backstay_wire.base import Message, Name

CREDENTIAL_PROOF_PREFIX = "backstay-credential-v1"
"""First line of the text that `Renew.signature` signs. It keeps the signature from being valid for anything
else."""

Base64 = Annotated[str, StringConstraints(max_length=128, pattern=r"^[A-Za-z0-9+/]+=*$")]


class Enrol(Message):
    """Body of `POST /api/agent/v1/enrol`."""

    token: Annotated[str, StringConstraints(min_length=20, max_length=128)]
    public_key: Base64
    """Raw 32-byte Ed25519 public key (RFC 8032), base64."""
    hostname: Name
    agent_version: Name


class Credential(Message):
    """A bearer credential; renewed after two thirds of its lifetime."""

    credential: str
    expires_at: datetime


class Enrolled(Message):
    """Reply to `Enrol`: this agent's identity from now on."""

    agent: str
    """The agent's id, a UUID in text form."""
    site: Name
    node: Name
    """The node this agent runs on."""
    credential: Credential


class Reached(Message):
    """Reply to `GET /api/agent/v1/reach`: confirms to the caller that the backend was reached.

    The backend makes no query and waits for no lock, so that a node just changed can distinguish a busy
    controller from an unreachable one.
    """

    agent: str
    """The agent whose credential the request carried."""


class Renew(Message):
    """Body of `POST /api/agent/v1/credential`.

    `signature` is Ed25519 over UTF-8 `"{CREDENTIAL_PROOF_PREFIX}\\n{agent}\\n{at}\\n{nonce}"`. The backend
    refuses an `at` more than five minutes from its own clock and a nonce it has already seen.
    """

    agent: str
    at: Annotated[int, Field(ge=0)]
    """Unix time in seconds by the agent's clock."""
    nonce: Annotated[str, StringConstraints(min_length=16, max_length=64)]
    signature: Base64
