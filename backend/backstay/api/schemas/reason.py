"""Why a person does something, and the ticket that says more."""

from typing import Annotated

from pydantic import Field

Reason = Annotated[str, Field(max_length=2000)]


Ticket = Annotated[str, Field(max_length=100)]
