/** Plan of the mock API's change: eight nodes with four engines, one warning, and the impact of each failure. */
import type { Impact, Plan, PlanShape } from "@/api/types";

export const DIGEST = "9f3c".padEnd(64, "0");
export const WAVES: readonly (readonly string[])[] = [
  ["sp01"],
  ["sp02", "sp05"],
  ["sp03", "sp04", "sp06", "sp07", "sp08"],
];

const BIRD_DIFF = `--- /etc/bird/bird.conf
+++ /etc/bird/bird.conf
@@ -18,6 +18,7 @@
 protocol static {
   ipv4;
 # BEGIN backstay sp-default 0.0.0.0/0
-  route 0.0.0.0/0 via 10.1.0.15;
+  route 0.0.0.0/0 via 10.1.0.14 { preference = 200; };
+  route 0.0.0.0/0 via 10.1.0.15 { preference = 190; };
 # END backstay sp-default 0.0.0.0/0
 }
`;
const FRR_DIFF = `--- /etc/frr/frr.conf
+++ /etc/frr/frr.conf
@@ -4,3 +4,6 @@
 hostname sp05
 !
-ip route 0.0.0.0/0 10.1.0.15
+# BEGIN backstay sp-default 0.0.0.0/0
+ip route 0.0.0.0/0 10.1.0.14 60
+ip route 0.0.0.0/0 10.1.0.15 70
+# END backstay sp-default 0.0.0.0/0
`;

const difference = {
  prefix: "0.0.0.0/0",
  before: ["via atmgw 10.1.0.15 pref 60"],
  after: ["via grf1 10.1.0.14 pref 60", "via atmgw 10.1.0.15 pref 70"],
};

export const SHAPES: PlanShape[] = [
  {
    nodes: ["sp01", "sp02", "sp03", "sp04"],
    node_count: 4,
    engine: "bird",
    differences: [difference],
    files: [{ path: "/etc/bird/bird.conf", diff: BIRD_DIFF, after: "" }],
  },
  {
    nodes: ["sp05", "sp06", "sp07", "sp08"],
    node_count: 4,
    engine: "frr",
    differences: [difference],
    files: [{ path: "/etc/frr/frr.conf", diff: FRR_DIFF, after: "" }],
  },
];

const SP = Array.from({ length: 8 }, (_, index) => `sp0${index + 1}`);
const link = (link_id: number, name: string, bps: number, utilisation: number) => ({
  link_id,
  name,
  bps,
  utilisation,
});

export const IMPACTS: Impact[] = [
  {
    failure: "nothing",
    kind: "none",
    id: 0,
    verdict: "holds",
    text: "Every node leaves through grf1.",
    cut_off: [],
    looping: [],
    moved: [],
    links: [link(13, "grf1:ga031-router:at0", 31.2e6, 0.58)],
    omitted: { cut_off: 0, looping: 0, moved: 0, links: 0 },
    seconds: 0,
  },
  {
    failure: "grf1",
    kind: "node",
    id: 10,
    verdict: "saturates",
    text: "All 8 nodes move to atmgw within 150 ms; its OC-3 would carry 41.2 of 13.5 Mb/s.",
    cut_off: [],
    looping: [],
    moved: SP,
    links: [link(14, "atmgw:at0-router:at1", 41.2e6, 3.06)],
    omitted: { cut_off: 0, looping: 0, moved: 0, links: 0 },
    seconds: 0.15,
  },
  {
    failure: "atmgw",
    kind: "node",
    id: 9,
    verdict: "holds",
    text: "Standby while grf1 is up.",
    cut_off: [],
    looping: [],
    moved: [],
    links: [],
    omitted: { cut_off: 0, looping: 0, moved: 0, links: 0 },
    seconds: 0,
  },
  {
    failure: "sp01:css0-sp-switch",
    kind: "link",
    id: 1,
    verdict: "cuts_off",
    text: "sp01 has no other way to either gateway.",
    cut_off: ["sp01"],
    looping: [],
    moved: [],
    links: [],
    omitted: { cut_off: 0, looping: 0, moved: 0, links: 0 },
    seconds: null,
  },
];

const failures = IMPACTS.filter(({ kind }) => kind !== "none");

export function planOf(madeAt: number): Plan {
  return {
    is_whole: true,
    counts: {
      shapes: SHAPES.length,
      failures: Object.fromEntries(
        [...Map.groupBy(failures, ({ verdict }) => verdict)].map(([verdict, same]) => [verdict, same.length]),
      ),
      waves: WAVES.map((wave) => wave.length),
    },
    made_at: new Date(madeAt).toISOString(),
    digest: DIGEST,
    stale: false,
    stale_because: "",
    blocked: false,
    summary: "8 nodes, 2 shapes; 3 checks passed, 1 warning",
    shapes: SHAPES,
    checks: [
      {
        check: "gateway_on_link",
        level: "passed",
        text: "Both gateways are on a network of every node.",
        nodes: [],
        node_count: 0,
      },
      {
        check: "preferences_differ",
        level: "passed",
        text: "No two gateways of a node have the same preference.",
        nodes: [],
        node_count: 0,
      },
      {
        check: "controller_reached",
        level: "passed",
        text: "Every node keeps its path to this backend.",
        nodes: [],
        node_count: 0,
      },
      {
        check: "fallback_load",
        level: "warning",
        text: "With grf1 dead atmgw:at0-router:at1 would carry 41.2 of 13.5 Mb/s. Add a gateway, or accept that the fallback is slower.",
        nodes: SP,
        node_count: SP.length,
      },
    ],
    reminders: ["grf1: Then save its configuration (backup group of its MIB) and read it back."],
    impacts: IMPACTS,
    waves: WAVES.map((wave) => [...wave]),
  };
}
