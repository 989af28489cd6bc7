/** ARP of the mock API: a switch on which one node was changed manually, and a HIPPI fabric without a policy. */
import type { ArpFabric, ArpPolicy, ArpRule, ArpSetting } from "@/api/arp";

const NODES = ["sp01", "sp02", "sp03", "sp04", "atmgw"];

export function arpPolicies(): ArpPolicy[] {
  return [
    {
      id: 1,
      name: "sp-switch",
      site: "argonne",
      fabric: "sp-switch",
      fabric_id: 1,
      mode: "off",
      settings: { "ipv4.conf.arp_ignore": 1 },
      ports: [],
      table: {},
      note: "As in the SDR since the switch was renumbered.",
      managed: 5,
      not_managed: ["grf1"],
      confirmed: 5,
      outdated: 0,
      address_mismatches: [],
      state: "ok",
      state_text: "deployed on 5 nodes",
      url: "/arp/sp-switch",
    },
  ];
}

export function arpFabrics(): ArpFabric[] {
  const [policy = null] = arpPolicies();
  return [
    {
      fabric: "sp-switch",
      fabric_id: 1,
      kind: "sp_switch",
      declared: "on",
      policy,
      running: "mixed",
      on: ["sp03"],
      off: NODES.filter((name) => name !== "sp03"),
      unknown: ["grf1"],
      address_mismatches: [
        {
          node: "sp04",
          node_id: 4,
          port: "css0",
          intended: ["10.1.0.4"],
          running: ["10.1.0.99"],
          text: "sp04 has 10.1.0.99 on css0, the site file says 10.1.0.4.",
        },
      ],
      state: "critical",
      state_text: "mixed: ARP is on at sp03 only; some nodes cannot reach each other",
    },
    {
      fabric: "hippi",
      fabric_id: 2,
      kind: "hippi",
      declared: "on",
      policy: null,
      running: "on",
      on: ["onyx1"],
      off: [],
      unknown: ["grf1"],
      address_mismatches: [],
      state: "ok",
      state_text: "ARP is on for all reporting nodes; no report from grf1",
    },
  ];
}

export function arpRule(fabric: string): ArpRule {
  const lines = [...NODES, "grf1"].map((node, place) => {
    const number = node === "grf1" ? 15 : node === "atmgw" ? 14 : place;
    const part = node === "sp02" ? 77 : number + 1;
    const breaks = part - number !== 1;
    return {
      node,
      node_id: place + 1,
      port: node === "grf1" ? "gt000" : "css0",
      address: `10.1.0.${part}`,
      running: "",
      host_part: part,
      switch_node_number: number,
      difference: part - number,
      verdict: breaks ? ("breaks" as const) : ("obeys" as const),
      extension: node === "grf1",
      text: breaks
        ? `${node} has host part ${part} and switch node number ${number}: the host part must be ${number + 1}.`
        : "",
    };
  });
  const applies = fabric === "sp-switch";
  return {
    fabric,
    kind: applies ? "sp_switch" : "hippi",
    applies,
    constant: 1,
    broken: 1,
    lines: lines.sort((a, b) => Number(a.verdict === "obeys") - Number(b.verdict === "obeys")),
    text: applies
      ? "1 of 6 violates the rule and would be unreachable with ARP off."
      : "This fabric does not compute addresses: without ARP its nodes need static entries only.",
  };
}

export const arpSettings = (): ArpSetting[] => [
  { name: "ipv4.conf.arp_announce", scope: "port", least: 0, greatest: 2 },
  { name: "ipv4.conf.arp_ignore", scope: "port", least: 0, greatest: 8 },
  { name: "ipv4.neigh.gc_stale_time", scope: "port", least: 0, greatest: 86_400 },
  { name: "ipv4.gc_thresh3", scope: "node", least: 0, greatest: 2_147_483_647 },
];
