/** Throughput tests: runs of the site and of papers, plans, and grids. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { rowsOf } from "@/api/list-query";
import { useParam, useSite } from "@/api/scope";
import { testGridsList, testPlansList, testRunsList, type TestGrid, type TestRun } from "@/api/throughput";
import { useListPage } from "@/api/useListPage";
import { PlansTable } from "./PlansTable";
import classes from "./Tests.module.css";
import {
  bestShare,
  runTone,
  runLabel,
  VERDICT_NAMES,
  verdictLabel,
  SOURCE_LABELS,
  testsHeadline,
} from "./labels";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { ButtonLink } from "@/ui/ButtonLink";
import { ListTable } from "@/ui/table/ListTable";
import { EmptyState } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";
import { StateLabel } from "@/ui/StateLabel";
import type { Column } from "@/ui/table/columns";
import { UtilisationBar } from "@/ui/RateCell";
import { percent, rate } from "@/util/units";

const COLUMNS: readonly Column<TestRun>[] = [
  { id: "name", sortable: true, header: "run", value: ({ name }) => name },
  {
    id: "state",
    sortable: true,
    header: "state",
    value: ({ state }) => state,
    cell: (run) => <StateLabel state={runTone(run)} label={runLabel(run)} title={run.state_text} />,
  },
  {
    id: "plan",
    sortable: true,
    header: "plan",
    value: ({ plan }) => plan,
    cell: ({ plan, plan_id }) =>
      plan_id === null ? plan : <Anchor href={`/tests/plans/${plan_id}`}>{plan}</Anchor>,
    wide: true,
  },
  {
    id: "used",
    sortable: true,
    header: "best (% of usable)",
    align: "right",
    value: bestShare,
    cell: (run) => <Best run={run} />,
  },
  {
    id: "verdict",
    header: "verdict",
    value: ({ verdict }) => verdict?.sentence ?? "",
    cell: (run) => <VerdictText run={run} />,
  },
  {
    id: "began",
    sortable: true,
    header: "started",
    value: ({ since }) => since ?? "",
    cell: ({ since, source }) =>
      source === "paper" ? <span className="dim">published</span> : <AgeStamp at={since} suffix="ago" />,
  },
  {
    id: "source",
    sortable: true,
    header: "source",
    value: ({ source }) => SOURCE_LABELS[source],
    wide: true,
  },
];

function Best({ run }: { run: TestRun }) {
  const share = bestShare(run);
  if (share === null)
    return (
      <span className="dim" title="Usable rate unknown, or no result">
        –
      </span>
    );
  return (
    <>
      <span className="num">{percent(share)}</span>
      <UtilisationBar utilisation={share} />
    </>
  );
}

function VerdictText({ run: { verdict, state_text } }: { run: TestRun }) {
  if (verdict === null) return <span className={`${classes.sentence} dim`}>{state_text}</span>;
  const { glyph } = verdictLabel(verdict.name);
  return (
    <span className={classes.sentence}>
      <span className={classes.glyph} aria-hidden="true">
        {glyph}
      </span>{" "}
      {verdict.sentence}
    </span>
  );
}

const TABS = [
  { id: "runs", label: "Runs" },
  { id: "plans", label: "Plans" },
  { id: "grids", label: "Grids" },
] as const;

export function TestsPage() {
  const site = useSite()?.name ?? "";
  const enabled = site !== "";
  const [tab] = useParam("show", "runs");
  const runs = useInfiniteQuery({ ...testRunsList(site), enabled });
  const plans = useInfiniteQuery({ ...testPlansList(site), enabled });
  return (
    <>
      <PageHeader
        title="Tests"
        headline={
          runs.data === undefined || plans.data === undefined
            ? ""
            : testsHeadline(rowsOf(runs.data), rowsOf(plans.data))
        }
      >
        <div className={classes.row}>
          <ButtonLink href="/tests/compare">Compare runs</ButtonLink>
          <ButtonLink href="/tests/plans/new">New plan</ButtonLink>
        </div>
      </PageHeader>
      <div className={classes.page}>
        <nav className={classes.tabs} aria-label="Views">
          {TABS.map(({ id, label }) => (
            <Anchor
              key={id}
              href={id === "runs" ? "/tests" : `/tests?show=${id}`}
              aria-current={tab === id ? "page" : undefined}
            >
              {label}
            </Anchor>
          ))}
        </nav>
        {tab === "plans" && <PlansTable />}
        {tab === "grids" && <Grids />}
        {tab === "runs" && <Runs />}
      </div>
    </>
  );
}

const STATES = [
  { value: "", label: "any state" },
  { value: "current", label: "in progress" },
  { value: "done", label: "done" },
  { value: "failed", label: "failed" },
  { value: "cancelled", label: "cancelled" },
] as const;
const SOURCES = [
  { value: "", label: "any source" },
  { value: "own", label: "site" },
  { value: "lab", label: "lab" },
  { value: "live", label: "live" },
  { value: "paper", label: "papers" },
] as const;

const VERDICTS = [
  { value: "", label: "any verdict" },
  ...VERDICT_NAMES.map((name) => ({ value: name, label: verdictLabel(name).text })),
];

function Runs() {
  const list = useListPage(testRunsList, {
    columns: COLUMNS,
    filters: { state: "", source: "", verdict: "" },
  });
  return (
    <ListTable
      list={list}
      label="Test runs"
      noun="runs"
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowHref={({ url }) => url}
      search="Search by plan or verdict"
      filters={[
        { name: "state", label: "State", choices: STATES },
        { name: "source", label: "Source", choices: SOURCES },
        { name: "verdict", label: "Verdict", choices: VERDICTS },
      ]}
      none={
        <EmptyState
          title="No runs yet."
          command="backstay tests new nightly --from NODE --to NODE --streams 1,4 --buffer 64K"
        >
          Create a plan and click “Run now”. <ButtonLink href="/tests/plans/new">New plan</ButtonLink>
        </EmptyState>
      }
    />
  );
}

const GRIDS: readonly Column<TestGrid>[] = [
  { id: "name", sortable: true, header: "grid", value: ({ name }) => name },
  { id: "hosts", header: "endpoints", align: "right", value: ({ hosts }) => hosts.length },
  {
    id: "usual",
    header: "typical rate",
    csvHeader: "typical rate (bit/s)",
    align: "right",
    value: ({ usual }) => usual,
    cell: ({ usual }) => rate(usual),
  },
  {
    id: "summary",
    header: "summary",
    value: ({ sentence }) => sentence,
    cell: ({ sentence }) => <span className={classes.sentence}>{sentence}</span>,
  },
  {
    id: "when",
    header: "started",
    value: ({ since }) => since,
    cell: ({ since }) => <AgeStamp at={since} suffix="ago" />,
  },
];

function Grids() {
  const list = useListPage(testGridsList, { columns: GRIDS, sort: "name" });
  return (
    <ListTable
      list={list}
      label="Test grids"
      noun="grids"
      columns={GRIDS}
      rowKey={({ id }) => id}
      rowHref={({ url }) => url}
      none={
        <EmptyState title="No grids yet.">
          A mesh plan tests every pair of endpoints in both directions and names slow endpoints.{" "}
          <ButtonLink href="/tests/plans/new?shape=mesh">New mesh</ButtonLink>
        </EmptyState>
      }
    />
  );
}
