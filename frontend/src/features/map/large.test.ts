import { describe, expect, test } from "vitest";

import type { Topology, TopologyLink, TopologyNode } from "@/api/types";
import { layOutScene } from "@/ui/graph/layout/frames";
import type { Place } from "@/ui/graph/layout/layout";
import type { Scene } from "@/ui/graph/scene";
import { AGGREGATE_ABOVE, groupKey, type Groups, siteGroups } from "./nodeGroups";
import { headline } from "./headline";
import { buildMapModel, isLinkDown, type MapModel, type MapNode, modelBuilder, uplinkOf } from "./mapModel";
import { searchedGroups, selectedGroups } from "./groupSearch";
import { rules } from "./rules";
import { makeScene, sceneBuilder } from "./scene";
import { AT, link, load, rackSite } from "./testing";

type Site = Pick<Topology, "nodes" | "links">;

const CLOSED: ReadonlySet<string> = new Set();
const QUIET = {
  emphasis: { nodes: new Map(), links: new Map(), strokes: new Map() },
  changed: { nodes: new Set<number>(), links: new Set<number>() },
  rateScale: 1,
  stale: false,
};

const SITE = rackSite(45, 25);
const GROUPS = siteGroups(SITE, null);

const nodeNamed = ({ nodes }: Site, name: string): TopologyNode => {
  const found = nodes.find((node) => node.name === name);
  if (!found) throw new Error(`no node ${name}`);
  return found;
};
const idOf = (name: string, groups = GROUPS, site: Site = SITE): string =>
  groups.idOf.get(nodeNamed(site, name).key) ?? "";
const groupOf = (model: MapModel, name: string, groups: Groups = GROUPS, site: Site = SITE): MapNode => {
  const found = model.nodeOf.get(groupKey(idOf(name, groups, site)));
  if (!found) throw new Error(`${name} is in no group`);
  return found;
};
const withNode = (site: Site, name: string, over: Partial<TopologyNode>): Site => ({
  ...site,
  nodes: site.nodes.map((node) => (node.name === name ? { ...node, ...over } : node)),
});
const withLink = (site: Site, id: number, over: Partial<TopologyLink>): Site => ({
  ...site,
  links: site.links.map((one) => (one.id === id ? { ...one, ...over } : one)),
});
const sceneOf = (model: MapModel): Scene => makeScene({ ...QUIET, model });
const places = (scene: Scene, earlier?: ReadonlyMap<string, Place>) =>
  layOutScene(
    scene.nodes.map(({ key, label, group, tier, box }) => ({ key, name: label, group, tier, box })),
    scene.links.map(({ source, target }) => [source, target]),
    earlier,
    scene.isLarge,
  );
const moved = (before: ReadonlyMap<string, Place>, after: ReadonlyMap<string, Place>): string[] =>
  [...before]
    .filter(([key, { x, y }]) => after.get(key)?.x !== x || after.get(key)?.y !== y)
    .map(([key]) => key);

