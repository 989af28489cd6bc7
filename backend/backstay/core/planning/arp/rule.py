"""The address rule of an SP switch without ARP: host part minus switch node number is constant.

The adapters compute addresses instead of using ARP (PSSP's IPHostOffset, the ninth object of a row of the SP
dependent-node MIB). A node or extension node that breaks the rule is unreachable. The numbers come from the
site file; a node that runs another address breaks the rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from backstay.core.model.arp import Member
from backstay.core.model.routing import Address

Verdict = Literal["obeys", "breaks", "twice", "no_number", "no_address", "address_mismatch"]


@dataclass(frozen=True, slots=True)
class RuleLine:
    """One member's result."""

    member: Member
    verdict: Verdict
    difference: int | None
    """Host part minus switch node number; computed from the running address if there is a mismatch."""
    text: str
    """A sentence with the numbers, also for a member that obeys."""
    why: str = ""
    """For an address mismatch: why the member is unreachable, as part of a sentence."""


@dataclass(frozen=True, slots=True)
class AddressRule:
    """The rule applied to one fabric."""

    constant: int | None
    """The most common difference; None if no member has both numbers."""
    lines: tuple[RuleLine, ...]

    @property
    def broken(self) -> tuple[RuleLine, ...]:
        return tuple(line for line in self.lines if line.verdict != "obeys")


def rule(members: Iterable[Member]) -> AddressRule:
    """Check every member; linear in their number. Of two equally common constants the smaller is used."""
    known = tuple(members)
    differences = Counter(
        member.host_part - member.number
        for member in known
        if member.host_part is not None and member.number is not None
    )
    best = max(differences.values(), default=0)
    constant = min((item for item, times in differences.items() if times == best), default=None)
    example = next((item for item in known if constant is not None and difference(item) == constant), None)
    owners: dict[int, Member] = {}
    for member in known:
        if member.number is not None:
            owners.setdefault(member.number, member)
    judge = _Judge(constant, example, owners)
    return AddressRule(constant, tuple(judge.line(member) for member in known))


def runs(member: Member) -> Address | None:
    """The IPv4 address that it runs instead of the assigned one; None: none, or unknown."""
    instead = () if member.address_mismatch is None else member.address_mismatch.instead
    return next((item for item in instead if item.version == 4), None)


def difference(member: Member) -> int | None:
    """Host part minus switch node number; None if one of them is unknown."""
    if member.host_part is None or member.number is None:
        return None
    return member.host_part - member.number


@dataclass(frozen=True, slots=True)
class _Judge:
    constant: int | None
    example: Member | None
    owners: dict[int, Member]

    def line(self, member: Member) -> RuleLine:
        verdict, text = self._judged(member)
        if verdict == "address_mismatch":
            return RuleLine(member, verdict, self._of_running(member), text, self._why(member))
        return RuleLine(member, verdict, difference(member), text)

    def _judged(self, member: Member) -> tuple[Verdict, str]:
        if member.number is None:
            return "no_number", f"{member.name} has no switch node number: add it to the site file."
        owner = self.owners[member.number]
        if owner.node != member.node:
            return "twice", (
                f"{member.name} and {owner.name} both have switch node number {member.number}:"
                " a switch port serves one node."
            )
        if member.host_part is None:
            return "no_address", f"{member.place} has no IPv4 address, so its addresses cannot be checked."
        if member.addresses[0] in member.missing:
            assert member.address_mismatch is not None
            item = member.address_mismatch
            return "address_mismatch", f"{item.text}: {self._why(member)}. {item.remedy}, then plan again."
        mine = member.host_part - member.number
        if mine == self.constant:
            return "obeys", f"{_numbers(member)}: the difference is {mine}."
        return "breaks", self._broken(member, mine)

    def _of_running(self, member: Member) -> int | None:
        """The difference by the running address; None: no running address, or it is outside the fabric's
        network.
        """
        address = runs(member)
        if address is None or member.number is None or address not in member.networks[0]:
            return None
        return int(address) - int(member.networks[0].network_address) - member.number

    def _why(self, member: Member) -> str:
        address, mine = runs(member), self._of_running(member)
        if address is None:
            return "the address computed from its switch node number does not exist"
        if mine is None:
            return f"{address} is not in {member.networks[0]}, so it cannot be computed"
        host = int(address) - int(member.networks[0].network_address)
        numbers = f"host part {host} minus switch node number {member.number} is {mine}"
        if mine == self.constant:
            return f"{numbers} as for the others, but every static entry has the other address"
        return f"{numbers}, and {self.constant} for the others, so a computed address does not reach it"

    def _broken(self, member: Member, mine: int) -> str:
        assert self.constant is not None
        assert self.example is not None
        assert member.number is not None
        return (
            f"{_numbers(member)}: the difference is {mine}, but {self.constant} for the others, as"
            f" {_numbers(self.example)}. Its host part must be {member.number + self.constant}."
        )


def _numbers(member: Member) -> str:
    return (
        f"{member.name} has host part {member.host_part} ({member.addresses[0]}) and switch node number"
        f" {member.number}"
    )
