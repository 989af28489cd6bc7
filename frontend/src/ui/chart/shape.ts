/** Converts an API response to the data of a two-way rate chart. Pure. */

import type { Mark } from "@/ui/chart/marks";
import { clock } from "@/util/time";

export type Figure = number | null;

/** Usual load per bin, bit/s; null where it is not known. */
export interface UsualLoad {
  readonly median: readonly Figure[];
  readonly low: readonly Figure[];
  readonly high: readonly Figure[];
}

/** One direction: its name and its rates per bin in bit/s; null is a gap. */
export interface DirectionSeries {
  readonly label: string;
  readonly mean: readonly Figure[];
  readonly max: readonly Figure[];
  /** 95th percentile of 5-minute bins, bit/s; null without data. */
  readonly p95: Figure;
  /** Null unless it is to be drawn. */
  readonly usual?: UsualLoad | null;
  /** Mean per bin of the earlier period, or of the other object, that is compared. */
  readonly compared?: readonly Figure[];
}

/** Both directions over the same bins. `at`: Unix seconds of each bin's start; `step`: seconds per bin. */
export interface BidirectionalSeries {
  readonly at: readonly number[];
  readonly step: number;
  readonly up: DirectionSeries;
  readonly down: DirectionSeries;
  /** Usable rate now, bit/s. */
  readonly capacity: number;
  /** Usable rate in the past: from `start`, Unix seconds, to the next one; missing: always as now. */
  readonly capacities?: readonly { readonly start: number; readonly rate: number }[];
  /** Unix seconds at which a counter restarted. */
  readonly resets: readonly number[];
  /** Neither peaks within bins nor percentiles are known: `max` is the mean. */
  readonly onlyMeans?: boolean;
  /** Incidents, failovers, changes and tests in the range. */
  readonly marks?: readonly Mark[];
  /** Text of a value; missing: values are rates in bit/s. */
  readonly format?: (value: Figure) => string;
  /** Name of the earlier period or of the other object; missing: nothing is compared. */
  readonly comparedText?: string;
  /** The axis shows at least this value; missing: 1 kb/s. */
  readonly least?: number;
}

/** Columns for uPlot: time; mean, maximum and compared mean of up and of down, which is negative. */
export type Columns = [number[], Figure[], Figure[], Figure[], Figure[], Figure[], Figure[]];

const negative = (figure: Figure): Figure => (figure === null ? null : -figure);

export function columns({ at, up, down }: BidirectionalSeries): Columns {
  const compared = (series: DirectionSeries) => [...(series.compared ?? at.map(() => null))];
  const [downMean, downMax] = [down.mean.map(negative), down.max.map(negative)];
  return [[...at], [...up.mean], [...up.max], downMean, downMax, compared(up), compared(down).map(negative)];
}

/** A range without data, Unix seconds. */
export interface Gap {
  readonly start: number;
  readonly end: number;
}

/** No data in either direction; adjacent bins are one gap. */
export function gaps({ at, step, up, down }: BidirectionalSeries): Gap[] {
  const found: Gap[] = [];
  for (const [index, start] of at.entries()) {
    if (up.mean[index] != null || down.mean[index] != null) continue;
    const last = found.at(-1);
    if (last !== undefined && last.end === start)
      found[found.length - 1] = { start: last.start, end: start + step };
    else found.push({ start, end: start + step });
  }
  return found;
}

/** Ranges between the gaps, where levels are drawn. */
export function covered(data: BidirectionalSeries): Gap[] {
  const first = data.at[0];
  const last = data.at.at(-1);
  if (first === undefined || last === undefined) return [];
  const found: Gap[] = [];
  let start = first;
  for (const gap of gaps(data)) {
    if (gap.start > start) found.push({ start, end: gap.start });
    start = gap.end;
  }
  if (last + data.step > start) found.push({ start, end: last + data.step });
  return found;
}

/** Part of the band of a baseline over adjacent bins with the same values, in bit/s; down is negative. */
export interface BandPart extends Gap {
  readonly low: number;
  readonly high: number;
  readonly median: number;
}

/** The band of each direction, up first; bins whose baseline is not known have no part. */
export function usualBands({ at, step, up, down }: BidirectionalSeries): [BandPart[], BandPart[]] {
  return [bandOf(at, step, up.usual ?? null, 1), bandOf(at, step, down.usual ?? null, -1)];
}

