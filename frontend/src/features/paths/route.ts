/** Sentences and addresses of the path between two nodes. Pure. */
import type { NodeRoute, RoutesBetween } from "@/api/models/paths";
import { count, rate } from "@/util/units";

/** The path under this failure; empty: the path without one. */
export function chosenRoute(routes: readonly NodeRoute[], without: string): NodeRoute | undefined {
  return without === "" ? routes[0] : routes.find(({ failed }) => failed === without);
}

/** `If grf1 fails`. */
export const failureText = ({ failed, failed_name }: Pick<NodeRoute, "failed" | "failed_name">): string =>
  failed === null ? "Present path" : `If ${failed_name} fails`;

/** `sp01 to origin1: 3 hops, narrowest 538 Mb/s at grf1:ga030-origin1:at0, MTU 9180 bytes.` */
export function routeHeadline({ source, destination, routes }: RoutesBetween, without: string): string {
  const route = chosenRoute(routes, without);
  if (route === undefined) return "";
  const failure = route.failed === null ? "" : ` if ${route.failed_name} fails`;
  const start = `${source} to ${destination}${failure}: `;
  if (route.outcome !== "delivered") return `${start}${route.reason}`;
  if (route.hops.length === 0) return `${start}the same node.`;
  return `${start}${count(route.hops.length, "hop")}, ${narrowestText(route)}, ${mtuText(route)}.`;
}

function narrowestText({ usable_rate, narrowest }: NodeRoute): string {
  if (usable_rate === null) return "narrowest rate unknown";
  return `narrowest ${rate(usable_rate)}${narrowest === null ? "" : ` at ${narrowest.link_name}`}`;
}

const mtuText = ({ mtu }: NodeRoute): string => (mtu === null ? "MTU unknown" : `MTU ${mtu} bytes`);

/** `sp01 → sp-switch → grf1 → origin1`. */
export function trail({ hops }: NodeRoute): string {
  const first = hops[0];
  if (first === undefined) return "";
  return [first.start.name, ...hops.map(({ end }) => end.name)].join(" → ");
}

/** The map with the path's hops; `failed`: the failure under which it is the path. */
export function mapHref({ source, destination }: RoutesBetween, failed: string | null): string {
  const params = new URLSearchParams({ path: `${source},${destination}` });
  if (failed !== null) params.set("without", failed);
  return `/map?${params.toString()}`;
}

/** `the node reports this gateway under sp-default`. */
export function basisText({ basis, policy }: { basis: string; policy: string }): string {
  switch (basis) {
    case "observed":
      return `reported gateway, policy ${policy}`;
    case "policy":
      return `first working gateway of ${policy}`;
    case "network":
      return "shared network";
    case "topology":
      return "fewest links";
    default:
      return basis;
  }
}
