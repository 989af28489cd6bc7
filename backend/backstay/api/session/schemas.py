"""Sign-in and the current user."""

from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.http.schemas import Body


class Person(BaseModel):
    """The signed-in user and role."""

    username: str
    name: str
    role: Literal["viewer", "operator", "approver", "admin"]
    csrf_token: str


class SignIn(Body):
    """Body of `POST /session`."""

    username: str = Field(max_length=150)
    password: str = Field(max_length=1024)
