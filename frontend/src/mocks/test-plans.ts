/** Test plans and meshes of the mock API, a cell with its assignments, and a comparison. */
import type { Comparison, TestCellDetail, TestGrid, TestPlan, TestPlanIn, TestRun } from "@/api/throughput";
import { FIGURE_4, KIB, MINUTE, testRuns, testRunsListed } from "@/mocks/test-runs";

export function testCell(now: number, id: string, index: number): TestCellDetail | null {
  const cell = testRuns(now).find((one) => one.id === id)?.cells[index];
  if (cell === undefined) return null;
  const assignment = (part: number, node: string, role: "server" | "client", command: string) => ({
    id: part,
    node,
    node_id: part,
    role,
    flow: 0,
    state: cell.state === "queued" ? ("asked" as const) : cell.state,
    detail: cell.detail,
    reported_at: null,
    started: null,
    ended: null,
    late_ms: 1.2,
    program: "iperf3 3.12",
    command,
    host: null,
    ports: [],
    result: null,
  });
  return {
    ...cell,
    assignments: [
      assignment(1, "shift7", "server", "iperf3 -s -1 -p 5201"),
      assignment(2, "shift3", "client", `iperf3 -c 10.0.0.7 -P ${cell.parameters.streams} -t 5`),
    ],
  };
}

export function testPlans(now: number): TestPlan[] {
  const [waiting] = testRunsListed(now, null);
  const plan = (id: number, name: string, more: Partial<TestPlan>): TestPlan => ({
    id,
    name,
    kind: "test-plan",
    site: "argonne",
    state: "idle",
    state_text: "runs on request",
    since: new Date(now).toISOString(),
    age_s: 0,
    shape: "pair",
    senders: ["shift3"],
    receivers: ["shift7"],
    fabric: "hippi",
    matrix: {
      kind: "tcp",
      streams: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      buffer: FIGURE_4.map(([buffer]) => buffer * KIB),
      window: [65_536],
      direction: ["forward"],
      duration_s: 5,
    },
    repeats: 1,
    schedule: "",
    next_at: null,
    priority: 5,
    quiet_percent: 50,
    budget_bytes: null,
    budget_s: null,
    enabled: true,
    note: "",
    author: "demo",
    created_at: new Date(now - 90_000 * 1000).toISOString(),
    cells: 70,
    runs: 4,
    last_run: null,
    may_run: true,
    url: `/tests/plans/${id}`,
    ...more,
  });
  return [
    plan(1, "shift3-shift7", {
      state: "waiting",
      state_text: "waits for run #18, which uses shift3",
      last_run: waiting ?? null,
      may_run: false,
    }),
    plan(2, "sp-mesh", {
      shape: "mesh",
      senders: HOSTS,
      receivers: [],
      fabric: "sp-switch",
      matrix: { kind: "tcp", streams: [1], duration_s: 2 },
      cells: HOSTS.length * (HOSTS.length - 1),
      runs: 1,
      schedule: "0 3 * * *",
      next_at: new Date(now + 5 * 60 * MINUTE).toISOString(),
      state_text: "next in 5 h",
    }),
  ];
}

const HOSTS = ["sp01", "sp02", "sp03", "sp04", "sp05", "sp06", "sp07", "sp08"];
const SLOW_RECEIVER = "sp05";

export function testGrids(now: number): TestGrid[] {
  const pairs = HOSTS.flatMap((sender) =>
    HOSTS.filter((receiver) => receiver !== sender).map((receiver) => ({ sender, receiver })),
  );
  const sentence = `${SLOW_RECEIVER} receives slowly: 96 Mb/s from each of the others, where 380 Mb/s is usual.`;
  return [
    {
      id: 2,
      name: "sp-mesh",
      kind: "test-grid",
      site: "argonne",
      state: "done",
      since: new Date(now - 300 * MINUTE).toISOString(),
      age_s: 18_000,
      plan_id: 2,
      run: "17",
      hosts: HOSTS,
      cells: pairs.map(({ sender, receiver }, index) => ({
        sender,
        receiver,
        rate: index === 9 ? null : receiver === SLOW_RECEIVER ? 96e6 : 380e6 + (index % 5) * 2e6,
        cells: [index],
        states: [index === 9 ? "lost_agent" : "done"],
        verdict: receiver === SLOW_RECEIVER ? "cpu_endpoint" : "medium_limited",
      })),
      usual: 382e6,
      sentence,
      suspects: [{ host: SLOW_RECEIVER, side: "receives", rate: 96e6, peer: "", sentence }],
      url: "/tests/grids/2",
    },
  ];
}

/** The server's response to a valid plan. */
export const savedPlan = (now: number, body: TestPlanIn): TestPlan => ({
  ...(testPlans(now)[0] as TestPlan),
  state: "idle",
  state_text: "runs on request",
  may_run: true,
  last_run: null,
  runs: 0,
  id: 3,
  name: body.name,
  senders: body.senders,
  receivers: body.receivers ?? [],
  matrix: body.matrix,
  url: "/tests/plans/3",
});

export function comparison(now: number, after: string, before: string): Comparison | null {
  const [one, other] = [before, after].map((id) => testRuns(now).find((item) => item.id === id));
  if (one === undefined || other === undefined) return null;
  const listed = (id: string) =>
    [...testRunsListed(now, null), ...testRunsListed(now, "paper")].find((item) => item.id === id) as TestRun;
  const differences = one.cells.flatMap((cell, index) => {
    const next = other.cells[index]?.rate ?? null;
    if (cell.rate === null || next === null) return [];
    const rate = next * (cell.parameters.streams > 7 ? 0.8 : 1);
    return [
      {
        parameters: cell.parameters,
        flows: cell.flows,
        before: cell.rate,
        after: rate,
        change: rate / cell.rate - 1,
        outcome: rate < 0.95 * cell.rate ? ("slower" as const) : ("same" as const),
      },
    ];
  });
  return {
    before: listed(before),
    after: listed(after),
    outcome: "slower",
    change: -0.2,
    sentence: `Slower by 20 % (median) in ${differences.filter(({ outcome }) => outcome === "slower").length} of ${differences.length} cells.`,
    differences,
    only_before: [],
    only_after: [],
  };
}
