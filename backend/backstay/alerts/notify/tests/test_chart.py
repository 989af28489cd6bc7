"""The chart of a mail: what is drawn, and that no input makes it fail or slow."""

from __future__ import annotations

import io
import math
import time
from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from backstay.alerts.notify.chart import HEIGHT, WIDTH, Point, chart
from backstay.alerts.notify.tests.sinks import EVIL, NOW

LINE, LIMIT = (20, 86, 184), (180, 35, 24)


def drawn(image: bytes) -> Image.Image:
    picture = Image.open(io.BytesIO(image))
    assert (picture.format, picture.size) == ("PNG", (WIDTH, HEIGHT))
    return picture.convert("RGB")


def columns(picture: Image.Image, colour: tuple[int, int, int], tolerance: int = 40) -> list[int]:
    """The columns that hold the colour."""
    near = picture.load()
    assert near is not None

    def is_near(x: int, y: int) -> bool:
        pixel = near[x, y]
        assert isinstance(pixel, tuple)
        return all(abs(one - other) <= tolerance for one, other in zip(pixel, colour, strict=True))

    return [x for x in range(WIDTH) if any(is_near(x, y) for y in range(40, HEIGHT - 40))]


def series(values: list[float | None]) -> list[Point]:
    return [(NOW + timedelta(seconds=10 * place), value) for place, value in enumerate(values)]


def test_the_line_spans_the_chart_on_white_with_the_threshold() -> None:
    picture = drawn(chart(series([0.2, 0.4, 0.95, 0.97] * 20), 0.9, "sp01 sw0", "share", NOW))
    assert picture.getpixel((2, 2)) == (255, 255, 255)
    line = columns(picture, LINE)
    assert line[0] < 120
    assert line[-1] > WIDTH - 40
    assert columns(picture, LIMIT)
    assert not columns(drawn(chart(series([0.2, 0.4]), None, "sp01 sw0", "share", NOW)), LIMIT)


def test_a_gap_is_not_bridged() -> None:
    values: list[float | None] = [1.0] * 40 + [None] * 20 + [1.0] * 40
    line = columns(drawn(chart(series(values), None, "x", "", NOW)), LINE)
    assert any(after - before > WIDTH * 0.1 for before, after in pairwise(line))


def test_a_peak_of_one_point_among_many_is_drawn() -> None:
    values: list[float | None] = [1.0] * 50_000
    values[33_333] = 100.0
    picture = drawn(chart(series(values), None, "x", "", NOW))
    top = [x for x in columns(picture.crop((0, 0, WIDTH, 130)).resize((WIDTH, HEIGHT)), LINE) if x > 100]
    assert top


def test_many_points_are_drawn_within_two_seconds() -> None:
    points = series([float(place % 997) for place in range(1_000_000)])
    begun = time.monotonic()
    image = chart(points, 900.0, "x", "b/s", NOW)
    assert time.monotonic() - begun < 2
    assert len(image) < 200_000


@pytest.mark.parametrize(
    "points",
    [
        [],
        [(NOW, None)],
        [(NOW, 1.0)],
        [(NOW, 0.0), (NOW, 0.0)],
        [(NOW, math.nan), (NOW, math.inf), (NOW, 1e308)],
    ],
)
def test_few_or_odd_points_are_drawn(points: list[Point]) -> None:
    drawn(chart(points, math.nan, EVIL, EVIL, NOW))


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.datetimes(), st.none() | st.floats()), max_size=40),
    st.none() | st.floats(),
    st.text(max_size=200),
)
def test_any_values_are_drawn(
    points: list[tuple[object, float | None]], threshold: float | None, title: str
) -> None:
    known = [(NOW + timedelta(seconds=index), value) for index, (_, value) in enumerate(points)]
    drawn(chart(known, threshold, title, title[:10], NOW))
