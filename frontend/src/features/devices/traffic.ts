/** Series of a device's traffic from the trends of its ports. Pure. */
import type { PortTrend, PortTrends } from "@/api/ports/trends";
import type { Curves } from "@/ui/chart/curves";
import type { Mark } from "@/ui/chart/marks";
import { timeTick, type BidirectionalSeries, type Figure } from "@/ui/chart/shape";

export type Side = "in" | "out";

/** Lines of one chart. */
const MOST_LINES = 5;

/** Sum of the ports with a value in each bin; null where none has one. */
export function sumOf(ports: readonly PortTrend[], side: Side, bins: number): Figure[] {
  return Array.from({ length: bins }, (_, index) => {
    const known = ports.flatMap((port) => meansOf(port, side)[index] ?? []);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
  });
}

const meansOf = (port: PortTrend, side: Side): readonly Figure[] =>
  side === "in" ? port.in_mean : port.out_mean;

/** What all ports receive and send. */
export function trafficSeries(
  { at, step_s, ports }: PortTrends,
  marks: readonly Mark[],
): BidirectionalSeries {
  const direction = (side: Side) => {
    const mean = sumOf(ports, side, at.length);
    return { label: side, mean, max: mean, p95: null };
  };
  return {
    at,
    step: step_s,
    up: direction("in"),
    down: direction("out"),
    capacity: 0,
    capacities: [],
    resets: [],
    onlyMeans: true,
    marks,
  };
}

/** The ports with the most traffic in one direction over the range, the busiest first; idle ones are left out. */
export function busiestCurves(
  { at, step_s, ports }: PortTrends,
  names: ReadonlyMap<number, string>,
  side: Side,
  marks: readonly Mark[],
): Curves {
  const total = (port: PortTrend) =>
    meansOf(port, side).reduce<number>((sum, value) => sum + (value ?? 0), 0);
  const busiest = ports
    .filter((port) => total(port) > 0)
    .toSorted((a, b) => total(b) - total(a))
    .slice(0, MOST_LINES);
  return {
    across: "time",
    x: at,
    labels: at.map((moment) => timeTick(moment, step_s)),
    lines: busiest.map((port) => ({
      label: names.get(port.port_id) ?? `port ${port.port_id}`,
      rates: meansOf(port, side),
    })),
    capacity: null,
    scaling: null,
    isLogarithmic: false,
    marks,
  };
}
