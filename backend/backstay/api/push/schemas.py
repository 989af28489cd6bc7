"""Web push: whether a site allows it, and one's own devices."""

from datetime import datetime

from pydantic import BaseModel, Field

from backstay.api.http.list_query import Text
from backstay.api.http.schemas import Body


class PushOut(BaseModel):
    """What a browser needs to turn on push."""

    site: str
    is_allowed: bool = Field(description="Whether the site has an enabled channel of the kind push")
    is_routed: bool = Field(description="Whether an enabled notification route uses that channel")
    public_key: str = Field(
        description="`applicationServerKey`, base64url; empty until push was ever allowed"
    )


class PushDeviceIn(Body):
    """Body of `POST /push-devices`: what the browser's `PushSubscription` holds."""

    site: Text = Field(description="A site that allows push; messages of all sites that do will come")
    label: str = Field(min_length=1, max_length=100, description="Browser and system")
    endpoint: str = Field(min_length=1, max_length=2000, description="https:// URL of the push service")
    p256dh: str = Field(min_length=1, max_length=100, description="Public key of the browser, base64url")
    auth: str = Field(min_length=1, max_length=50, description="Secret of the browser, base64url")


class PushDeviceOut(BaseModel):
    """A device without its subscription."""

    id: int
    label: str
    service: str = Field(description="Host of its push service")
    digest: str = Field(description="SHA-256 of the endpoint, hex: by it a browser finds its own device")
    created_at: datetime
    delivered_at: datetime | None = Field(description="Newest message that the push service accepted")
    failing_since: datetime | None
    failure: str = Field(description="Why it failed last; empty unless it is failing")
