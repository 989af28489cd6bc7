import { describe, expect, test } from "vitest";

import { type MapFilters, countMatching, emphasize } from "./mapFilters";
import { changedOf } from "./recentChanges";
import type { Topology } from "@/api/types";
import { FOLD_ABOVE } from "./nodeGroups";
import { buildMapModel, type MapLink } from "./mapModel";
import { headline } from "./headline";
import { placeMemory } from "./memory";
import { rules } from "./rules";
import { makeScene } from "./scene";
import { AT, link, load, path, site, switched } from "./testing";
import { cameraOf, cameraText, groupsOf, groupsText } from "./useMapState";

const NONE: MapFilters = { fabric: "", load: 0, search: "", node: "", policy: "" };
const CLOSED = new Set<string>();
const NOTHING_CHANGED = { nodes: new Set<number>(), links: new Set<number>() };
const NO_EMPHASIS = { nodes: new Map(), links: new Map(), strokes: new Map() };

const found = (links: readonly MapLink[], key: string): MapLink => {
  const one = links.find((candidate) => candidate.key === key);
  if (!one) throw new Error(`${key} is not drawn`);
  return one;
};

describe("folding", () => {
  test("draws every node and link of a small site separately", () => {
    const { nodes, links } = buildMapModel(site(8), CLOSED);
    expect([nodes.length, links.length]).toEqual([12, 12]);
    expect(links.every(({ members, url }) => members.length === 1 && url !== null)).toBe(true);
  });

  test(`makes one group of more than ${FOLD_ABOVE} nodes of a role, and one line of their links`, () => {
    const model = buildMapModel(site(FOLD_ABOVE + 1), CLOSED);
    expect(model.nodes.map(({ name }) => name)).toEqual(["compute ×25", "css", "grf1", "atmgw", "router"]);
    expect(model.folded).toEqual(["compute"]);
    const bundle = found(model.links, "bundle:group:compute|fabric:1|sp-switch");
    expect([bundle.members.length, bundle.usableRate, bundle.forward?.bps]).toEqual([
      25,
      25 * 50e6,
      25 * 5e6,
    ]);
  });

  test("does not fold roles at the limit or opened roles", () => {
    expect(buildMapModel(site(FOLD_ABOVE), CLOSED).folded).toEqual([]);
    expect(buildMapModel(site(FOLD_ABOVE + 1), new Set(["compute"])).nodes).toHaveLength(FOLD_ABOVE + 5);
  });

  test("a group has the worst state and the highest utilisation of its members", () => {
    const { nodes, links } = site(30);
    const bad = nodes.map((node) =>
      node.name === "sp07" ? { ...node, state: "critical" as const, incidents: 2 } : node,
    );
    const full = links.map((one) =>
      one.id === 7 ? { ...one, forward: load(0.97), back: load(0, { fresh: false }) } : one,
    );
    const model = buildMapModel({ nodes: bad, links: full }, CLOSED);
    expect(model.nodes[0]).toMatchObject({
      state: "critical",
      stateText: "1 of 30 critical: sp07",
      incidents: 2,
    });
    expect(model.links[0]?.forward?.utilisation).toBe(0.97);
  });
});

describe("a link's line", () => {
  const strokeOf = (over: Parameters<typeof link>[3]): string => {
    const { nodes } = site(1);
    return rules.stroke(
      found(buildMapModel({ nodes, links: [link(1, "node:1", "fabric:1", over)] }, CLOSED).links, "link:1"),
    );
  };

  test.each([
    ["in use", {}, "active"],
    ["of a verified standby", { carries: "standby_verified" }, "standby"],
    ["of a standby that is not verified", { carries: "standby_not_verified" }, "standby"],
    ["of a dead standby", { carries: "standby_dead" }, "standby_dead"],
    ["of a dead path", { carries: "dead" }, "dead"],
    [
      "of a dead path with an unreachable end",
      { carries: "dead", state: "unknown", forward: null, back: null },
      "dead",
    ],
    ["without carrier", { carrier: "down", state: "critical" }, "down"],
    ["that is administratively down", { carrier: "admin_down", state: "critical" }, "down"],
    [
      "with carrier, an incident and no traffic",
      { state: "critical", forward: load(0), back: load(0) },
      "active",
    ],
    ["that is critically full", { state: "critical", forward: load(0.98) }, "active"],
    ["of unreachable ends", { state: "unknown" }, "unknown"],
    [
      "with stale figures only",
      { forward: load(0.5, { fresh: false }), back: load(0.5, { fresh: false }) },
      "unknown",
    ],
    ["that no policy uses", { carries: "none" }, "active"],
  ] as const)("%s: %j is drawn %s", (_name, over, expected) => {
    expect(strokeOf(over)).toBe(expected);
  });
});

