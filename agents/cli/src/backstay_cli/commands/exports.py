"""`export`, `exports`: history of links as files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from backstay_cli import completion, polling
from backstay_cli.commands.status import remind
from backstay_cli.errors import Undone, Usage
from backstay_cli.models import ExportOut
from backstay_cli.output import Extra, as_json, print_lines, print_note, show, table
from backstay_cli.reading import read, read_all
from backstay_cli.session import AsJson, Session, number_of, session
from backstay_cli.text import byte_size, clock, count, percent, shown

HEAD = (
    *("export", "selection", "start", "end", "state"),
    *map(Extra, ("rows", "size", "format", "level", "by")),
)
_OPEN = frozenset({"queued", "running"})
Output = Annotated[
    Path | None, typer.Option("--output", help="Wait for the file and store it here.", dir_okay=False)
]


def export(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    link: Annotated[
        list[str] | None,
        typer.Option("--link", help="A link by name or number; repeatable.", autocompletion=completion.links),
    ] = None,
    fabric: Annotated[str | None, typer.Option(help="All ports of this fabric.")] = None,
    file_format: Annotated[Literal["csv", "jsonl", "parquet"], typer.Option("--format")] = "csv",
    level: Annotated[
        Literal["auto", "samples", "5m", "1h", "1d"],
        typer.Option(help="Samples or roll-ups; auto: by the length of the range."),
    ] = "auto",
    start: Annotated[str, typer.Option(help="now-7d, or a time.")] = "now-1d",
    end: Annotated[str, typer.Option(help="now, or a time.")] = "now",
    output: Output = None,
    json: AsJson = False,
) -> None:
    """Export history of links, a fabric or the whole site; a worker writes the file.

    Exit code 5: the export failed.
    """
    if link and fabric is not None:
        raise Usage("Use either --link or --fabric, not both.")
    run = session(context)
    body: dict[str, object] = {"format": file_format, "level": level, "start": start, "end": end}
    body |= {"site": run.one_site(), "links": [run.link(name) for name in link or []]}
    answer = run.api.post("/exports", body | ({} if fabric is None else {"fabric": fabric}))
    _finish(run, answer, output, as_answer=json)


def exports(
    context: typer.Context,
    number: Annotated[str | None, typer.Argument(metavar="[N]", help="One export by its number.")] = None,
    output: Output = None,
    delete: Annotated[bool, typer.Option("--delete", help="Delete export N, or cancel it.")] = False,
    json: AsJson = False,
) -> None:
    """List exports, newest first, or show, download or delete one."""
    if number is None and (delete or output is not None):
        raise Usage("Name the export by its number: backstay exports show N.")
    if delete and output is not None:
        raise Usage("Use either --delete or --output, not both.")
    if number is None:
        list_exports(context, json)
    elif delete:
        delete_export(context, number)
    else:
        show_export(context, number, output, json)


def show_export(
    context: typer.Context,
    number: Annotated[str, typer.Argument(metavar="N", help="Number of the export.")],
    output: Output = None,
    json: AsJson = False,
) -> None:
    """Show one export, or wait for its file and store it.

    Exit code 5: the export failed.
    """
    run = session(context)
    _finish(run, run.api.get(f"/exports/{number_of(number)}"), output, as_answer=json)


def delete_export(
    context: typer.Context, number: Annotated[str, typer.Argument(metavar="N", help="Number of the export.")]
) -> None:
    """Delete an export with its file, or cancel it."""
    ident = number_of(number)
    session(context).api.delete(f"/exports/{ident}")
    print_lines(f"Export {ident} is deleted.")


def list_exports(context: typer.Context, json: AsJson = False) -> None:
    """List exports, newest first."""
    run = session(context)
    answer = run.api.items("/exports", site=run.site)
    known = read_all(ExportOut, answer)
    if json:
        as_json(answer)
        return
    if known:
        show(table(HEAD, [_row(item) for item in known]))
    print_lines(count(len(known), "export"))
    remind(run)


def _row(item: ExportOut) -> tuple[str, ...]:
    state = f"{item.state}, {percent(item.progress)}" if item.state == "running" else item.state
    gaps = f", {count(item.gap_count, 'gap')}" if item.gap_count else ""
    times = clock(item.start), clock(item.end)
    what = (str(item.id), item.selection, *times, state + gaps)
    return (*what, str(item.rows), byte_size(item.bytes), item.format, item.level, item.by)


def _finish(run: Session, answer: Any, output: Path | None, *, as_answer: bool) -> None:
    """Wait and store the file if requested, print the state, and fail if the export did."""
    if output is not None:
        answer = _ended(run, read(ExportOut, answer).id)
    known = read(ExportOut, answer)
    if output is not None and known.state == "done":
        run.api.download(f"/exports/{known.id}/download", output, known.bytes)
        print_note(f"Wrote {shown(str(output))}.")
    if as_answer:
        as_json(answer)
    else:
        print_lines(f"Export {known.id} of {known.selection}: {known.state}. {known.text}")
        print_lines(*(gap.text for gap in known.gaps))
        if known.state in _OPEN:
            print_lines(f"To store its file: backstay exports {known.id} --output {known.filename}")
    if known.state == "failed":
        raise Undone(f"Export {known.id} failed: {shown(known.text)}")


def _ended(run: Session, ident: int) -> Any:
    return polling.until(
        lambda: run.api.get(f"/exports/{ident}"),
        lambda answer: read(ExportOut, answer).state not in _OPEN,
        show=lambda _: None,
        silent=lambda error: print_note(str(error)),
    )
