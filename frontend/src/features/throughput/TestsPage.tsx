/** Throughput tests: runs of the site and of papers, plans, and grids. */
import { useQuery } from "@tanstack/react-query";
import { useParam, useSite } from "@/api/scope";
import {
  isOpen,
  testGridsQuery,
  testPlansQuery,
  testRunsQuery,
  type TestGrid,
  type TestRun,
} from "@/api/throughput";
import { PlansTable } from "./PlansTable";
import classes from "./Tests.module.css";
import {
  bestShare,
  runTone,
  runLabel,
  verdictLabel,
  SOURCE_LABELS,
  matches,
  testsHeadline,
  type RunFilter,
} from "./labels";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { ButtonLink } from "@/ui/ButtonLink";
import { DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { ChoiceFilter, TextFilter } from "@/ui/Filters";
import { PageHeader } from "@/ui/PageHeader";
import { StateLabel } from "@/ui/StateLabel";
import type { Column } from "@/ui/table";
import { UtilisationBar } from "@/ui/RateCell";
import { percent, rate } from "@/util/units";

const COLUMNS: readonly Column<TestRun>[] = [
  { id: "run", header: "run", value: ({ name }) => name },
  {
    id: "state",
    header: "state",
    value: ({ state }) => state,
    cell: (run) => <StateLabel state={runTone(run)} label={runLabel(run)} title={run.state_text} />,
  },
  {
    id: "plan",
    header: "plan",
    value: ({ plan }) => plan,
    cell: ({ plan, plan_id }) =>
      plan_id === null ? plan : <Anchor href={`/tests/plans/${plan_id}`}>{plan}</Anchor>,
    wide: true,
  },
  {
    id: "best",
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
    id: "when",
    header: "started",
    value: ({ since }) => since ?? "",
    cell: ({ since, source }) =>
      source === "paper" ? <span className="dim">published</span> : <AgeStamp at={since} suffix="ago" />,
  },
  { id: "source", header: "source", value: ({ source }) => SOURCE_LABELS[source], wide: true },
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
  const site = useSite();
  const name = site?.name ?? "";
  const enabled = site !== undefined;
  const [tab] = useParam("show", "runs");
  const runs = useQuery({ ...testRunsQuery(name), enabled });
  const plans = useQuery({ ...testPlansQuery(name), enabled });
  return (
    <>
      <PageHeader
        title="Tests"
        headline={
          runs.data === undefined || plans.data === undefined ? "" : testsHeadline(runs.data, plans.data)
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
        {tab === "plans" && (
          <QueryBoundary query={plans} what="the plans">
            {(rows) => <PlansTable plans={rows} />}
          </QueryBoundary>
        )}
        {tab === "grids" && <Grids site={name} />}
        {tab === "runs" && (
          <QueryBoundary query={runs} what="the runs">
            {(rows) => <Runs runs={rows} />}
          </QueryBoundary>
        )}
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

function Runs({ runs }: { runs: readonly TestRun[] }) {
  const [sort, setSort] = useParam("sort", "-when");
  const [q, setQ] = useParam("q", "");
  const [state, setState] = useParam("state", "");
  const [source, setSource] = useParam("source", "");
  const [verdict, setVerdict] = useParam("verdict", "");
  const filter: RunFilter = { q, state, source, verdict };
  const named = [
    ...new Set(runs.flatMap((run) => (run.verdict === null ? [] : [run.verdict.name]))),
  ].toSorted();
  const open = runs.filter(isOpen).length;
  return (
    <DataTable
      label="Test runs"
      noun="runs"
      rows={runs.filter((run) => matches(run, filter))}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowHref={({ url }) => url}
      sort={sort}
      onSort={setSort}
      step={100}
      tools={
        <>
          <TextFilter label="Search by plan or verdict" value={q} onChange={setQ} />
          <ChoiceFilter label="State" value={state} choices={STATES} onChange={setState} />
          <ChoiceFilter label="Source" value={source} choices={SOURCES} onChange={setSource} />
          <ChoiceFilter
            label="Verdict"
            value={verdict}
            choices={[
              { value: "", label: "any verdict" },
              ...named.map((name) => ({ value: name, label: verdictLabel(name).text })),
            ]}
            onChange={setVerdict}
          />
          {open > 0 && <span className="num dim">{open} in progress</span>}
        </>
      }
      empty={
        <EmptyState title={runs.length === 0 ? "No runs yet." : "No matching runs."}>
          {runs.length === 0 ? (
            <>
              Create a plan and click “Run now”. <ButtonLink href="/tests/plans/new">New plan</ButtonLink>
            </>
          ) : (
            `Clear a filter to see all ${runs.length} runs.`
          )}
        </EmptyState>
      }
    />
  );
}

const GRIDS: readonly Column<TestGrid>[] = [
  { id: "name", header: "grid", value: ({ name }) => name },
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

function Grids({ site }: { site: string }) {
  const grids = useQuery({ ...testGridsQuery(site), enabled: site !== "" });
  const [sort, setSort] = useParam("sort", "name");
  return (
    <QueryBoundary query={grids} what="the grids">
      {(rows) => (
        <DataTable
          label="Test grids"
          noun="grids"
          rows={rows}
          columns={GRIDS}
          rowKey={({ id }) => id}
          rowHref={({ url }) => url}
          sort={sort}
          onSort={setSort}
          empty={
            <EmptyState title="No grids yet.">
              A mesh plan tests every pair of endpoints in both directions and names slow endpoints.{" "}
              <ButtonLink href="/tests/plans/new?shape=mesh">New mesh</ButtonLink>
            </EmptyState>
          }
        />
      )}
    </QueryBoundary>
  );
}