describe("filters", () => {
  const model = buildMapModel(site(8), CLOSED);

  test("without filters nothing is dimmed", () => {
    expect(emphasize(model, NONE, []).links.size).toBe(0);
  });

  test("a fabric keeps its links and their ends", () => {
    const { links, nodes } = emphasize(model, { ...NONE, fabric: "atm-oc12" }, []);
    expect([...links].filter(([, emphasis]) => emphasis !== "dim").map(([key]) => key)).toEqual(["link:103"]);
    expect([...nodes].filter(([, emphasis]) => emphasis !== "dim").map(([key]) => key)).toEqual([
      "node:201",
      "node:203",
    ]);
  });

  test("a minimum load counts the busier direction", () => {
    const busy = buildMapModel(
      { ...site(8), links: [...site(8).links, link(300, "node:201", "node:203", { back: load(0.9) })] },
      CLOSED,
    );
    expect(countMatching(busy, { ...NONE, load: 0.85 })).toBe(1);
    expect(countMatching(busy, { ...NONE, load: 0.2 })).toBe(busy.links.length);
  });

  test("a search finds parts of names in any case", () => {
    expect(countMatching(model, { ...NONE, search: "SP03" })).toBe(1);
    expect(countMatching(model, { ...NONE, search: "nowhere" })).toBe(0);
  });

  test("paths of a node are solid if active and dotted if standby; the rest is dimmed", () => {
    const { links, strokes, nodes } = emphasize(model, { ...NONE, node: "sp03" }, [path(3), path(4)]);
    expect(["link:3", "link:103", "link:104", "link:4"].map((key) => links.get(key))).toEqual([
      "strong",
      "strong",
      "normal",
      "dim",
    ]);
    expect(["link:103", "link:104"].map((key) => strokes.get(key))).toEqual(["active", "standby"]);
    expect(["node:3", "node:202", "node:4"].map((key) => nodes.get(key))).toEqual([
      "strong",
      "normal",
      "dim",
    ]);
  });

  test("the path between two nodes precedes filters and is drawn active", () => {
    const { links, strokes } = emphasize(model, { ...NONE, node: "sp04" }, [path(4)], [3, 103]);
    expect(["link:3", "link:103", "link:4"].map((key) => links.get(key))).toEqual([
      "strong",
      "strong",
      "dim",
    ]);
    expect(strokes.get("link:103")).toBe("active");
    const none = emphasize(model, NONE, [], []);
    expect([...none.links.values()].every((emphasis) => emphasis === "dim")).toBe(true);
  });

  test("a link of a selected path without carrier stays dashed", () => {
    const { nodes, links } = site(8);
    const cut = buildMapModel(
      { nodes, links: links.map((one) => (one.id === 103 ? { ...one, carrier: "down" as const } : one)) },
      CLOSED,
    );
    expect(emphasize(cut, { ...NONE, node: "sp03" }, [path(3)]).strokes.get("link:103")).toBe("down");
  });

  test("a dead path is drawn dead although another path's standby uses the same links", () => {
    const dead = path(3, { end_to_end: "dead", standby: "not verified" });
    const other = path(4, { links: [4, 102, 104], standby_links: [101, 103], standby: "verified" });
    const { strokes } = emphasize(model, { ...NONE, policy: "sp-default" }, [dead, other]);
    expect(["link:3", "link:103", "link:104"].map((key) => strokes.get(key))).toEqual([
      "dead",
      "dead",
      "active",
    ]);
  });

  test("the standby of a path that could not take over is drawn dead", () => {
    const { strokes } = emphasize(model, { ...NONE, node: "sp03" }, [path(3, { standby: "dead" })]);
    expect(strokes.get("link:104")).toBe("standby_dead");
  });

  test("paths of a folded node light up its bundle", () => {
    const folded = buildMapModel(site(30), CLOSED);
    expect(
      emphasize(folded, { ...NONE, node: "sp03" }, [path(3)]).links.get(
        "bundle:group:compute|fabric:1|sp-switch",
      ),
    ).toBe("strong");
  });
});

describe("halos", () => {
  const topology = site(8);
  const now = Date.parse(AT);
  const paths = [path(3), path(4)];

  test("mark the node that switched, and the links at both gateways that its path left and took", () => {
    const changed = changedOf([switched(3, "2026-05-01T11:50:00Z")], paths, topology, now);
    expect([...changed.nodes]).toEqual([3]);
    expect([...changed.links].toSorted((a, b) => a - b)).toEqual([101, 102, 103, 104]);
  });

  test("fade after 15 minutes", () => {
    expect(changedOf([switched(3, "2026-05-01T11:44:59Z")], paths, topology, now).nodes.size).toBe(0);
  });

  test("do not mark links when a path is seen for the first time", () => {
    expect(changedOf([switched(3, AT, "")], paths, topology, now).links.size).toBe(0);
  });

  test("ignore actions of people", () => {
    expect(
      changedOf([{ ...switched(3, AT), kind: "incident.acknowledged" }], paths, topology, now).nodes.size,
    ).toBe(0);
  });
});

