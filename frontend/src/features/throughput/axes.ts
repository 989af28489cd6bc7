/** What a run's cells may differ in, each as an axis of its table: where a cell is on it, and how a value is said. Pure. */
import type { TestCell, TestParameters } from "@/api/throughput";
import { formatBytes } from "./labels";
import { compare } from "@/util/compare";
import { amount, count, grouped, NONE, rate } from "@/util/units";

export type Value = number | string | boolean | null;

export interface Axis {
  readonly id: string;
  readonly name: string;
  readonly of: (cell: TestCell) => Value;
  readonly words: (value: Value) => string;
  /** Whether its values are figures that a line may be drawn over. */
  readonly isFigure: boolean;
}

const figure = (
  id: keyof TestParameters,
  name: string,
  words: (value: number) => string,
  absent: string = NONE,
): Axis => ({
  id,
  name,
  isFigure: true,
  of: ({ parameters }) => parameters[id] as Value,
  words: (value) => (typeof value === "number" ? words(value) : absent),
});
const choice = (id: keyof TestParameters, name: string, words: Readonly<Record<string, string>>): Axis => ({
  id,
  name,
  isFigure: false,
  of: ({ parameters }) => parameters[id] as Value,
  words: (value) => words[String(value)] ?? (value === null || value === "" ? "the system's" : String(value)),
});
const plain = (
  id: string,
  name: string,
  of: (cell: TestCell) => string,
  words: (value: string) => string = String,
): Axis => ({
  id,
  name,
  of,
  isFigure: false,
  words: (value) => (value === "" ? NONE : words(String(value))),
});

const SENDERS = figure("senders", "senders", String);
const RECEIVERS = figure("receivers", "receivers", String);
/** Both counts as one: `1 sender → 2 receivers`. */
const COUNTS = plain(
  "counts",
  "senders → receivers",
  ({ parameters: { senders, receivers } }) => `${senders}~${receivers}`,
  (value) => {
    const [senders, receivers] = value.split("~").map(Number);
    return `${count(senders ?? 0, "sender")} → ${count(receivers ?? 0, "receiver")}`;
  },
);
const ENDS = plain("ends", "ends", ({ flows }) =>
  flows.map(({ sender, receiver }) => `${sender} → ${receiver}`).join(", "),
);
const FROM = plain("from", "from", ({ flows }) => flows[0]?.sender ?? "");
const TO = plain("to", "to", ({ flows }) => flows[0]?.receiver ?? "");

/** In the order in which they are preferred across the table. */
const REST: readonly Axis[] = [
  figure("size", "size", formatBytes),
  figure("buffer", "buffer", formatBytes, "the system's"),
  figure("window", "window", formatBytes, "the system's"),
  figure("send_buffer", "send buffer", formatBytes, "the system's"),
  figure("offered_rate", "offered", rate, "all it can"),
  figure("offered_pps", "offered, a second", amount, "all it can"),
  figure("mtu", "MTU", grouped),
  figure("mss", "MSS", grouped, "the path's"),
  choice("no_delay", "Nagle", { true: "Nagle off", false: "Nagle on" }),
  choice("quick_ack", "acknowledgements", { true: "quick acks", false: "delayed acks" }),
  choice("congestion", "congestion control", {}),
  choice("program", "program", {}),
];

/** An axis with each cell's place on it as a small number, so that no value is compared twice. */
export interface Coded {
  readonly axis: Axis;
  /** By cell, an index of `values`. */
  readonly codes: readonly number[];
  /** Least first. */
  readonly values: readonly Value[];
}

export function coded(axis: Axis, cells: readonly TestCell[]): Coded {
  const found = cells.map(axis.of);
  const values = [...new Set(found)].toSorted((a, b) => compare(a, b));
  const at = new Map(values.map((value, index) => [value, index]));
  return { axis, values, codes: found.map((value) => at.get(value) ?? 0) };
}

/** The axes on which the cells differ. Ends that are one pair a cell, as in a mesh, stand as "from" and "to". */
export function variedAxes(cells: readonly TestCell[]): Coded[] {
  const varied = (axes: readonly Axis[]) =>
    axes.map((axis) => coded(axis, cells)).filter(({ values }) => values.length > 1);
  const counts = varied([SENDERS, RECEIVERS]);
  const figures = [
    ...varied([figure("streams", "streams", String)]),
    ...(counts.length === 2 ? varied([COUNTS]) : counts),
    ...varied(REST),
  ];
  const isOnePairEach = cells.every(({ flows }) => flows.length === 1);
  const isFigured = figures.some(({ axis }) => axis.isFigure);
  return [...figures, ...(isOnePairEach && !isFigured ? varied([TO, FROM]) : varied([ENDS]))];
}
