/** Device metrics in groups, and as texts. Pure. */
import type { Figure, FigureHistory, State } from "@/api/types";
import { amount as plain, NONE } from "@/util/units";

/** Titles of the families of metrics; one of a newer server has its own name. */
const FAMILIES: Readonly<Record<string, string>> = {
  aix: "AIX host",
  atm: "ATM circuits",
  bgp: "BGP",
  chrony: "Clock (chrony)",
  entity: "Sensors",
  ethtool: "Adapters (ethtool)",
  fddi: "FDDI ring",
  grf: "GigaRouter",
  host: "Processors, memory and parts",
  hsg: "HIPPI-SONET gateway",
  ib: "InfiniBand",
  irix: "IRIX host",
  lag: "Aggregated links",
  linux: "Linux ports",
  lnet: "Lustre networks",
  neigh: "Neighbour tables",
  notices: "Traps and syslog",
  ps32: "HIPPI switch",
  routing: "Routing daemon",
  sonet: "SONET lines",
  sp: "SP switch node",
  vlan: "VLANs",
  vrrp: "VRRP",
};

export interface MetricGroup {
  readonly family: string;
  readonly title: string;
  /** In the order of the list. */
  readonly metrics: readonly Figure[];
  readonly warnings: number;
  readonly unknown: number;
}

const familyOf = ({ metric }: Figure): string => metric.split(".")[0] ?? metric;

/** By family: those with warnings first, then by title. */
export function groupsOf(metrics: readonly Figure[]): MetricGroup[] {
  const byFamily = new Map<string, Figure[]>();
  for (const metric of metrics) {
    const family = familyOf(metric);
    byFamily.set(family, [...(byFamily.get(family) ?? []), metric]);
  }
  const number = (some: readonly Figure[], wanted: State) =>
    some.filter(({ state }) => state === wanted).length;
  return [...byFamily]
    .map(([family, some]) => ({
      family,
      title: FAMILIES[family] ?? family,
      metrics: some,
      warnings: number(some, "warning"),
      unknown: number(some, "unknown"),
    }))
    .toSorted((a, b) => Number(b.warnings > 0) - Number(a.warnings > 0) || a.title.localeCompare(b.title));
}

/** Metrics with a chart of their own on the page, the most important first. */
const KEY_METRICS = [
  "host.processor_load",
  "aix.cpu_user",
  "aix.run_queue",
  "entity.temperature",
  "neigh.ipv4_entries",
  "routing.destinations",
] as const;
const MOST_CHARTS = 3;

/** Up to three metrics that say how the device is: one of each kind, of the part with the highest value. */
export function keyMetrics(metrics: readonly Figure[]): Figure[] {
  const found = KEY_METRICS.flatMap(
    (name) =>
      metrics
        .filter(({ metric, value }) => metric === name && value !== null)
        .toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0))[0] ?? [],
  );
  return found.slice(0, MOST_CHARTS);
}

/** `Processor load of cpu0`. */
export const metricName = ({ name, subject }: Pick<Figure, "name" | "subject">): string =>
  subject === "" ? name : `${name} of ${subject}`;

/** `3 errors/s`, `41 °C`, `running`; for a rate that is not known, the reason. */
export function formatMetric({
  kind,
  value,
  reported_state,
  per_s,
  unit,
  outcome,
}: Pick<Figure, "kind" | "value" | "reported_state" | "per_s" | "unit" | "outcome">): string {
  if (reported_state !== null) return reported_state === "" ? NONE : reported_state;
  if (kind === "growth") {
    if (per_s !== null) return withUnit(plain(per_s), `${unit}/s`);
    return outcome === "ok" ? withUnit(plain(value), unit) : OUTCOME_LABELS[outcome];
  }
  return withUnit(plain(value), unit);
}

const OUTCOME_LABELS: Readonly<Record<Figure["outcome"], string>> = {
  ok: NONE,
  wrapped: NONE,
  gap: NONE,
  reset: "counter restarted",
  absurd: "implausible rate",
  saturated: "counter saturated",
  missing: "no reply",
};

function withUnit(text: string, unit: string): string {
  return unit === "" || text === NONE ? text : `${text} ${unit}`;
}

/** Text alternative of a metric history. */
export function describeHistory({
  title,
  subject,
  unit,
  per_second,
  mean,
  max,
  p95,
}: Pick<FigureHistory, "title" | "subject" | "unit" | "per_second" | "mean" | "max" | "p95">): string {
  const known = mean.filter((value) => value !== null);
  const place = subject === "" ? "" : ` of ${subject}`;
  if (known.length === 0) return `${title}${place}: no data in this time range.`;
  const tail = per_second ? `${unit}/s` : unit;
  const average = known.reduce((sum, value) => sum + value, 0) / known.length;
  const most = Math.max(...max.filter((value) => value !== null));
  const percentile = p95 === null ? "" : `, p95 (5-min) ${withUnit(plain(p95), tail)}`;
  return `${title}${place}: mean ${withUnit(plain(average), tail)}, max. ${withUnit(plain(most), tail)}${percentile}.`;
}
