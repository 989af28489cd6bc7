/** What is different at the end of the time range than at its start; what changed and returned is only counted. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { differencesQuery } from "@/api/queries";
import { useRange, useSite } from "@/api/scope";
import type { SiteDifferences } from "@/api/types";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { EmptyState } from "@/ui/ErrorState";
import { EventList } from "@/ui/lists/EventList";
import { PageHeader, PrintButton } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table/columns";
import { DataTable } from "@/ui/table/DataTable";
import { useClock } from "@/ui/useClock";
import { clock, describe } from "@/util/time";
import { count, NONE } from "@/util/units";

type Incident = SiteDifferences["opened"][number];
type Changed = SiteDifferences["ports"][number];
type Paths = SiteDifferences["paths"][number];

const INCIDENTS: readonly Column<Incident>[] = [
  {
    id: "severity",
    header: "severity",
    value: ({ state }) => state,
    cell: ({ state }) => <StateBadge state={state} text={state} />,
  },
  {
    id: "title",
    header: "incident",
    value: ({ title }) => title,
    cell: ({ title, url }) => <Anchor href={url}>{title}</Anchor>,
    wraps: true,
  },
  {
    id: "since",
    header: "since",
    value: ({ since }) => since,
    cell: ({ since }) => <AgeStamp at={since} suffix="ago" />,
    wide: true,
  },
];

const OBJECTS: readonly Column<Changed>[] = [
  {
    id: "name",
    header: "name",
    value: ({ name }) => name,
    cell: ({ name, url }) => (url === null ? name : <Anchor href={url}>{name}</Anchor>),
  },
  { id: "before", header: "before", value: ({ before }) => before },
  { id: "after", header: "after", value: ({ after }) => after, cell: ({ after }) => <b>{after}</b> },
  {
    id: "at",
    header: "changed",
    value: ({ at }) => at,
    cell: ({ at }) => <AgeStamp at={at} suffix="ago" />,
    wide: true,
  },
];

const PATHS: readonly Column<Paths>[] = [
  {
    id: "policy",
    header: "policy",
    value: ({ policy }) => policy,
    cell: ({ policy, url }) => <Anchor href={url}>{policy}</Anchor>,
  },
  { id: "before", header: "before", value: ({ before }) => before || NONE },
  {
    id: "after",
    header: "after",
    value: ({ after }) => after || NONE,
    cell: ({ after }) => <b>{after || NONE}</b>,
  },
  { id: "paths", header: "paths", align: "right", value: ({ paths }) => paths },
  {
    id: "nodes",
    header: "nodes",
    value: ({ nodes, paths }) => nodes.join(", ") + (paths > nodes.length ? " …" : ""),
    wide: true,
    wraps: true,
  },
  {
    id: "at",
    header: "last switch",
    value: ({ at }) => at,
    cell: ({ at }) => <AgeStamp at={at} suffix="ago" />,
    wide: true,
  },
];

export function DifferencesPage() {
  const site = useSite()?.name;
  const [range] = useRange();
  const found = useQuery({ ...differencesQuery(site ?? "", range), enabled: site !== undefined });
  const headline = found.data === undefined ? "" : `${found.data.headline} Compared: ${describe(range)}.`;
  return (
    <>
      <PageHeader title="What changed" headline={headline}>
        <PrintButton />
      </PageHeader>
      <QueryBoundary query={found} what="the differences">
        {(differences) => <Lists found={differences} />}
      </QueryBoundary>
    </>
  );
}

function Lists({ found }: { found: SiteDifferences }) {
  const now = useClock(30_000) / 1000;
  const { opened, resolved, nodes, ports, paths, actions, passed, returned, start, known_since } = found;
  const isSame = [opened, resolved, nodes, ports, paths, actions].every(({ length }) => length === 0);
  return (
    <>
      {start < known_since && (
        <p className="dim">
          Events before {clock(known_since)} are removed: earlier differences are missing.
        </p>
      )}
      {isSame && (
        <EmptyState title="Nothing is different.">
          Choose an earlier start with the time range at the top.
        </EmptyState>
      )}
      <Table title="New incidents" rows={opened} total={found.opened_total} columns={INCIDENTS} />
      <Table title="Resolved incidents" rows={resolved} total={found.resolved_total} columns={INCIDENTS} />
      <Table title="Nodes" rows={nodes} total={found.nodes_total} columns={OBJECTS} />
      <Table title="Ports" rows={ports} total={found.ports_total} columns={OBJECTS} />
      <Table
        title="Paths"
        rows={paths}
        total={paths.length}
        columns={PATHS}
        aside={count(found.paths_total, "path")}
      />
      {actions.length > 0 && (
        <Panel
          title="Changes and actions"
          aside={<Total shown={actions.length} total={found.actions_total} />}
          flush
        >
          <EventList events={actions} now={now} label="Changes and actions" />
        </Panel>
      )}
      {(passed > 0 || returned > 0) && (
        <p className="dim">
          Changed in between, and as before: {count(returned, "object")}; opened and resolved in between:{" "}
          {count(passed, "incident")}. See <Anchor href="/events">Events</Anchor>.
        </p>
      )}
    </>
  );
}

interface TableProps<Row> {
  title: string;
  rows: readonly Row[];
  total: number;
  columns: readonly Column<Row>[];
  aside?: ReactNode;
}

/** Nothing if the list is empty: only what is different is on the page. */
function Table<Row extends object>({ title, rows, total, columns, aside }: TableProps<Row>) {
  if (rows.length === 0) return null;
  return (
    <Panel title={title} aside={aside ?? <Total shown={rows.length} total={total} />} flush>
      <DataTable
        label={title}
        noun={title.toLowerCase()}
        rows={rows}
        columns={columns}
        rowKey={(row) => rows.indexOf(row)}
        empty={null}
        isPlain
      />
    </Panel>
  );
}

function Total({ shown, total }: { shown: number; total: number }) {
  return <span className="dim">{total > shown ? `first ${shown} of ${total}` : total}</span>;
}
