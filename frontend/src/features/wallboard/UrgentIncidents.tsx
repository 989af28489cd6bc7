/** The most urgent root causes in large type: what, since when, whose. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { incidentsList } from "@/api/queries";
import { rowsOf } from "@/api/list-query";
import type { Incident } from "@/api/types";
import { byUrgency } from "./urgency";
import classes from "./Wall.module.css";
import { StateGlyph } from "@/ui/StateBadge";
import { Waiting } from "@/ui/ErrorState";
import { useClock } from "@/ui/useClock";
import { shortClock } from "@/util/time";
import { count, duration } from "@/util/units";

/** The gravest first: beyond them, only their number counts. */
const FETCHED = 100;
const WANTED = { phase: "current", root: true, muted: false, sort: "state", limit: FETCHED } as const;

export function UrgentIncidents({ site, most }: { site: string; most: number }) {
  const { data } = useInfiniteQuery(incidentsList(site, WANTED));
  if (data === undefined) return <Waiting what="the incidents" />;
  const known = rowsOf(data).toSorted(byUrgency);
  const rest = known.length - most;
  const more = data.pages.at(-1)?.next == null ? String(rest) : `more than ${rest}`;
  if (known.length === 0) return <p className={classes.calm}>No open incidents.</p>;
  return (
    <section className={classes.incidents} aria-label="Most urgent incidents">
      <ol>
        {known.slice(0, most).map((incident) => (
          <Line key={incident.id} incident={incident} />
        ))}
      </ol>
      {rest > 0 && <p className={classes.more}>and {more} other incidents</p>}
    </section>
  );
}

function Line({ incident }: { incident: Incident }) {
  const { state, title, since, owner, phase, acknowledged_by, effects } = incident;
  const now = useClock() / 1000;
  const age = Math.max(0, Math.round(now - Date.parse(since) / 1000));
  const who = owner ?? (phase === "acknowledged" ? acknowledged_by : null);
  return (
    <li className={classes.incident} data-state={state} data-incident-id={incident.id}>
      <span className={classes.glyph}>
        <StateGlyph state={state} size={24} />
        <span className="visually-hidden">{state}</span>
      </span>
      <span className={classes.what}>{title}</span>
      <span className={classes.since}>
        since <time dateTime={since}>{shortClock(since, now).slice(0, -3)}</time>, {duration(age)}
        {effects > 0 && `, ${count(effects, "effect")}`}
      </span>
      <span className={classes.owner} data-none={who === null}>
        {who ?? "no owner"}
      </span>
    </li>
  );
}
