/** The busiest links: current load in both directions and its trend. */
import { useQuery } from "@tanstack/react-query";
import { historyQuery } from "@/api/queries";
import { useRange } from "@/api/scope";
import type { Link, LinkHistory } from "@/api/types";
import { RateCell } from "@/ui/RateCell";
import { Sparkline } from "@/ui/chart/Sparkline";
import { StateBadge } from "@/ui/StateBadge";
import { DataTable } from "@/ui/table/DataTable";
import type { Column } from "@/ui/table/columns";
import { describe } from "@/util/time";
import { rate } from "@/util/units";

const TREND_POINTS = 60;
const RENEW_MS = 30_000;

const COLUMNS: readonly Column<Link>[] = [
  { id: "name", header: "link", value: ({ name }) => name },
  {
    id: "capacity",
    header: "capacity",
    value: ({ usable_rate }) => usable_rate,
    cell: ({ usable_rate }) => <span className="num dim">{rate(usable_rate)}</span>,
    wide: true,
  },
  {
    id: "forward",
    header: "out →",
    value: ({ forward }) => forward?.bps,
    cell: ({ forward }) => load(forward),
  },
  { id: "back", header: "← back", value: ({ back }) => back?.bps, cell: ({ back }) => load(back) },
  { id: "trend", header: "trend", value: () => "", cell: (link) => <Trend link={link} />, wide: true },
  {
    id: "state",
    header: "state",
    value: ({ state_text }) => state_text,
    cell: ({ state, state_text }) => <StateBadge state={state} text={state_text} />,
    wide: true,
  },
];

const load = (one: Link["forward"]) => (
  <RateCell bps={one?.bps} utilisation={one?.utilisation} fresh={one?.fresh ?? false} />
);

export function TopLinks({ links }: { links: readonly Link[] }) {
  return (
    <DataTable
      isPlain
      label="Busiest links"
      noun="links"
      rows={links}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowHref={({ url }) => url}
      empty={null}
    />
  );
}

/** Scale of the trend, bit/s: its own maximum, but at least 2 % of the usable rate so that noise on an idle link stays small. */
function greatest(history: LinkHistory): number {
  return Math.max(
    history.usable_rate / 50,
    ...[...history.forward_mean, ...history.back_mean].map((figure) => figure ?? 0),
  );
}

function Trend({ link }: { link: Link }) {
  const [range] = useRange();
  const { data } = useQuery({ ...historyQuery(link.id, range, TREND_POINTS), refetchInterval: RENEW_MS });
  if (data === undefined) return null;
  return (
    <Sparkline
      up={data.forward_mean}
      down={data.back_mean}
      most={greatest(data)}
      description={`Trend of ${link.name}, ${describe(range)}`}
    />
  );
}
