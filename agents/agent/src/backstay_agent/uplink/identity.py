"""Identity of this agent: an Ed25519 key generated on this host, and the data issued by the backend.

The private key never leaves the host. The credential is in memory and in a file of mode 600, so that a
restart within its lifetime needs no new one.
"""

import base64
import json
import logging
import math
import secrets
from dataclasses import asdict, dataclass, replace
from dataclasses import fields as dataclass_fields
from datetime import datetime
from typing import Any

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from backstay_agent.config import StateDir
from backstay_agent.host.files import atomic_write, private_dir, report_aside
from backstay_agent.logs import event
from backstay_wire import CREDENTIAL_PROOF_PREFIX, Credential, Enrolled, Renew

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Identity:
    """The backend's reply to the enrolment, and the current credential."""

    agent: str
    site: str
    node: str
    backend: str
    """Base URL at which the agent was enrolled."""
    credential: str
    expires_at: float
    """Unix time by the backend's clock."""
    issued_at: float
    """When the credential was received, Unix time by the backend's clock if known, else by ours."""

    @property
    def renew_at(self) -> float:
        """Two thirds of the credential's lifetime after its issue."""
        return self.issued_at + (self.expires_at - self.issued_at) * 2 / 3

    def renewed(self, credential: Credential, now: float) -> "Identity":
        """The same agent with a new credential, received at `now`."""
        return replace(
            self,
            credential=credential.credential,
            expires_at=_unix(credential.expires_at),
            issued_at=now,
        )


def _unix(moment: datetime) -> float:
    return moment.timestamp()


def new_identity(enrolled: Enrolled, backend: str, now: float) -> Identity:
    """The identity issued by an enrolment at `backend`, received at `now`."""
    return Identity(
        agent=enrolled.agent,
        site=enrolled.site,
        node=enrolled.node,
        backend=backend,
        credential=enrolled.credential.credential,
        expires_at=_unix(enrolled.credential.expires_at),
        issued_at=now,
    )


def load_identity(state: StateDir) -> Identity | None:
    """The stored identity; None if there is none, or an unreadable one, which is set aside."""
    try:
        return _checked(json.loads(state.identity.read_bytes()))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, RecursionError) as error:
        report_aside(state.identity, error)
        return None


def _checked(fields: Any) -> Identity:
    """Raises TypeError or ValueError if a field is missing, unknown, of another type or not finite."""
    identity = Identity(**fields)
    for item in dataclass_fields(Identity):
        value = getattr(identity, item.name)
        if not isinstance(value, str if item.type is str else int | float):
            raise TypeError(f"{item.name} is no {item.type}")
        if not isinstance(value, str) and not math.isfinite(value):
            raise ValueError(f"{item.name} is not finite")
    return identity


def save_identity(state: StateDir, identity: Identity) -> None:
    """Store the identity, mode 600. A full disk is logged: the copy in memory remains in use."""
    try:
        atomic_write(state.identity, json.dumps(asdict(identity), indent=1).encode())
    except OSError as error:
        event(_log, logging.WARNING, "cannot store the identity", error=error)


def load_or_make_key(state: StateDir) -> Ed25519PrivateKey:
    """This host's key; a new one at the first call, or in place of an unreadable one."""
    private_dir(state.root)
    key = load_key(state)
    if key is None:
        key = Ed25519PrivateKey.generate()
        pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        atomic_write(state.key, pem)
    return key


def load_key(state: StateDir) -> Ed25519PrivateKey | None:
    """The stored key; None if there is none, or an unreadable one, which is set aside."""
    try:
        key = load_pem_private_key(state.key.read_bytes(), password=None)
        if not isinstance(key, Ed25519PrivateKey):
            raise TypeError("not an Ed25519 key")
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, UnsupportedAlgorithm) as error:
        report_aside(state.key, error)
        return None
    else:
        return key


def public_key(key: Ed25519PrivateKey) -> str:
    """The raw public key, base64."""
    return base64.b64encode(key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)).decode()


def renewal(key: Ed25519PrivateKey, agent: str, at: int) -> Renew:
    """A signed request for a new credential; `at` is Unix time in seconds."""
    nonce = secrets.token_hex(16)
    text = f"{CREDENTIAL_PROOF_PREFIX}\n{agent}\n{at}\n{nonce}"
    signature = base64.b64encode(key.sign(text.encode())).decode()
    return Renew(agent=agent, at=at, nonce=nonce, signature=signature)
