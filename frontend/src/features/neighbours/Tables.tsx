/** Neighbour tables by port: entries against capacity, growth and broadcast sources. */
import type { NeighbourTable } from "@/api/neighbours";
import { useParam } from "@/api/scope";
import classes from "./NeighboursPage.module.css";
import { capacityOf, entryCount, formatTopHolder, formatTopSender, TREND, trendPoints } from "./labels";
import { Anchor } from "@/ui/Anchor";
import { DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { TextFilter } from "@/ui/Filters";
import { UtilisationBar } from "@/ui/RateCell";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table";
import { amount, grouped, NONE, percent } from "@/util/units";
import { clock } from "@/util/time";

const COLUMNS: readonly Column<NeighbourTable>[] = [
  {
    id: "node",
    header: "port",
    value: ({ node, port }) => `${node}:${port}`,
    cell: ({ node, port }) => `${node}:${port}`,
  },
  { id: "state", header: "state", value: ({ state }) => state, cell: (row) => <TableState row={row} /> },
  {
    id: "share",
    header: "utilisation",
    csvHeader: "utilisation (share)",
    align: "right",
    value: ({ share }) => share,
    cell: (row) => <TableUsage row={row} />,
  },
  {
    id: "entries",
    header: "entries",
    align: "right",
    value: entryCount,
    cell: (row) => <EntriesTrend table={row} />,
  },
  {
    id: "growth",
    header: "new/s",
    align: "right",
    value: ({ growth_per_s }) => growth_per_s,
    cell: ({ growth_per_s }) => amount(growth_per_s),
  },
  {
    id: "incomplete",
    header: "incomplete",
    align: "right",
    value: ({ incomplete }) => incomplete,
    cell: ({ incomplete }) => grouped(incomplete),
  },
  {
    id: "permanent",
    header: "static",
    align: "right",
    value: ({ permanent }) => permanent,
    cell: ({ permanent }) => grouped(permanent),
    wide: true,
  },
  {
    id: "broadcasts",
    header: "broadcasts/s",
    align: "right",
    value: ({ broadcasts_per_s }) => broadcasts_per_s,
    cell: ({ broadcasts_per_s }) => amount(broadcasts_per_s),
  },
  { id: "talker", header: "top sender", value: formatTopSender, cell: (row) => formatTopSender(row) || NONE },
  {
    id: "top",
    header: "top holder",
    value: formatTopHolder,
    cell: (row) => formatTopHolder(row) || NONE,
    wide: true,
  },
  {
    id: "fabric",
    header: "fabric",
    value: ({ fabric }) => fabric,
    cell: ({ fabric }) => fabric ?? NONE,
    wide: true,
  },
];

export function Tables({ tables }: { tables: readonly NeighbourTable[] }) {
  const [sort, setSort] = useParam("sort", "-share");
  const [q, setQ] = useParam("q", "");
  const wanted = q.trim().toLowerCase();
  const rows = tables.filter(({ node, port, fabric }) =>
    `${node}:${port} ${fabric ?? ""}`.toLowerCase().includes(wanted),
  );
  return (
    <DataTable
      label="Neighbour tables"
      noun="ports"
      rows={rows}
      columns={COLUMNS}
      rowKey={({ node, port }) => `${node}:${port}`}
      rowHref={({ url }) => url}
      sort={sort}
      onSort={setSort}
      step={200}
      tools={<TextFilter label="Search by port or fabric" value={q} onChange={setQ} />}
      empty={
        tables.length === 0 ? (
          <EmptyState title="No neighbour tables reported yet.">
            Agents and devices polled over SNMP report them.
          </EmptyState>
        ) : (
          <EmptyState title="No matching ports.">
            Clear the filter to see all {tables.length} ports.
          </EmptyState>
        )
      }
    />
  );
}

function TableState({ row: { state, incidents } }: { row: NeighbourTable }) {
  const first = incidents[0];
  return (
    <span className={classes.state}>
      <StateBadge state={state} />
      {first !== undefined && (
        <Anchor href={first.url} title={first.title}>
          {first.title.includes(" fill the ") ? "flood" : "nearly full"}
        </Anchor>
      )}
    </span>
  );
}

/** Utilisation of one port; the tooltip adds the shared table of the whole device. */
function TableUsage({ row }: { row: NeighbourTable }) {
  const { share, device_share, state } = row;
  const capacity = capacityOf(row);
  if (share === null || capacity === null) {
    return (
      <span
        className="dim"
        title="The device does not report its capacity: set the label neighbour_capacity of the node in the site file."
      >
        unknown
      </span>
    );
  }
  const whole = device_share !== null && device_share > share ? `, all ports ${percent(device_share)}` : "";
  return (
    <span className={classes.usage} title={`${percent(share)} of ${grouped(capacity)} entries${whole}`}>
      <span className={`num ${classes.values}`}>
        <span>{percent(share)}</span>
        <span className="dim">of {grouped(capacity)}</span>
      </span>
      <UtilisationBar utilisation={share} fresh={state !== "unknown"} />
    </span>
  );
}

/** Current entries of a table, with the last minute as a line. */
function EntriesTrend({ table }: { table: NeighbourTable }) {
  const { recent } = table;
  const first = recent[0];
  const text =
    first === undefined ? "" : `${first.entries} entries at ${clock(first.at)}, ${entryCount(table)} now`;
  return (
    <span className={classes.trend} title={text}>
      {recent.length > 1 && (
        <svg
          width={TREND.width}
          height={TREND.height}
          viewBox={`0 0 ${TREND.width} ${TREND.height}`}
          role="img"
          aria-label={text}
        >
          <polyline className={classes.line} points={trendPoints(recent)} />
        </svg>
      )}
      <span className="num">{grouped(entryCount(table))}</span>
    </span>
  );
}
