/**
 * The Argonne complex of the mock API: the lab's nodes and links with loads that vary over time.
 *
 * For development and unit tests; never part of the build. Rates are sine waves, not measurements.
 */
import type { Link, LinkHistory, Load, Site, State, Topology, TopologyLink, TopologyNode } from "@/api/types";
import { moment } from "@/util/time";

export type Scenario = "normal" | "cut" | "saturated";

export const HOUR = 3_600_000;
export const iso = (at: number): string => new Date(at).toISOString();

const SCALE = 0.1;
const SP_COUNT = 8;

export const SITE: Site = {
  id: 1,
  name: "argonne",
  title: "Argonne SP complex, 1998",
  interval_s: 2,
  rate_scale: SCALE,
  imported_at: "2026-05-01T08:00:00Z",
};

interface Wire {
  name: string;
  source: string;
  target: string;
  sourcePort: string;
  targetPort: string | null;
  fabric: string;
  circuit: string;
  usable: number;
  media: number;
  mtu: number;
}

interface Place {
  key: string;
  id: number;
  name: string;
  title: string;
  kind: string;
  role: string;
  tier: number;
}

const host = (id: number, name: string, title: string, kind: string, role: string, tier: number): Place => ({
  key: `node:${id}`,
  id,
  name,
  title,
  kind,
  role,
  tier,
});

export const PLACES: readonly Place[] = [
  ...Array.from({ length: SP_COUNT }, (_, index) =>
    host(index + 1, `sp0${index + 1}`, "SP thin node", "host", "compute", 0),
  ),
  {
    key: "fabric:1",
    id: 1,
    name: "sp-switch",
    title: "SP Switch",
    kind: "fabric",
    role: "sp_switch",
    tier: 1,
  },
  host(9, "atmgw", "SP wide node, ATM OC-3 gateway", "gateway", "gateway", 2),
  host(10, "grf1", "GigaRouter, SP extension node", "gateway", "gateway", 2),
  host(11, "onyx1", "Onyx on HIPPI", "host", "server", 3),
  host(12, "origin1", "Origin2000 on ATM OC-12", "host", "server", 3),
  host(13, "router", "Division router", "router", "router", 3),
  host(14, "mgmt1", "Management host", "host", "management", 3),
];

const medium = (name: string, port: string): Wire => ({
  name: `${name}:${port}-sp-switch`,
  source: name,
  target: "sp-switch",
  sourcePort: port,
  targetPort: null,
  fabric: "sp-switch",
  circuit: "",
  usable: 960e6,
  media: 960e6,
  mtu: 65520,
});

const circuit = (
  ends: [string, string, string, string],
  fabric: string,
  pvc: string,
  media: number,
  usable: number,
  mtu: number,
): Wire => ({
  name: `${ends[0]}:${ends[1]}-${ends[2]}:${ends[3]}`,
  source: ends[0],
  target: ends[2],
  sourcePort: ends[1],
  targetPort: ends[3],
  fabric,
  circuit: pvc,
  usable,
  media,
  mtu,
});

const WIRES: readonly Wire[] = [
  ...Array.from({ length: SP_COUNT }, (_, index) => medium(`sp0${index + 1}`, "css0")),
  medium("atmgw", "css0"),
  medium("grf1", "gt000"),
  circuit(["grf1", "gh010", "onyx1", "hip0"], "hippi", "", 800e6, 800e6, 65280),
  circuit(["grf1", "ga030", "origin1", "at0"], "atm-oc12", "0/130", 622.08e6, 538e6, 9180),
  circuit(["grf1", "ga031", "router", "at0"], "atm-oc12", "0/131", 622.08e6, 538e6, 9180),
  circuit(["atmgw", "at0", "router", "at1"], "atm-oc3", "0/140", 155.52e6, 134.5e6, 9180),
  circuit(["origin1", "at1", "router", "at2"], "atm-oc12", "0/150", 622.08e6, 538e6, 9180),
];

export const idOf = (name: string): number => PLACES.find((place) => place.name === name)?.id ?? 0;
const keyOf = (name: string): string => PLACES.find((place) => place.name === name)?.key ?? "";

const touchesGrf = (wire: Wire): boolean => wire.source === "grf1" || wire.target === "grf1";

