/** The busiest links: current load in both directions and its trend. */
import { useQuery } from "@tanstack/react-query";
import { historyQuery } from "@/api/queries";
import { useRange } from "@/api/scope";
import type { Link, LinkHistory } from "@/api/types";
import classes from "./TopLinks.module.css";
import { Anchor } from "@/ui/Anchor";
import { RateCell } from "@/ui/RateCell";
import { Sparkline } from "@/ui/chart/Sparkline";
import { StateBadge } from "@/ui/StateBadge";
import { describe } from "@/util/time";
import { rate } from "@/util/units";

const TREND_POINTS = 60;
const RENEW_MS = 30_000;

export function TopLinks({ links }: { links: readonly Link[] }) {
  return (
    <table className={classes.table} aria-label="Busiest links">
      <thead>
        <tr>
          <th scope="col">link</th>
          <th scope="col" className={classes.wide}>
            capacity
          </th>
          <th scope="col">out →</th>
          <th scope="col">← back</th>
          <th scope="col" className={classes.wide}>
            trend
          </th>
          <th scope="col" className={classes.wide}>
            state
          </th>
        </tr>
      </thead>
      <tbody>
        {links.map((link) => (
          <tr key={link.id}>
            <td>
              <Anchor href={link.url} className={classes.name}>
                {link.name}
              </Anchor>
            </td>
            <td className={`num dim ${classes.wide}`}>{rate(link.usable_rate)}</td>
            <td>
              <RateCell
                bps={link.forward?.bps}
                utilisation={link.forward?.utilisation}
                fresh={link.forward?.fresh ?? false}
              />
            </td>
            <td>
              <RateCell
                bps={link.back?.bps}
                utilisation={link.back?.utilisation}
                fresh={link.back?.fresh ?? false}
              />
            </td>
            <td className={classes.wide}>
              <Trend link={link} />
            </td>
            <td className={classes.wide}>
              <StateBadge state={link.state} text={link.state_text} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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
  const { data } = useQuery({
    ...historyQuery(link.id, range, { points: TREND_POINTS }),
    refetchInterval: RENEW_MS,
  });
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
