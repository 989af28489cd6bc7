import { expect, it } from "vitest";
import { changeHeat, formatChange, pairsOfRuns, describePair, describeReason, toneOf } from "./compare";
import {
  EMPTY_DRAFT,
  draftOf,
  parseNumbers,
  matrixOfDraft,
  validate,
  planOfDraft,
  sizeOf,
  withKind,
} from "./draft";
import { deviationOf } from "./grid";
import { contrast, textColour } from "./ramp";
import { heatOf } from "./heat";
import { linesOf, MOST_LINES } from "./matrix";
import { testsHeadline } from "./labels";
import { inUnit, matrixOf, shareOf, unitOf } from "./matrix";
import { ApiError, fieldErrors } from "@/api/problem";
import { bestShare, formatNumber, formatBytes, runLabel, describeMissing } from "./labels";
import type { Comparison, TestCell, TestPlan } from "@/api/throughput";
import { testGrids, testPlans } from "@/mocks/test-plans";
import { figure4, testRuns } from "@/mocks/test-runs";
import { RAMP } from "@/ui/ramp";

const CELLS = figure4(false);
const NOW = Date.parse("2026-05-01T12:00:00Z");

it("lays streams across and buffers down, ascending", () => {
  const matrix = matrixOf(CELLS);
  expect([matrix.across, matrix.down, matrix.rows.length, matrix.columns.length]).toEqual([
    "streams",
    "buffer",
    7,
    10,
  ]);
  expect(matrix.rows.map(({ label }) => label)).toEqual([
    "16 KiB",
    "32 KiB",
    "64 KiB",
    "128 KiB",
    "256 KiB",
    "512 KiB",
    "1 MiB",
  ]);
  expect(matrix.rows[0]?.spots[9]?.[0]?.rate).toBe(86_670 * 8192);
});

it("puts both directions of a point into one cell, and numbers repeats", () => {
  const [one] = CELLS;
  if (one === undefined) throw new Error("no cell");
  const back = {
    ...one,
    index: 1,
    key: "1",
    parameters: { ...one.parameters, direction: "reverse" as const },
  };
  expect(matrixOf([one, back]).rows[0]?.spots[0]).toHaveLength(2);
  const again = { ...one, index: 2, key: "2" };
  expect(matrixOf([{ ...one, key: "0" }, again]).rows.map(({ label }) => label)).toEqual([
    "repeat 1",
    "repeat 2",
  ]);
});

it("reads each cell equally often in a mesh of 50 and of 10 endpoints", () => {
  const [one] = CELLS;
  if (one === undefined) throw new Error("no cell");
  const looks = (ends: number) => {
    let looked = 0;
    const pairs = Array.from(
      { length: ends * ends },
      (_, at) => [Math.floor(at / ends), at % ends] as const,
    ).filter(([from, to]) => from !== to);
    const cells = pairs.flatMap(([from, to]) =>
      (["forward", "reverse"] as const).map((direction, offset) => {
        const cell = {
          ...one,
          index: 2 * (from * ends + to) + offset,
          flows: [{ sender: `sp${from}`, receiver: `sp${to}`, path: [] }],
        };
        return Object.defineProperty(cell, "parameters", {
          get: () => ((looked += 1), { ...one.parameters, direction }),
        });
      }),
    );
    const matrix = matrixOf(cells);
    expect([matrix.across, matrix.down, matrix.rows.length, matrix.columns.length]).toEqual([
      "to",
      "from",
      ends,
      ends,
    ]);
    const rows = heatOf(matrix, unitOf([one.rate]), "rate").rows;
    expect([rows.length, rows[0]?.cells[0], rows[0]?.label]).toEqual([2 * ends, "self", "sp0 →"]);
    return looked / cells.length;
  };
  const [few, many] = [looks(10), looks(50)];
  expect(many).toBeLessThan(40);
  expect(many).toBeLessThanOrEqual(1.1 * few);
});

