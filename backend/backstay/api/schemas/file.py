"""Boot files as a change would leave them."""

from pydantic import BaseModel


class FileDiffOut(BaseModel):
    """A boot file before and after; `diff` is unified."""

    path: str
    diff: str
    after: str
