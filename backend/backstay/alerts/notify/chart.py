"""The value around an incident's time as a PNG for mails: dark text on white, with threshold and beginning.

A picture is drawn within a fixed time: more points than pixels are reduced to the smallest and the largest of
each column first, so that no peak is lost.
"""

from __future__ import annotations

import io
import math
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from PIL import Image, ImageDraw, ImageFont

from backstay.core.alerting.message import one_line
from backstay.core.formatting import digits, rate, share

Point = tuple[datetime, float | None]
"""A time and its value; None: no data, a gap."""

WIDTH, HEIGHT = 1000, 380
"""Pixels of the image."""
MAX_POINTS = 200_000
"""Points that are looked at: of more, every nth."""
MAX_TITLE = 90
_SCALE = 2
"""Drawn so many times larger and reduced, which smooths lines and letters."""
_LEFT, _TOP, _RIGHT, _BOTTOM = 110, 56, 24, 52
_FONT, _TITLE_FONT = 15, 19
_WHITE, _INK, _AXIS, _GRID = "#ffffff", "#1a1a1a", "#595959", "#dddddd"
_LINE, _LIMIT, _SINCE = "#1456b8", "#b42318", "#5b3a8c"
"""At least 4.5:1 against white (WCAG 1.4.11)."""
_TICKS = 5
DAY_S = 86_400
_TIME_STEPS_S = (
    1,
    2,
    5,
    10,
    15,
    30,
    60,
    120,
    300,
    600,
    900,
    1800,
    3600,
    7200,
    10_800,
    21_600,
    43_200,
    86_400,
)
_LARGEST = 1e300
"""Larger values cannot be scaled; they count as no data."""


def chart(points: Sequence[Point], threshold: float | None, title: str, unit: str, since: datetime) -> bytes:
    """A PNG of the points, oldest first; times in UTC.

    `unit`: of values and threshold, written behind them; `b/s` and `share` (0..1) look as on the pages.
    `since`: when the incident began. Without a value, the picture says so.
    """
    drawing = _Drawing(_reduced(points, since), threshold, since, unit)
    drawing.frame(one_line(title, MAX_TITLE))
    drawing.curve()
    drawing.marks()
    return drawing.png()


def _reduced(points: Sequence[Point], since: datetime) -> list[Point]:
    """At most two points a column, gaps kept."""
    step = max(1, math.ceil(len(points) / MAX_POINTS))
    clean = [(at, _finite(value)) for at, value in points[::step]]
    columns = WIDTH - _LEFT - _RIGHT
    if len(clean) <= columns * 2:
        return clean
    size = math.ceil(len(clean) / columns)
    found: list[Point] = []
    for start in range(0, len(clean), size):
        part = clean[start : start + size]
        known = [point for point in part if point[1] is not None]
        if not known:
            found.append(part[0])
            continue
        ends = {min(known, key=_value), max(known, key=_value)}
        found += sorted(ends, key=lambda point: point[0])
    return found


def _value(point: Point) -> float:
    return point[1] if point[1] is not None else 0.0


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) and abs(value) < _LARGEST else None


def _drawable(text: str) -> str:
    """The text in ASCII: Pillow's own font has no other letters, and another font would be one more file."""
    parts = unicodedata.normalize("NFKD", text.replace("\N{MICRO SIGN}", "u"))
    plain = "".join(one for one in parts if not unicodedata.combining(one))
    return plain.encode("ascii", "replace").decode()


def _written(unit: str) -> Callable[[float], str]:
    if unit == "b/s":
        return rate
    if unit == "share":
        return share
    name = one_line(unit, 16)
    return lambda value: f"{digits(value) if abs(value) < 1e6 else f'{value:.3g}'} {name}".rstrip()


