"""Past and live events over a stream that breaks."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from backstay_cli.account import load
from backstay_cli.api import Api
from backstay_cli.commands import events
from backstay_cli.commands.events import LONGEST, Frame, frames
from backstay_cli.errors import Unreachable
from backstay_testing.cli.fake_server import Run, World
from backstay_testing.cli.site import event


def test_frames_span_chunks_and_end_only_at_line_ends() -> None:
    stream = b"retry: 1000\nid: 1-0\nevent: hello\ndata: {}\r\n\r\n: still here\n\n"
    stream += b'event: event\ndata: "\xe2\x80\xa8"\n\n'
    expected = [Frame("hello", "{}", "1-0"), Frame("event", '"\u2028"', None)]
    assert list(frames([stream])) == expected
    assert list(frames(stream[i : i + 1] for i in range(len(stream)))) == expected


def test_data_lines_are_joined_and_an_endless_line_is_dropped() -> None:
    assert list(frames([b"data: a\ndata: b\n\n"])) == [Frame("message", "a\nb", None)]
    endless = [b"data: " + b"x" * (LONGEST + 1), b"\n\ndata: good\n\n"]
    assert list(frames(endless))[-1].data == "good"


def test_events_are_printed_newest_last(world: World, run: Run) -> None:
    done = run("events", "--kind", "path.switched", "--since", "now-1h", "-n", "2")
    assert done.out.splitlines() == [
        "2026-11-21 12:00:01 warning path switched: sp01 switched, event 1",
        "2026-11-21 12:00:02 warning path switched: sp01 switched, event 2",
    ]
    assert world.made("GET", "/events")[0].query == {"start": "now-1h", "limit": "2", "kind": "path.switched"}
    assert [item["id"] for item in run("events", "--json").json["items"]] == [2, 1]


def test_grouped_events_are_one_line_per_cause(world: World, run: Run) -> None:
    done = run("events", "--grouped", "--since", "now-6h")
    assert done.out.splitlines() == [
        "2026-11-21 12:00:00 to 12:00:52 ok grf1 failed over: 7 paths rerouted to atmgw, at most 300 ms lost,"
        " restored (14 events)"
    ]
    assert "2 older groups are not shown: raise --limit." in done.err
    assert world.made("GET", "/events/groups")[0].query == {"start": "now-6h", "limit": "50"}
    assert run("events", "--grouped", "--json").json["total"] == 3
    assert run("events", "--grouped", "--follow").code == 2


def message(item: Any) -> bytes:
    answer = {
        "type": "event",
        "site": "argonne",
        "at": "2026-11-21T12:00:00Z",
        "event": item.model_dump(mode="json"),
    }
    return f"id: {item.id}-0\nevent: event\ndata: {json.dumps(answer)}\n\n".encode()


class Streams:
    """Consecutive streams, and the ids from which each was resumed."""

    def __init__(self, *streams: list[bytes | Exception]) -> None:
        self.streams = list(streams)
        self.resumed: list[str | None] = []

    @contextmanager
    def __call__(self, path: str, last_id: str | None, **wanted: object) -> Iterator[Iterator[bytes]]:
        self.resumed.append(last_id)
        if not self.streams:
            raise KeyboardInterrupt
        yield self._chunks(self.streams.pop(0))

    def _chunks(self, stream: list[bytes | Exception]) -> Iterator[bytes]:
        for item in stream:
            if isinstance(item, Exception):
                raise item
            yield item


def test_following_resumes_and_shows_each_event_once(
    world: World, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    hello = b"event: hello\ndata: {}\n\n"
    other = event(9, node="sp02")
    streams = Streams(
        [hello, message(event(3)), message(other), Unreachable("It broke.")],
        [hello, message(event(3)), message(event(4)), b"event: event\ndata: {broken\n\n"],
    )
    monkeypatch.setattr(Api, "stream", lambda _, *args, **more: streams(*args, **more))
    monkeypatch.setattr(events, "AGAIN_S", 0)
    done = run("events", "--follow", "--json", "--node", "sp01")
    assert done.code == 0
    assert [json.loads(line)["id"] for line in done.out.splitlines()] == [1, 2, 3, 4]
    assert streams.resumed == [None, "9-0", "4-0"]
    assert "It broke. Retrying." in done.err


def test_amended_event_is_printed_again_with_its_figure(
    world: World, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    hello = b"event: hello\ndata: {}\n\n"
    first = event(3, message="sp01 switched", data={"outage_ms": None})
    amended = event(3, message="sp01 switched, outage 131 ms", data={"outage_ms": 131.0})
    stream = [hello, message(first), message(first), message(amended), message(amended)]
    streams = Streams(list(stream))
    monkeypatch.setattr(Api, "stream", lambda _, *args, **more: streams(*args, **more))
    monkeypatch.setattr(events, "AGAIN_S", 0)
    assert run("events", "--follow").out.splitlines()[-2:] == [
        "2026-11-21 12:00:03 warning path switched: sp01 switched",
        "2026-11-21 12:00:03 warning path switched: sp01 switched, outage 131 ms (updated)",
    ]
    streams.streams = [list(stream)]
    lines = [json.loads(line) for line in run("events", "--follow", "--json").out.splitlines()]
    assert [item["data"].get("outage_ms") for item in lines if item["id"] == 3] == [None, 131.0]


def test_event_stream_is_read_over_http(world: World) -> None:
    world.answers["GET", "/live"] = (200, b"event: hello\ndata: {}\n\n")
    with Api(load(os.environ)).stream("/live", None, site="argonne") as chunks:
        assert [frame.kind for frame in frames(chunks)] == ["hello"]
    world.answers["GET", "/live"] = (503, {"code": "unavailable", "message": "Too many.", "fields": {}})
    with pytest.raises(Unreachable, match="Too many"), Api(load(os.environ)).stream("/live", None):
        pass
