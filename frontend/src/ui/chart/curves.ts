/** Data of a chart over a parameter or time: one curve per setting, capacity or limit, linear scaling. Pure. */
import uPlot from "uplot";
import type { Mark } from "@/ui/chart/marks";
import { upright } from "@/ui/chart/options";
import { lonely, rateTicks } from "@/ui/chart/shape";
import { rate } from "@/util/units";

/** What the y axis shows. */
export interface Measure {
  /** `rate`. */
  readonly name: string;
  readonly format: (value: number | null | undefined) => string;
  /** Unit of the values in the CSV. */
  readonly unit: string;
  /** What the horizontal line is: `usable`, `limit`. */
  readonly level: string;
}

export const RATES: Measure = { name: "rate", format: rate, unit: "bit/s", level: "usable" };

export interface Curve {
  readonly label: string;
  /** In the measure's unit at each point of `x`; null where not measured. */
  readonly rates: readonly (number | null)[];
}

export interface Curves {
  /** Parameter of the x axis, e.g. `streams`. */
  readonly across: string;
  readonly x: readonly number[];
  /** Labels of `x`. */
  readonly labels: readonly string[];
  readonly lines: readonly Curve[];
  /** Rates unless it says otherwise. */
  readonly measure?: Measure;
  /** The horizontal line, in the measure's unit; null if unknown. */
  readonly capacity: number | null;
  /** Positions of the lines that bound a filled band: upper, lower. */
  readonly band?: readonly [number, number];
  /** Linear scaling from the first point, bit/s; null where meaningless. */
  readonly scaling: readonly number[] | null;
  /** Logarithmic x axis. */
  readonly isLogarithmic: boolean;
  /** Incidents, failovers, changes and tests; only if `x` is Unix seconds. */
  readonly marks?: readonly Mark[];
}

/** Distinguished by dash and colour. */
const DASHES: readonly (readonly number[])[] = [[], [8, 3], [2, 3], [9, 3, 2, 3]];
const COLOURS = 6;

export const dashOf = (index: number): readonly number[] => DASHES[index % DASHES.length] ?? [];
/** CSS variable of the curve's colour. */
export const colourOf = (index: number): string => `--curve-${index % COLOURS}`;

interface CurveColours {
  readonly text: string;
  readonly grid: string;
  readonly capacity: string;
  readonly scaling: string;
  readonly curves: readonly string[];
}

export function curveColours(element: Element): CurveColours {
  const style = getComputedStyle(element);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    text: read("--text-2"),
    grid: read("--line"),
    capacity: read("--capacity"),
    scaling: read("--text-2"),
    curves: Array.from({ length: COLOURS }, (_, index) => read(colourOf(index))),
  };
}

const FONT = '12px "Inter Variable", system-ui, sans-serif';
/** Width of a character of labels, CSS px, about. */
const CHARACTER = 7;
const HEADROOM = 1.08;
/** Pixels left and right of the plot area: the y axis, and room for half of the label at the right edge. */
export const CURVES_LEFT = 72;
export const CURVES_RIGHT = 28;

/** Pixels of the vertical line of a mark: drawn, left out. */
const MARK_DASH = [1, 3];

/** More points than these are drawn as a line only. */
const MOST_DOTS = 60;

/** Ends of the y axis: zero to the greatest value, which the scaling line may exceed; below zero if values are. */
export function rangeOf({ lines, capacity, measure = RATES }: Curves): [number, number] {
  const known = lines.flatMap(({ rates }) => rates.filter((one) => one !== null));
  const levels = capacity === null ? known : [...known, capacity];
  const [low, high] = [Math.min(0, ...levels), Math.max(0, ...levels)];
  // An axis needs a length, also if everything is zero.
  const least = measure === RATES || low === high ? 1 : 0;
  return [low * HEADROOM, Math.max(least, high * HEADROOM)];
}

export function curveOptions(
  curves: Curves,
  colours: CurveColours,
  size: { width: number; height: number },
  onHover: (index: number | null) => void,
): uPlot.Options {
  const { x, labels, lines, isLogarithmic, band, scaling, capacity, measure = RATES, marks = [] } = curves;
  const axis = {
    stroke: colours.text,
    font: FONT,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { show: false },
  };
  const widest = Math.max(...labels.map(({ length }) => length), 0) * CHARACTER;
  const most = Math.max(2, Math.floor((size.width - 80) / Math.max(64, widest + 16)));
  const every = Math.ceil(x.length / most);
  return {
    ...size,
    padding: [8, CURVES_RIGHT, 0, 0],
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { size: 7 } },
    scales: {
      x: {
        time: false,
        ...(isLogarithmic ? { distr: 3 as const, log: 2 as const } : {}),
        range: () => [x[0] ?? 0, x.at(-1) ?? 1],
      },
      y: { range: () => rangeOf(curves) },
    },
    axes: [
      {
        ...axis,
        size: 28,
        splits: () => x.filter((_, index) => index % every === 0),
        filter: (_plot, splits) => splits,
        values: (_plot, splits) => splits.map((split) => labels[x.indexOf(split)] ?? ""),
      },
      {
        ...axis,
        size: CURVES_LEFT,
        splits: (_plot, _index, min, max) => rateTicks(min, max, Math.max(2, Math.floor(size.height / 44))),
        values: (_plot, splits) => splits.map((split) => measure.format(split)),
      },
    ],
    series: [
      {},
      ...lines.map((_, index): uPlot.Series => ({
        stroke: colours.curves[index % COLOURS] ?? colours.text,
        width: 2,
        dash: [...dashOf(index)],
        spanGaps: false,
        points: {
          show: true,
          size: 5,
          fill: colours.curves[index % COLOURS] ?? colours.text,
          ...(x.length > MOST_DOTS ? { filter: () => lonely(lines[index]?.rates ?? []) } : {}),
        },
      })),
      ...(scaling === null
        ? []
        : [{ stroke: colours.scaling, width: 1, dash: [2, 4], points: { show: false } }]),
      ...(capacity === null ? [] : [{ stroke: colours.capacity, width: 2, points: { show: false } }]),
    ],
    bands: band === undefined ? [] : [{ series: [band[0] + 1, band[1] + 1], fill: `${colours.scaling}22` }],
    hooks: {
      draw: [(plot) => marks.forEach(({ at }) => upright(plot, at, colours.text, MARK_DASH))],
      setCursor: [(plot) => onHover(plot.cursor.idx ?? null)],
    },
  };
}

/** Columns for uPlot. */
export function curveColumns({ x, lines, scaling, capacity }: Curves): uPlot.AlignedData {
  return [
    [...x],
    ...lines.map(({ rates }) => [...rates]),
    ...(scaling === null ? [] : [[...scaling]]),
    ...(capacity === null ? [] : [x.map(() => capacity)]),
  ];
}
