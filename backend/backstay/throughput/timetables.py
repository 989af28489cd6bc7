"""A plan's timetable from its text; the fields are read by Celery's own parser of crontab(5)."""

from __future__ import annotations

from collections.abc import Callable

from celery.schedules import ParseException, crontab_parser

from backstay.core.errors import Refused
from backstay.core.scheduling.timetable import Timetable

_FIELDS: tuple[tuple[str, Callable[[], crontab_parser]], ...] = (
    ("minutes", lambda: crontab_parser(60)),
    ("hours", lambda: crontab_parser(24)),
    ("days", lambda: crontab_parser(31, 1)),
    ("months", lambda: crontab_parser(12, 1)),
    ("weekdays", lambda: crontab_parser(7)),
)


def timetable(text: str) -> Timetable:
    """`0 3 * * mon-fri`, `*/15 * * * *`. Refused says which field cannot be read."""
    parts = text.split()
    if len(parts) != len(_FIELDS):
        said = "expected five fields: minute hour day month weekday, for example 0 3 * * mon-fri"
        raise Refused(f"The timetable {text!r} cannot be read: {said}.", fields={"schedule": said})
    found: dict[str, frozenset[int]] = {}
    for (name, parser), part in zip(_FIELDS, parts, strict=True):
        try:
            found[name] = frozenset(parser().parse(part))
        except (ParseException, ValueError) as problem:
            said = f"{part!r} in {name}: {problem}"
            raise Refused(f"The timetable cannot be read: {said}.", fields={"schedule": said}) from problem
    return Timetable(**found, either_day=parts[2] != "*" and parts[4] != "*")
