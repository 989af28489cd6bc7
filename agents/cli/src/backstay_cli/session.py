"""The session of a command: client and site."""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import quote

import typer

from backstay_cli import account
from backstay_cli.api import PAGE, Api
from backstay_cli.errors import Usage
from backstay_cli.lookup import FILTERS, LINK, NODE, POLICY, PORT, TEST_PLAN, Kind, similar, unknown
from backstay_cli.models import (
    ChangeDetail,
    LinkOut,
    NodeOut,
    PathOut,
    PolicyOut,
    SavedViewOut,
    SiteListed,
    TestPlanOut,
)
from backstay_cli.reading import read, read_all
from backstay_cli.text import names, shown

AsJson = Annotated[bool, typer.Option("--json", help="Print the API response as JSON.")]
AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        "--at",
        metavar="TIME",
        help="State at this time, e.g. now-6h, yesterday or 13:50; without a zone: UTC.",
    ),
]
Since = Annotated[
    str | None,
    typer.Option(
        "--since", metavar="TIME", help="Start of the range, e.g. now-6h, yesterday or 13:50 (UTC)."
    ),
]
Until = Annotated[str | None, typer.Option("--until", metavar="TIME", help="End of the range; default: now.")]
State = Annotated[
    str | None, typer.Option(help="Only in this state: ok, warning, critical, unknown or disabled.")
]
Search = Annotated[str | None, typer.Option(help="Only those that contain this text.")]
View = Annotated[
    str | None,
    typer.Option(
        "--view",
        metavar="VIEW",
        help="Filters and order of a saved view, by name or number; other options override them.",
    ),
]
Reason = Annotated[str, typer.Option("--reason", help="Reason, stored with this action.")]
Ticket = Annotated[str, typer.Option("--ticket", help="Ticket number, stored with the change.")]


