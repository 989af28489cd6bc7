/** What throughput tests are called on the pages: verdicts with glyphs, states, kinds, figures by name. Pure. */
import type { TestCell, TestMatrix, TestParameters, TestRun, TestVerdict } from "@/api/throughput";
import type { StateName } from "@/ui/StateBadge";
import { amount, count, grouped, milliseconds, NONE, percent, rate } from "@/util/units";

export interface Label {
  /** One character that no other verdict has. */
  readonly glyph: string;
  /** As long as fits a cell. */
  readonly word: string;
  readonly words: string;
}

/** Every named bottleneck; an unknown one is shown by its own name. */
const VERDICT_LABELS: Readonly<Record<string, Label>> = {
  medium_limited: { glyph: "■", word: "medium", words: "medium-limited" },
  window_limited: { glyph: "◧", word: "window", words: "window-limited" },
  delayed_ack: { glyph: "◔", word: "ack wait", words: "delayed acknowledgements" },
  sender_buffer: { glyph: "▤", word: "buffer", words: "sender's buffer" },
  packet_rate: { glyph: "⋮", word: "packets", words: "packet rate" },
  cpu_endpoint: { glyph: "▲", word: "end CPU", words: "CPU of an end" },
  cpu_gateway: { glyph: "△", word: "gw CPU", words: "CPU of a gateway" },
  loss_limited: { glyph: "✕", word: "loss", words: "loss-limited" },
  fair_share: { glyph: "÷", word: "shared", words: "fair share" },
  one_direction: { glyph: "⇀", word: "one way", words: "one direction only" },
  narrow_hop: { glyph: "◇", word: "narrow", words: "narrow hop" },
  low_mtu_hop: { glyph: "▁", word: "MTU", words: "hop of a lower MTU" },
  unstable: { glyph: "≈", word: "unstable", words: "unstable" },
  scaling: { glyph: "↗", word: "scales", words: "scales" },
  inconclusive: { glyph: "?", word: "unclear", words: "inconclusive" },
};

export function verdictLabel(name: string): Label {
  const words = name.replaceAll("_", " ");
  return VERDICT_LABELS[name] ?? { glyph: "•", word: words, words };
}

/** Why a cell has no figure, short; the cell's detail says it in a sentence. */
const CELL_STATE_LABELS: Readonly<Record<string, Label>> = {
  queued: { glyph: "·", word: "to come", words: "not begun" },
  running: { glyph: "▸", word: "running", words: "running" },
  done: { glyph: "✓", word: "done", words: "done" },
  missing_tool: { glyph: "!", word: "no tool", words: "the tool is not installed" },
  wrong_version: { glyph: "!", word: "version", words: "the tool's version does not do" },
  refused: { glyph: "!", word: "refused", words: "the other end refused" },
  port_busy: { glyph: "!", word: "port busy", words: "the port was taken" },
  killed: { glyph: "!", word: "killed", words: "the tool was killed" },
  truncated: { glyph: "!", word: "cut short", words: "the tool's answer was cut short" },
  timed_out: { glyph: "!", word: "too late", words: "it took too long" },
  cancelled: { glyph: "–", word: "called off", words: "called off" },
  lost_agent: { glyph: "!", word: "no agent", words: "an agent was lost" },
  aborted_by_load: { glyph: "–", word: "link busy", words: "broken off: the link was not quiet" },
  failed: { glyph: "!", word: "failed", words: "failed" },
};

export function stateLabel(state: string): Label {
  const words = state.replaceAll("_", " ");
  return CELL_STATE_LABELS[state] ?? { glyph: "!", word: words, words };
}

/** What a cell shows: its verdict when it was measured, else why not. */
export function cellLabel(cell: Pick<TestCell, "state" | "verdict" | "rate">): Label {
  return cell.rate === null || cell.verdict === null
    ? stateLabel(cell.state)
    : verdictLabel(cell.verdict.name);
}

