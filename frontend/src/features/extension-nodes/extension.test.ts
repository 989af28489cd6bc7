import { describe, expect, it } from "vitest";
import type { ExtensionAttribute, ExtensionNode } from "@/api/extension-nodes";
import { extensionCheck, extensionNodes } from "@/mocks/extension-nodes";
import { checkLabel, EMPTY, framesOf, nodesHeadline, requestOf, formatUse, verdictState } from "./extension";

const [wrong, good] = extensionNodes() as [ExtensionNode, ExtensionNode];
const attribute = (key: string, { attributes }: ExtensionNode = wrong) =>
  attributes.find((item) => item.key === key) as ExtensionAttribute;
const GRF2 = { ...EMPTY, node: "grf2" };

describe("the list", () => {
  it("counts different and unreported nodes", () => {
    expect(nodesHeadline(extensionNodes())).toBe(
      "1 of 3 extension nodes differs from the intended configuration, 1 not reported.",
    );
    expect(nodesHeadline([good])).toBe("1 extension node, no known difference.");
    expect(nodesHeadline([])).toBe("No extension nodes.");
  });
});

describe("an attribute", () => {
  it("is critical only where packets are lost, and no error when it is not declared", () => {
    expect(verdictState(attribute("switch_number"))).toEqual(["critical", "differs"]);
    expect(verdictState({ ...attribute("switch_number"), severe: false })).toEqual(["warning", "differs"]);
    expect(verdictState(attribute("number"))).toEqual(["ok", "matches"]);
    expect(verdictState(attribute("token"))).toEqual(["disabled", "not declared"]);
    expect(verdictState({ ...attribute("number"), severe: true })).toEqual(["ok", "matches"]);
  });
});

describe("the wizard", () => {
  it("sends a request once there is a name, and leaves empty fields to the proposal", () => {
    expect(requestOf("argonne", EMPTY)).toBeNull();
    expect(requestOf("", GRF2)).toBeNull();
    expect(requestOf("argonne", { ...GRF2, node_number: " 14 ", place: { frame: 1, slot: 14 } })).toEqual({
      site: "argonne",
      node: "grf2",
      port: "gt000",
      fabric: null,
      frame: 1,
      slot: 14,
      node_number: 14,
      switch_node_number: null,
      host_offset: null,
      address: null,
      max_link_packet: 65520,
    });
  });

  it("sends no request while a number is invalid", () => {
    for (const form of [
      { node_number: "x" },
      { switch_node_number: "1.5" },
      { max_link_packet: "" },
      { max_link_packet: "big" },
      { node: "a b" },
    ])
      expect(requestOf("argonne", { ...GRF2, ...form })).toBeNull();
    expect(requestOf("argonne", { ...GRF2, host_offset: "-3" })?.host_offset).toBe(-3);
  });

  it("lists the ports of a frame with their owners", () => {
    const { ports } = extensionCheck({ site: "argonne", node: "grf2" } as Parameters<
      typeof extensionCheck
    >[0]);
    const frame = framesOf(ports).get(1) ?? [];
    expect(frame.map(formatUse).filter((text) => text !== "empty slot")).toEqual([
      "sp01",
      "sp02",
      "sp03",
      "sp04",
      "sp05",
      "sp06",
      "sp07",
      "sp08",
      "atmgw",
      "covered by atmgw",
    ]);
  });

  it("labels known checks, and shows others by name", () => {
    expect(checkLabel({ check: "arp_rule", level: "passed", text: "", nodes: [] })).toBe("Address rule");
    expect(checkLabel({ check: "new_one", level: "passed", text: "", nodes: [] })).toBe("new_one");
  });
});
