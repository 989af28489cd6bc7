/**
 * Test kinds: one spec per kind, from which the plan form, its validation, the request and the plan page derive.
 *
 * A field is a parameter of the API's matrix; the server rejects parameters that a kind lacks. A new kind is one entry
 * of `TEST_KINDS`, and new parameters are entries of its fields.
 */
import type { TestMatrix } from "@/api/throughput";
import { duration, grouped, rate } from "@/util/units";
import { formatBytes } from "./labels";

export type Kind = NonNullable<TestMatrix["kind"]>;
export type Parameter = Exclude<keyof TestMatrix, "kind">;

/** Text as typed, or the selected options. */
export type FieldValue = string | readonly (string | boolean)[];

/** `list` fields are varied: a cell per value. `step` is 1024 for bytes, 1000 for rates. */
export type FieldType =
  | { readonly type: "list"; readonly step: 1000 | 1024; readonly isRequired?: boolean }
  | { readonly type: "number"; readonly min?: number; readonly max?: number }
  | { readonly type: "size" }
  | { readonly type: "names"; readonly pattern: RegExp }
  | { readonly type: "text" }
  | { readonly type: "options"; readonly options: readonly (readonly [string | boolean, string])[] };

export type Field = FieldType & {
  readonly parameter: Parameter;
  readonly label: string;
  /** Unit, example, and the meaning of an empty field. */
  readonly help?: string;
  readonly initial: FieldValue;
  /** Collapsed under "More settings". */
  readonly isAdvanced?: boolean;
  /** Bounds a cell; a cell has one bound, and `duration_s` is omitted when another is set. */
  readonly isBound?: boolean;
  /** Omitted from new plans while it has its initial value. */
  readonly isOmittedByDefault?: boolean;
  /** Fact on the plan page, with the format of a value; none if the summary of the matrix has it. */
  readonly fact?: readonly [term: string, format: (value: never) => string];
};

export interface TestKind {
  readonly label: string;
  readonly fields: readonly Field[];
  /** Seconds per cell; null when unknown. */
  readonly cellSeconds: (matrix: TestMatrix) => number | null;
}

const bytes = (value: number): string => `${grouped(value)} B`;
const timed = ({ duration_s, omit_s }: TestMatrix): number | null =>
  duration_s == null ? null : duration_s + (omit_s ?? 0);

const BUFFER: Field = {
  parameter: "buffer",
  type: "list",
  step: 1024,
  label: "Buffers",
  help: "bytes per write; empty: tool default",
  initial: "16K, 64K, 256K, 1M",
};
const WINDOW: Field = {
  parameter: "window",
  type: "list",
  step: 1024,
  label: "Windows",
  help: "socket buffers in bytes, e.g. 64K, 1M; empty: system default",
  initial: "",
};
const DURATION: Field = {
  parameter: "duration_s",
  type: "number",
  min: 1,
  max: 3600,
  label: "Seconds per cell",
  initial: "5",
  isBound: true,
};
const DIRECTION: Field = {
  parameter: "direction",
  type: "options",
  options: [
    ["forward", "forward"],
    ["reverse", "reverse"],
    ["both", "bidirectional"],
  ],
  label: "Directions",
  initial: ["forward"],
};
const NODELAY: Field = {
  parameter: "nodelay",
  type: "options",
  options: [
    [false, "on"],
    [true, "off (TCP_NODELAY)"],
  ],
  label: "Nagle's algorithm",
  initial: [false],
  fact: ["Nagle's algorithm", (isOff: boolean) => (isOff ? "off" : "on")],
};
const ACK_DELAY = { system: "system default", quick: "immediate", delayed: "delayed" } as const;

const streams = (initial: string): Field => ({
  parameter: "streams",
  type: "list",
  step: 1024,
  isRequired: true,
  label: "Streams",
  help: "e.g. 1-10, or 1, 2, 4, 8",
  initial,
});
const size = (initial: string, isRequired = true): Field => ({
  parameter: "size",
  type: "list",
  step: 1024,
  isRequired,
  label: "Sizes",
  help: "bytes, e.g. 64, 1500, 64K",
  initial,
});