describe("groups of a large site", () => {
  test(`begin above ${AGGREGATE_ABOVE} nodes: a smaller site keeps one group of each large role`, () => {
    const small = rackSite(38, 25);
    expect(small.nodes.length).toBeLessThanOrEqual(AGGREGATE_ABOVE);
    expect([...siteGroups(small, null).names.keys()]).toEqual(["compute"]);
    expect(GROUPS.names.size).toBe(45);
  });

  test("are the nodes of a switch and the switch; spines, gateways and routers stay separate", () => {
    const model = buildMapModel(SITE, CLOSED, GROUPS);
    expect(model.nodes).toHaveLength(45 + 4);
    expect(groupOf(model, "h7-03")).toBe(groupOf(model, "rack7"));
    expect(groupOf(model, "h7-03").name).toBe("rack7 ×26");
    // One line to each spine for the rack's uplinks.
    expect(model.links).toHaveLength(45 * 2 + 3);
  });

  test("of a label replace those of the switch, which still groups nodes without the label", () => {
    const labelled = SITE.nodes.filter(({ name }) => /^h[0-3]-/.test(name));
    const values = new Map(labelled.map(({ id, name }) => [id, name.startsWith("h3") ? "east, 2" : "west"]));
    const groups = siteGroups(SITE, { name: "row", values });
    const sizes = new Map<string, number>();
    for (const id of groups.idOf.values()) sizes.set(id, (sizes.get(id) ?? 0) + 1);
    expect(groups.names.get(idOf("h0-00", groups))).toBe("row west");
    // Three racks with their switches, whose nodes are all in the group.
    expect(sizes.get(idOf("h0-00", groups))).toBe(3 * 26);
    expect(idOf("rack3", groups)).toBe(idOf("h3-00", groups));
    expect(groups.names.get(idOf("h9-00", groups))).toBe("rack9");
    for (const id of groups.names.keys()) expect(id).not.toContain(",");
  });

  test("contain hundreds of spines too", () => {
    const spines = Array.from({ length: 40 }, (_, at) => ({
      ...nodeNamed(SITE, "spine0"),
      id: 90_000 + at,
      key: `node:${90_000 + at}`,
      name: `extra${at}`,
    }));
    const site = { ...SITE, nodes: [...SITE.nodes, ...spines] };
    expect(
      groupOf(buildMapModel(site, CLOSED, siteGroups(site, null)), "extra5", siteGroups(site, null), site)
        .name,
    ).toBe("switch ×42");
  });

  test("do not depend on the order of nodes and links", () => {
    const other = siteGroups({ nodes: SITE.nodes.toReversed(), links: SITE.links.toReversed() }, null);
    expect(new Map([...other.idOf].toSorted())).toEqual(new Map([...GROUPS.idOf].toSorted()));
  });

  test("with two switches per rack are one group per rack, whichever link comes first", () => {
    const second = SITE.nodes
      .filter(({ name }) => name.startsWith("rack"))
      .map((leaf) => ({
        ...leaf,
        id: leaf.id + 50_000,
        key: `node:${leaf.id + 50_000}`,
        name: `${leaf.name}b`,
      }));
    const links = SITE.nodes
      .filter(({ name }) => name.startsWith("h"))
      .map((host, at) => {
        const leaf = nodeNamed(SITE, `rack${host.name.slice(1, host.name.indexOf("-"))}`);
        return link(60_000 + at, `node:${leaf.id + 50_000}`, host.key);
      });
    const site = { nodes: [...SITE.nodes, ...second], links: [...links, ...SITE.links] };
    const groups = siteGroups(site, null);
    expect(groups.names.size).toBe(45);
    expect(idOf("rack7b", groups, site)).toBe(idOf("h7-00", groups, site));
  });
});

