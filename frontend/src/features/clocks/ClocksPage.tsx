/** Clocks: how far each is off by whose word, when it was set, how it drifts; the furthest off first. */
import { useQuery } from "@tanstack/react-query";
import { clocksQuery, type ClockTold } from "@/api/clocks";
import { useParam, useSite } from "@/api/scope";
import classes from "./ClocksPage.module.css";
import { ClockHistory } from "./Past";
import { formatError, formatDrift, headline, formatOffset, sourceLabel } from "./labels";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { Answer } from "@/ui/Answer";
import { DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { ChoiceFilter, STATE_CHOICES, TextFilter } from "@/ui/Filters";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table";
import { NONE } from "@/util/units";

const COLUMNS: readonly Column<ClockTold>[] = [
  { id: "node", header: "node", value: ({ node }) => node },
  { id: "state", header: "state", value: ({ state }) => state, cell: (told) => <ClockState told={told} /> },
  {
    id: "offset",
    header: "off by",
    csvHeader: "off by (s)",
    align: "right",
    value: ({ offset_s }) => Math.abs(offset_s),
    cell: ({ offset_s }) => <span className="num">{formatOffset(offset_s)}</span>,
  },
  {
    id: "error",
    header: "to within",
    csvHeader: "to within (s)",
    align: "right",
    value: ({ error_s }) => error_s,
    cell: ({ error_s }) => <span className="num">{formatError(error_s)}</span>,
  },
  {
    id: "past",
    header: "past",
    value: ({ recent }) => recent.length,
    cell: (told) => <ClockHistory told={told} />,
    wide: true,
  },
  {
    id: "step",
    header: "last set",
    value: ({ step }) => step?.at ?? "",
    cell: (told) => <Step told={told} />,
  },
  {
    id: "drift",
    header: "drift",
    csvHeader: "drift (ppm)",
    align: "right",
    value: ({ drift_ppm }) => drift_ppm,
    cell: (told) => <span className="num">{formatDrift(told)}</span>,
    wide: true,
  },
  {
    id: "source",
    header: "told by",
    value: ({ source }) => source,
    cell: (told) => <span title={told.explanation}>{sourceLabel(told)}</span>,
  },
  {
    id: "age",
    header: "looked at",
    csvHeader: "age (s)",
    align: "right",
    value: ({ age_s }) => age_s,
    cell: ({ at }) => <AgeStamp at={at} />,
    wide: true,
  },
];

export function ClocksPage() {
  const site = useSite();
  const asked = useQuery({ ...clocksQuery(site?.name ?? ""), enabled: site !== undefined });
  return (
    <>
      <PageHeader title="Clocks" headline={asked.data === undefined ? "" : headline(asked.data)} />
      <Answer asked={asked} what="the clocks">
        {(clocks) => (
          <div className={classes.page}>
            <Table clocks={clocks} />
            {clocks.length > 0 && <Sources clocks={clocks} />}
          </div>
        )}
      </Answer>
    </>
  );
}

function Table({ clocks }: { clocks: readonly ClockTold[] }) {
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
          <TextFilter label="Filter by node or source" value={q} onChange={setQ} />
          <ChoiceFilter label="State" value={state} choices={STATE_CHOICES} onChange={setState} />
        </>
      }
      empty={
        clocks.length === 0 ? (
          <EmptyState title="Nobody has told of a clock yet.">
            An agent's clock is known from its first requests on; a device's when it answers hrSystemDate or
            is read over ssh.
          </EmptyState>
        ) : (
          <EmptyState title="No clock passes this filter.">Clear it to see all {clocks.length}.</EmptyState>
        )
      }
    />
  );
}

function ClockState({ told: { state, text, incident } }: { told: ClockTold }) {
  const said = state === "unknown" ? `was ${text}` : text;
  return (
    <span className={classes.standing}>
      <StateBadge state={state} text={text} />
      {incident === null ? (
        <span className="dim">{said}</span>
      ) : (
        <Anchor href={incident.url} title={incident.title}>
          {said}
        </Anchor>
      )}
    </span>
  );
}

function Step({ told: { step } }: { told: ClockTold }) {
  if (step === null) return <span className="dim">{NONE}</span>;
  return (
    <span title={step.text}>
      {formatOffset(step.by_s)}
      {step.at_reboot && " at its reboot"}, <AgeStamp at={step.at} /> ago
    </span>
  );
}

/** How each source on this page is read, and how far it can be trusted. */
function Sources({ clocks }: { clocks: readonly ClockTold[] }) {
  const sources = [...new Map(clocks.map((clock) => [clock.source, clock])).values()].toSorted((a, b) =>
    a.source.localeCompare(b.source),
  );
  return (
    <Panel title="Who tells">
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