it("draws at most MOST_LINES lines, with the first and the last", () => {
  const [one] = CELLS;
  if (one === undefined) throw new Error("no cell");
  const cells = Array.from({ length: 64 * 2 }, (_, index) => ({
    ...one,
    index,
    parameters: { ...one.parameters, streams: 1 + (index % 2), buffer: 4096 * (1 + Math.floor(index / 2)) },
  }));
  const labels = linesOf(matrixOf(cells))?.lines.map(({ label }) => label) ?? [];
  expect([labels.length, labels[0], labels.at(-1), new Set(labels).size]).toEqual([
    MOST_LINES,
    "4 KiB",
    "256 KiB",
    MOST_LINES,
  ]);
});

it("shows sender and receiver counts in one label", () => {
  const [one] = CELLS;
  if (one === undefined) throw new Error("no cell");
  const counted = (index: number, senders: number, receivers: number) => ({
    ...one,
    index,
    parameters: { ...one.parameters, streams: Math.max(senders, receivers), senders, receivers },
  });
  const matrix = matrixOf([counted(0, 1, 1), counted(1, 2, 1), counted(2, 1, 2)]);
  expect(matrix.rows.map(({ label }) => label)).toEqual([
    "1 sender → 1 receiver",
    "1 sender → 2 receivers",
    "2 senders → 1 receiver",
  ]);
});

it("colours by the best cell where the usable rate is not known", () => {
  const unknown = CELLS.map((cell) => ({ ...cell, used: null, medium: { ...cell.medium, usable: null } }));
  const matrix = matrixOf(unknown);
  expect(matrix.isUsableKnown).toBe(false);
  expect(Math.max(...unknown.map((cell) => shareOf(cell, matrix.full) ?? 0))).toBe(1);
});

it("draws a line per buffer with capacity and linear scaling", () => {
  const curves = linesOf(matrixOf(CELLS));
  expect(curves?.lines).toHaveLength(7);
  expect(curves?.capacity).toBe(800e6);
  expect(curves?.scaling?.[9]).toBeCloseTo(21_333 * 8192 * 10);
  expect(linesOf(matrixOf(CELLS.slice(0, 1)))).toBeNull();
});

it("formats all values of a table in one unit", () => {
  const unit = unitOf([26e6, 1.2e9, null, 400e6]);
  expect([unit.name, inUnit(26.21e6, unit), inUnit(409_000, unit)]).toEqual(["Mb/s", "26.2", "0.41"]);
});

it("text has a contrast of at least 4.5 on every colour of the ramp", () => {
  for (const colour of [...RAMP.dark, ...RAMP.light])
    expect(contrast(colour, textColour(colour)), colour).toBeGreaterThanOrEqual(4.5);
});

it("formats sizes, numbers of verdicts and missing results", () => {
  expect([65_536, 1500, 300_000, 2 ** 20].map(formatBytes)).toEqual([
    "64 KiB",
    "1\u202f500 B",
    "293 KiB",
    "1 MiB",
  ]);
  expect(formatNumber("rtt", 0.003)).toEqual(["RTT", "3 ms"]);
  expect(formatNumber("window_needed", 300_000)).toEqual(["window needed", "293 KiB"]);
  expect(describeMissing({ state: "missing_tool", detail: "iperf3 is not installed on sp02." })).toBe(
    "iperf3 is not installed on sp02.",
  );
  expect(describeMissing({ state: "lost_agent", detail: "" })).toBe("Agent lost.");
  expect(bestShare({ used: "94 % of usable at best" })).toBe(0.94);
});

it("names the number of failed cells of a finished run", () => {
  const faulty = testRuns(NOW).find(({ id }) => id === "16");
  expect(faulty && runLabel(faulty)).toBe("done, 14 failed");
});

it("the headline counts what runs and what waits", () =>
  expect(testsHeadline(testRuns(NOW), testPlans(NOW))).toBe("1 run running, 1 run waiting."));

it("parses numbers with units and ranges", () => {
  expect(parseNumbers("1-4, 16K 1M")).toEqual([1, 2, 3, 4, 16_384, 1_048_576]);
  expect(parseNumbers("10M", 1000)).toEqual([10_000_000]);
  expect(parseNumbers("many")).toBeNull();
});

