/** Navigation: the pages, with counts of unresolved incidents and pending changes. */
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "react-router";
import { currentChangesQuery } from "@/api/failover";
import { incidentsQuery } from "@/api/queries";
import { useSite } from "@/api/scope";
import type { Change } from "@/api/types";
import { PAGES } from "./pages";
import classes from "./Rail.module.css";
import { Anchor } from "@/ui/Anchor";
import { Icon } from "@/ui/Icon";
import { count } from "@/util/units";

const WAITING: ReadonlySet<Change["state"]> = new Set(["planned", "approved", "confirming"]);

function useOpenIncidents(): number {
  const site = useSite();
  const { data } = useQuery({
    ...incidentsQuery(site?.name ?? "", { phase: "current" }),
    enabled: site !== undefined,
  });
  return data?.length ?? 0;
}

/** Number of changes of this site that await an action. */
function useWaiting(): number {
  const site = useSite();
  const { data = [] } = useQuery({ ...currentChangesQuery(site?.name ?? ""), enabled: site !== undefined });
  return data.filter(({ state }) => WAITING.has(state)).length;
}

function Count({ number, title, text }: { number: number; title: string; text: string }) {
  if (number === 0) return null;
  return (
    <span className={classes.count} title={title} data-words={text}>
      {number}
      <span className="visually-hidden"> {text}</span>
    </span>
  );
}

function isHere(path: string, pathname: string): boolean {
  return path === "/" ? pathname === "/" : pathname === path || pathname.startsWith(`${path}/`);
}

/** `folded` shows icons only; the names remain for assistive technology and as tooltips. */
export function Rail({ folded = false, onMove }: { folded?: boolean; onMove?: () => void }) {
  const { pathname } = useLocation();
  const open = useOpenIncidents();
  const waiting = useWaiting();
  return (
    <nav aria-label="Pages" className={classes.rail} data-folded={folded}>
      <ul>
        {PAGES.map(({ path, name, icon }) => (
          <li key={path}>
            <Anchor
              href={path}
              className={classes.item}
              title={folded ? name : undefined}
              aria-current={isHere(path, pathname) ? "page" : undefined}
              onClick={onMove}
            >
              <Icon name={icon} />
              <span className={folded ? "visually-hidden" : classes.name}>{name}</span>
              {name === "Incidents" && (
                <Count number={open} title={count(open, "unresolved incident")} text="unresolved" />
              )}
              {name === "Changes" && (
                <Count
                  number={waiting}
                  title={`${count(waiting, "change")} to approve, apply or confirm`}
                  text="pending"
                />
              )}
            </Anchor>
          </li>
        ))}
      </ul>
    </nav>
  );
}
