"""Saved views: filters, sort and columns of a list under a name."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from backstay.api.http.list_query import Text
from backstay.api.http.schemas import Body

MOST_FILTERS = 20
MOST_COLUMNS = 60
ViewName = Annotated[str, StringConstraints(min_length=1, max_length=100, strip_whitespace=True)]
ListName = Annotated[str, Field(max_length=100, description="Path of the list in the API, such as `links`")]
FilterName = Annotated[str, StringConstraints(max_length=50, pattern=r"^[a-z][a-z0-9_]*$")]
SortText = Annotated[str, StringConstraints(max_length=100, pattern=r"^(-?[a-z][a-z0-9_.]*)?$")]
ColumnId = Annotated[str, StringConstraints(max_length=50, pattern=r"^[A-Za-z][A-Za-z0-9_-]*\*?$")]
Filters = Annotated[dict[FilterName, Text], Field(max_length=MOST_FILTERS)]
ColumnIds = Annotated[list[ColumnId], Field(max_length=MOST_COLUMNS)]


class SavedViewIn(Body):
    """Body of `POST /saved-views` and `PUT /saved-views/{id}`."""

    site: Text
    list_name: ListName
    name: ViewName
    is_shared: bool = Field(False, description="Share it with everybody who may see the site: needs operator")
    filters: Filters = Field({}, description="Query parameters of the list, also `q`, as texts")
    sort: SortText = Field("", description="As the parameter `sort`; empty: the list's own")
    columns: ColumnIds = Field(
        [],
        description="Ids of the page's columns in their order; empty: those of the page. `*` after an id:"
        " narrow screens omit the column",
    )


class SavedViewOut(BaseModel):
    """A saved view, as its reader may use it."""

    id: int
    site: str
    list_name: str
    name: str
    owner: str
    is_own: bool
    is_shared: bool
    can_change: bool
    filters: dict[str, str]
    sort: str
    columns: list[str]
    changed_at: datetime
