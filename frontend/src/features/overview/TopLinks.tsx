/** The busiest links: load in both directions and its trend. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { linkTrends, portsOf, portTrendsQuery, type LinkTrend } from "@/api/ports/trends";
import { useRange } from "@/api/scope";
import type { Link } from "@/api/types";
import classes from "./TopLinks.module.css";
import { Anchor } from "@/ui/Anchor";
import { RateCell } from "@/ui/RateCell";
import { Sparkline } from "@/ui/chart/Sparkline";
import { StateBadge } from "@/ui/StateBadge";
import { describe } from "@/util/time";
import { rate } from "@/util/units";

/** One request for all of them, whatever their order. */
function useLinkTrends(site: string, links: readonly Link[]): ReadonlyMap<number, LinkTrend> {
  const [range] = useRange();
  const { data } = useQuery(portTrendsQuery(site, portsOf(links), range));
  return useMemo(() => (data === undefined ? new Map() : linkTrends(links, data)), [links, data]);
}

export function TopLinks({ site, links }: { site: string; links: readonly Link[] }) {
  const trends = useLinkTrends(site, links);
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
              <Trend link={link} trend={trends.get(link.id)} />
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

/** The end of the scale of a trend, bit/s: its own maximum, but at least 2 % of the usable rate so that noise on an idle link stays small. */
function greatest({ usable_rate: usableRate }: Link, { up, down }: LinkTrend): number {
  return Math.max(usableRate / 50, ...[...up, ...down].map((figure) => figure ?? 0));
}

function Trend({ link, trend }: { link: Link; trend: LinkTrend | undefined }) {
  const [range] = useRange();
  if (trend === undefined) return null;
  return (
    <Sparkline
      {...trend}
      most={greatest(link, trend)}
      description={`Trend of ${link.name}, ${describe(range)}`}
    />
  );
}
