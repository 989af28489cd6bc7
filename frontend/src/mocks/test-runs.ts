/** Test runs of the mock API: CERN's figure 4 from the paper and from the lab, one running, one waiting, one failed, a mesh. */
import type { TestCell, TestRun, TestRunDetail, TestVerdict } from "@/api/throughput";

export const MINUTE = 60_000;
const USABLE = 800e6;
export const KIB = 1024;

/** KiB/s over HIPPI, buffers down, one to ten streams across (CERN CN/96/13, figure 4). */
export const FIGURE_4: readonly (readonly [buffer: number, rates: readonly number[]])[] = [
  [1024, [17_066, 26_543, 36_988, 42_575, 51_505, 56_380, 62_054, 66_901, 70_249, 73_696]],
  [512, [17_066, 28_117, 37_888, 46_301, 52_128, 58_940, 62_357, 68_653, 71_805, 77_253]],
  [256, [16_516, 28_401, 40_178, 48_006, 55_976, 62_293, 68_065, 72_822, 77_540, 81_117]],
  [128, [20_480, 34_112, 42_861, 57_417, 71_094, 62_848, 75_064, 79_089, 88_025, 91_534]],
  [64, [19_692, 38_008, 48_489, 59_904, 68_568, 76_624, 84_053, 84_191, 87_038, 87_564]],
  [32, [21_333, 36_244, 48_565, 59_113, 70_201, 77_485, 82_933, 87_273, 87_442, 87_968]],
  [16, [20_480, 33_200, 46_255, 61_495, 68_070, 78_418, 80_996, 86_838, 87_616, 86_670]],
];

const WINDOW: TestVerdict = {
  name: "window_limited",
  confidence: "high",
  sentence: "Window-limited: 64 KiB / 3 ms = 175 Mb/s a stream. A window of 293 KiB would fill the medium.",
  remedy:
    "Let both ends use larger windows (window scaling, RFC 7323; socket buffers). 6 streams of 64 KiB would reach 85 % of it.",
  evidence: [
    {
      text: "One stream carries 161 Mb/s with 16 KiB as with 1 MiB, so the buffer is not the limit.",
      supports: true,
    },
    { text: "Retransmits were not measured: random loss looks the same.", supports: false },
  ],
  numbers: {
    rate: 679e6,
    per_stream: 175e6,
    window: 65_536,
    rtt: 0.003,
    window_needed: 300_000,
    streams_needed: 6,
    usable: USABLE,
  },
  suspect: "",
};
const MEDIUM: TestVerdict = {
  ...WINDOW,
  name: "medium_limited",
  sentence: "Medium-limited: 750 Mb/s is 94 % of the 800 Mb/s usable.",
  remedy: "Nothing to mend: the medium is full.",
  evidence: [{ text: "More streams carry no more.", supports: true }],
  numbers: { usable: USABLE, utilisation: 0.94 },
};

const PARAMETERS: TestCell["parameters"] = {
  kind: "tcp",
  streams: 1,
  buffer: null,
  window: 65_536,
  send_buffer: null,
  direction: "forward",
  size: null,
  offered_rate: null,
  offered_pps: null,
  mtu: null,
  mss: null,
  no_delay: null,
  quick_ack: null,
  congestion: "",
  other: "",
  senders: 1,
  receivers: 1,
  program: "",
};