it("counts cells and time, and refuses more than a run may have", () => {
  const draft = { ...EMPTY_DRAFT, name: "a-b", senders: "sp01", receivers: "sp02" };
  expect(validate(draft)).toEqual({});
  expect(sizeOf(draft)).toMatchObject({ cells: 16, isTooLarge: false });
  expect(sizeOf({ ...draft, shape: "mesh", senders: "a b c" }).cells).toBe(96);
  expect(sizeOf({ ...draft, matrix: { ...draft.matrix, streams: "1-40" } }).cells).toBe(160);
  expect(sizeOf({ ...draft, repeats: "200" }).isTooLarge).toBe(true);
  expect(validate({ ...draft, receivers: "" })).toHaveProperty("receivers");
});

it("sends only the fields of the test kind, and restores the form of a stored plan", () => {
  expect(
    matrixOfDraft({ ...EMPTY_DRAFT, kind: "ping", matrix: { size: "64", rate: "1, 10", count: "5" } }),
  ).toEqual({ kind: "ping", size: [64], rate: [1, 10], count: 5 });
  const [plan] = testPlans(NOW);
  if (plan === undefined) throw new Error("no plan");
  expect(planOfDraft("argonne", draftOf(plan)).matrix).toEqual(plan.matrix);
  const more = {
    ...plan,
    matrix: { ...plan.matrix, mss: [1448], congestion: ["cubic"] },
    budget_bytes: 5_000_000_000,
  };
  expect(planOfDraft("argonne", draftOf(more))).toMatchObject({
    matrix: more.matrix,
    budget_bytes: more.budget_bytes,
  });
  expect(planOfDraft("argonne", withKind(draftOf(more), "ping")).matrix).not.toHaveProperty("mss");
});

it.each<TestPlan["matrix"]>([
  {
    kind: "tcp",
    streams: [1, 4],
    buffer: [65_536],
    window: [262_144],
    direction: ["forward", "both"],
    nodelay: [false, true],
    mss: [1448, 8948],
    congestion: ["cubic", "bbr"],
    rate: [100e6],
    duration_s: 10,
    omit_s: 2,
  },
  { kind: "tcp", streams: [2], buffer: [1000], window: null, direction: ["reverse"], amount: 100_000_000 },
  {
    kind: "udp",
    streams: [1],
    size: [64, 1400],
    rate: [1_500_000],
    window: [131_072],
    direction: ["forward"],
    duration_s: 3,
  },
  {
    kind: "request_ack",
    streams: [1],
    size: [65_536],
    window: [32_768],
    nodelay: [true],
    ack_delay: ["quick", "delayed"],
    header: 128,
    ack: 8,
    count: 1000,
  },
  {
    kind: "request_ack",
    streams: [1],
    size: [65_536],
    window: null,
    nodelay: [false],
    ack_delay: ["system"],
    duration_s: 2.5,
  },
  { kind: "ping", size: [64, 65_507], rate: [0.5, 100], count: 20, wait_s: 1.5 },
  {
    kind: "rdma",
    size: [65_536],
    direction: ["both"],
    program: ["ib_write_bw", "ib_send_lat"],
    queue_pairs: [1, 4],
    device: "mlx5_0",
    duration_s: 10,
  },
])("keeps every field of a plan that is edited: %j", (matrix) => {
  const [plan] = testPlans(NOW);
  if (plan === undefined) throw new Error("no plan");
  const whole = {
    ...plan,
    matrix,
    budget_bytes: 5_000_000_001,
    budget_s: 3600,
    quiet_percent: 12.5,
    priority: 0,
    repeats: 3,
    schedule: "0 3 * * *",
    note: "why",
    enabled: false,
  };
  const draft = draftOf(whole);
  expect(validate(draft)).toEqual({});
  const { site: _site, ...kept } = planOfDraft("argonne", draft);
  expect(whole).toMatchObject(kept);
  expect(kept.matrix).toEqual(matrix);
});