@dataclass
class Session:
    """One run of the program; it connects on first use."""

    named_site: str | None = None

    @functools.cached_property
    def account(self) -> account.Account:
        """Address and token."""
        return account.load(os.environ)

    @functools.cached_property
    def api(self) -> Api:
        """The client."""
        return Api(self.account)

    @property
    def site(self) -> str | None:
        """The named or stored site; None: the first that the user may see."""
        return self.named_site or self.account.site or None

    def one_site(self) -> str:
        """The site to change: never guessed among several."""
        if self.site:
            return self.site
        known = [item.name for item in read_all(SiteListed, self.api.get("/sites"))]
        if len(known) == 1:
            return known[0]
        if not known:
            raise Usage("No site is available to you: import a site file, or sign in as another user.")
        raise Usage(f"Several sites: choose one with backstay --site NAME: {shown(names(known))}.")

    def policy(self, text: str) -> PolicyOut:
        """The policy with that name or number."""
        return self.policies([text])[0]

    def policies(self, wanted: list[str]) -> list[PolicyOut]:
        """Policies by name or number, in that order."""
        known = read_all(PolicyOut, self.api.items("/failover-policies", site=self.one_site()))
        by_name = {str(item.id): item for item in known} | {item.name: item for item in known}
        for text in wanted:
            if text not in by_name:
                raise unknown(POLICY, text, [item.name for item in known])
        return [by_name[text] for text in wanted]

    def listing(self, path: str, /, view: str | None = None, **filters: object) -> dict[str, Any]:
        """A whole list of the site; raises `Usage` if it is empty and a filter names nothing that exists.

        `view`: a saved view of this list; `filters` override those of the view.
        """
        if view is not None:
            _, saved = self.saved_view(view, path.removeprefix("/"))
            given = {name: value for name, value in filters.items() if value is not None}
            filters = {**saved.filters, **({"sort": saved.sort} if saved.sort else {}), **given}
        answer = self.api.items(path, site=self.site, **filters)
        if not answer["items"]:
            for name, kind in FILTERS.items():
                text = filters.get(name)
                if isinstance(text, str) and not self.ids(kind, text):
                    raise self.no_such(kind, text)
        return answer

    def saved_view(self, text: str, of: str | None) -> tuple[dict[str, Any], SavedViewOut]:
        """The saved view with that name or number, as the API gave it and read; one's own before others'."""
        items = self.api.items("/saved-views", site=self.site, list_name=of)["items"]
        known = [(item, read(SavedViewOut, item)) for item in items]
        fitting = [(item, view) for item, view in known if text in {view.name, str(view.id)}]
        fitting = [(item, view) for item, view in fitting if view.is_own] or fitting
        if len(fitting) == 1:
            return fitting[0]
        if not fitting:
            near = similar(text, [view.name for _, view in known])
            hint = f"; did you mean {shown(names(near))}?" if near else "."
            raise Usage(f"No view named {shown(text)}{hint} To list them: backstay views list.")
        several = names([f"{view.id} ({view.list_name}, {view.owner})" for _, view in fitting])
        raise Usage(f"{shown(text)} names several views; name one by its number: {shown(several)}.")

    def ids(self, kind: Kind, text: str) -> list[int]:
        """Numbers of the objects of this kind with that name or number."""
        found = self.api.items(kind.path, site=self.site, **({} if text.isdecimal() else {"q": text}))[
            "items"
        ]
        return [item["id"] for item in found if text in {item.get("name"), str(item.get("id"))}]

    def one(self, kind: Kind, text: str) -> int:
        """The number of the object with that name or number; raises `Usage` with similar names."""
        found = self.ids(kind, text)
        if not found:
            raise self.no_such(kind, text)
        return found[0]

    def no_such(self, kind: Kind, text: str) -> Usage:
        """The error about a name, with similar ones of those that begin alike or come first in the list."""
        known = [
            str(item.get("name", ""))
            for q in (text[:2], None)
            for item in self.api.newest(kind.path, PAGE, site=self.site, q=q or None)["items"]
        ]
        return unknown(kind, text, known)

    def node(self, name: str) -> int:
        """The number of the node with that name."""
        known = read_all(NodeOut, self.api.items("/nodes", site=self.one_site(), q=name))
        for item in known:
            if item.name == name:
                return item.id
        raise self.no_such(NODE, name)

    def link(self, text: str) -> int:
        """A link's number, from its number or its name."""
        if text.isdecimal():
            return number_of(text)
        for item in read_all(LinkOut, self.api.items("/links", site=self.one_site(), q=text)):
            if item.name == text:
                return item.id
        raise self.no_such(LINK, text)

    def port(self, text: str) -> int:
        """A port's number, from its number or NODE:PORT."""
        if text.isdecimal():
            return number_of(text)
        node, _, name = text.partition(":")
        for item in self.listing("/ports", node=node)["items"]:
            if item.get("name") in {name, text}:
                return int(item["id"])
        raise self.no_such(PORT, text)

    def path(self, text: str, policy: str | None = None) -> PathOut:
        """A path by number, by name, or by its node if that has only one."""
        known = read_all(PathOut, self.api.items("/paths", site=self.one_site(), policy=policy))
        fitting = [item for item in known if text in {str(item.id), item.name}]
        fitting = fitting or [item for item in known if item.node == text]
        if len(fitting) == 1:
            return fitting[0]
        if not fitting:
            near = similar(text, [name for item in known for name in (item.name, item.node)])
            hint = f"; did you mean {shown(names(near))}?" if near else "."
            raise Usage(f"No path named {shown(text)}{hint} To list them: backstay paths list.")
        several = names([f"{item.id} ({item.policy}, {item.prefix})" for item in fitting])
        raise Usage(f"{shown(text)} has several paths; name one by its number: {shown(several)}.")

    def test_plan(self, text: str) -> TestPlanOut:
        """The throughput test plan with that name or number."""
        known = read_all(TestPlanOut, self.api.items("/test-plans", site=self.one_site()))
        by_name = {str(item.id): item for item in known} | {item.name: item for item in known}
        if text not in by_name:
            raise unknown(TEST_PLAN, text, [item.name for item in known])
        return by_name[text]

    def test_run(self, text: str) -> str:
        """A run's id in the API, from its number, a paper's table, or a plan's latest run."""
        if text.removeprefix("#").isdecimal():
            return str(number_of(text))
        if "." in text:
            return quote(text, safe="")
        newest = self.test_plan(text).last_run
        if newest is None:
            raise Usage(f"{shown(text)} has no runs: backstay tests run {shown(text)} --wait.")
        return newest.id

    def change(self, number: int) -> ChangeDetail:
        """One change; of a large one the first nodes and the head of its plan."""
        return read(ChangeDetail, self.api.get(f"/changes/{number}"))

    def whole_change(self, answer: Any) -> Any:
        """The answer about one change with all nodes and the whole plan, of which the API lists the first."""
        whole = read(ChangeDetail, answer)
        path = f"/changes/{whole.id}"
        more: dict[str, Any] = {}
        if not whole.has_all_members:
            more |= {"members": self.api.items(f"{path}/nodes")["items"], "has_all_members": True}
        if whole.plan is not None and not whole.plan.is_whole:
            more["plan"] = self.api.get(f"{path}/plan")
        return {**answer, **more}


def session(context: typer.Context) -> Session:
    """The session of a command."""
    found = context.find_object(Session)
    assert found is not None
    return found


def number_of(text: str) -> int:
    """`42` from `42` or `#42`."""
    digits = text.removeprefix("#")
    if not (digits.isascii() and digits.isdigit() and 0 < int(digits) < 2**63):
        raise Usage(f"{shown(text)} is not a number: write 42, as backstay changes shows it.")
    return int(digits)