/** Of a cell without a figure: the agent's own sentence, else what its state means. */
export function describeMissing({ state, detail }: Pick<TestCell, "state" | "detail">): string {
  const { words } = stateLabel(state);
  return detail === "" ? `${words[0]?.toUpperCase()}${words.slice(1)}.` : detail;
}

const RUN_TONES: Record<TestRun["state"], StateName> = {
  queued: "disabled",
  waiting: "warning",
  running: "ok",
  done: "ok",
  cancelled: "disabled",
  failed: "critical",
};

/** A run that is over and did not measure everything is no plain success. */
export const runTone = ({
  state,
  cells_bad,
  source,
}: Pick<TestRun, "state" | "cells_bad" | "source">): StateName =>
  state === "done" && cells_bad > 0 && source !== "paper" ? "warning" : RUN_TONES[state];

export const SOURCE_LABELS: Record<TestRun["source"], string> = { lab: "lab", live: "live", paper: "paper" };

export const KIND_LABELS: Record<TestParameters["kind"], string> = {
  tcp: "TCP, memory to memory",
  udp: "UDP, loss and packet rate",
  request_ack: "request and acknowledge",
  ping: "round trip and loss",
  rdma: "RDMA",
  file: "file transfer",
};

export const SHAPE_LABELS: Record<string, string> = {
  pair: "one to one",
  n_pairs: "pairs at the same time",
  many_to_one: "many to one",
  one_to_many: "one to many",
  n_way: "all to all at the same time",
  mesh: "mesh, one pair after the other",
};

/** Octets in IEC units: `64 KiB`, `1.5 MiB`, `1500 B`. */
export function formatBytes(bytes: number | null | undefined): string {
  if (bytes == null || !Number.isFinite(bytes)) return NONE;
  const [step, unit] = (
    [
      [2 ** 30, "GiB"],
      [2 ** 20, "MiB"],
      [2 ** 10, "KiB"],
    ] as const
  ).find(([from]) => bytes >= from) ?? [1, "B"];
  if (step === 1 || (step === 1024 && bytes < 10_240 && bytes % 1024 !== 0)) return `${grouped(bytes)} B`;
  return `${Number((bytes / step).toPrecision(3))} ${unit}`;
}

const BYTES = new Set(["window", "window_needed", "buffer_needed", "packet", "mtu", "path_mtu"]);
const SECONDS = new Set(["rtt", "wait", "write_cost"]);
const SHARES = new Set(["utilisation", "share_stalled", "cpu_share", "efficiency", "loss", "spread"]);
const RATES = new Set(["rate", "usable", "level", "per_stream", "ceiling", "mathis", "each", "other"]);
const NUMBER_LABELS: Readonly<Record<string, string>> = {
  rate: "rate",
  per_stream: "a stream",
  rtt: "round trip",
  window_needed: "window needed",
  streams_needed: "streams needed",
  writes_per_second: "writes a second",
  write_cost: "cost of a write",
  cpu_share: "busy",
  ceiling: "at most",
  mathis: "by Mathis' formula",
  other: "the other direction",
  pps: "packets a second",
  buffer_needed: "buffer needed",
  share_stalled: "writes that wait",
  each: "each",
  packets_ratio: "ratio of packets",
};

/** One of a verdict's numbers: what it is, and it with its unit. */
export function formatNumber(name: string, value: number): readonly [term: string, value: string] {
  const term = NUMBER_LABELS[name] ?? name.replaceAll("_", " ");
  if (BYTES.has(name)) return [term, formatBytes(value)];
  if (SECONDS.has(name)) return [term, milliseconds(value * 1000)];
  if (SHARES.has(name)) return [term, percent(value)];
  if (RATES.has(name)) return [term, rate(value)];
  return [term, amount(value)];
}

