/** One plan: definition, schedule, runs and actions. */
import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate, useParams } from "react-router";
import { carry } from "@/api/scope";
import { testPlanQuery, testRunsList, useDeletePlan, type TestPlan, type TestRun } from "@/api/throughput";
import { useListPage } from "@/api/useListPage";
import { RunPlanButton } from "./PlansTable";
import classes from "./Tests.module.css";
import { kindLabel, settingFacts } from "./testKinds";
import { bestShare, describeMatrix, formatBytes, runTone, runLabel, SHAPE_LABELS } from "./labels";
import { AgeStamp } from "@/ui/AgeStamp";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { ButtonLink } from "@/ui/ButtonLink";
import { ConfirmButton } from "@/ui/confirm";
import { EmptyState } from "@/ui/ErrorState";
import { Facts, type Fact } from "@/ui/Facts";
import { ListTable } from "@/ui/table/ListTable";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { StateLabel } from "@/ui/StateLabel";
import type { Column } from "@/ui/table/columns";
import { capital } from "@/util/text";
import { clock } from "@/util/time";
import { duration, percent } from "@/util/units";

export function PlanPage() {
  const id = Number(useParams().id);
  const plan = useQuery(testPlanQuery(id));
  return (
    <QueryBoundary query={plan} what="this plan" page="Test plan">
      {(data) => <Details plan={data} />}
    </QueryBoundary>
  );
}

const RUNS: readonly Column<TestRun>[] = [
  { id: "name", sortable: true, header: "run", value: ({ id }) => Number(id), cell: ({ name }) => name },
  {
    id: "state",
    sortable: true,
    header: "state",
    value: ({ state }) => state,
    cell: (run) => <StateLabel state={runTone(run)} label={runLabel(run)} title={run.state_text} />,
  },
  {
    id: "used",
    sortable: true,
    header: "best (% of usable)",
    align: "right",
    value: bestShare,
    cell: (run) => percent(bestShare(run)),
  },
  {
    id: "verdict",
    header: "verdict",
    value: ({ verdict }) => verdict?.sentence ?? "",
    cell: ({ verdict, state_text }) => (
      <span className={classes.sentence}>{verdict?.sentence ?? state_text}</span>
    ),
  },
  {
    id: "trend",
    header: "trend",
    value: ({ regression }) => regression?.change,
    cell: ({ regression }) => <span className={classes.sentence}>{regression?.sentence ?? "–"}</span>,
    wide: true,
  },
  {
    id: "began",
    sortable: true,
    header: "started",
    value: ({ since }) => since ?? "",
    cell: ({ since }) => <AgeStamp at={since} suffix="ago" />,
  },
];

function Details({ plan }: { plan: TestPlan }) {
  const list = useListPage(testRunsList, {
    columns: RUNS,
    sort: "-name",
    fixed: { plan: String(plan.id), source: "own" },
  });
  return (
    <>
      <PageHeader
        title={plan.name}
        headline={`${capital(plan.state_text)}.`}
        aside={
          <StateLabel
            state={plan.state === "disabled" ? "disabled" : plan.state === "waiting" ? "warning" : "ok"}
            label={plan.state}
          />
        }
      >
        <Controls plan={plan} />
      </PageHeader>
      <div className={classes.page} data-testid="plan">
        <Panel title="Definition">
          <Facts facts={factsOf(plan)} />
        </Panel>
        <ListTable
          list={list}
          label="Runs of this plan"
          noun="runs"
          columns={RUNS}
          rowKey={({ id }) => id}
          rowHref={({ url }) => url}
          none={
            <EmptyState title="No runs yet.">
              Click “Run now” to start it as soon as its resources are free.
            </EmptyState>
          }
        />
      </div>
    </>
  );
}

function Controls({ plan }: { plan: TestPlan }) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const remove = useDeletePlan(() => void navigate(carry("/tests?show=plans", search)));
  return (
    <div className={classes.row}>
      <RunPlanButton plan={plan} />
      {plan.shape === "mesh" && plan.runs > 0 && (
        <ButtonLink href={`/tests/grids/${plan.id}`}>Grid</ButtonLink>
      )}
      <ButtonLink href={`/tests/plans/${plan.id}/edit`}>Edit</ButtonLink>
      {plan.may_run && (
        <ConfirmButton
          isBusy={remove.isPending}
          title={`Remove test plan ${plan.name}?`}
          consequence="It is not run again. Its runs and their results are kept."
          action="Remove plan"
          onConfirm={() => remove.mutate(plan.id)}
        >
          Remove
        </ConfirmButton>
      )}
    </div>
  );
}

function factsOf(plan: TestPlan): Fact[] {
  const {
    matrix,
    shape,
    senders,
    receivers,
    fabric,
    repeats,
    cells,
    schedule,
    next_at,
    quiet_percent,
    budget_bytes,
    budget_s,
    priority,
    author,
    note,
  } = plan;
  const facts: (Fact | null)[] = [
    ["test", kindLabel(matrix.kind ?? "tcp")],
    ["endpoints", `${senders.join(", ")}${receivers.length === 0 ? "" : ` → ${receivers.join(", ")}`}`],
    ["shape", SHAPE_LABELS[shape] ?? shape],
    fabric === "" ? null : ["fabric", fabric],
    ["parameters", describeMatrix(matrix)],
    matrix.amount == null ? null : ["data per cell", formatBytes(matrix.amount)],
    matrix.duration_s == null ? null : ["time per cell", duration(matrix.duration_s)],
    ...settingFacts(matrix),
    ["cells", `${cells}${repeats > 1 ? `, ${repeats} repeats` : ""}`],
    ["schedule", schedule === "" ? "on demand" : `${schedule} (UTC)`],
    next_at === null ? null : ["next run", clock(next_at)],
    quiet_percent === null ? null : ["max cross traffic", `${quiet_percent} %`],
    budget_bytes === null ? null : ["max data per day", formatBytes(budget_bytes)],
    budget_s === null ? null : ["max test time per day", duration(budget_s)],
    ["priority", String(priority)],
    author === "" ? null : ["author", author],
    note === "" ? null : ["note", note],
  ];
  return facts.filter((fact) => fact !== null);
}
