"""The session of a command: client and site."""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import quote

import typer

from backstay_cli import account
from backstay_cli.api import Api
from backstay_cli.errors import Usage
from backstay_cli.models import ChangeDetail, LinkOut, NodeOut, PathOut, PolicyOut, SiteListed, TestPlanOut
from backstay_cli.reading import read, read_all
from backstay_cli.text import names, shown

AsJson = Annotated[bool, typer.Option("--json", help="Print the API response as JSON.")]
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
                has = f"there are {names([item.name for item in known])}" if known else "none exists yet"
                raise Usage(f"No failover policy is called {shown(text)}: {shown(has)}.")
        return [by_name[text] for text in wanted]

    def node(self, name: str) -> int:
        """The number of the node with that name."""
        known = read_all(NodeOut, self.api.items("/nodes", site=self.one_site(), q=name))
        for item in known:
            if item.name == name:
                return item.id
        raise Usage(f"No node is called {shown(name)}: see backstay paths.")

    def link(self, text: str) -> int:
        """A link's number, from its number or its name."""
        if text.isdecimal():
            return number_of(text)
        for item in read_all(LinkOut, self.api.items("/links", site=self.one_site(), q=text)):
            if item.name == text:
                return item.id
        raise Usage(f"No link is called {shown(text)}: see backstay links.")

    def path(self, text: str, policy: str | None = None) -> PathOut:
        """A path by number, by name, or by its node if that has only one."""
        known = read_all(PathOut, self.api.items("/paths", site=self.one_site(), policy=policy))
        fitting = [item for item in known if text in {str(item.id), item.name}]
        fitting = fitting or [item for item in known if item.node == text]
        if len(fitting) == 1:
            return fitting[0]
        if not fitting:
            raise Usage(f"No path matches {shown(text)}: see backstay paths.")
        several = names([f"{item.id} ({item.policy}, {item.prefix})" for item in fitting])
        raise Usage(f"{shown(text)} has several paths; name one by its number: {shown(several)}.")

    def test_plan(self, text: str) -> TestPlanOut:
        """The throughput test plan with that name or number."""
        known = read_all(TestPlanOut, self.api.items("/test-plans", site=self.one_site()))
        by_name = {str(item.id): item for item in known} | {item.name: item for item in known}
        if text not in by_name:
            has = f"there are {names([item.name for item in known])}" if known else "none exists yet"
            raise Usage(f"No test plan is called {shown(text)}: {shown(has)}.")
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
