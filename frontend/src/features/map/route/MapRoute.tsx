/** The path between two nodes on the map: `path=sp01,origin1`, under the failure `without`. */
import { Button } from "@mantine/core";
import { useMemo } from "react";
import { useSearchParams } from "react-router";
import { useRoutes } from "@/api/models/paths";
import { asApiError } from "@/api/problem";
import { usePast } from "@/api/scope";
import classes from "../MapPage.module.css";
import { Anchor } from "@/ui/Anchor";
import { count } from "@/util/units";

const PARAMETERS = ["path", "without"] as const;

interface MapRoute {
  /** Ids of its links; null: no path is chosen, or it is not known. */
  readonly links: readonly number[] | null;
  /** What is highlighted, or why nothing is; empty: no path is chosen. */
  readonly text: string;
  /** The page of the path. */
  readonly href: string;
  readonly clear: () => void;
}

export function useMapRoute(site: string): MapRoute {
  const [params, setParams] = useSearchParams();
  const past = usePast();
  const [chosen, without] = PARAMETERS.map((name) => params.get(name) ?? "") as [string, string];
  // Names of nodes have no comma.
  const [source = "", destination = ""] = chosen.split(",");
  const isShown = past === null && source !== "" && destination !== "";
  const query = useRoutes(site, { source, destination }, without, isShown);
  const data = query.error === null && isShown ? query.data : undefined;
  const route = data?.routes.find(({ failed }) => (failed ?? "") === without);
  const ids = route?.hops.map(({ link }) => link).join(",");
  const links = useMemo(() => (ids === undefined ? null : ids.split(",").filter(Boolean).map(Number)), [ids]);
  const title = `Path ${source} to ${destination}${route?.failed_name ? ` if ${route.failed_name} fails` : ""}`;
  return {
    links,
    text: chosen === "" ? "" : textOf(),
    href: `/paths/between?${new URLSearchParams({ source, destination, ...(without === "" ? {} : { without }) }).toString()}`,
    clear: () =>
      setParams(
        (old) => {
          const fresh = new URLSearchParams(old);
          for (const name of PARAMETERS) fresh.delete(name);
          return fresh;
        },
        { replace: true },
      ),
  };

  function textOf(): string {
    if (past !== null) return `${title}: known for the present only`;
    if (source === "" || destination === "") return "The path needs two nodes: path=FROM,TO";
    if (query.error !== null) return asApiError(query.error).message;
    if (route === undefined) return `${title}: loading …`;
    if (route.outcome !== "delivered") return `${title}: ${route.reason}`;
    return `${title}: ${count(route.hops.length, "hop")}`;
  }
}

export function RouteNote({ route: { text, href, clear } }: { route: MapRoute }) {
  if (text === "") return null;
  return (
    <div className={classes.filters} role="group" aria-label="Path on the map">
      <span role="status">{text}</span>
      <Anchor href={href}>Hops</Anchor>
      <Button size="xs" variant="default" onClick={clear}>
        Clear the path
      </Button>
    </div>
  );
}
