/** The left rail: where one is and where one can go, with the count of open incidents. */
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "react-router";
import { incidentsQuery } from "@/api/queries";
import { useSite } from "@/api/scope";
import { PAGES } from "./pages";
import classes from "./Rail.module.css";
import { Anchor } from "@/ui/Anchor";
import { Icon } from "@/ui/Icon";
import { count } from "@/util/units";

function useOpenIncidents(): number {
  const site = useSite();
  const { data } = useQuery({ ...incidentsQuery(site?.name ?? "", { phase: "current" }), enabled: site !== undefined });
  return data?.length ?? 0;
}

function isHere(path: string, pathname: string): boolean {
  return path === "/" ? pathname === "/" : pathname === path || pathname.startsWith(`${path}/`);
}

/** `folded` leaves only the pictures; the words stay for assistive technology and as hover text. */
export function Rail({ folded = false, onMove }: { folded?: boolean; onMove?: () => void }) {
  const { pathname } = useLocation();
  const open = useOpenIncidents();
  return (
    <nav aria-label="Pages" className={classes.rail} data-folded={folded}>
      <ul>
        {PAGES.map(({ path, name, icon }) => (
          <li key={path}>
            <Anchor href={path} className={classes.item} title={folded ? name : undefined} aria-current={isHere(path, pathname) ? "page" : undefined} onClick={onMove}>
              <Icon name={icon} />
              <span className={folded ? "visually-hidden" : classes.name}>{name}</span>
              {name === "Incidents" && open > 0 && (
                <span className={classes.count} title={`${count(open, "incident")} not resolved`}>
                  {open}
                  <span className="visually-hidden"> not resolved</span>
                </span>
              )}
            </Anchor>
          </li>
        ))}
      </ul>
    </nav>
  );
}