describe("the scene", () => {
  const given = {
    model: buildMapModel(site(8), CLOSED),
    emphasis: NO_EMPHASIS,
    changed: NOTHING_CHANGED,
    rateScale: 1,
    stale: false,
  };

  test("draws links of a scaled lab at the width of the real ones", () => {
    const widthAt = (rateScale: number): number | undefined =>
      makeScene({ ...given, rateScale }).links[0]?.width;
    expect(widthAt(0.1)).toBeGreaterThan(widthAt(1) ?? 0);
  });

  test("shows nothing as live when live data stopped", () => {
    const { nodes, links } = makeScene({ ...given, stale: true });
    expect(new Set(nodes.map(({ tone }) => tone))).toEqual(new Set(["unknown"]));
    expect(
      links.every(({ stroke, forward, back }) => stroke === "unknown" && forward === null && back === null),
    ).toBe(true);
  });

  test("describes every link as text", () => {
    const { links } = makeScene(given);
    expect(links.find(({ key }) => key === "link:104")?.description).toBe(
      "node:202-node:203, standby, standby verified, atmgw to router 5 Mb/s (10 %), back 10 Mb/s (20 %)",
    );
  });
});

describe("the headline", () => {
  const { nodes, links } = site(8);
  const topology = {
    site: { id: 1, name: "a", title: "A", interval_s: 2, rate_scale: 1, imported_at: AT },
    at: AT,
    version: "1",
    nodes,
    links,
  };
  const sentence = (over: Partial<Topology>, paths = [path(1)], stale = false): string => {
    const all = { ...topology, ...over };
    return headline(all, { paths, total: paths.length, isComplete: true }, stale);
  };

  test("shows the highest utilisation when all links are up", () => {
    expect(sentence({})).toBe("All 12 links are up; max. utilisation 20 %.");
  });

  test("lists links down, paths on fallback, links nearly full and nodes not reporting", () => {
    const bad = {
      nodes: nodes.map((node) => (node.name === "grf1" ? { ...node, state: "unknown" as const } : node)),
      links: links.map((one) =>
        one.id === 103
          ? { ...one, carrier: "down" as const }
          : one.id === 104
            ? { ...one, forward: load(0.96) }
            : one,
      ),
    };
    const paths = [
      path(1, { placement: "fallback" }),
      path(2, { placement: "fallback", end_to_end: "dead" }),
      path(3, { placement: "fallback", in_force: false }),
    ];
    expect(sentence(bad, paths)).toBe(
      "1 link down; 1 of 2 paths dead; 1 of 2 paths on a fallback; 1 link nearly full (max. 96 %); not reporting: grf1.",
    );
  });

  test("names working paths that could not fail over", () => {
    const paths = [
      path(1, { standby: "dead" }),
      path(2, { standby: "dead", end_to_end: "dead" }),
      path(3, { standby: "not verified" }),
    ];
    expect(sentence({}, paths)).toBe("1 of 3 paths dead; 1 with standby dead.");
  });

  test("makes no statement without live data", () => {
    expect(sentence({}, [], true)).toContain("outdated");
  });
});

describe("the URL", () => {
  test("restores the camera", () => {
    const camera = { x: 0.25, y: 0.6125, ratio: 0.4 };
    expect(cameraOf(cameraText(camera))).toEqual({ x: 0.25, y: 0.613, ratio: 0.4 });
    expect(cameraText(null)).toBe("");
  });

  test.each(["", "1,2", "a,b,c", "0.5,0.5,0", "99,0,1", "0.5,0.5,NaN", "0.5,0.5,1,1"])(
    "treats %j as the whole map",
    (text) => {
      expect(cameraOf(text)).toBeNull();
    },
  );

  test("stores opened groups in a fixed order", () => {
    expect(groupsText(["storage", "compute", "storage"])).toBe("compute,storage");
    expect([...groupsOf("compute,storage,")]).toEqual(["compute", "storage"]);
  });
});

describe("remembered positions", () => {
  const storage = (value: string | null) => {
    const kept = new Map<string, string>(value === null ? [] : [["backstay.map.argonne", value]]);
    return {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
    };
  };

  test("are restored for the same site only", () => {
    const kept = storage(null);
    placeMemory(kept, "argonne").save(new Map([["node:1", { x: 0.5, y: 0.25 }]]));
    expect(placeMemory(kept, "argonne").load()?.get("node:1")).toEqual({ x: 0.5, y: 0.25 });
    expect(placeMemory(kept, "other").load()).toBeUndefined();
  });

  test.each(["not json", "{}", '[["node:1","x",2],7,null]'])("ignores the invalid value %j", (text) => {
    expect(placeMemory(storage(text), "argonne").load()?.size ?? 0).toBe(0);
  });

  test("are optional if the storage fails", () => {
    const refuse = (): never => {
      throw new Error("denied");
    };
    const memory = placeMemory({ getItem: refuse, setItem: refuse }, "argonne");
    expect(memory.load()).toBeUndefined();
    expect(() => memory.save(new Map())).not.toThrow();
  });
});
