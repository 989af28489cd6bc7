/** Converts the history of a port into the series of its charts. Pure. */
import type { PortHistory } from "@/api/ports/ports";
import type { Mark } from "@/ui/chart/marks";
import type { BidirectionalSeries, Figure } from "@/ui/chart/shape";
import { amount, NONE, percent } from "@/util/units";

export interface PortChart {
  readonly id: string;
  readonly title: string;
  readonly series: BidirectionalSeries;
}

type Values = readonly Figure[];

const MILLION = 1_000_000;
/** `null` where either is missing or the divisor is zero. */
const ratio = (a: Values, b: Values, factor: number): Figure[] =>
  a.map((value, index) => {
    const by = b[index];
    return value == null || by == null || by <= 0 ? null : (value / by) * factor;
  });

/** In and out rates with peak band, p95 and capacity. */
export function rateSeries(history: PortHistory, marks: readonly Mark[]): BidirectionalSeries {
  return {
    at: history.at,
    step: history.step_s,
    up: { label: "in", mean: history.in_mean, max: history.in_max, p95: history.in_p95 },
    down: { label: "out", mean: history.out_mean, max: history.out_max, p95: history.out_p95 },
    capacity: history.usable_rate,
    capacities: history.capacity.map(({ start, usable_rate }) => ({ start, rate: usable_rate })),
    resets: history.resets,
    marks,
  };
}

interface Counted {
  readonly in: Values;
  readonly out: Values;
  readonly inMax?: Values;
  readonly outMax?: Values;
  readonly format: (value: Figure) => string;
  readonly least: number;
}

const withUnit =
  (unit: string) =>
  (value: Figure): string => {
    const text = amount(value);
    return text === NONE ? text : `${text} ${unit}`;
  };

/** The small charts, in the order of the page. */
export function counterCharts(history: PortHistory, marks: readonly Mark[]): PortChart[] {
  const usable = history.usable_rate;
  const shareOf = (values: Values): Figure[] =>
    values.map((value) => (value === null || usable <= 0 ? null : value / usable));
  const octets = (rates: Values): Figure[] => rates.map((value) => (value === null ? null : value / 8));
  const chart = (id: string, title: string, counted: Counted): PortChart => ({
    id,
    title,
    series: {
      at: history.at,
      step: history.step_s,
      up: { label: "in", mean: counted.in, max: counted.inMax ?? counted.in, p95: null },
      down: { label: "out", mean: counted.out, max: counted.outMax ?? counted.out, p95: null },
      capacity: 0,
      capacities: [],
      resets: history.resets,
      onlyMeans: counted.inMax === undefined,
      marks,
      format: counted.format,
      least: counted.least,
    },
  });
  const perSecond = withUnit("/s");
  return [
    chart("utilisation", "Utilisation", {
      in: shareOf(history.in_mean),
      out: shareOf(history.out_mean),
      inMax: shareOf(history.in_max),
      outMax: shareOf(history.out_max),
      format: percent,
      least: 0.05,
    }),
    chart("packets", "Packets", {
      in: history.in_packets,
      out: history.out_packets,
      format: perSecond,
      least: 1,
    }),
    chart("size", "Mean packet size", {
      in: ratio(octets(history.in_mean), history.in_packets, 1),
      out: ratio(octets(history.out_mean), history.out_packets, 1),
      format: withUnit("bytes"),
      least: 64,
    }),
    chart("errors", "Errors", {
      in: history.in_errors,
      out: history.out_errors,
      format: perSecond,
      least: 0.1,
    }),
    chart("discards", "Discards", {
      in: history.in_discards,
      out: history.out_discards,
      format: perSecond,
      least: 0.1,
    }),
    chart("losses", "Errors and discards per million packets", {
      in: ratio(sum(history.in_errors, history.in_discards), history.in_packets, MILLION),
      out: ratio(sum(history.out_errors, history.out_discards), history.out_packets, MILLION),
      format: amount,
      least: 1,
    }),
  ];
}

const sum = (a: Values, b: Values): Figure[] =>
  a.map((value, index) => {
    const other = b[index];
    return value == null || other == null ? null : value + other;
  });

export interface Bar {
  /** `0-10 %`; the last one includes what is above. */
  readonly label: string;
  readonly in: number | null;
  readonly out: number | null;
}

/** The bars of the histogram of utilisation, the lowest first. */
export function histogram({ in_shares, out_shares }: Pick<PortHistory, "in_shares" | "out_shares">): Bar[] {
  const count = Math.max(in_shares.length, out_shares.length);
  return Array.from({ length: count }, (_, index) => ({
    label: index === count - 1 ? `from ${index * 10} %` : `${index * 10}-${(index + 1) * 10} %`,
    in: in_shares[index] ?? null,
    out: out_shares[index] ?? null,
  }));
}
