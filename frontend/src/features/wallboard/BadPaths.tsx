/** Dead paths, then those on a fallback, in large type. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { pathsList } from "@/api/queries";
import { rowsOf } from "@/api/list-query";
import type { Overview, Path } from "@/api/types";
import classes from "./Wall.module.css";
import { FactMark } from "@/ui/FactMark";
import { useClock } from "@/ui/useClock";
import { isRerouted } from "@/util/paths";
import { shortClock } from "@/util/time";

const MOST = 8;

const isDead = ({ in_force, end_to_end }: Path): boolean => in_force && end_to_end === "dead";

export function BadPaths({ overview }: { overview: Overview }) {
  const site = overview.site.name;
  const critical = useInfiniteQuery(pathsList(site, { state: "critical", limit: MOST }));
  const warning = useInfiniteQuery(pathsList(site, { state: "warning", limit: MOST }));
  const paths = [
    ...rowsOf(critical.data).filter((path) => isDead(path) || isRerouted(path)),
    ...rowsOf(warning.data).filter((path) => isDead(path) || isRerouted(path)),
  ].slice(0, MOST);
  const rest = overview.paths_dead + overview.paths_on_fallback - paths.length;
  if (paths.length === 0) return <p className={classes.calm}>No path is dead or on a fallback.</p>;
  return (
    <section className={classes.incidents} aria-label="Dead and rerouted paths">
      <ol>
        {paths.map((path) => (
          <Line key={path.id} path={path} />
        ))}
      </ol>
      {rest > 0 && <p className={classes.more}>and {rest} other paths</p>}
    </section>
  );
}

function Line({ path }: { path: Path }) {
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