export const TEST_KINDS: Readonly<Record<Kind, TestKind>> = {
  tcp: {
    label: "TCP, memory to memory",
    cellSeconds: timed,
    fields: [
      streams("1, 2, 4, 8"),
      BUFFER,
      WINDOW,
      DIRECTION,
      DURATION,
      {
        parameter: "amount",
        type: "size",
        label: "Or bytes per cell",
        help: "e.g. 100M; replaces seconds",
        initial: "",
        isBound: true,
      },
      { ...NODELAY, isAdvanced: true, isOmittedByDefault: true },
      {
        parameter: "mss",
        type: "list",
        step: 1024,
        label: "Segment sizes (MSS)",
        help: "bytes per segment, e.g. 1448, 8948; empty: path MSS",
        initial: "",
        isAdvanced: true,
        fact: ["segment sizes", bytes],
      },
      {
        parameter: "congestion",
        type: "names",
        pattern: /^[a-z][a-z0-9_]{0,15}$/,
        label: "Congestion control",
        help: "kernel names, e.g. cubic, bbr; empty: system default",
        initial: "",
        isAdvanced: true,
        fact: ["congestion control", String],
      },
      {
        parameter: "rate",
        type: "list",
        step: 1000,
        label: "Rate limit per stream",
        help: "bit/s, e.g. 100M; empty: unlimited",
        initial: "",
        isAdvanced: true,
        fact: ["rate limit per stream", rate],
      },
      {
        parameter: "omit_s",
        type: "number",
        label: "Warm-up (s)",
        help: "initial seconds excluded from the result (slow start); empty: none",
        initial: "",
        isAdvanced: true,
        fact: ["warm-up", duration],
      },
    ],
  },
  udp: {
    label: "UDP, loss and packet rate",
    cellSeconds: timed,
    fields: [
      streams("1"),
      size("64, 512, 1400"),
      {
        parameter: "rate",
        type: "list",
        step: 1000,
        isRequired: true,
        label: "Rate per stream",
        help: "bit/s, e.g. 10M, 100M",
        initial: "10M",
        fact: ["rate per stream", rate],
      },
      DIRECTION,
      DURATION,
      { ...WINDOW, isAdvanced: true },
    ],
  },
  request_ack: {
    label: "request and acknowledge",
    cellSeconds: timed,
    fields: [
      streams("1"),
      size("16K, 64K, 256K, 1M"),
      NODELAY,
      {
        parameter: "ack_delay",
        type: "options",
        options: Object.entries(ACK_DELAY),
        label: "Acknowledgements",
        initial: ["system"],
        fact: ["acknowledgements", (mode: keyof typeof ACK_DELAY) => ACK_DELAY[mode]],
      },
      DURATION,
      { ...WINDOW, isAdvanced: true },
      {
        parameter: "count",
        type: "number",
        label: "Or blocks per cell",
        help: "blocks per stream, e.g. 1000; replaces seconds",
        initial: "",
        isAdvanced: true,
        isBound: true,
      },
      {
        parameter: "header",
        type: "size",
        label: "Header per block",
        help: "bytes written separately before a block; empty: none",
        initial: "",
        isAdvanced: true,
        fact: ["header per block", formatBytes],
      },
      {
        parameter: "ack",
        type: "size",
        label: "Reply per block",
        help: "bytes returned by the reader; empty: 4",
        initial: "",
        isAdvanced: true,
        fact: ["reply per block", formatBytes],
      },
    ],
  },
  ping: {
    label: "RTT and loss",
    cellSeconds: ({ count, rate: rates }) => (count == null ? null : count / Math.min(...(rates ?? [1]))),
    fields: [
      size("64, 64K"),
      {
        parameter: "rate",
        type: "list",
        step: 1000,
        label: "Echo requests per second",
        help: "e.g. 1, 10, 100",
        initial: "1, 10, 100",
      },
      {
        parameter: "count",
        type: "number",
        min: 1,
        max: 100_000,
        label: "Echo requests per cell",
        initial: "10",
      },
      {
        parameter: "wait_s",
        type: "number",
        label: "Reply timeout (s)",
        help: "time to wait for the last replies; empty: 2",
        initial: "",
        isAdvanced: true,
        fact: ["reply timeout", duration],
      },
    ],
  },
  rdma: {
    label: "RDMA",
    cellSeconds: timed,
    fields: [
      size("64K, 1M", false),
      DIRECTION,
      DURATION,
      {
        parameter: "program",
        type: "options",
        options: [
          ["ib_write_bw", "ib_write_bw: rate"],
          ["ib_send_lat", "ib_send_lat: latency"],
        ],
        label: "perftest programs",
        initial: ["ib_write_bw"],
        isAdvanced: true,
        isOmittedByDefault: true,
        fact: ["programs", String],
      },
      {
        parameter: "queue_pairs",
        type: "list",
        step: 1024,
        label: "Queue pairs",
        help: "simultaneous connections, e.g. 1, 2, 4; empty: 1",
        initial: "",
        isAdvanced: true,
        fact: ["queue pairs", String],
      },
      {
        parameter: "device",
        type: "text",
        label: "Device",
        help: "adapter on both ends, e.g. mlx5_0; empty: the first",
        initial: "",
        isAdvanced: true,
        fact: ["device", String],
      },
    ],
  },
};

export const KINDS = Object.keys(TEST_KINDS) as Kind[];

/** Label of a run's kind; papers also have file transfers. */
export const kindLabel = (kind: Kind | "file"): string =>
  kind === "file" ? "file transfer" : TEST_KINDS[kind].label;

/** Facts of a plan's matrix beyond its summary: `["segment sizes", "1448 B, 8948 B"]`. */
export function settingFacts(matrix: TestMatrix): (readonly [term: string, text: string])[] {
  return TEST_KINDS[matrix.kind ?? "tcp"].fields.flatMap(({ parameter, fact }) => {
    const value = matrix[parameter];
    if (fact === undefined || value == null) return [];
    const [term, format] = fact;
    return [[term, (Array.isArray(value) ? value : [value]).map((item) => format(item as never)).join(", ")]];
  });
}
