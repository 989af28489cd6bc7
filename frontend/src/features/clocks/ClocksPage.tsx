/** Clocks: offset by source, last step and drift; the largest offset first. */
import { clocksList, type Clock } from "@/api/clocks";
import { useListPage } from "@/api/useListPage";
import classes from "./ClocksPage.module.css";
import { formatError, formatDrift, headline, formatOffset, sourceLabel, BOX, historyPoints } from "./labels";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { ListTable } from "@/ui/table/ListTable";
import { EmptyState } from "@/ui/ErrorState";
import { STATE_CHOICES } from "@/ui/Filters";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table/columns";
import { NONE } from "@/util/units";
import { clock as formatTime } from "@/util/time";

const COLUMNS: readonly Column<Clock>[] = [
  { id: "node", sortable: true, header: "node", value: ({ node }) => node },
  {
    id: "state",
    sortable: true,
    header: "state",
    value: ({ state }) => state,
    cell: (clock) => <ClockState clock={clock} />,
  },
  {
    id: "offset",
    sortable: true,
    header: "offset",
    csvHeader: "offset (s)",
    align: "right",
    value: ({ offset_s }) => Math.abs(offset_s),
    cell: ({ offset_s }) => <span className="num">{formatOffset(offset_s)}</span>,
  },
  {
    id: "error",
    sortable: true,
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
    id: "stepped",
    sortable: true,
    header: "last step",
    value: ({ step }) => step?.at ?? "",
    cell: (clock) => <Step clock={clock} />,
  },
  {
    id: "drift",
    sortable: true,
    header: "drift",
    csvHeader: "drift (ppm)",
    align: "right",
    value: ({ drift_ppm }) => drift_ppm,
    cell: (clock) => <span className="num">{formatDrift(clock)}</span>,
    wide: true,
  },
  {
    id: "source",
    sortable: true,
    header: "source",
    value: ({ source }) => source,
    cell: (clock) => <span title={clock.explanation}>{sourceLabel(clock)}</span>,
  },
  {
    id: "age",
    sortable: true,
    header: "measured",
    csvHeader: "age (s)",
    align: "right",
    value: ({ age_s }) => age_s,
    cell: ({ at }) => <AgeStamp at={at} />,
    wide: true,
  },
];

export function ClocksPage() {
  const list = useListPage(clocksList, { columns: COLUMNS, sort: "-offset", filters: { state: "" } });
  const clocks = list.query.data ?? [];
  return (
    <>
      <PageHeader title="Clocks" headline={list.headline(headline)} />
      <div className={classes.page}>
        <ListTable
          list={list}
          label="Clocks"
          noun="clocks"
          columns={COLUMNS}
          rowKey={({ node, source }) => `${node} ${source}`}
          rowHref={({ url }) => url}
          search="Search by node"
          filters={[{ name: "state", label: "State", choices: STATE_CHOICES }]}
          none={
            <EmptyState
              title="No clock reported yet."
              command="backstay-agent status --state /var/lib/backstay-agent"
            >
              An agent's clock is measured from its first requests; a device's clock is read over SNMP
              (hrSystemDate) or ssh.
            </EmptyState>
          }
        />
        {clocks.length > 0 && <Sources clocks={clocks} />}
      </div>
    </>
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
