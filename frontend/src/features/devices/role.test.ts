import { describe, expect, it } from "vitest";
import type { PathGroup } from "@/api/models/paths";
import type { Policy } from "@/api/types";
import { gatewayRoles, usageText } from "./role";

const policy = (id: number, gateways: string[], stripe: unknown = null) =>
  ({ id, name: `policy${id}`, prefix: "0.0.0.0/0", gateways, stripe }) as Policy;
const group = (policy_id: number, preferred: string, active: string, paths: number, in_force = true) =>
  ({ policy_id, preferred, active, paths, in_force }) as PathGroup;

describe("the role of a gateway", () => {
  const policies = [policy(1, ["grf1", "atmgw"]), policy(2, ["router"]), policy(3, ["a", "b", "atmgw"])];

  it("is by policy: which place, how many nodes use it now, and how many prefer it", () => {
    const groups = [
      group(1, "grf1", "grf1", 5),
      group(1, "grf1", "atmgw", 3),
      group(2, "router", "router", 9),
    ];
    expect(gatewayRoles("atmgw", policies, groups)).toEqual([
      {
        policyId: 1,
        policy: "policy1",
        prefix: "0.0.0.0/0",
        place: "fallback",
        preferring: 0,
        using: 3,
        nodes: 8,
      },
      {
        policyId: 3,
        policy: "policy3",
        prefix: "0.0.0.0/0",
        place: "fallback 2",
        preferring: 0,
        using: 0,
        nodes: 0,
      },
    ]);
    expect(gatewayRoles("grf1", policies, groups)[0]).toMatchObject({
      place: "preferred",
      preferring: 8,
      using: 5,
    });
    expect(gatewayRoles("sp01", policies, groups)).toEqual([]);
  });

  it("counts no paths of policies that are not deployed, but those of a past moment", () => {
    const groups = [group(1, "grf1", "grf1", 5, false), { ...group(1, "grf1", "grf1", 2), in_force: null }];
    expect(gatewayRoles("grf1", policies, groups)[0]).toMatchObject({ using: 2, nodes: 2 });
  });

  it("of a stripe has no order", () =>
    expect(gatewayRoles("b", [policy(4, ["a", "b"], {})], [])[0]?.place).toBe("stripe member"));

  it("is at least what is loaded, and never zero of zero", () => {
    expect(usageText(3, 8, true)).toBe("3 of 8 nodes");
    expect(usageText(3, 8, false)).toBe("at least 3 of 8 nodes");
    expect(usageText(0, 0, true)).toBe("not deployed");
    expect(usageText(0, 0, false)).toBe("unknown");
  });
});