export const formatNumbers = ({ numbers }: Pick<TestVerdict, "numbers">): (readonly [string, string])[] =>
  Object.entries(numbers).map(([name, value]) => formatNumber(name, value));

/** The share of usable at best, as a figure: a run's words begin with it. */
export function bestShare({ used }: Pick<TestRun, "used">): number | null {
  const found = /^(\d+(?:\.\d+)?) %/.exec(used);
  return found === null ? null : Number(found[1]) / 100;
}

/** A run that is over in a word; one that lacks figures says of how many cells. */
export const runLabel = ({
  state,
  cells_bad,
  source,
}: Pick<TestRun, "state" | "cells_bad" | "source">): string =>
  state === "done" && cells_bad > 0 && source !== "paper" ? `done, ${cells_bad} not` : state;

/** What a run sends and to whom, from the plan as it was. */
export function describeEnds(run: {
  asked?: Record<string, unknown>;
  cells: readonly Pick<TestCell, "flows">[];
}): string {
  const flows = run.cells.flatMap((cell) => cell.flows);
  const names = (pick: "sender" | "receiver") => [...new Set(flows.map((flow) => flow[pick]))];
  const [senders, receivers] = [names("sender"), names("receiver")];
  if (senders.length === 0) return "";
  if (senders.toSorted().join() === receivers.toSorted().join()) return `between ${formatNames(senders)}`;
  return `${formatNames(senders)} → ${formatNames(receivers)}`;
}

function formatNames(names: readonly string[]): string {
  return names.length <= 4
    ? names.join(", ")
    : `${names.slice(0, 3).join(", ")} and ${count(names.length - 3, "more", "more")}`;
}

/** One point of a matrix, as words: `8 streams, buffer 64 KiB`. */
export function describePoint(parameters: TestParameters): string {
  const {
    streams,
    buffer,
    window,
    size,
    offered_rate,
    offered_pps,
    direction,
    mss,
    no_delay,
    quick_ack,
    congestion,
  } = parameters;
  const parts = [count(streams, "stream")];
  if (buffer !== null) parts.push(`buffer ${formatBytes(buffer)}`);
  if (window !== null) parts.push(`window ${formatBytes(window)}`);
  if (size !== null) parts.push(`size ${formatBytes(size)}`);
  if (offered_rate !== null) parts.push(`offered ${rate(offered_rate)}`);
  if (offered_pps !== null) parts.push(`${amount(offered_pps)} a second`);
  if (mss !== null) parts.push(`MSS ${grouped(mss)}`);
  if (no_delay === true) parts.push("no Nagle");
  if (quick_ack !== null) parts.push(quick_ack ? "quick acknowledgements" : "delayed acknowledgements");
  if (congestion !== "") parts.push(congestion);
  if (direction !== "forward") parts.push(direction === "reverse" ? "reverse" : "both ways");
  return parts.join(", ");
}

/** A plan's matrix in a line: `tcp: streams 1–10, buffer 16 KiB–1 MiB`. */
export function describeMatrix(matrix: TestMatrix): string {
  const span = (values: readonly number[] | null | undefined, words: (value: number) => string) =>
    values == null || values.length === 0
      ? null
      : values.length === 1
        ? words(values[0] ?? 0)
        : `${words(Math.min(...values))}–${words(Math.max(...values))} (${values.length})`;
  const parts = (
    [
      ["streams", span(matrix.streams, String)],
      ["buffer", span(matrix.buffer, formatBytes)],
      ["window", span(matrix.window, formatBytes)],
      ["size", span(matrix.size, formatBytes)],
      ["rate", span(matrix.rate, matrix.kind === "ping" ? String : rate)],
      ["directions", (matrix.direction ?? []).length > 1 ? (matrix.direction ?? []).join(", ") : null],
    ] as const
  ).flatMap(([name, words]) => (words === null ? [] : [`${name} ${words}`]));
  return [matrix.kind ?? "tcp", ...parts].join(", ");
}
