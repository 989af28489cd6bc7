/** uPlot options of the chart, derived from values. */
import uPlot from "uplot";
import {
  capacityParts,
  covered,
  gaps,
  limits,
  lonely,
  rateTicks,
  timeTick,
  usualBands,
  type Axis,
  type BandPart,
  type BidirectionalSeries,
  type Gap,
} from "@/ui/chart/shape";
import { rate } from "@/util/units";
import { isUtc } from "@/util/timeZone";

/** Colours of the theme, from CSS variables. */
export interface Palette {
  readonly text: string;
  readonly grid: string;
  readonly up: string;
  readonly down: string;
  readonly capacity: string;
  readonly hatch: string;
  readonly surface: string;
  readonly reset: string;
}

export function palette(element: Element): Palette {
  const style = getComputedStyle(element);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    text: read("--text-2"),
    grid: read("--line"),
    up: read("--in"),
    down: read("--out"),
    capacity: read("--capacity"),
    hatch: read("--hatch"),
    surface: read("--surface"),
    reset: read("--text-2"),
  };
}

export interface Handlers {
  /** A brushed range of at least one bin, Unix seconds. */
  readonly onBrush: (start: number, end: number) => void;
  /** Index of the bin under the pointer, or null. */
  readonly onHover: (index: number | null) => void;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const NO_DATA = "no data";
/** Pixels right of the plot area: half of the last tick's label. */
export const PLOT_RIGHT = 20;

const FONT = '12px "Inter Variable", system-ui, sans-serif';

/** `current` and `span` return the present data and range, because new data reuses the plot. */
export function options(
  current: () => BidirectionalSeries,
  axis: Axis,
  span: () => { start: number; end: number },
  colours: Palette,
  size: Size,
  handlers: Handlers,
): uPlot.Options {
  return {
    ...size,
    padding: [8, PLOT_RIGHT, 0, 0],
    legend: { show: false },
    // Days and hours of the axis begin in the chosen zone.
    tzDate: (at) => (isUtc() ? uPlot.tzDate(new Date(at * 1000), "Etc/UTC") : new Date(at * 1000)),
    cursor: { sync: { key: "backstay" }, drag: { x: true, y: false, setScale: false }, points: { size: 7 } },
    scales: {
      x: { time: true, range: () => [span().start, span().end] },
      y: { range: () => limits(current(), axis) },
    },
    axes: [
      {
        stroke: colours.text,
        font: FONT,
        grid: { stroke: colours.grid, width: 1 },
        ticks: { show: false },
        space: 72,
        size: 28,
        values: (_plot, splits, _axis, _space, increment) =>
          splits.map((split) => timeTick(split, increment)),
      },
      {
        stroke: colours.text,
        font: FONT,
        grid: { stroke: colours.grid, width: 1 },
        ticks: { show: false },
        size: 80,
        splits: (_plot, _index, min, max) => rateTicks(min, max, Math.max(4, Math.floor(size.height / 44))),
        values: (_plot, splits) => splits.map((split) => (current().format ?? rate)(Math.abs(split))),
      },
    ],
    series: [
      {},
      mean(colours.up),
      peak(colours.up),
      mean(colours.down),
      peak(colours.down),
      compared(colours.text),
      compared(colours.text),
    ],
    bands: [
      { series: [2, 1], fill: `${colours.up}40` },
      { series: [3, 4], fill: `${colours.down}40` },
    ],
    hooks: {
      drawClear: [
        (plot) => hatchGaps(plot, current(), colours),
        (plot) => drawBaselines(plot, current(), colours),
      ],
      draw: [(plot) => drawMarks(plot, current(), colours)],
      setSelect: [
        (plot) => {
          if (plot.select.width < 2) return;
          const [start, end] = [
            plot.posToVal(plot.select.left, "x"),
            plot.posToVal(plot.select.left + plot.select.width, "x"),
          ];
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          if (end - start >= current().step) handlers.onBrush(start, end);
        },
      ],
      setCursor: [(plot) => handlers.onHover(plot.cursor.idx ?? null)],
    },
  };
}

function mean(colour: string): uPlot.Series {
  return {
    stroke: colour,
    width: 1.5,
    fill: `${colour}26`,
    points: {
      show: true,
      size: 4,
      fill: colour,
      filter: (plot, index) => lonely(plot.data[index] as (number | null)[]),
    },
  };
}

function peak(colour: string): uPlot.Series {
  return { stroke: `${colour}66`, width: 1, points: { show: false } };
}

function compared(colour: string): uPlot.Series {
  return { stroke: colour, width: 1, dash: [4, 3], points: { show: false } };
}

/** Gaps are hatched: never a line drawn through. */
function hatchGaps(plot: uPlot, data: BidirectionalSeries, colours: Palette): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = colours.hatch;
  ctx.lineWidth = 2;
  for (const gap of gaps(data)) {
    const left = Math.max(bbox.left, plot.valToPos(gap.start, "x", true));
    const right = Math.min(bbox.left + bbox.width, plot.valToPos(gap.end, "x", true));
    if (right <= left) continue;
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, bbox.top, right - left, bbox.height);
    ctx.clip();
    ctx.beginPath();
    for (let x = left - bbox.height; x < right; x += 8) {
      ctx.moveTo(x, bbox.top + bbox.height);
      ctx.lineTo(x + bbox.height, bbox.top);
    }
    ctx.stroke();
    ctx.restore();
    nameGap(plot, left, right, colours);
  }
  ctx.restore();
}

