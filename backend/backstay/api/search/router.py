"""Search over every object of a site."""

from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router
from pydantic import BaseModel, Field

from backstay.alerts.search import selectors
from backstay.api.http.auth import site_of
from backstay.api.http.list_query import Text
from backstay.api.http.schemas import READ
from backstay.api.search.present import result_out
from backstay.api.search.schemas import SearchResults
from backstay.core.search_text import parse

router = Router(tags=["search"])
MOST = 20


class SearchQuery(BaseModel):
    """Text and limit of `search`."""

    site: Text | None = Field(None, description="Name of the site; default: the first site that you may see")
    q: Annotated[str, Field(max_length=200)] = Field(
        description="Words, an IP address or prefix in any form, or a hardware address"
    )
    limit: Annotated[int, Field(ge=1, le=MOST)] = Field(5, description="Most results of one kind")


@router.get("/search", response={200: SearchResults, **READ}, operation_id="search")
def search(request: HttpRequest, query: Query[SearchQuery]) -> SearchResults:
    """Objects that contain all words, or whose name is similar; ports and tables that have an address."""
    wanted = parse(query.q)
    found = selectors.search(site_of(request, query.site), wanted, query.limit)
    return SearchResults(query=wanted.text, items=[result_out(item) for item in found])
