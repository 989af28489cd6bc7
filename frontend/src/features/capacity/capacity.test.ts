import { describe, expect, it } from "vitest";
import { tooFull } from "@/mocks/models/capacity";
import {
  groupsOf,
  growthText,
  membersText,
  namesText,
  queryOf,
  scenarioOf,
  toggled,
  unexplainedText,
  withScenario,
} from "./capacity";

const parameters = (text: string) => new URLSearchParams(text);
const LINK = (id: number) => ({ kind: "link", id, name: `sp0${id}:css0` }) as const;
const GRF1 = { kind: "node", id: 201, name: "grf1" } as const;

describe("scenario", () => {
  it("survives the URL, and leaves out what is the default", () => {
    const worst = { dead: [], growth: 0, at: "now-7d", load: "worst_hour" } as const;
    expect(queryOf(worst)).toEqual({ dead: [], growth: 0, load: "worst_hour" });
    const scenario = { dead: ["node:3", "link:7"], growth: 30, at: "now-7d", load: "p95" } as const;
    const url = withScenario(parameters("site=casa&dead=node:1"), scenario);
    expect(scenarioOf(parameters(url.toString()))).toEqual(scenario);
    const empty = { dead: [], growth: 0, at: "", load: "mean" } as const;
    expect(withScenario(url, empty).toString()).toBe("site=casa");
  });

  it("ignores values that no page wrote", () => {
    expect(scenarioOf(parameters("growth=much&load=worst&dead=&dead=node:1&dead=node:1"))).toEqual({
      dead: ["node:1"],
      growth: 0,
      at: "",
      load: "mean",
    });
  });

  it("asks for now unless a moment is given", () => {
    expect(queryOf(scenarioOf(parameters("")))).toEqual({ dead: [], growth: 0, load: "mean" });
    expect(queryOf(scenarioOf(parameters("at=now-1h"))).at).toBe("now-1h");
  });
});

describe("toggled", () => {
  it("lets an object fail and work again, also one that the URL names", () => {
    expect(toggled([], [], [GRF1])).toEqual(["node:201"]);
    expect(toggled(["node:201"], [GRF1], [GRF1])).toEqual([]);
    expect(toggled(["node:grf1", "link:7"], [GRF1], [GRF1])).toEqual(["link:7"]);
  });

  it("takes a bundle as one: all links fail, or all work", () => {
    const card = [LINK(1), LINK(2)];
    expect(toggled(["group:slot3"], card, [{ kind: "link", id: 1 }])).toEqual(["link:2"]);
    expect(groupsOf(["node:1", "group:slot3"])).toEqual(["slot3"]);
    const bundle = [1, 2, 3].map((id) => ({ kind: "link" as const, id }));
    expect(toggled(["link:2"], [], bundle)).toEqual(["link:2", "link:1", "link:3"]);
    expect(toggled(["link:2", "link:1", "link:3"], [], bundle)).toEqual([]);
  });

  it("does not take a fabric for the node of the same id", () => {
    expect(toggled(["node:201"], [GRF1], [{ kind: "fabric", id: 201 }])).toEqual(["node:201", "fabric:201"]);
  });
});

describe("texts", () => {
  it("says how far a fallback is from its limit", () => {
    expect(growthText(tooFull)).toBe("29 % less traffic would fit");
    expect(growthText({ ...tooFull, verdict: "holds", growth_percent: 30.9 })).toBe("full at +30 % traffic");
    expect(growthText({ ...tooFull, growth_percent: null })).toBe("");
    expect(growthText({ ...tooFull, verdict: "unknown", growth_percent: 30 })).toBe("");
  });

  it("names the first nodes and counts the others", () => {
    expect(namesText(["sp01", "sp02"], 8)).toBe("sp01, sp02 and 6 more");
    expect(namesText(["sp01"], 1)).toBe("sp01");
    expect(namesText([], 3)).toBe("3 nodes");
  });

  it("says what a shared risk contains", () => {
    const members = ["grf1:ga030", "grf1:ga031"];
    expect(membersText({ kind: "card", members, members_total: 2 })).toBe("card: grf1:ga030, grf1:ga031");
    expect(membersText({ kind: "power", members, members_total: 9 })).toBe(
      "power: grf1:ga030, grf1:ga031 and 7 more",
    );
  });

  it("states the traffic that nothing explains", () => {
    const load = { carried_bps: 400e6, unattributed_bps: 1e6, unattributed_share: 0.0025 };
    expect(unexplainedText(load)).toMatch(/^1 % of 400 Mb\/s/);
    expect(unexplainedText({ ...load, unattributed_bps: 0 })).toBe("");
    expect(unexplainedText({ ...load, unattributed_share: null })).toBe("");
  });
});
