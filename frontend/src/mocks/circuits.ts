/** Circuits of the mock API: one in order, one relabelled by a switch, one with a wrong label, one without reports, a VLAN. */
import type {
  Circuit,
  CircuitHop,
  CircuitPlan,
  CircuitPlanIn,
  CircuitSide,
  CircuitVersion,
  HandOver,
} from "@/api/circuits";

const SHAPE = { name: "atm_oc12", peak: 538_000_000, sustain: null, burst: null, qos: "high" } as const;

function side(
  port: string,
  label: string,
  reported: CircuitSide["reported"] = "up",
  fault: string | null = null,
): CircuitSide {
  return {
    port,
    port_id: null,
    label,
    reported,
    port_up: true,
    strays: reported === "missing" ? ["0/230"] : [],
    fault,
  };
}

function hop(node: string, into: CircuitSide | null, out: CircuitSide | null, joins = true): CircuitHop {
  const faults = [into?.fault, out?.fault].filter((fault): fault is string => typeof fault === "string");
  return { node, node_id: 1, into, out, shape: SHAPE, faults, joins };
}

function circuit(id: number, hops: CircuitHop[], more: Partial<Circuit> = {}): Circuit {
  const sides = hops.flatMap(({ into, out }) => [into, out]).filter((end) => end !== null);
  const ends = [hops[0]?.node ?? "", hops.at(-1)?.node ?? ""];
  return {
    id,
    name: ends.join("-"),
    kind: "pvc",
    state: "ok",
    state_text: `up (reported by ${sides.length} of ${sides.length} ends)`,
    ends,
    labels: [...new Set(sides.map(({ label }) => label))],
    shape: "atm_oc12",
    note: "",
    hops,
    incident_id: null,
    url: `/circuits/${id}`,
    ...more,
  };
}

export function circuits(): Circuit[] {
  const fault = "asx2 sends 0/140 out of 2B1, and router expects 0/141 on at0: all other hops use 0/140.";
  return [
    circuit(1, [hop("grf1", null, side("ga030", "0/130")), hop("origin1", side("at0", "0/130"), null)]),
    circuit(2, [
      hop("grf1", null, side("ga031", "0/131")),
      hop("asx1", side("1A1", "0/131"), side("1B1", "0/231")),
      hop("origin2", side("at0", "0/231"), null),
    ]),
    circuit(
      3,
      [
        hop("asx2", side("2A1", "0/140"), side("2B1", "0/140"), false),
        hop("router", side("at0", "0/141", "up", fault), null),
      ],
      {
        name: "grf1-router",
        ends: ["grf1", "router"],
        state: "critical",
        state_text: fault.slice(0, -1),
        incident_id: 1,
      },
    ),
    circuit(
      4,
      [hop("atmgw", null, side("at0", "0/150", null)), hop("router", side("at1", "0/150", null), null)],
      { state: "unknown", state_text: "no report from any device on its path" },
    ),
    circuit(
      5,
      [
        hop("stor1", null, side("eth0", "130")),
        hop("sw1", side("p9", "130"), side("p10", "130")),
        hop("stor2", side("eth0", "130"), null),
      ],
      { kind: "vlan", shape: null },
    ),
  ];
}

/** A version of each circuit since before the record, and of the second one with other labels until May. */
export function circuitVersions(): CircuitVersion[] {
  const versions = circuits().map((present) => versionOf(present, present.id, { since: null }));
  const changed = circuits()[1] as Circuit;
  const until = "2031-05-01T08:00:00Z";
  const earlier = circuit(2, [
    hop("grf1", null, side("ga031", "0/121")),
    hop("origin2", side("at0", "0/121"), null),
  ]);
  return versions
    .map((version) => (version.circuit_id === changed.id ? { ...version, since: until } : version))
    .concat(versionOf({ ...earlier, name: changed.name }, 12, { since: null, until }));
}

function versionOf(
  { id: circuit_id, name, kind, ends, labels, note, hops, url }: Circuit,
  id: number,
  span: Pick<CircuitVersion, "since"> & Partial<CircuitVersion>,
): CircuitVersion {
  const declared = hops.map(({ node, into, out, shape, joins }) => ({ node, into, out, shape, joins }));
  return { id, name, kind, until: null, ends, labels, note, hops: declared, circuit_id, url, ...span };
}

/** The real plan of the form's first proposal, for any request. */
export function circuitPlan({ hub, pattern }: CircuitPlanIn): CircuitPlan {
  const size = (
    method: string,
    title: string,
    figures: readonly [number, number, number, number, number],
    note: string,
  ) => {
    const [count, statements, per_port, trunk, one_more] = figures;
    return { method, title, circuits: count, statements, per_port, trunk, one_more, fits: true, note };
  };
  return {
    members: 110,
    pairs: 5995,
    capacity: 39_936,
    limits: "VPI 0 to 15; VCI 32 to 32767 on VPI 0, to 511 on the others; below 32 reserved for signalling",
    sizes: [
      size(
        "full",
        "Full mesh of PVCs",
        [5995, 29_975, 109, 2701, 550],
        "each circuit is configured on 5 devices",
      ),
      size(
        "between",
        "PVCs between the groups",
        [1176, 5880, 98, 876, 490],
        "each circuit is configured on 5 devices",
      ),
      size(
        "hub",
        `Hub and spoke, ${hub ?? "grf1"} the hub`,
        [110, 550, 110, 74, 5],
        "each circuit is configured on 5 devices",
      ),
      size(
        "svc",
        "SVCs, classical IP with an ARP server",
        [0, 110, 109, 0, 1],
        "one ARP server's address on each host",
      ),
      size(
        "vlan",
        "One VLAN",
        [1, 114, 1, 1, 1],
        "one id on each host's port and on both ends of each trunk",
      ),
    ],
    advised: "svc",
    advice:
      "5,995 PVCs need 29,975 lines, and every added host 550. SVCs need 110 lines, and one per added host.",
    planned: 5995,
    circuits: [
      {
        name: "nodes01-nodes02",
        a: "nodes01",
        b: "nodes02",
        sides: ["nodes01:at0 0/32", "switch1:to-nodes01 0/32", "switch1:to-nodes02 0/32", "nodes02:at0 0/32"],
      },
    ],
    device: pattern === "hub" ? "grf1" : null,
    text: pattern === "hub" ? "PVC ga030 0/32 proto=ip\n" : "",
  };
}

export function handOver(node: string, current: string): HandOver {
  const line = "PVC ga030 0/130 proto=ip traffic_shape=atm_oc12\n";
  return {
    node,
    path: "/etc/gratm.conf",
    before: current,
    after: current + line,
    diff: `--- /etc/gratm.conf\n+++ /etc/gratm.conf\n@@ -0,0 +1 @@\n+${line}`,
    commands: ["grreset 3"],
    unlike: ["/etc/gratm.conf lacks PVC ga030 0/130."],
  };
}
