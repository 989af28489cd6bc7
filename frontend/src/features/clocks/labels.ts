/** Labels and formats of clock offsets, errors, drifts and histories. */
import type { ClockPoint, Clock } from "@/api/clocks";
import { count, duration, NONE } from "@/util/units";

const SOURCE_LABELS: Readonly<Record<string, string>> = {
  agent: "agent",
  hrSystemDate: "SNMP, hrSystemDate",
  ps32: "SNMP, PS-32 date and time",
  date: "date, over ssh",
  chrony: "chrony, against NTP",
};

export const sourceLabel = ({ source }: Pick<Clock, "source">): string => SOURCE_LABELS[source] ?? source;

/** `−31 d`, `+4 ms`: with a minus sign (U+2212), so that columns align. */
export function formatOffset(seconds: number): string {
  if (seconds === 0) return "0";
  const size = Math.abs(seconds);
  const text =
    size < 0.001
      ? `${Math.round(size * 1e6)} µs`
      : size < 1
        ? `${Math.round(size * 1000)} ms`
        : duration(size);
  return `${seconds < 0 ? "−" : "+"}${text}`;
}

/** `± 510 ms`. */
export const formatError = (seconds: number): string =>
  `± ${formatOffset(Math.abs(seconds)).replace("+", "")}`;

/** `+12 ± 3 ppm`; only the error when it exceeds the drift of any crystal. */
export function formatDrift({
  drift_ppm,
  drift_error_ppm,
}: Pick<Clock, "drift_ppm" | "drift_error_ppm">): string {
  if (drift_ppm === null) return NONE;
  const error = drift_error_ppm ?? 0;
  if (error > 500 && Math.abs(drift_ppm) < error) return `within ± ${Math.round(error)} ppm`;
  const digits = error < 1 ? 1 : 0;
  return `${drift_ppm < 0 ? "−" : "+"}${Math.abs(drift_ppm).toFixed(digits)} ± ${error.toFixed(digits)} ppm`;
}

export function headline(clocks: readonly Clock[]): string {
  const wrong = [
    ...new Map(
      clocks
        .filter(({ incident }) => incident !== null)
        .map((clock) => [clock.incident?.id, clock.incident?.title]),
    ).values(),
  ];
  const nodes = new Set(clocks.map(({ node }) => node)).size;
  if (wrong.length > 0) return `${wrong[0]}${wrong.length > 1 ? `, and ${wrong.length - 1} more` : ""}.`;
  if (nodes === 0) return "No clock reported yet.";
  const known = clocks.filter(({ state }) => state !== "unknown");
  const furthest = known.toSorted((a, b) => Math.abs(b.offset_s) - Math.abs(a.offset_s))[0];
  return `${count(nodes, "clock")}${furthest === undefined ? ", none reporting" : `, largest offset ${formatOffset(furthest.offset_s)} (${furthest.node})`}.`;
}

const WIDTH = 96;
const HEIGHT = 24;
export const BOX = { width: WIDTH, height: HEIGHT };

/** Offsets over time as SVG points; the middle is 0, and the largest offset plus error is at an edge. */
export function historyPoints(recent: readonly ClockPoint[]): string {
  const times = recent.map(({ at }) => Date.parse(at));
  const first = times[0] ?? 0;
  const span = Math.max(1, (times.at(-1) ?? 0) - first);
  const most = Math.max(1e-6, ...recent.map(({ offset_s, error_s }) => Math.abs(offset_s) + error_s));
  const y = (seconds: number): string => (HEIGHT / 2 - (seconds / most) * (HEIGHT / 2 - 2)).toFixed(1);
  return recent
    .map(
      ({ offset_s }, index) =>
        `${((((times[index] ?? 0) - first) / span) * WIDTH).toFixed(1)},${y(offset_s)}`,
    )
    .join(" ");
}