/** A slow oscillation, different per link and direction: time in seconds to a fraction of the usable rate. */
function share(seed: number, seconds: number): number {
  const slow = Math.sin(seconds / (23 + seed * 3) + seed);
  const quick = Math.sin(seconds / (5 + (seed % 4)) + seed * 2);
  return Math.max(0.01, 0.16 + 0.1 * slow + 0.04 * quick + 0.02 * (seed % 5));
}

function loadOf(
  index: number,
  wire: Wire,
  direction: "forward" | "back",
  now: number,
  scenario: Scenario,
): Load | null {
  const seconds = now / 1000;
  let part = share(index * 2 + (direction === "forward" ? 0 : 1), seconds);
  if (scenario === "cut" && touchesGrf(wire)) return null;
  if (scenario === "cut" && wire.source === "atmgw") part = Math.min(0.86, part * 2.6);
  if (scenario !== "cut" && wire.source === "atmgw") part *= 0.12;
  if (
    scenario === "saturated" &&
    wire.source === "grf1" &&
    wire.sourcePort === "ga030" &&
    direction === "forward"
  )
    part = 0.975;
  const bps = Math.round(part * wire.usable * SCALE);
  return {
    bps,
    utilisation: part,
    peak_bps: Math.round(bps * 1.22),
    at: new Date(now - 700).toISOString(),
    fresh: true,
  };
}

function carriesOf(wire: Wire, scenario: Scenario): TopologyLink["carries"] {
  const fallback = wire.source === "atmgw";
  if (scenario === "cut") return touchesGrf(wire) ? "standby_dead" : "active";
  return fallback ? "standby_verified" : "active";
}

function stateOf(wire: Wire, scenario: Scenario): [State, string] {
  if (scenario === "cut" && touchesGrf(wire)) return ["critical", "down: no carrier at grf1"];
  if (scenario === "saturated" && wire.sourcePort === "ga030")
    return ["warning", "98 % of usable towards origin1"];
  return ["ok", "last seen 1 s ago"];
}

export function links(now: number, scenario: Scenario): TopologyLink[] {
  return WIRES.map((wire, index) => {
    const [state, text] = stateOf(wire, scenario);
    return {
      id: index + 1,
      name: wire.name,
      source: keyOf(wire.source),
      target: keyOf(wire.target),
      source_port: wire.sourcePort,
      target_port: wire.targetPort,
      fabric: wire.fabric,
      kind: wire.targetPort === null ? "medium" : wire.circuit === "" ? "link" : "circuit",
      circuit: wire.circuit,
      usable_rate: wire.usable * SCALE,
      state,
      state_text: text,
      carrier: scenario === "cut" && touchesGrf(wire) ? "down" : "up",
      carries: carriesOf(wire, scenario),
      forward: loadOf(index, wire, "forward", now, scenario),
      back: loadOf(index, wire, "back", now, scenario),
      incidents: state === "ok" ? 0 : 1,
      url: `/links/${index + 1}`,
    };
  });
}

function roleOf(isDead: boolean): TopologyNode["gateway"] {
  return isDead
    ? {
        role: "unreachable",
        text: "unreachable: standby dead for 10 paths",
        reachability: "unreachable",
        answering: 0,
        silent: 10,
        uses: { standby_dead: 10 },
      }
    : {
        role: "active",
        text: "active for 10 paths",
        reachability: "reachable",
        answering: 10,
        silent: 0,
        uses: { active: 10 },
      };
}

export function nodes(scenario: Scenario): TopologyNode[] {
  return PLACES.map((place) => {
    const dead = scenario === "cut" && place.name === "grf1";
    const quiet = place.name === "onyx1" && scenario === "cut";
    return {
      ...place,
      state: dead ? "critical" : quiet ? "unknown" : "ok",
      state_text: dead ? "not reporting for 40 s" : quiet ? "not reporting for 40 s" : "last seen 1 s ago",
      since: new Date(Date.now() - (dead ? 40_000 : 3_600_000 * 5)).toISOString(),
      age_s: dead || quiet ? 40 : 1.1,
      incidents: dead ? 1 : 0,
      gateway: place.role === "gateway" ? roleOf(dead) : null,
      url: place.kind === "fabric" ? "/fabrics" : `/devices/${place.id}`,
    };
  });
}