function bandOf(at: readonly number[], step: number, usual: UsualLoad | null, sign: 1 | -1): BandPart[] {
  const found: BandPart[] = [];
  if (usual === null) return found;
  for (const [index, start] of at.entries()) {
    const [low, high, median] = [usual.low[index], usual.high[index], usual.median[index]];
    if (low == null || high == null || median == null) continue;
    const part = { low: sign * low, high: sign * high, median: sign * median, start, end: start + step };
    const last = found.at(-1);
    if (
      last !== undefined &&
      last.end === start &&
      last.low === part.low &&
      last.high === part.high &&
      last.median === part.median
    )
      found[found.length - 1] = { ...last, end: part.end };
    else found.push(part);
  }
  return found;
}

/** A range in which the usable rate was the same. */
export interface CapacityPart extends Gap {
  readonly rate: number;
}

/** The usable rate over the bins that have data, as it was then. */
export function capacityParts(data: BidirectionalSeries): CapacityPart[] {
  const known = covered(data);
  const steps = data.capacities ?? [{ start: -Infinity, rate: data.capacity }];
  return steps.flatMap(({ start, rate }, index) => {
    const until = steps[index + 1]?.start ?? Infinity;
    return known
      .map((part) => ({ start: Math.max(part.start, start), end: Math.min(part.end, until), rate }))
      .filter((part) => part.start < part.end);
  });
}

const greatestCapacity = ({ capacity, capacities = [] }: BidirectionalSeries): number =>
  Math.max(capacity, ...capacities.map(({ rate }) => rate));

export type Axis = "capacity" | "auto";

const HEADROOM = 1.08;

/** Limits of the y axis in bit/s: the capacity in both directions, or each direction's maximum, at least a fifth of the other's. */
export function limits(data: BidirectionalSeries, axis: Axis): [number, number] {
  const up = Math.max(greatest(data.up), ...usualHighs(data.up));
  const down = Math.max(greatest(data.down), ...usualHighs(data.down));
  if (axis === "capacity") {
    const most = greatestCapacity(data);
    return [-Math.max(most, down) * HEADROOM, Math.max(most, up) * HEADROOM];
  }
  const least = Math.max(up, down, data.least ?? 1000) / 5;
  return [-Math.max(down, least) * HEADROOM, Math.max(up, least) * HEADROOM];
}

const usualHighs = ({ usual }: DirectionSeries): number[] =>
  (usual?.high ?? []).filter((figure) => figure !== null);

const highest = (figures: readonly Figure[]): number =>
  figures.reduce<number>((most, figure) => Math.max(most, figure ?? 0), 0);

const greatest = ({ max, mean, compared = [] }: DirectionSeries): number =>
  highest([...max, ...mean, ...compared]);

/** Indexes of isolated points, which a line does not show. */
export function lonely(figures: readonly Figure[]): number[] {
  return figures.flatMap((figure, index) =>
    figure !== null && figures[index - 1] == null && figures[index + 1] == null ? [index] : [],
  );
}

/** Null without data. */
export function meanOf(figures: readonly Figure[]): Figure {
  const known = figures.filter((figure) => figure !== null);
  return known.length === 0 ? null : known.reduce((sum, figure) => sum + figure, 0) / known.length;
}

/** Mean and maximum of one direction; null without data. */
export function summary({ max, mean }: DirectionSeries): { mean: Figure; peak: Figure } {
  const found = meanOf(mean);
  return { mean: found, peak: found === null ? null : highest([...max, ...mean]) };
}

/** A tick of the time axis in local time: seconds only where ticks are closer than a minute, the day at midnight. */
export function timeTick(at: number, increment: number): string {
  const text = clock(new Date(at * 1000).toISOString());
  if (increment >= 86_400 || text.endsWith("00:00:00")) return text.slice(5, 10);
  return increment < 60 ? text.slice(11) : text.slice(11, 16);
}

/** Ticks of a rate axis: 1, 2 or 5 times a power of ten, about `wanted` of them. */
export function rateTicks(min: number, max: number, target: number): number[] {
  const rough = (max - min) / Math.max(1, target);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? power * 10;
  const first = Math.ceil(min / step);
  return Array.from({ length: Math.floor(max / step) - first + 1 }, (_, index) => (first + index) * step + 0);
}

/** The source of a chart's values: samples, or roll-ups of 5 minutes, 1 hour or 1 day. */
export type Level = "samples" | "5m" | "1h" | "1d";

const LEVELS: Readonly<Record<Level, string>> = {
  samples: "",
  "5m": "5-minute values",
  "1h": "hourly values",
  "1d": "daily values",
};

/** `hourly values`; empty for samples. */
export const levelText = (level: Level): string => LEVELS[level];

export const ESTIMATED_P95 =
  "The 95th percentile is an estimate: 5-minute values are not stored for the whole range.";
