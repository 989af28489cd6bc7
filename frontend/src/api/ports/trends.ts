/** Mean load of several ports over a range in the same bins, in one request. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import type { components } from "@/api/schema";
import type { Link } from "@/api/types";
import type { Range } from "@/util/time";

type Schemas = components["schemas"];

export type PortTrends = Schemas["PortTrendsOut"];
export type PortTrend = Schemas["PortTrendOut"];

/** Ports of one request, at most. */
export const MOST_TREND_PORTS = 200;

const EVERY_MS = 30_000;

/** `ports`: ids; of more than the API accepts, the lowest. */
export function portTrendsQuery(site: string, ports: readonly number[], range: Range, points = 60) {
  const asked = [...new Set(ports)].toSorted((a, b) => a - b).slice(0, MOST_TREND_PORTS);
  return queryOptions({
    queryKey: ["port-trends", site, range.from, range.to, points, asked],
    queryFn: () =>
      unwrap(
        client.GET("/api/v1/ports/trends", {
          params: { query: { site, port_id: asked, start: range.from, end: range.to, points } },
        }),
      ),
    enabled: site !== "" && asked.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: range.to === "now" ? EVERY_MS : false,
  });
}

/** Mean rates of a link, bit/s. */
export interface LinkTrend {
  readonly up: readonly (number | null)[];
  readonly down: readonly (number | null)[];
}

type Ends = Pick<Link, "id" | "source" | "target">;

/** Both ports of each link: either may not be measured. */
export const portsOf = (links: readonly Ends[]): number[] =>
  links.flatMap(({ source, target }) => [source.port_id ?? [], target.port_id ?? []].flat());

/** By link: forward above zero, back below; each bin from the source's port, else from the target's. */
export function linkTrends(
  links: readonly Ends[],
  { ports }: Pick<PortTrends, "ports">,
): Map<number, LinkTrend> {
  const byPort = new Map(ports.map((port) => [port.port_id, port]));
  const found = new Map<number, LinkTrend>();
  for (const { id, source, target } of links) {
    const [a, b] = [source, target].map(({ port_id }) => byPort.get(port_id ?? -1));
    if (a === undefined && b === undefined) continue;
    const bins = (a ?? b)?.in_mean ?? [];
    found.set(id, {
      up: bins.map((_, index) => a?.out_mean[index] ?? b?.in_mean[index] ?? null),
      down: bins.map((_, index) => a?.in_mean[index] ?? b?.out_mean[index] ?? null),
    });
  }
  return found;
}
