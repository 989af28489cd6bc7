"""Cases in parallel: a process for each processor, a job for each operation and caller."""

from __future__ import annotations

import functools
import logging
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context

import requests

from bench.fuzz import documents
from bench.fuzz.cases import Counts, Source
from bench.fuzz.documents import LIVE, Operation
from bench.fuzz.response_checks import Caller, Judge, Tally

MOST_STREAMS = 4
"""Cases of a job that may open a live stream, each for a second."""


@dataclass(frozen=True, slots=True)
class Job:
    """Cases of one operation by one caller."""

    is_agents: bool
    operation: int
    """Its place in the document."""
    caller: Caller
    cases: int
    source: Source
    url: str


@functools.cache
def operations(is_agents: bool) -> list[Operation]:
    """The operations of the agents' or the public document."""
    return documents.operations(documents.agents() if is_agents else documents.public())


def run(job: Job) -> tuple[str, Tally]:
    """The caller's name and the results."""
    operation = operations(job.is_agents)[job.operation]
    cases = min(job.cases, MOST_STREAMS) if operation.path == LIVE else job.cases
    with requests.Session() as session:
        judge = Judge(job.caller, {"base_url": job.url, "session": session})
        return job.caller.name, judge.run(operation, job.source.cases(operation, Counts.share(cases)))


Runner = Callable[[Iterable[Job]], Iterator[tuple[str, Tally]]]


@contextmanager
def runner() -> Iterator[Runner]:
    """Runs jobs, in any order."""
    # A fresh interpreter: a fork would copy this one's threads and signal handlers.
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn"), initializer=_quiet) as pool:

        def results(jobs: Iterable[Job]) -> Iterator[tuple[str, Tally]]:
            for done in as_completed([pool.submit(run, job) for job in jobs]):
                yield done.result()

        yield results


def _quiet() -> None:
    logging.disable(logging.WARNING)