describe("a fault in a closed group", () => {
  test("names the members, how many of how many, in the order of severity", () => {
    const site = withNode(
      withNode(withNode(SITE, "h2-03", { state: "unknown" }), "h2-05", { state: "critical" }),
      "h2-09",
      { state: "critical" },
    );
    const group = groupOf(buildMapModel(site, CLOSED, GROUPS), "h2-03");
    expect([group.state, group.stateText]).toEqual([
      "critical",
      "2 of 26 critical: h2-05, h2-09; 1 of 26 unknown: h2-03",
    ]);
  });

  test("of a link between members is a fault of the group, which names the link", () => {
    const down = SITE.links.find(({ name }) => name === "h2-03-rack2")?.id ?? 0;
    const site = withLink(SITE, down, { carrier: "down", state: "ok" });
    const group = groupOf(buildMapModel(site, CLOSED, GROUPS), "h2-03");
    expect([group.state, group.stateText]).toEqual(["warning", "1 link down: h2-03-rack2"]);
  });

  test.each([
    [{ carrier: "admin_down" }, "warning", "1 link down: h2-03-rack2"],
    [{ carrier: "down", state: "critical" }, "critical", "1 link down: h2-03-rack2"],
    [{ state: "critical" }, "critical", "1 link critical: h2-03-rack2"],
    [{ state: "warning" }, "warning", "1 link with a warning: h2-03-rack2"],
    [{ carries: "dead" }, "critical", "1 link of dead paths: h2-03-rack2"],
    [{ carries: "standby_dead" }, "warning", "1 link of dead standbys: h2-03-rack2"],
  ] as const)("of a link between members that is %j", (over, state, text) => {
    const wire = SITE.links.find(({ name }) => name === "h2-03-rack2")?.id ?? 0;
    const group = groupOf(buildMapModel(withLink(SITE, wire, over), CLOSED, GROUPS), "h2-03");
    expect([group.state, group.stateText]).toEqual([state, text]);
  });

  test("is visible wherever it is: every node and every link", () => {
    const isFaulty = (model: MapModel): boolean =>
      model.nodes.some(({ state }) => state !== "ok") ||
      model.links.some((one) => one.state !== "ok" || rules.isDown(one));
    expect(isFaulty(buildMapModel(SITE, CLOSED, GROUPS))).toBe(false);
    const hidden = [
      ...SITE.nodes
        .filter((_, at) => at % 37 === 0)
        .map(({ name }) => withNode(SITE, name, { state: "critical" })),
      ...SITE.links
        .filter((_, at) => at % 37 === 0 || at > SITE.links.length - 5)
        .map(({ id }) => withLink(SITE, id, { carrier: "down" })),
    ].filter((site) => !isFaulty(buildMapModel(site, CLOSED, GROUPS)));
    expect(hidden).toEqual([]);
  });

  test("of an uplink is on the bundle, and its halo on the group", () => {
    const first = SITE.links.find(({ name }) => name === "rack2-spine0");
    const site = withLink(SITE, first?.id ?? 0, { carrier: "down", state: "critical" });
    const model = buildMapModel(site, CLOSED, GROUPS);
    const bundles = model.links.filter(rules.isDown);
    expect(bundles.map(({ stateText }) => stateText)).toEqual(["1 of 1 critical: rack2-spine0"]);
    const inner = SITE.links.find(({ name }) => name === "h2-03-rack2")?.id ?? 0;
    const scene = makeScene({ ...QUIET, model, changed: { nodes: new Set(), links: new Set([inner]) } });
    expect(scene.nodes.filter(({ halo }) => halo).map(({ label }) => label)).toEqual(["rack2 ×26"]);
  });

  test("is counted link by link in the headline", () => {
    const ids = new Set(SITE.links.filter(({ name }) => name.startsWith("h2-")).map(({ id }) => id));
    const links = SITE.links.map((one) => (ids.has(one.id) ? { ...one, carrier: "down" as const } : one));
    expect(links.filter(isLinkDown)).toHaveLength(50);
    const topology = {
      site: { id: 1, name: "a", title: "A", interval_s: 2, rate_scale: 1, imported_at: AT },
      at: AT,
      version: "1",
      nodes: SITE.nodes,
      links,
    };
    expect(headline(topology, { paths: [], total: null, isComplete: true }, false)).toBe("50 links down.");
  });
});

describe("an open group", () => {
  const open = new Set([idOf("h7-00")]);
  const [before, after] = [buildMapModel(SITE, CLOSED, GROUPS), buildMapModel(SITE, open, GROUPS)];

  test("draws its members and their links, and stays as the node that closes it", () => {
    expect(after.nodes).toHaveLength(before.nodes.length + 26);
    const group = groupOf(after, "h7-00");
    expect(after.nodes.filter(({ box }) => box === group.key)).toHaveLength(27);
    expect(group.box).toBe(group.key);
    expect(after.links).toHaveLength(before.links.length + 50);
  });

  test("moves no other node, and changes no place when it closes", () => {
    const [closed, opened] = [places(sceneOf(before)), places(sceneOf(after))];
    expect(moved(closed.columnPlaces, opened.columnPlaces)).toEqual([]);
    const group = groupKey(idOf("h7-00"));
    expect(moved(closed.places, opened.places)).toEqual([group]);
    const frame = opened.boxes.get(group);
    for (const { key } of after.nodes.filter(({ box }) => box === group)) {
      const { x, y } = opened.places.get(key) ?? { x: Number.NaN, y: Number.NaN };
      expect(Math.abs(x - (frame?.x ?? 0))).toBeLessThan((frame?.width ?? 0) / 2);
      expect(Math.abs(y - (frame?.y ?? 0))).toBeLessThan((frame?.height ?? 0) / 2);
    }
  });

  test("adds nothing to the load of its uplinks", () => {
    const [shut, wide] = [before, after].map((model) => uplinkOf(model, groupOf(model, "h7-00")));
    expect(shut).toEqual(wide);
    expect([shut?.links, shut?.usableRate, shut?.out?.bps]).toEqual([2, 100e6, 10e6]);
  });

  test("is opened by a selected node, link or node of paths, and by a search of few groups", () => {
    const filters = { search: "", node: "" };
    const key = nodeNamed(SITE, "h7-04").key;
    const wire = SITE.links.find(({ name }) => name === "h7-04-rack7")?.id ?? 0;
    expect(selectedGroups(SITE, GROUPS, { selected: key, filters })).toEqual([idOf("h7-00")]);
    expect(selectedGroups(SITE, GROUPS, { selected: `link:${wire}`, filters })).toEqual([idOf("h7-00")]);
    expect(selectedGroups(SITE, GROUPS, { selected: null, filters: { ...filters, node: "h7-04" } })).toEqual([
      idOf("h7-00"),
    ]);
    expect(searchedGroups(SITE, GROUPS, "H7-04")).toEqual([idOf("h7-00")]);
    expect(searchedGroups(SITE, GROUPS, "-04")).toEqual([]);
  });

  test("both directions of travel share one bundle with their loads on the right side", () => {
    const up = SITE.links.find(({ name }) => name === "rack7-spine0");
    const back = link(70_000, up?.target ?? "", up?.source ?? "", {
      fabric: "lan",
      forward: load(0.5),
      back: load(0.9),
    });
    const site = { ...SITE, links: [...SITE.links, back] };
    const bundle = buildMapModel(site, CLOSED, GROUPS).links.find(({ members }) => members.includes(back));
    expect(bundle?.members).toHaveLength(2);
    expect([bundle?.source, bundle?.forward?.utilisation, bundle?.back?.utilisation]).toEqual([
      groupKey(idOf("h7-00")),
      0.9,
      0.5,
    ]);
  });
});

