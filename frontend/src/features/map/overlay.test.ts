import { expect, it } from "vitest";
import type { Impact } from "@/api/types";
import { buildMapModel } from "./mapModel";
import { impactSimulation, under } from "./overlay";
import { rules } from "./rules";
import { AT, site } from "./testing";

const TOPOLOGY = { ...site(2), at: AT };
const simulated = (over: Partial<Impact>) => impactSimulation(impact(over));
const impact = (over: Partial<Impact>): Impact => ({
  failure: "grf1",
  kind: "node",
  id: 201,
  verdict: "saturates",
  text: "",
  cut_off: [],
  looping: [],
  moved: [],
  links: [],
  omitted: { cut_off: 0, looping: 0, moved: 0, links: 0 },
  seconds: 0.15,
  ...over,
});
const nodeOf = (what: ReturnType<typeof under>, name: string) =>
  what.topology.nodes.find((node) => node.name === name);
const linkOf = (what: ReturnType<typeof under>, id: number) =>
  what.topology.links.find((link) => link.id === id);

it("draws a failed gateway and its links as down, dashed", () => {
  const what = under(TOPOLOGY, simulated({}));
  expect(nodeOf(what, "grf1")?.state).toBe("critical");
  expect(
    buildMapModel(what.topology, new Set())
      .links.filter((link) => rules.stroke(link) === "down")
      .map(({ key }) => key),
  ).toEqual(["link:101", "link:103"]);
});

it("shows the expected load of each link, and a halo on moved nodes", () => {
  const what = under(
    TOPOLOGY,
    simulated({ moved: ["sp01", "sp02"], links: [{ link_id: 104, name: "", bps: 150e6, utilisation: 3 }] }),
  );
  expect(linkOf(what, 104)).toMatchObject({
    state: "critical",
    carrier: "up",
    carries: "active",
    forward: { bps: 150e6, utilisation: 3 },
  });
  expect([...what.changed.nodes]).toEqual([1, 2]);
  expect([...what.changed.links]).toEqual([104]);
  expect(nodeOf(what, "sp01")).toMatchObject({ state: "warning", state_text: "uses another gateway" });
});

it("marks an isolated node as isolated even when it also moved", () => {
  const what = under(
    TOPOLOGY,
    simulated({ kind: "link", id: 1, failure: "sp01:css0", cut_off: ["sp01"], moved: ["sp01"] }),
  );
  expect(nodeOf(what, "sp01")).toMatchObject({ state: "critical", state_text: "isolated" });
  expect(linkOf(what, 1)?.carries).toBe("dead");
  expect(linkOf(what, 2)?.carries).toBe("active");
});

it("a failed fabric takes down its links; a node with the same id stays up", () => {
  const what = under(TOPOLOGY, simulated({ kind: "fabric", id: 1, failure: "css" }));
  expect(nodeOf(what, "css")?.state).toBe("critical");
  expect(nodeOf(what, "sp01")?.state).toBe("ok");
  expect(linkOf(what, 101)?.carries).toBe("dead");
  expect(linkOf(what, 103)?.carries).toBe("active");
});

it("changes nothing without failures and differences", () => {
  const what = under(TOPOLOGY, simulated({ kind: "none", id: 0 }));
  expect(what.topology.nodes).toEqual(TOPOLOGY.nodes);
  expect(what.topology.links).toEqual(TOPOLOGY.links);
});

it("scales the load of links that no failure changes, and hides it at another moment", () => {
  const none = { failed: [], cutOff: [], looping: [], moved: [], loads: new Map() };
  const before = linkOf(under(TOPOLOGY, { ...none, others: 1 }), 1)?.forward;
  const grown = linkOf(under(TOPOLOGY, { ...none, others: 1.3 }), 1)?.forward;
  expect(before?.bps).toBeGreaterThan(0);
  expect(grown?.bps).toBe(Math.round((before?.bps ?? 0) * 1.3));
  expect(linkOf(under(TOPOLOGY, { ...none, others: null }), 1)?.forward).toBeNull();
});

it("a half without a prediction keeps its load, and a full half makes the link critical", () => {
  const loads = new Map([[1, { forward: { bps: 9e8, utilisation: 1.2 } }]]);
  const base = { failed: [], cutOff: [], looping: [], moved: [], others: 1 };
  const link = linkOf(under(TOPOLOGY, { ...base, loads }), 1);
  expect(link?.state).toBe("critical");
  expect(link?.forward?.bps).toBe(9e8);
  expect(link?.back).toEqual(TOPOLOGY.links.find(({ id }) => id === 1)?.back);
});
