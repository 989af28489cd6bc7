/** Which fields a kind of test has on the form, and which parameter each is; what a kind lacks is refused by the server. Pure. */
import type { TestMatrix } from "@/api/throughput";
import { formatBytes } from "./labels";
import { duration, grouped, rate } from "@/util/units";

export type Kind = NonNullable<TestMatrix["kind"]>;

/** A field that holds text, and how the text is read. */
export type TextField =
  | "streams"
  | "buffers"
  | "windows"
  | "sizes"
  | "rates"
  | "seconds"
  | "count"
  | "amount"
  | "mss"
  | "congestion"
  | "omit"
  | "header"
  | "ack"
  | "blocks"
  | "wait"
  | "queuePairs"
  | "device";
/** A field of boxes to tick. */
export type ChoiceField = "directions" | "nodelay" | "ackDelay" | "programs";

/** The parameter of the API that a field is. */
export const PARAMETER: Readonly<Record<TextField | ChoiceField, keyof TestMatrix>> = {
  streams: "streams",
  buffers: "buffer",
  windows: "window",
  sizes: "size",
  rates: "rate",
  seconds: "duration_s",
  count: "count",
  amount: "amount",
  mss: "mss",
  congestion: "congestion",
  omit: "omit_s",
  header: "header",
  ack: "ack",
  blocks: "count",
  wait: "wait_s",
  queuePairs: "queue_pairs",
  device: "device",
  directions: "direction",
  nodelay: "nodelay",
  ackDelay: "ack_delay",
  programs: "program",
};

const FIELDS: Readonly<Record<Kind, readonly (TextField | ChoiceField)[]>> = {
  tcp: [
    "streams",
    "buffers",
    "windows",
    "directions",
    "seconds",
    "amount",
    "nodelay",
    "mss",
    "congestion",
    "rates",
    "omit",
  ],
  udp: ["streams", "sizes", "rates", "directions", "seconds", "windows"],
  request_ack: ["streams", "sizes", "windows", "nodelay", "ackDelay", "seconds", "blocks", "header", "ack"],
  ping: ["sizes", "rates", "count", "wait"],
  rdma: ["sizes", "directions", "seconds", "programs", "queuePairs", "device"],
};
export const has = (kind: Kind, field: TextField | ChoiceField): boolean => FIELDS[kind].includes(field);
export const fieldsOf = (kind: Kind): readonly (TextField | ChoiceField)[] => FIELDS[kind];

export interface Setting {
  readonly field: TextField;
  readonly kinds: readonly Kind[];
  readonly label: string;
  /** Unit, an example, and what being empty means. */
  readonly help: string;
}

/** Folded away: most plans leave them as they are. */
export const MORE: readonly Setting[] = [
  {
    field: "windows",
    kinds: ["udp", "request_ack"],
    label: "Windows",
    help: "Socket buffers in octets, e.g. 64K, 1M; empty: the system's.",
  },
  {
    field: "mss",
    kinds: ["tcp"],
    label: "Segment sizes (MSS)",
    help: "Octets of data in a segment, e.g. 1448, 8948; empty: what the path allows.",
  },
  {
    field: "congestion",
    kinds: ["tcp"],
    label: "Congestion control",
    help: "The kernel's names, e.g. cubic, bbr; empty: the system's.",
  },
  {
    field: "rates",
    kinds: ["tcp"],
    label: "Rate of each stream",
    help: "Bit/s that a stream is held to, e.g. 100M; empty: all it can.",
  },
  {
    field: "omit",
    kinds: ["tcp"],
    label: "Beginning left out (s)",
    help: "Seconds at the start that are not counted, so that slow start does not weigh; empty: none.",
  },
  {
    field: "header",
    kinds: ["request_ack"],
    label: "Header before a block",
    help: "Octets written by themselves first, as a protocol's header is; empty: none.",
  },
  {
    field: "ack",
    kinds: ["request_ack"],
    label: "Answer to a block",
    help: "Octets that the reader answers each block with; empty: 4.",
  },
  {
    field: "blocks",
    kinds: ["request_ack"],
    label: "Or blocks a cell",
    help: "Blocks of each stream, e.g. 1000; used instead of seconds.",
  },
  {
    field: "wait",
    kinds: ["ping"],
    label: "Wait for the last (s)",
    help: "Seconds that the last answers may take; empty: 2.",
  },
  {
    field: "queuePairs",
    kinds: ["rdma"],
    label: "Queue pairs",
    help: "Connections at the same time, e.g. 1, 2, 4; empty: 1.",
  },
  {
    field: "device",
    kinds: ["rdma"],
    label: "Device",
    help: "Name of the adapter on both ends, e.g. mlx5_0; empty: the first.",
  },
];
export const moreOf = (kind: Kind): Setting[] => MORE.filter(({ kinds }) => kinds.includes(kind));

/** Of the folded boxes to tick, those of a kind. */
export const TICKED_MORE: Readonly<Record<Kind, readonly ChoiceField[]>> = {
  tcp: ["nodelay"],
  udp: [],
  request_ack: [],
  ping: [],
  rdma: ["programs"],
};

/** Words of the API by the field they are about: `matrix.buffer.0` is said at the buffers, `senders.1` at the senders. */
export function errorsByField(told: Readonly<Record<string, string>>, kind: Kind): Record<string, string> {
  return Object.fromEntries(
    Object.entries(told).map(([name, words]) => {
      const [first = "", second] = name.split(".");
      if (first !== "matrix" || second === undefined) return [PLAN_FIELDS[first] ?? first, words];
      return [FIELDS[kind].find((field) => PARAMETER[field] === second) ?? second, words];
    }),
  );
}

const PLAN_FIELDS: Readonly<Record<string, string>> = {
  quiet_percent: "quiet",
  budget_s: "budgetS",
  budget_bytes: "budgetBytes",
};

/** The settings of a plan that differ from the usual, for its page: `segment sizes`, `1448, 8948`. */
export function settingFacts(matrix: TestMatrix): (readonly [term: string, words: string])[] {
  const list = <T>(values: readonly T[] | null | undefined, words: (value: T) => string): string =>
    (values ?? []).map(words).join(", ");
  const one = (value: number | null | undefined, words: (value: number) => string): string =>
    value == null ? "" : words(value);
  const facts: [string, string][] = [
    ["segment sizes", list(matrix.mss, (value) => `${grouped(value)} B`)],
    ["congestion control", list(matrix.congestion, String)],
    ["Nagle's algorithm", list(matrix.nodelay, (off) => (off ? "off" : "on"))],
    [
      "acknowledgements",
      list(
        matrix.ack_delay,
        (how) => ({ system: "as the system does", quick: "at once", delayed: "delayed" })[how],
      ),
    ],
    ["rate of each stream", matrix.kind === "ping" ? "" : list(matrix.rate, rate)],
    ["beginning left out", one(matrix.omit_s, duration)],
    ["header before a block", one(matrix.header, formatBytes)],
    ["answer to a block", one(matrix.ack, formatBytes)],
    ["wait for the last", one(matrix.wait_s, duration)],
    ["queue pairs", list(matrix.queue_pairs, String)],
    ["programs", list(matrix.program, String)],
    ["device", matrix.device ?? ""],
  ];
  return facts.filter(([, words]) => words !== "");
}