describe("the layout of a large site", () => {
  test("keeps all places when a node or a rack is added", () => {
    const before = places(sceneOf(buildMapModel(SITE, CLOSED, GROUPS)));
    const grown = rackSite(46, 25);
    const [first, second] = [
      grown,
      { ...grown, nodes: grown.nodes.toReversed(), links: grown.links.toReversed() },
    ];
    for (const site of [first, second]) {
      const after = places(sceneOf(buildMapModel(site, CLOSED, siteGroups(site, null))), before.columnPlaces);
      expect(moved(before.columnPlaces, after.columnPlaces)).toEqual([]);
      const spots = [...after.places.values()].map(({ x, y }) => `${x.toFixed(5)} ${y.toFixed(5)}`);
      expect(new Set(spots).size).toBe(spots.length);
    }
  });

  test("of 10,000 nodes takes at most 50 ms of processor time, so it needs no worker", () => {
    const site = rackSite(384, 25);
    const scene = sceneOf(buildMapModel(site, CLOSED, siteGroups(site, null)));
    const once = (): number => {
      const began = process.cpuUsage();
      places(scene);
      const { user, system } = process.cpuUsage(began);
      return (user + system) / 1000;
    };
    expect(Math.min(once(), once(), once(), once(), once())).toBeLessThan(50);
  });
});

describe("a live message", () => {
  const [build, draw] = [modelBuilder(), sceneBuilder()];
  const first = build(SITE, CLOSED, GROUPS);
  const scene = draw({ ...QUIET, model: first });

  test("without a change gives the same scene, so nothing is drawn", () => {
    const again = build({ nodes: [...SITE.nodes], links: [...SITE.links] }, CLOSED, GROUPS);
    expect(again.nodes.every((node, at) => node === first.nodes[at])).toBe(true);
    expect(draw({ ...QUIET, model: again })).toBe(scene);
  });

  test("about a link in a closed group gives the same scene", () => {
    const inner = SITE.links.find(({ name }) => name === "h2-03-rack2")?.id ?? 0;
    const busy = build(withLink(SITE, inner, { forward: load(0.3) }), CLOSED, GROUPS);
    expect(draw({ ...QUIET, model: busy })).toBe(scene);
  });

  test("about one uplink replaces one line of the scene", () => {
    const uplink = SITE.links.find(({ name }) => name === "rack2-spine1")?.id ?? 0;
    const next = draw({
      ...QUIET,
      model: build(withLink(SITE, uplink, { forward: load(0.9) }), CLOSED, GROUPS),
    });
    expect(next.links.filter((line, at) => line !== scene.links[at])).toHaveLength(1);
    expect(next.nodes).toBe(scene.nodes);
  });
});