it("shows the server's errors at their fields", () => {
  const fields = {
    "matrix.buffer.0": "at most 1 MiB",
    "matrix.count": "at least 1",
    "senders.1": "no node sp99",
    budget_bytes: "at least 1",
    matrix: "600 cells",
  };
  expect(fieldErrors(new ApiError(422, "invalid", "Invalid request.", fields))).toEqual({
    "matrix.buffer": "at most 1 MiB",
    "matrix.count": "at least 1",
    senders: "no node sp99",
    budget_bytes: "at least 1",
    matrix: "600 cells",
  });
  const matrix = { ...EMPTY_DRAFT.matrix, congestion: "Cubic!", amount: "1G", omit_s: "2" };
  expect(validate({ ...EMPTY_DRAFT, name: "a", senders: "sp01", receivers: "sp02", matrix })).toMatchObject({
    "matrix.congestion": expect.stringContaining("cubic"),
    "matrix.omit_s": expect.stringContaining("bytes per cell"),
  });
});

it("keeps the values of fields that two kinds share", () => {
  const draft = { ...EMPTY_DRAFT, matrix: { ...EMPTY_DRAFT.matrix, duration_s: "7", streams: "16" } };
  expect(withKind(draft, "udp").matrix).toMatchObject({ duration_s: "7", streams: "1", rate: "10M" });
});

it("rates a grid's cell by its deviation from the typical rate", () => {
  const [grid] = testGrids(NOW);
  const found = (receiver: string) =>
    deviationOf(
      grid?.cells.find((cell) => cell.sender === "sp01" && cell.receiver === receiver),
      grid?.usual ?? 0,
    );
  expect([found("sp05"), found("sp02"), found("sp99")]).toEqual(["very slow", "typical", "not tested"]);
});

/** The server's comparison by index, without its significance test. */
const judged = (
  before: readonly TestCell[],
  after: readonly TestCell[],
): Pick<Comparison, "differences"> => ({
  differences: before.map(({ parameters, flows, rate }, at) => {
    const [was, is] = [rate ?? 0, after[at]?.rate ?? 0];
    return {
      parameters,
      flows: flows.map(({ sender, receiver }) => ({ sender, receiver })),
      before: was,
      after: is,
      change: is / was - 1,
      outcome: is < was ? "slower" : is > was ? "faster" : "same",
    };
  }),
});

it("compares runs by cell, a mesh by endpoints, with the reason", () => {
  const slower = CELLS.map((cell) =>
    cell.parameters.streams > 7 && cell.rate !== null
      ? {
          ...cell,
          rate: 0.6 * cell.rate,
          verdict: cell.verdict && { ...cell.verdict, name: "loss_limited", sentence: "Loss-limited." },
        }
      : cell,
  );
  const pairs = pairsOfRuns(judged(CELLS, slower), CELLS, slower);
  expect([
    pairs.length,
    pairs.filter(({ outcome }) => outcome === "slower").length,
    pairs.filter(({ outcome }) => outcome === "same").length,
  ]).toEqual([70, 21, 49]);
  const worst = pairs.find(({ outcome }) => outcome === "slower");
  if (worst === undefined) throw new Error("no pair");
  expect([toneOf(worst), describeReason(worst)]).toEqual([
    "change-3",
    "Was window-limited, is loss-limited: Loss-limited.",
  ]);
  expect(changeHeat(pairs).rows[0]?.cells[0]).toMatchObject({
    figure: "±0 %",
    short: "unchanged",
    tone: "change0",
  });
  const [one] = CELLS;
  if (one === undefined) throw new Error("no cell");
  const mesh = (rate: number) =>
    ["sp02", "sp03"].map((receiver, index) => ({
      ...one,
      index,
      rate: rate * (1 + index),
      flows: [{ sender: "sp01", receiver, path: [] }],
    }));
  const meshed = pairsOfRuns(judged(mesh(1e8), mesh(2e8)), mesh(1e8), mesh(2e8));
  expect(meshed.map((pair) => describePair(pair, true).split(",")[0])).toEqual([
    "sp01 → sp02",
    "sp01 → sp03",
  ]);
  expect(meshed.map(({ outcome }) => outcome)).toEqual(["faster", "faster"]);
  expect(pairsOfRuns(judged(mesh(1e8), mesh(2e8)), mesh(1e8), mesh(2e8).slice(1))).toHaveLength(1);
});

it("formats changes with a sign", () =>
  expect([0.12, -0.334, 0, 0.004].map(formatChange)).toEqual(["+12 %", "−33 %", "±0 %", "+0.4 %"]));
