"""Log lines: one event per line on stderr, `key=value`, without secrets or forged lines.

Values come from devices and backends, so every control character is escaped before it is printed.
"""

import logging
import sys
import time
from typing import TextIO

ROOT = "backstay_agent"


def _quote(value: object) -> str:
    text = str(value)
    if text and all(c.isprintable() and c not in ' "=' for c in text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in escaped) + '"'


class LineFormatter(logging.Formatter):
    """`2026-01-31T12:00:00.123Z info agent.sender delivered reports=12`."""

    def format(self, record: logging.LogRecord) -> str:
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        name = record.name.removeprefix(f"{ROOT}.")
        fields = getattr(record, "fields", {})
        if record.exc_info and record.exc_info[1] is not None:
            error = record.exc_info[1]
            fields = {**fields, "error": f"{type(error).__name__}: {error}", "where": _where(error)}
        tail = "".join(f" {key}={_quote(value)}" for key, value in fields.items())
        message = _quote(record.getMessage()).strip('"')
        return f"{stamp}.{int(record.msecs):03d}Z {record.levelname.lower()} {name} {message}{tail}"


def _where(error: BaseException) -> str:
    """File and line of the innermost frame: locates a crash without a long traceback."""
    trace = error.__traceback__
    if trace is None:
        return "unknown"
    while trace.tb_next is not None:
        trace = trace.tb_next
    name = trace.tb_frame.f_code.co_filename.rpartition("/")[2]
    return f"{name}:{trace.tb_lineno}"


def configure(level: str = "INFO", stream: TextIO | None = None) -> None:
    """Send this package's log to `stream` (stderr); other libraries only at WARNING and above."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(LineFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger(ROOT).setLevel(level)


def event(logger: logging.Logger, level: int, what: str, **fields: object) -> None:
    """Log `what` with `fields`. Callers pass no secrets; the formatter escapes everything else."""
    logger.log(level, what, extra={"fields": fields})
