import { expect, it } from "vitest";
import type { Impact } from "@/api/types";
import { buildMapModel } from "./mapModel";
import { under } from "./overlay";
import { rules } from "./rules";
import { AT, site } from "./testing";

const TOPOLOGY = { ...site(2), at: AT };
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
  const what = under(TOPOLOGY, impact({}));
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
    impact({ moved: ["sp01", "sp02"], links: [{ link_id: 104, name: "", bps: 150e6, utilisation: 3 }] }),
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
    impact({ kind: "link", id: 1, failure: "sp01:css0", cut_off: ["sp01"], moved: ["sp01"] }),
  );
  expect(nodeOf(what, "sp01")).toMatchObject({ state: "critical", state_text: "isolated" });
  expect(linkOf(what, 1)?.carries).toBe("dead");
  expect(linkOf(what, 2)?.carries).toBe("active");
});

it("a failed fabric takes down its links; a node with the same id stays up", () => {
  const what = under(TOPOLOGY, impact({ kind: "fabric", id: 1, failure: "css" }));
  expect(nodeOf(what, "css")?.state).toBe("critical");
  expect(nodeOf(what, "sp01")?.state).toBe("ok");
  expect(linkOf(what, 101)?.carries).toBe("dead");
  expect(linkOf(what, 103)?.carries).toBe("active");
});

it("changes nothing without failures and differences", () => {
  const what = under(TOPOLOGY, impact({ kind: "none", id: 0 }));
  expect(what.topology.nodes).toEqual(TOPOLOGY.nodes);
  expect(what.topology.links).toEqual(TOPOLOGY.links);
});