function measured(rate: number, streams: number, isFull: boolean): NonNullable<TestCell["measured"]> {
  return {
    rate,
    per_stream: isFull
      ? Array.from({ length: streams }, (_, at) => (rate / streams) * (1 + (at % 3) * 0.01))
      : [],
    seconds: isFull ? [0.96, 1, 1.01, 0.99, 1.04].map((part) => part * rate) : [],
    duration_s: isFull ? 5 : null,
    retransmits: isFull ? 3 : null,
    segments: isFull ? 40_000 : null,
    loss: null,
    pps: null,
    rtt_s: isFull ? 0.0031 : null,
    rtt_least_s: isFull ? 0.0029 : null,
    cwnd: isFull ? 65_536 : null,
    cwnd_least: null,
    peer_window: null,
    path_mtu: isFull ? 65_280 : null,
    cpu: [
      { node: "shift3", role: "endpoint_sender", busy: 0.2 * streams, cores: 12, busiest: 0.4, softirq: 0.1 },
      ...(isFull
        ? [{ node: "hippi-gw", role: "gateway" as const, busy: 0.3, cores: 1, busiest: 0.3, softirq: 0.2 }]
        : []),
    ],
    stalls: null,
  };
}

/** The 70 cells; those of the lab have all values that an agent measures. */
export function figure4(isOurs: boolean): TestCell[] {
  return FIGURE_4.flatMap(([buffer, rates]) =>
    rates.map((kib, at) => ({ buffer: buffer * KIB, streams: at + 1, rate: kib * KIB * 8 })),
  ).map(({ buffer, streams, rate }, index) => ({
    index,
    key: isOurs ? String(index) : `${buffer}x${streams}`,
    flows: isOurs ? [{ sender: "shift3", receiver: "shift7", path: ["shift3", "hippi", "shift7"] }] : [],
    parameters: { ...PARAMETERS, streams, buffer },
    state: "done",
    detail: "",
    start_at: null,
    ended_at: null,
    expected_s: null,
    rate,
    used: rate / USABLE,
    measured: measured(rate, streams, isOurs),
    medium: {
      usable: USABLE,
      hops: isOurs ? [{ name: "hippi", usable: USABLE, mtu: 65_280, packet_limit: null, production: 0 }] : [],
      rtt_s: isOurs ? 0.0029 : null,
      production: null,
    },
    verdict: { ...(rate > 0.88 * USABLE ? MEDIUM : WINDOW), others: [] },
  }));
}

/** Cells without start or result. */
const empty = (cell: TestCell, state: TestCell["state"], detail = ""): TestCell => ({
  ...cell,
  state,
  detail,
  rate: null,
  used: null,
  measured: null,
  verdict: null,
  expected_s: 5,
});

function run(
  now: number,
  id: string,
  cells: readonly TestCell[],
  more: Partial<TestRunDetail>,
): TestRunDetail {
  const over = cells.filter(({ state }) => state !== "queued" && state !== "running");
  const bad = over.filter(({ state }) => state !== "done").length;
  const names = [...new Set(cells.flatMap(({ verdict }) => (verdict === null ? [] : [verdict.name])))];
  const at = (ago: number) => new Date(now - ago * MINUTE).toISOString();
  return {
    id,
    name: `#${id}`,
    kind: "test-run",
    site: "argonne",
    plan: "shift3-shift7",
    plan_id: 1,
    shape: "pair",
    source: "lab",
    state: "done",
    state_text: WINDOW.sentence,
    since: at(30),
    age_s: 1800,
    waits_for: "",
    person: "demo",
    asked_at: at(50),
    began_at: at(49),
    ended_at: at(30),
    cells_total: cells.length,
    cells_over: over.length,
    cells_bad: bad,
    progress: over.length / Math.max(1, cells.length),
    remaining_s: null,
    verdict: WINDOW,
    used: "94 % of usable at best",
    regression: null,
    may_cancel: false,
    url: `/tests/runs/${id}`,
    asked: {
      shape: "pair",
      senders: ["shift3"],
      receivers: ["shift7"],
      fabric: "hippi",
      matrix: { kind: "tcp", duration_s: 5 },
    },
    outcome: "",
    cells: [...cells],
    verdicts: names.map((name) => ({
      name,
      cells: cells.filter(({ verdict }) => verdict?.name === name).map(({ index }) => index),
      sentence: (name === "medium_limited" ? MEDIUM : WINDOW).sentence,
    })),
    citation: null,
    conclusions: [],
    ...more,
  };
}