export function topology(now: number, scenario: Scenario): Topology {
  return {
    site: SITE,
    at: new Date(now).toISOString(),
    version: scenario,
    nodes: nodes(scenario),
    links: links(now, scenario),
  };
}

/** The same links in the shape of the link pages. */
export function linkDetails(now: number, scenario: Scenario): Link[] {
  return links(now, scenario).map((link, index) => {
    const wire = WIRES[index] as Wire;
    const end = (name: string, port: string | null, portId: number): Link["source"] => {
      const place = PLACES.find((one) => one.name === name);
      const isNode = place?.kind !== "fabric";
      return {
        node: name,
        node_id: isNode ? (place?.id ?? null) : null,
        port,
        port_id: port === null ? null : portId,
        url: isNode ? `/devices/${place?.id}` : "/fabrics",
      };
    };
    return {
      id: link.id,
      name: link.name,
      kind: link.kind,
      circuit: link.circuit,
      fabric: link.fabric,
      media_rate: wire.media,
      usable_rate: link.usable_rate,
      mtu: wire.mtu,
      source: end(wire.source, wire.sourcePort, index * 2),
      target: end(wire.target, wire.targetPort, index * 2 + 1),
      state: link.state,
      state_text: link.state_text,
      since: new Date(now - 3_600_000 * 5).toISOString(),
      age_s: 1.1,
      carrier: link.carrier,
      carries: link.carries,
      forward: link.forward,
      back: link.back,
      evidence: [
        { source: "site file", by: "", node_id: null, since: SITE.imported_at, at: SITE.imported_at },
        {
          source: "subnet",
          by: wire.source,
          node_id: 1,
          since: SITE.imported_at,
          at: new Date(now - 4000).toISOString(),
        },
      ],
      declared: true,
      conflicts: [],
      incidents: link.incidents,
      url: link.url,
    };
  });
}

export function history(
  id: number,
  start: string,
  end: string,
  now: number,
  scenario: Scenario,
  baseline = false,
): LinkHistory | null {
  const link = links(now, scenario).find((one) => one.id === id);
  const from = moment(start, now / 1000);
  const to = moment(end, now / 1000);
  if (link === undefined || from === null || to === null) return null;
  const step = Math.max(2, Math.ceil((to - from) / 400));
  const at = Array.from(
    { length: Math.floor((to - from) / step) },
    (_, index) => Math.floor(from) + index * step,
  );
  const sample = (second: number, direction: "forward" | "back") =>
    links(second * 1000, scenario === "cut" ? "normal" : scenario).find((one) => one.id === id)?.[
      direction
    ] ?? null;
  const gap = (second: number) =>
    (scenario === "cut" && second > now / 1000 - 40) || Math.floor(second / 60) % 37 === 0;
  const column = (direction: "forward" | "back", peak: boolean) =>
    at.map((second) =>
      gap(second) ? null : Math.round((sample(second, direction)?.bps ?? 0) * (peak ? 1.25 : 1)),
    );
  return {
    usable_rate: link.usable_rate,
    capacity: [{ start: at[0] ?? 0, usable_rate: link.usable_rate }],
    step_s: step,
    at,
    forward_mean: column("forward", false),
    forward_max: column("forward", true),
    back_mean: column("back", false),
    back_max: column("back", true),
    forward_p95: Math.round(link.usable_rate * 0.31),
    back_p95: Math.round(link.usable_rate * 0.27),
    measured_at: `${link.name.split("-")[0]}`,
    resets: [Math.floor(from + (to - from) * 0.7)],
    level: "samples",
    coverage: 0.97,
    p95_exact: true,
    gaps: [],
    baseline: baseline
      ? { forward: usualLoad(at, link.usable_rate * 0.31), back: usualLoad(at, link.usable_rate * 0.27) }
      : null,
  };
}

/** A band around a rate, unknown in the first tenth of the range. */
function usualLoad(bins: readonly number[], bps: number) {
  const isKnown = (index: number) => index >= bins.length / 10;
  const values = (factor: number) =>
    bins.map((_, index) => (isKnown(index) ? Math.round(bps * factor) : null));
  return {
    median: values(1),
    low: values(0.7),
    high: values(1.3),
    weeks: bins.map((_, index) => (isKnown(index) ? 6 : 2)),
  };
}
