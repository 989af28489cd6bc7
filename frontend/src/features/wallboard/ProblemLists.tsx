/** What is wrong, in large type: the most urgent root causes, dead and rerouted paths. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { rowsOf } from "@/api/list-query";
import { incidentsList, pathsList } from "@/api/queries";
import type { Incident, Overview, Path } from "@/api/types";
import { byUrgency } from "./incidentOrder";
import classes from "./Wallboard.module.css";
import { FactMark } from "@/ui/FactMark";
import { StateGlyph } from "@/ui/StateBadge";
import { Waiting } from "@/ui/ErrorState";
import { useClock } from "@/ui/useClock";
import { isRerouted } from "@/util/paths";
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
          <IncidentLine key={incident.id} incident={incident} />
        ))}
      </ol>
      {rest > 0 && <p className={classes.more}>and {more} other incidents</p>}
    </section>
  );
}

function IncidentLine({ incident }: { incident: Incident }) {
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

const MOST_PATHS = 8;

const isDead = ({ in_force, end_to_end }: Path): boolean => in_force !== false && end_to_end === "dead";

export function BadPaths({ overview }: { overview: Overview }) {
  const site = overview.site.name;
  const critical = useInfiniteQuery(pathsList(site, { state: "critical", limit: MOST_PATHS }));
  const warning = useInfiniteQuery(pathsList(site, { state: "warning", limit: MOST_PATHS }));
  const paths = [
    ...rowsOf(critical.data).filter((path) => isDead(path) || isRerouted(path)),
    ...rowsOf(warning.data).filter((path) => isDead(path) || isRerouted(path)),
  ].slice(0, MOST_PATHS);
  const rest = overview.paths_dead + overview.paths_on_fallback - paths.length;
  if (paths.length === 0) return <p className={classes.calm}>No path is dead or on a fallback.</p>;
  return (
    <section className={classes.incidents} aria-label="Dead and rerouted paths">
      <ol>
        {paths.map((path) => (
          <PathLine key={path.id} path={path} />
        ))}
      </ol>
      {rest > 0 && <p className={classes.more}>and {rest} other paths</p>}
    </section>
  );
}

function PathLine({ path }: { path: Path }) {
  const now = useClock(30_000) / 1000;
  const dead = isDead(path);
  return (
    <li className={classes.path} data-state={dead ? "critical" : "warning"} data-path-id={path.id}>
      <span className={classes.what}>
        {path.node} to {path.prefix}
      </span>
      <span className={classes.mark}>
        <FactMark fact="end_to_end" state={path.end_to_end} />
        {!dead && <FactMark fact="placement" state="fallback" />}
      </span>
      <span className={classes.since}>
        {path.active === "" ? "no gateway" : `via ${path.active}`}
        {path.since !== null && ` since ${shortClock(path.since, now)}`}
      </span>
    </li>
  );
}
