"""Who is signed in."""

from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.http.schemas import Body


class Person(BaseModel):
    """Who is signed in, and what they may do."""

    username: str
    name: str
    role: Literal["viewer", "operator", "approver", "admin"]
    csrf_token: str


class SignIn(Body):
    """Body of `POST /session`."""

    username: str = Field(max_length=150)
    password: str = Field(max_length=1024)