/** `no data` in a gap that is wide enough. */
function nameGap(plot: uPlot, left: number, right: number, colours: Palette): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.font = `${11 * ratio}px "Inter Variable", system-ui, sans-serif`;
  const width = ctx.measureText(NO_DATA).width + 8 * ratio;
  if (right - left >= width) {
    const [middle, top] = [(left + right) / 2, bbox.top + 4 * ratio];
    ctx.fillStyle = colours.surface;
    ctx.fillRect(middle - width / 2, top, width, 16 * ratio);
    ctx.fillStyle = colours.text;
    ctx.textAlign = "center";
    ctx.fillText(NO_DATA, middle, top + 12 * ratio);
  }
  ctx.restore();
}

/** Under the lines: the usual load as a band, its median as a dotted line. */
function drawBaselines(plot: uPlot, data: BidirectionalSeries, colours: Palette): void {
  const [up, down] = usualBands(data);
  band(plot, up, colours.up);
  band(plot, down, colours.down);
}

function band(plot: uPlot, parts: readonly BandPart[], colour: string): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  const x = (at: number) =>
    Math.min(Math.max(plot.valToPos(at, "x", true), bbox.left), bbox.left + bbox.width);
  const y = (bps: number) =>
    Math.min(Math.max(plot.valToPos(bps, "y", true), bbox.top), bbox.top + bbox.height);
  ctx.save();
  ctx.fillStyle = `${colour}33`;
  for (const { start, end, low, high } of parts) {
    const [top, bottom] = [Math.min(y(low), y(high)), Math.max(y(low), y(high))];
    ctx.fillRect(x(start), top, x(end) - x(start), Math.max(bottom - top, ratio));
  }
  ctx.restore();
  for (const { start, end, median } of parts)
    level(plot, median, [{ start, end }], { colour: `${colour}99`, dash: [ratio, 2 * ratio], width: ratio });
}

function drawMarks(plot: uPlot, data: BidirectionalSeries, colours: Palette): void {
  const ratio = devicePixelRatio;
  const whole = [{ start: plot.posToVal(0, "x"), end: plot.posToVal(plot.width, "x") }];
  const known = covered(data);
  level(plot, 0, whole, { colour: colours.text, dash: [], width: ratio });
  for (const [sign, direction, colour] of [
    [1, data.up, colours.up],
    [-1, data.down, colours.down],
  ] as const) {
    for (const part of capacityParts(data))
      level(plot, sign * part.rate, [part], { colour: colours.capacity, dash: [], width: 1.5 * ratio });
    if (direction.p95 !== null)
      level(plot, sign * direction.p95, known, { colour, dash: [6 * ratio, 4 * ratio], width: ratio });
  }
  for (const at of data.resets) restart(plot, at, colours, ratio);
  for (const { at } of data.marks ?? []) upright(plot, at, colours.text, [ratio, 3 * ratio]);
}

interface Stroke {
  readonly colour: string;
  readonly dash: number[];
  readonly width: number;
}

/** A horizontal line at a rate over these ranges, if inside the plot. */
function level(plot: uPlot, bps: number, over: readonly Gap[], { colour, dash, width }: Stroke): void {
  const { ctx, bbox } = plot;
  const y = plot.valToPos(bps, "y", true);
  if (y < bbox.top || y > bbox.top + bbox.height) return;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.setLineDash(dash);
  for (const { start, end } of over) {
    const left = Math.max(bbox.left, plot.valToPos(start, "x", true));
    const right = Math.min(bbox.left + bbox.width, plot.valToPos(end, "x", true));
    if (right <= left) continue;
    ctx.beginPath();
    ctx.moveTo(left, y);
    ctx.lineTo(right, y);
    ctx.stroke();
  }
  ctx.restore();
}

/** A vertical line, if inside the plot; returns its position in pixels of the canvas. */
export function upright(plot: uPlot, at: number, colour: string, dash: number[]): number | null {
  const { ctx, bbox } = plot;
  const x = plot.valToPos(at, "x", true);
  if (x < bbox.left || x > bbox.left + bbox.width) return null;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash(dash);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
  return x;
}

/** A counter restarted here: a dotted line with an R on top. */
function restart(plot: uPlot, at: number, colours: Palette, ratio: number): void {
  const { ctx, bbox } = plot;
  const x = upright(plot, at, colours.reset, [2 * ratio, 3 * ratio]);
  if (x === null) return;
  ctx.save();
  ctx.fillStyle = colours.reset;
  ctx.font = `${11 * ratio}px "Inter Variable", system-ui, sans-serif`;
  ctx.fillText("R", x + 3 * ratio, bbox.top + 11 * ratio);
  ctx.restore();
}
