/** Columns of the neighbour tables by port: entries against capacity, growth and broadcast sources. */
import type { NeighbourTable } from "@/api/neighbours";
import classes from "./NeighboursPage.module.css";
import { capacityOf, entryCount, formatTopHolder, formatTopSender, TREND, trendPoints } from "./labels";
import { Anchor } from "@/ui/Anchor";
import { UtilisationBar } from "@/ui/RateCell";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table/columns";
import { amount, grouped, NONE, percent } from "@/util/units";
import { clock } from "@/util/time";

export const COLUMNS: readonly Column<NeighbourTable>[] = [
  {
    id: "node",
    sortable: true,
    header: "port",
    value: ({ node, port }) => `${node}:${port}`,
    cell: ({ node, port }) => `${node}:${port}`,
  },
  {
    id: "state",
    sortable: true,
    header: "state",
    value: ({ state }) => state,
    cell: (row) => <TableState row={row} />,
  },
  {
    id: "share",
    sortable: true,
    header: "utilisation",
    csvHeader: "utilisation (share)",
    align: "right",
    value: ({ share }) => share,
    cell: (row) => <TableUsage row={row} />,
  },
  {
    id: "entries",
    sortable: true,
    header: "entries",
    align: "right",
    value: entryCount,
    cell: (row) => <EntriesTrend table={row} />,
  },
  {
    id: "growth",
    sortable: true,
    header: "new/s",
    align: "right",
    value: ({ growth_per_s }) => growth_per_s,
    cell: ({ growth_per_s }) => amount(growth_per_s),
  },
  {
    id: "incomplete",
    sortable: true,
    header: "incomplete",
    align: "right",
    value: ({ incomplete }) => incomplete,
    cell: ({ incomplete }) => grouped(incomplete),
  },
  {
    id: "permanent",
    sortable: true,
    header: "static",
    align: "right",
    value: ({ permanent }) => permanent,
    cell: ({ permanent }) => grouped(permanent),
    wide: true,
  },
  {
    id: "broadcasts",
    sortable: true,
    header: "broadcasts/s",
    align: "right",
    value: ({ broadcasts_per_s }) => broadcasts_per_s,
    cell: ({ broadcasts_per_s }) => amount(broadcasts_per_s),
  },
  { id: "talker", header: "top sender", value: formatTopSender, cell: (row) => formatTopSender(row) || NONE },
  {
    id: "top",
    sortable: true,
    header: "top holder",
    value: formatTopHolder,
    cell: (row) => formatTopHolder(row) || NONE,
    wide: true,
  },
  {
    id: "fabric",
    sortable: true,
    header: "fabric",
    value: ({ fabric }) => fabric,
    cell: ({ fabric }) => fabric ?? NONE,
    wide: true,
  },
];

function TableState({ row: { state, incidents } }: { row: NeighbourTable }) {
  const first = incidents[0];
  return (
    <span className={classes.state}>
      <StateBadge state={state} />
      {first !== undefined && (
        <Anchor href={first.url} title={first.title}>
          {first.kind === "neighbour_flood" ? "flood" : "nearly full"}
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
        title="The device does not report its capacity: state it in the site file as a label of the node."
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