@dataclass(frozen=True, slots=True)
class _Range:
    """An axis: values from `low` to `high`, on pixels from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def place(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def _ticks(low: float, high: float) -> Iterator[float]:
    """Round values of an axis (1, 2, 5 times a power of ten)."""
    raw = (high - low) / _TICKS
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw)
    first = math.ceil(low / step)
    for number in range(_TICKS + 2):
        value = (first + number) * step
        if value <= high:
            yield value


class _Drawing:
    """One picture while it is drawn."""

    def __init__(self, points: list[Point], threshold: float | None, since: datetime, unit: str) -> None:
        self._points = points
        self._threshold = None if threshold is None else _finite(threshold)
        self._since = since
        self._format = _written(unit)
        self._image = Image.new("RGB", (WIDTH * _SCALE, HEIGHT * _SCALE), _WHITE)
        self._draw = ImageDraw.Draw(self._image)
        self._x, self._y = self._time_axis(), self._value_axis()

    def _time_axis(self) -> _Range:
        times = [at.timestamp() for at, _ in self._points] or [self._since.timestamp()]
        low, high = min(times), max(times)
        if high - low < 1:
            low, high = low - 30, high + 30
        return _Range(low, high, _LEFT, WIDTH - _RIGHT)

    def _value_axis(self) -> _Range:
        """From zero, unless values are negative, to a little above the largest."""
        values = [value for _, value in self._points if value is not None]
        values += [] if self._threshold is None else [self._threshold]
        low, high = min([0.0, *values]), max([0.0, *values])
        space = (high - low) * 0.08 or 1.0
        return _Range(low - (space if low < 0 else 0), high + space, HEIGHT - _BOTTOM, _TOP)

    def frame(self, title: str) -> None:
        """Title and axes."""
        self._text(_LEFT, 14, title, _INK, "la", size=_TITLE_FONT)
        for value in _ticks(self._y.low, self._y.high):
            y = self._y.place(value)
            self._line([(_LEFT, y), (WIDTH - _RIGHT, y)], _GRID)
            self._text(_LEFT - 8, y, self._format(value), _AXIS, "rm")
        self._times()
        self._line([(_LEFT, _TOP), (_LEFT, HEIGHT - _BOTTOM), (WIDTH - _RIGHT, HEIGHT - _BOTTOM)], _AXIS)
        self._text(WIDTH - _RIGHT, HEIGHT - 8, "UTC", _AXIS, "rs")

    def _times(self) -> None:
        span = self._x.high - self._x.low
        step = next((one for one in _TIME_STEPS_S if span / one <= _TICKS + 1), math.ceil(span / _TICKS))
        pattern = "%H:%M:%S" if step < 60 else "%H:%M" if span < DAY_S else "%m-%d %H:%M"
        at = math.ceil(self._x.low / step) * step
        while at <= self._x.high:
            x = self._x.place(at)
            self._line([(x, HEIGHT - _BOTTOM), (x, HEIGHT - _BOTTOM + 5)], _AXIS)
            moment = datetime.fromtimestamp(0, UTC) + timedelta(seconds=at)
            self._text(x, HEIGHT - _BOTTOM + 10, format(moment, pattern), _AXIS, "ma")
            at += step

    def curve(self) -> None:
        """The values: a line between neighbours, a dot where both neighbours are gaps."""
        runs: list[list[tuple[float, float]]] = [[]]
        for at, value in self._points:
            if value is None:
                runs.append([])
            else:
                runs[-1].append((self._x.place(at.timestamp()), self._y.place(value)))
        for run in runs:
            if len(run) == 1:
                self._dot(*run[0])
            elif run:
                self._line(run, _LINE, 2)
        if not any(runs):
            self._text(WIDTH / 2, HEIGHT / 2, "No data of this time", _AXIS, "mm")

    def marks(self) -> None:
        """Threshold and the incident's beginning, above the curve."""
        if self._threshold is not None:
            y = round(self._y.place(self._threshold))
            self._dashed((_LEFT, y), (WIDTH - _RIGHT, y), _LIMIT)
            label = f"threshold {self._format(self._threshold)}"
            self._text(_LEFT + 6, y - 4, label, _LIMIT, "ls")
        began = self._since.timestamp()
        if self._x.low <= began <= self._x.high:
            x = round(self._x.place(began))
            pattern = "%H:%M:%S" if self._x.high - self._x.low < DAY_S else "%m-%d %H:%M"
            self._dashed((x, _TOP), (x, HEIGHT - _BOTTOM), _SINCE)
            side = "ra" if x > WIDTH / 2 else "la"
            shift = -6 if side == "ra" else 6
            self._text(
                x + shift, _TOP - 20, f"since {format(self._since.astimezone(UTC), pattern)}", _SINCE, side
            )

    def png(self) -> bytes:
        """The picture in its final size."""
        output = io.BytesIO()
        reduced = self._image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
        reduced.quantize(128).save(output, "PNG", optimize=True)
        return output.getvalue()

    def _line(self, places: Sequence[tuple[float, float]], colour: str, width: int = 1) -> None:
        scaled = [(x * _SCALE, y * _SCALE) for x, y in places]
        self._draw.line(scaled, fill=colour, width=width * _SCALE, joint="curve")

    def _dashed(self, start: tuple[float, float], end: tuple[float, float], colour: str) -> None:
        length = math.dist(start, end)
        for begin in range(0, int(length), 12):
            until = min(begin + 7, length)
            places = [
                (
                    start[0] + (end[0] - start[0]) * part / length,
                    start[1] + (end[1] - start[1]) * part / length,
                )
                for part in (begin, until)
            ]
            self._line(places, colour, 2)

    def _dot(self, x: float, y: float) -> None:
        box = [(x - 3) * _SCALE, (y - 3) * _SCALE, (x + 3) * _SCALE, (y + 3) * _SCALE]
        self._draw.ellipse(box, fill=_LINE)

    def _text(
        self,
        x: float,
        y: float,
        text: str,
        colour: str,
        anchor: str,
        *,
        size: int = _FONT,
    ) -> None:
        place = (x * _SCALE, y * _SCALE)
        font = ImageFont.load_default(size * _SCALE)
        self._draw.text(place, _drawable(text), fill=colour, font=font, anchor=anchor)
