/** Navigation: the pages, with counts of root causes and of changes awaiting action. */
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "react-router";
import { countsQuery, overviewQuery } from "@/api/queries";
import { useRange, useSite } from "@/api/scope";
import { PAGES, type RailPage } from "./pages";
import classes from "./Rail.module.css";
import { Anchor } from "@/ui/Anchor";
import { Icon } from "@/ui/Icon";
import { count } from "@/util/units";

interface Counts {
  causes: number;
  incidents: number;
  awaiting: number;
  /** Seconds since the alert rules were evaluated, if overdue. */
  lateS: number | null;
}

/** The counts query of every page; on the overview its own query, so that all numbers are of one snapshot. */
export function useCountsQuery(isOverview: boolean) {
  const site = useSite()?.name;
  const [range] = useRange();
  const isKnown = site !== undefined;
  const overview = useQuery({
    ...overviewQuery(site ?? "", range),
    enabled: isKnown && isOverview,
    refetchInterval: false,
  });
  const counts = useQuery({ ...countsQuery(site ?? ""), enabled: isKnown && !isOverview });
  return isOverview ? overview : counts;
}

/** Numbers of root causes and of changes awaiting action. */
export function useCounts(isOverview: boolean): Counts {
  const { data } = useCountsQuery(isOverview);
  return {
    causes: data?.root_causes ?? 0,
    incidents: data?.open_incidents ?? 0,
    awaiting: data?.awaiting ?? 0,
    lateS: data?.evaluation_late_s ?? null,
  };
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

/** Whether the page at `pathname` belongs to an entry of the navigation. */
export function isHere({ path, also = [] }: Pick<RailPage, "path" | "also">, pathname: string): boolean {
  if (path === "/") return pathname === "/";
  return [path, ...also].some((own) => pathname === own || pathname.startsWith(`${own}/`));
}

/** `folded` shows icons only; the names remain for assistive technology and as tooltips. */
export function Rail({ folded = false, onMove }: { folded?: boolean; onMove?: () => void }) {
  const { pathname } = useLocation();
  const { causes, incidents, awaiting } = useCounts(pathname === "/");
  return (
    <nav aria-label="Pages" className={classes.rail} data-folded={folded}>
      <ul>
        {PAGES.map(({ path, name, icon, also = [] }) => (
          <li key={path}>
            <Anchor
              href={path}
              className={classes.item}
              title={folded ? name : undefined}
              aria-current={isHere({ path, also }, pathname) ? "page" : undefined}
              onClick={onMove}
            >
              <Icon name={icon} />
              <span className={folded ? "visually-hidden" : classes.name}>{name}</span>
              {name === "Incidents" && (
                <Count
                  number={causes}
                  title={`${count(causes, "root cause")} of ${count(incidents, "unresolved incident")}`}
                  text="root causes"
                />
              )}
              {name === "Changes" && (
                <Count
                  number={awaiting}
                  title={`${count(awaiting, "change")} to approve, apply or confirm`}
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
