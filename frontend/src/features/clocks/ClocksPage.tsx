/** Clocks: offset by source, last step and drift; the largest offset first. */
import { useQuery } from "@tanstack/react-query";
import { clocksQuery, type Clock } from "@/api/clocks";
import { useParam, useSite } from "@/api/scope";
import classes from "./ClocksPage.module.css";
import { formatError, formatDrift, headline, formatOffset, sourceLabel, BOX, historyPoints } from "./labels";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { ChoiceFilter, STATE_CHOICES, TextFilter } from "@/ui/Filters";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table";
import { NONE } from "@/util/units";
import { clock as formatTime } from "@/util/time";

const COLUMNS: readonly Column<Clock>[] = [
  { id: "node", header: "node", value: ({ node }) => node },
  {
    id: "state",
    header: "state",
    value: ({ state }) => state,
    cell: (clock) => <ClockState clock={clock} />,
  },
  {
    id: "offset",
    header: "offset",
    csvHeader: "offset (s)",
    align: "right",
    value: ({ offset_s }) => Math.abs(offset_s),
    cell: ({ offset_s }) => <span className="num">{formatOffset(offset_s)}</span>,
  },
  {
    id: "error",
    header: "error",
    csvHeader: "error (s)",
    align: "right",
    value: ({ error_s }) => error_s,
    cell: ({ error_s }) => <span className="num">{formatError(error_s)}</span>,
  },
  {
    id: "history",
    header: "history",
    value: ({ recent }) => recent.length,
    cell: (clock) => <ClockHistory clock={clock} />,
    wide: true,
  },
  {
    id: "step",
    header: "last step",
    value: ({ step }) => step?.at ?? "",
    cell: (clock) => <Step clock={clock} />,
  },
  {
    id: "drift",
    header: "drift",
    csvHeader: "drift (ppm)",
    align: "right",
    value: ({ drift_ppm }) => drift_ppm,
    cell: (clock) => <span className="num">{formatDrift(clock)}</span>,
    wide: true,
  },
  {
    id: "source",
    header: "source",
    value: ({ source }) => source,
    cell: (clock) => <span title={clock.explanation}>{sourceLabel(clock)}</span>,
  },
  {
    id: "age",
    header: "measured",
    csvHeader: "age (s)",
    align: "right",
    value: ({ age_s }) => age_s,
    cell: ({ at }) => <AgeStamp at={at} />,
    wide: true,
  },
];

export function ClocksPage() {
  const site = useSite();
  const query = useQuery({ ...clocksQuery(site?.name ?? ""), enabled: site !== undefined });
  return (
    <>
      <PageHeader title="Clocks" headline={query.data === undefined ? "" : headline(query.data)} />
      <QueryBoundary query={query} what="the clocks">
        {(clocks) => (
          <div className={classes.page}>
            <Table clocks={clocks} />
            {clocks.length > 0 && <Sources clocks={clocks} />}
          </div>
        )}
      </QueryBoundary>
    </>
  );
}

function Table({ clocks }: { clocks: readonly Clock[] }) {
  const [sort, setSort] = useParam("sort", "-offset");
  const [q, setQ] = useParam("q", "");
  const [state, setState] = useParam("state", "");
  const wanted = q.trim().toLowerCase();
  const rows = clocks.filter(
    (clock) =>
      `${clock.node} ${sourceLabel(clock)}`.toLowerCase().includes(wanted) &&
      (state === "" || clock.state === state),
  );
  return (
    <DataTable
      label="Clocks"
      noun="clocks"
      rows={rows}
      columns={COLUMNS}
      rowKey={({ node, source }) => `${node} ${source}`}
      rowHref={({ url }) => url}
      sort={sort}
      onSort={setSort}
      step={200}
      tools={
        <>
          <TextFilter label="Search by node or source" value={q} onChange={setQ} />
          <ChoiceFilter label="State" value={state} choices={STATE_CHOICES} onChange={setState} />
        </>
      }
      empty={
        clocks.length === 0 ? (
          <EmptyState title="No clock reported yet.">
            An agent's clock is measured from its first requests; a device's clock is read over SNMP
            (hrSystemDate) or ssh.
          </EmptyState>
        ) : (
          <EmptyState title="No matching clocks.">
            Clear a filter to see all {clocks.length} clocks.
          </EmptyState>
        )
      }
    />
  );
}

function ClockState({ clock: { state, text, incident } }: { clock: Clock }) {
  const status = state === "unknown" ? `was ${text}` : text;
  return (
    <span className={classes.state}>
      <StateBadge state={state} text={text} />
      {incident === null ? (
        <span className="dim">{status}</span>
      ) : (
        <Anchor href={incident.url} title={incident.title}>
          {status}
        </Anchor>
      )}
    </span>
  );
}

function Step({ clock: { step } }: { clock: Clock }) {
  if (step === null) return <span className="dim">{NONE}</span>;
  return (
    <span title={step.text}>
      {formatOffset(step.by_s)}
      {step.at_reboot && " at reboot"}, <AgeStamp at={step.at} /> ago
    </span>
  );
}

/** How every source on this page is read, and its error bound. */
function Sources({ clocks }: { clocks: readonly Clock[] }) {
  const sources = [...new Map(clocks.map((clock) => [clock.source, clock])).values()].toSorted((a, b) =>
    a.source.localeCompare(b.source),
  );
  return (
    <Panel title="Sources">
      <dl className={classes.sources}>
        {sources.map((clock) => (
          <div key={clock.source} className={classes.source}>
            <dt>{sourceLabel(clock)}</dt>
            <dd>{clock.explanation}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function ClockHistory({ clock }: { clock: Clock }) {
  const { recent, offset_s } = clock;
  const first = recent[0];
  if (first === undefined || recent.length < 2) return <span className="dim">{NONE}</span>;
  const text = `${formatOffset(first.offset_s)} at ${formatTime(first.at)}, ${formatOffset(offset_s)} now`;
  return (
    <svg
      className={classes.past}
      width={BOX.width}
      height={BOX.height}
      viewBox={`0 0 ${BOX.width} ${BOX.height}`}
      role="img"
      aria-label={text}
    >
      <title>{text}</title>
      <line className={classes.right} x1="0" x2={BOX.width} y1={BOX.height / 2} y2={BOX.height / 2} />
      <polyline className={classes.line} points={historyPoints(recent)} />
    </svg>
  );
}
