/** The path between two nodes of the mock API: through grf1, otherwise through atmgw. */
import type { NodeRoute, RouteHop, RoutesBetween } from "@/api/models/paths";
import { PLACES, SITE } from "@/mocks/network";

export const isNode = (name: string): boolean => PLACES.some((place) => place.name === name);

const end = (name: string, port: string): RouteHop["start"] =>
  port === "" ? { kind: "fabric", id: 1, name, port } : { kind: "node", id: 201, name, port };

function hop(link: number, start: RouteHop["start"], stop: RouteHop["end"], rate: number): RouteHop {
  return {
    start,
    end: stop,
    link,
    link_name: `${start.name}:${start.port}-${stop.name}`,
    state: "ok",
    state_text: "up",
    fabric: "atm-oc12",
    usable_rate: rate,
    mtu: 9180,
    arp: "unknown",
    basis: "observed",
    policy: "sp-default",
  };
}

function route(source: string, gateway: string, destination: string, rate: number): NodeRoute {
  const hops = [
    hop(1, end(source, "css0"), end("sp-switch", ""), 960e6),
    hop(101, end("sp-switch", ""), end(gateway, "gt000"), 960e6),
    hop(103, end(gateway, "ga030"), end(destination, "at0"), rate),
  ];
  return {
    failed: null,
    failed_name: "",
    failed_kind: null,
    outcome: "delivered",
    reason: "",
    hops,
    usable_rate: rate,
    narrowest: hops[2] ?? null,
    mtu: 9180,
    is_moved: false,
  };
}

export function routesBetween(source: string, destination: string): RoutesBetween {
  return {
    site: SITE.name,
    source,
    destination,
    routes: [
      route(source, "grf1", destination, 538e6),
      {
        ...route(source, "atmgw", destination, 134.5e6),
        failed: "node:grf1",
        failed_name: "grf1",
        failed_kind: "node",
        is_moved: true,
      },
      {
        ...route(source, "grf1", destination, 538e6),
        failed: "fabric:sp-switch",
        failed_name: "sp-switch",
        failed_kind: "fabric",
        outcome: "no_route",
        reason: `${source} reaches none of the gateways of sp-default: grf1 or atmgw.`,
        hops: [],
        usable_rate: null,
        narrowest: null,
        mtu: null,
        is_moved: true,
      },
    ],
  };
}
