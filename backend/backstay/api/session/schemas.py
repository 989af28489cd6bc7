"""Sign-in and the current user."""

from pydantic import BaseModel, Field

from backstay.api.http.schemas import Body
from backstay.core.roles import Role


class Person(BaseModel):
    """The signed-in user and role."""

    username: str
    name: str
    role: Role
    csrf_token: str


class SignIn(Body):
    """Body of `POST /session`."""

    username: str = Field(max_length=150)
    password: str = Field(max_length=1024)
