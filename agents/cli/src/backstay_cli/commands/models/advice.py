"""`advice`: which single improvement removes most failing fallbacks."""

from __future__ import annotations

import typer

from backstay_cli.models import Advice, AdviceItem
from backstay_cli.output import as_json, heading, print_lines
from backstay_cli.reading import read
from backstay_cli.session import AsJson, session
from backstay_cli.text import count, names


def advice(context: typer.Context, json: AsJson = False) -> None:
    """Show which capacity, gateway or stripe would make most fallbacks hold, and how to apply it.

    Each improvement is judged by the study of single failures, with the loads of the present.
    """
    run = session(context)
    answer = run.api.get("/capacity/advice", site=run.site)
    if json:
        as_json(answer)
        return
    found = read(Advice, answer)
    print_lines(heading(found.headline))
    for number, item in enumerate(found.items, start=1):
        _print(number, item)
    if found.further:
        print_lines("", f"{count(found.further, 'further improvement')} would help too.")
    if found.skipped:
        print_lines("", f"{count(found.skipped, 'improvement')} could not be judged in time.")
    if found.error:
        print_lines("", f"The advice cannot be computed: {found.error}")
    elif found.is_stale and found.items:
        print_lines("", "This advice is old: loads or failures have changed since.")


def _print(number: int, item: AdviceItem) -> None:
    print_lines("", heading(f"{number}. {item.title}"))
    for text, failures, total in (
        ("Hold with it", item.holds, item.holds_total),
        ("Overload no link with it, and fail for another reason", item.eased, item.eased_total),
        ("Would not hold any more", item.worse, item.worse_total),
    ):
        if total:
            print_lines(f"   {text}: {names(failures)}.")
    print_lines(f"   {count(item.remaining, 'fallback')} would still not hold.")
    print_lines(*(f"   {place}) {step}" for place, step in enumerate(item.steps, start=1)))
