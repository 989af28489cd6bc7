/** Labels of throughput tests: verdicts with glyphs, states, shapes and numbers. */
import {
  type TestCell,
  type TestMatrix,
  type TestParameters,
  type TestRun,
  type TestVerdict,
  type TestPlan,
} from "@/api/throughput";
import { progressTone } from "@/ui/progress";
import type { StateName } from "@/ui/StateBadge";
import { throughput } from "@/util/spec.json";
import { capital } from "@/util/text";
import { amount, count, grouped, milliseconds, NONE, percent, rate } from "@/util/units";

export interface Label {
  /** Unique character. */
  readonly glyph: string;
  /** Short label for a cell. */
  readonly short: string;
  readonly text: string;
}

/** Known verdicts; others are shown by name. */
const VERDICT_LABELS: Readonly<Record<string, Label>> = throughput.verdicts;

export const VERDICT_NAMES: readonly string[] = Object.keys(VERDICT_LABELS);

export function verdictLabel(name: string): Label {
  const text = name.replaceAll("_", " ");
  return VERDICT_LABELS[name] ?? { glyph: "•", short: text, text };
}

/** States of cells without a result. */
const CELL_STATE_LABELS: Readonly<Record<string, Label>> = throughput.cell_states;

export function stateLabel(state: string): Label {
  const text = state.replaceAll("_", " ");
  return CELL_STATE_LABELS[state] ?? { glyph: "!", short: text, text };
}

/** Label of a cell: its verdict, else its state. */
export function cellLabel(cell: Pick<TestCell, "state" | "verdict" | "rate">): Label {
  return cell.rate === null || cell.verdict === null
    ? stateLabel(cell.state)
    : verdictLabel(cell.verdict.name);
}

/** Reason of a missing result: the agent's text, else the label of the state. */
export function describeMissing({ state, detail }: Pick<TestCell, "state" | "detail">): string {
  const { text } = stateLabel(state);
  return detail === "" ? `${capital(text)}.` : detail;
}

const toneOf = progressTone("test_run");

/** A finished run with missing results is a warning. */
export const runTone = ({
  state,
  cells_bad,
  source,
}: Pick<TestRun, "state" | "cells_bad" | "source">): StateName =>
  state === "done" && cells_bad > 0 && source !== "paper" ? "warning" : toneOf(state);

export const SOURCE_LABELS: Record<TestRun["source"], string> = { lab: "lab", live: "live", paper: "paper" };

export const SHAPE_LABELS: Readonly<Record<string, string>> = throughput.shapes;

/** Bytes in IEC units: `64 KiB`, `1.5 MiB`, `1500 B`. */
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
  per_stream: "rate per stream",
  rtt: "RTT",
  window_needed: "window needed",
  streams_needed: "streams needed",
  writes_per_second: "writes/s",
  write_cost: "time per write",
  cpu_share: "CPU utilisation",
  ceiling: "upper bound",
  mathis: "Mathis bound",
  other: "other direction",
  pps: "packets/s",
  buffer_needed: "buffer needed",
  share_stalled: "stalled writes",
  each: "rate per flow",
  packets_ratio: "packet ratio",
};

/** Label and formatted value of a verdict's number. */
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

/** Best share of the usable rate, parsed from the start of `used`. */
export function bestShare({ used }: Pick<TestRun, "used">): number | null {
  const found = /^(\d+(?:\.\d+)?) %/.exec(used);
  return found === null ? null : Number(found[1]) / 100;
}

/** State of a run; a finished run with missing results names their number. */
export const runLabel = ({
  state,
  cells_bad,
  source,
}: Pick<TestRun, "state" | "cells_bad" | "source">): string =>
  state === "done" && cells_bad > 0 && source !== "paper" ? `done, ${cells_bad} failed` : state;

/** Endpoints of a run, from its flows. */
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

/** Parameters of a cell: `8 streams, buffer 64 KiB`. */
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
    other,
  } = parameters;
  const parts = [count(streams, "stream")];
  if (buffer !== null) parts.push(`buffer ${formatBytes(buffer)}`);
  if (window !== null) parts.push(`window ${formatBytes(window)}`);
  if (size !== null) parts.push(`size ${formatBytes(size)}`);
  if (offered_rate !== null) parts.push(`offered ${rate(offered_rate)}`);
  if (offered_pps !== null) parts.push(`${amount(offered_pps)} packets/s`);
  if (mss !== null) parts.push(`MSS ${grouped(mss)}`);
  if (no_delay === true) parts.push("TCP_NODELAY");
  if (quick_ack !== null) parts.push(quick_ack ? "immediate ACKs" : "delayed ACKs");
  if (congestion !== "") parts.push(congestion);
  if (other !== "") parts.push(other);
  if (direction !== "forward") parts.push(throughput.directions[direction]);
  return parts.join(", ");
}

/** Whether the rate of a kind counts packets, not bits. */
export const isPaced = (kind: TestMatrix["kind"]): boolean =>
  throughput.kinds.some(
    ({ name, parameters }) =>
      name === kind && parameters.some((one) => one.name === "rate" && one.unit === "packets/s"),
  );

/** Summary of a plan's matrix: `tcp: streams 1–10, buffer 16 KiB–1 MiB`. */
export function describeMatrix(matrix: TestMatrix): string {
  const span = (values: readonly number[] | null | undefined, format: (value: number) => string) =>
    values == null || values.length === 0
      ? null
      : values.length === 1
        ? format(values[0] ?? 0)
        : `${format(Math.min(...values))}–${format(Math.max(...values))} (${values.length})`;
  const parts = (
    [
      ["streams", span(matrix.streams, String)],
      ["buffer", span(matrix.buffer, formatBytes)],
      ["window", span(matrix.window, formatBytes)],
      ["size", span(matrix.size, formatBytes)],
      ["rate", span(matrix.rate, isPaced(matrix.kind) ? String : rate)],
      ["directions", (matrix.direction ?? []).length > 1 ? (matrix.direction ?? []).join(", ") : null],
    ] as const
  ).flatMap(([name, text]) => (text === null ? [] : [`${name} ${text}`]));
  return [matrix.kind ?? "tcp", ...parts].join(", ");
}

export function testsHeadline(runs: readonly TestRun[], plans: readonly TestPlan[]): string {
  const own = runs.filter(({ source }) => source !== "paper");
  const waiting = own.filter(({ state }) => state === "waiting" || state === "queued").length;
  const running = own.filter(({ state }) => state === "running").length;
  const slower = plans.filter(({ last_run }) => last_run?.regression?.outcome === "slower").length;
  const parts = [
    running > 0 ? `${count(running, "run")} running` : "",
    waiting > 0 ? `${count(waiting, "run")} waiting` : "",
    slower > 0 ? `${count(slower, "plan")} slower than before` : "",
  ].filter(Boolean);
  if (parts.length > 0) return `${parts.join(", ")}.`;
  if (own.length === 0) return `No runs of this site yet; ${runs.length} reference runs from papers.`;
  return `No test running; ${count(own.length, "run")} of ${count(plans.length, "plan")}.`;
}
