/** Paths affected by an incident, grouped by effect, the worst first. */
import type { IncidentDetail } from "@/api/types";
import { Links } from "./Links";
import classes from "./IncidentPage.module.css";
import { count } from "@/util/units";

type Objects = IncidentDetail["objects"];

/** The server links only the first paths: `number` counts all. */
interface Group {
  readonly title: string;
  readonly number: number;
  readonly links: Objects;
}

/** ID of the path that a URL opens. */
const idOf = (url: string): number => Number(new URLSearchParams(url.split("?")[1]).get("sel"));

export function pathGroups(incident: IncidentDetail): Group[] {
  const { dead_paths, rerouted_paths, standby_paths, path_ids, objects } = incident;
  const links = objects.filter(({ kind }) => kind === "path");
  const known = (
    [
      ["Dead", dead_paths],
      ["Rerouted", rerouted_paths],
      ["Standby lost", standby_paths],
    ] as const
  ).filter(([, ids]) => ids.length > 0);
  const groups = known.length > 0 ? known : ([["Affected", path_ids]] as const);
  return groups
    .filter(([, ids]) => ids.length > 0)
    .map(([title, ids]) => ({
      title,
      number: ids.length,
      links: links.filter(({ url }) => ids.includes(idOf(url))),
    }));
}

export function AffectedPaths({ incident }: { incident: IncidentDetail }) {
  const groups = pathGroups(incident);
  if (groups.length === 0) return null;
  return (
    <dl className={classes.paths}>
      {groups.map(({ title, number, links }) => (
        <div key={title}>
          <dt>
            {title}: {count(number, "path")}
          </dt>
          <dd>
            <Links objects={links} />
            {links.length > 0 && links.length < number && (
              <span className="dim">, and {number - links.length} more</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
