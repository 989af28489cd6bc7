/** Axes of a run's matrix: the parameters in which cells differ, with value and format. */
import type { TestCell, TestParameters } from "@/api/throughput";
import { formatBytes } from "./labels";
import { compare } from "@/util/compare";
import { amount, count, grouped, NONE, rate } from "@/util/units";

type Value = number | string | boolean | null;

interface Axis {
  readonly id: string;
  readonly name: string;
  readonly of: (cell: TestCell) => Value;
  readonly format: (value: Value) => string;
  /** Whether its values are numbers on a scale, so that lines can be drawn. */
  readonly isNumeric: boolean;
}

const numeric = (
  id: keyof TestParameters,
  name: string,
  format: (value: number) => string,
  absent: string = NONE,
): Axis => ({
  id,
  name,
  isNumeric: true,
  of: ({ parameters }) => parameters[id] as Value,
  format: (value) => (typeof value === "number" ? format(value) : absent),
});
const choice = (id: keyof TestParameters, name: string, labels: Readonly<Record<string, string>>): Axis => ({
  id,
  name,
  isNumeric: false,
  of: ({ parameters }) => parameters[id] as Value,
  format: (value) =>
    labels[String(value)] ?? (value === null || value === "" ? "system default" : String(value)),
});
const plain = (
  id: string,
  name: string,
  of: (cell: TestCell) => string,
  format: (value: string) => string = String,
): Axis => ({
  id,
  name,
  of,
  isNumeric: false,
  format: (value) => (value === "" ? NONE : format(String(value))),
});

const SENDERS = numeric("senders", "senders", String);
const RECEIVERS = numeric("receivers", "receivers", String);
/** Both counts in one value: `1 sender → 2 receivers`. */
const COUNTS = plain(
  "counts",
  "senders → receivers",
  ({ parameters: { senders, receivers } }) => `${senders}~${receivers}`,
  (value) => {
    const [senders, receivers] = value.split("~").map(Number);
    return `${count(senders ?? 0, "sender")} → ${count(receivers ?? 0, "receiver")}`;
  },
);
const ENDS = plain("ends", "endpoints", ({ flows }) =>
  flows.map(({ sender, receiver }) => `${sender} → ${receiver}`).join(", "),
);
const FROM = plain("from", "from", ({ flows }) => flows[0]?.sender ?? "");
const TO = plain("to", "to", ({ flows }) => flows[0]?.receiver ?? "");

/** In order of preference for the columns. */
const REST: readonly Axis[] = [
  numeric("size", "size", formatBytes),
  numeric("buffer", "buffer", formatBytes, "system default"),
  numeric("window", "window", formatBytes, "system default"),
  numeric("send_buffer", "send buffer", formatBytes, "system default"),
  numeric("offered_rate", "offered", rate, "unlimited"),
  numeric("offered_pps", "offered packets/s", amount, "unlimited"),
  numeric("mtu", "MTU", grouped),
  numeric("mss", "MSS", grouped, "path MSS"),
  choice("no_delay", "Nagle", { true: "Nagle off", false: "Nagle on" }),
  choice("quick_ack", "acknowledgements", { true: "immediate ACKs", false: "delayed ACKs" }),
  choice("congestion", "congestion control", {}),
  choice("program", "program", {}),
  choice("other", "other settings", {}),
];

/** An axis with the cells' values as indices, so that every value is compared once. */
export interface Coded {
  readonly axis: Axis;
  /** By cell, an index of `values`. */
  readonly codes: readonly number[];
  /** Ascending. */
  readonly values: readonly Value[];
}

function coded(axis: Axis, cells: readonly TestCell[]): Coded {
  const found = cells.map(axis.of);
  const values = [...new Set(found)].toSorted((a, b) => compare(a, b));
  const at = new Map(values.map((value, index) => [value, index]));
  return { axis, values, codes: found.map((value) => at.get(value) ?? 0) };
}

/** The axes on which the cells differ. Single pairs, as in a mesh, use the axes "from" and "to". */
export function variedAxes(cells: readonly TestCell[]): Coded[] {
  const varied = (axes: readonly Axis[]) =>
    axes.map((axis) => coded(axis, cells)).filter(({ values }) => values.length > 1);
  const counts = varied([SENDERS, RECEIVERS]);
  const figures = [
    ...varied([numeric("streams", "streams", String)]),
    ...(counts.length === 2 ? varied([COUNTS]) : counts),
    ...varied(REST),
  ];
  const isOnePairEach = cells.every(({ flows }) => flows.length === 1);
  const hasNumeric = figures.some(({ axis }) => axis.isNumeric);
  return [...figures, ...(isOnePairEach && !hasNumeric ? varied([TO, FROM]) : varied([ENDS]))];
}