export function testRuns(now: number): TestRunDetail[] {
  const cells = figure4(true);
  const ago = (minutes: number) => new Date(now - minutes * MINUTE).toISOString();
  const regression = {
    outcome: "slower" as const,
    usual: 720e6,
    change: -0.06,
    deviations: 4.2,
    sentence: "Slower than usual by 6 %: 679 Mb/s where 720 Mb/s is usual.",
    cells: 70,
    slower_cells: 12,
    runs: 6,
    least: 5,
  };
  return [
    run(
      now,
      "19",
      cells.map((cell) => empty(cell, "queued")),
      {
        state: "waiting",
        state_text: "waits for run #18, which uses shift3",
        waits_for: "run #18, which uses shift3",
        since: ago(2),
        began_at: null,
        ended_at: null,
        remaining_s: 700,
        verdict: null,
        used: "",
        may_cancel: true,
      },
    ),
    run(
      now,
      "18",
      cells.map((cell) => (cell.index < 24 ? cell : empty(cell, cell.index === 24 ? "running" : "queued"))),
      {
        state: "running",
        state_text: "24 of 70 cells done, about 8 min left",
        since: ago(4),
        ended_at: null,
        remaining_s: 460,
        verdict: null,
        used: "",
        may_cancel: true,
      },
    ),
    run(now, "17", cells, { regression }),
    run(
      now,
      "16",
      cells.map((cell) =>
        cell.parameters.streams === 3
          ? empty(
              cell,
              "missing_tool",
              "iperf3 is not installed on shift7: install it, or remove shift7 from the plan.",
            )
          : cell.parameters.streams === 7
            ? empty(
                cell,
                "aborted_by_load",
                "Cross traffic used 62 % of hippi, above the plan's limit of 50 %.",
              )
            : cell,
      ),
      { since: ago(1500), began_at: ago(1520), ended_at: ago(1500), person: "" },
    ),
    paperRun(now, "4", "The same over HIPPI; the stack's window ends at 64 kB"),
    paperRun(now, "5", "The same over HIPPI through a router"),
  ];
}

/** A figure of a paper. */
function paperRun(now: number, figure: string, about: string) {
  return run(now, `cern96.fig${figure}`, figure4(false), {
    name: `cern96/fig${figure}`,
    site: "",
    plan: `cern96, Figure ${figure}`,
    plan_id: null,
    source: "paper",
    since: null,
    asked_at: null,
    began_at: null,
    ended_at: null,
    person: "",
    asked: {},
    citation: {
      title: "HIPPI in the CERN Computer Centre",
      cite: "Segal, Kaim, Dimou and Gyori, CERN CN/96/13 (1996)",
      figure: `Figure ${figure}`,
      about,
    },
    conclusions: [
      {
        row: "128 kB",
        paper: "latency limited, about 3 ms and 20 MB/s a stream",
        expected: "window_limited",
        verdict: "window_limited",
        confidence: "medium",
        sentence: "Window-limited: 64 KiB / 3.1 ms = 168 Mb/s per stream.",
        agrees: true,
        why_not: "",
      },
      {
        row: "128 kB, ten streams",
        paper: "91.5 MB/s, near the medium's nominal maximum",
        expected: "medium_limited",
        verdict: "medium_limited",
        confidence: "high",
        sentence: MEDIUM.sentence,
        agrees: true,
        why_not: "",
      },
    ],
  });
}

/** A run as in lists, without cells. */
export function testRunsListed(now: number, source: string | null): TestRun[] {
  return testRuns(now)
    .filter((one) => (one.source === "paper") === (source === "paper"))
    .map(
      ({
        asked: _asked,
        outcome: _outcome,
        cells: _cells,
        verdicts: _verdicts,
        citation: _citation,
        conclusions: _conclusions,
        ...listed
      }) => listed,
    );
}
