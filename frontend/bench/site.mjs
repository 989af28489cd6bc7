// A synthetic site for the benchmark of the map: racks of 25 hosts on a switch, hosts with two links, two spines, eight gateways
// and two routers, like the site of `make bench-growth`.
const RACK = 25;
const [SPINES, GATEWAYS, ROUTERS] = [2, 8, 2];
const RATE = 25e9;
/** With the longest interval, a page without messages stays live while it is measured. */
export const SITE = {
  id: 1,
  name: "growth",
  title: "Racks of 25 hosts",
  interval_s: 3600,
  rate_scale: 1,
  imported_at: "2026-01-01T00:00:00Z",
};

const pad = (number, width) => String(number).padStart(width, "0");

/** A value 0..1 that looks random and is the same in every run. */
const noise = (seed) => {
  const value = Math.sin(seed * 12.9898) * 43_758.5453;
  return value - Math.floor(value);
};

/** Load of a link in a direction at step `step` of the live stream. */
export function load(id, direction, step) {
  const utilisation = 0.4 * noise(id * 2 + direction + step * 0.001);
  return {
    bps: Math.round(utilisation * RATE),
    utilisation,
    peak_bps: null,
    at: new Date().toISOString(),
    fresh: true,
  };
}

/** The answer of `GET /topology` for at most `size` nodes, and the rack of each host. */
export function site(size) {
  const [nodes, links, racks] = [[], [], new Map()];
  const add = (name, kind, role, tier) => {
    const id = nodes.length + 1;
    const node = {
      key: `node:${id}`,
      id,
      name,
      title: "",
      kind,
      role,
      tier,
      state: "ok",
      state_text: "last seen 1 s ago",
      since: "2026-01-01T00:00:00Z",
      age_s: 1,
      incidents: 0,
      gateway: null,
      url: `/devices/${id}`,
    };
    nodes.push(node);
    return node;
  };
  const join = (one, onePort, other, otherPort, fabric) => {
    const id = links.length + 1;
    links.push({
      id,
      name: `${one.name}:${onePort}–${other.name}:${otherPort}`,
      source: one.key,
      target: other.key,
      source_port: onePort,
      target_port: otherPort,
      fabric,
      kind: "link",
      circuit: "",
      usable_rate: RATE,
      state: "ok",
      state_text: "up",
      carrier: "up",
      carries: "active",
      forward: load(id, 0, 0),
      back: load(id, 1, 0),
      incidents: 0,
      url: `/links/${id}`,
    });
  };
  const spines = Array.from({ length: SPINES }, (_, at) => add(`spine${at}`, "switch", "switch", 1));
  const gateways = Array.from({ length: GATEWAYS }, (_, at) => add(`gw${at}`, "gateway", "gateway", 2));
  const routers = Array.from({ length: ROUTERS }, (_, at) => add(`router${at}`, "router", "router", 3));
  for (let rack = 0; nodes.length + RACK + 1 <= size; rack += 1) {
    const leaf = add(`rack${pad(rack, 3)}`, "switch", "switch", 1);
    for (let at = 0; at < RACK; at += 1) {
      const host = add(`h${pad(rack * RACK + at, 5)}`, "host", "compute", 0);
      racks.set(host.id, rack);
      join(host, "eth0", leaf, `l${at}`, "lan");
      join(host, "eth1", leaf, `s${at}`, "san");
    }
    spines.forEach((spine, up) => join(leaf, `u${up}`, spine, `r${rack}`, "lan"));
  }
  gateways.forEach((gateway, at) => {
    join(gateway, "e0", spines[at % SPINES], `g${at}`, "lan");
    routers.forEach((router, far) => join(gateway, `w${far}`, router, `w${at}`, "wan"));
  });
  // A few faults at any size: three hosts without carrier on the storage network.
  for (const link of links.filter(({ fabric }) => fabric === "san").slice(0, 3))
    Object.assign(link, {
      carrier: "down",
      state: "critical",
      state_text: "no carrier",
      forward: null,
      back: null,
    });
  return { topology: { site: SITE, at: new Date().toISOString(), version: "1", nodes, links }, racks };
}
