/** Labels of circuit states, and the planner's form as a request. */
import type { Circuit, CircuitHop, CircuitPlanIn, CircuitSide, CircuitVersion } from "@/api/circuits";
import type { StateName } from "@/ui/StateBadge";
import { count, partOf, rate } from "@/util/units";

export function circuitsHeadline(circuits: readonly Circuit[]): string {
  const of = (state: Circuit["state"]) => circuits.filter((circuit) => circuit.state === state).length;
  if (circuits.length === 0) return "No circuits declared.";
  const parts = [
    of("critical") > 0
      ? `${partOf(of("critical"), circuits.length, "circuit")} down`
      : `${count(circuits.length, "circuit")}, none reported down`,
  ];
  if (of("warning") > 0) parts.push(`${of("warning")} misconfigured`);
  if (of("unknown") > 0) parts.push(`${of("unknown")} not reported`);
  return `${parts.join(", ")}.`;
}

/** `0/130`, or `0/130 → 0/131` where a switch translates it. */
export const formatLabels = ({ labels }: Pick<Circuit, "labels">): string => labels.join(" → ");

/** `gw:at0 0/130 → sw:1A1 0/130, 1A2 0/131 → far:at0 0/131`. */
export const describePath = ({ hops }: CircuitVersion): string =>
  hops
    .map(({ node, into, out }) => {
      const sides = [into, out].flatMap((side) => (side === null ? [] : [`${side.port} ${side.label}`]));
      return `${node}:${sides.join(", ")}`;
    })
    .join(" → ");

/** The distinct traffic shapes of these hops with their rates. */
export function describeShapes(hops: readonly Pick<CircuitHop, "shape">[]): string {
  const shapes = [
    ...new Map(hops.flatMap(({ shape }) => (shape === null ? [] : [[shape.name, shape] as const]))).values(),
  ];
  const descriptions = shapes.map(({ name, peak, sustain, burst, qos }) =>
    [
      name,
      `peak ${rate(peak)}`,
      sustain === null || sustain === undefined ? "" : `sustained ${rate(sustain)}`,
      burst === null || burst === undefined ? "" : `burst ${burst}`,
      qos ?? "",
    ]
      .filter(Boolean)
      .join(", "),
  );
  return descriptions.length === 0 ? "not declared" : descriptions.join("; ");
}

export const KIND_LABELS: Record<Circuit["kind"], string> = { pvc: "PVC", vlan: "VLAN" };

const REPORTED_STATES: Record<NonNullable<CircuitSide["reported"]>, readonly [StateName, string]> = {
  up: ["ok", "up"],
  down: ["critical", "down"],
  unknown: ["unknown", "unknown"],
  missing: ["critical", "not configured"],
  off: ["disabled", "disabled"],
};

/** State and label of a side; unknown without a report from the device. */
export function sideState({ reported, port_up, fault }: CircuitSide): readonly [StateName, string] {
  if (reported === null)
    return fault === null
      ? ["unknown", port_up === false ? "port down" : "not reported"]
      : ["critical", "mismatch"];
  const [state, label] = REPORTED_STATES[reported];
  return fault !== null && state === "ok" ? ["critical", `${label}, but mismatched`] : [state, label];
}

/** The link after a hop, and whether its two labels match. */
export function describeWire(
  hop: CircuitHop,
  next: CircuitHop,
): { readonly joins: boolean; readonly text: string } {
  const [sent, expected] = [hop.out?.label ?? "none", next.into?.label ?? "none"];
  return { joins: hop.joins, text: hop.joins ? sent : `${sent} ≠ ${expected}` };
}

/** The planner's form, as typed. */
export interface PlanForm {
  readonly groups: string;
  readonly pattern: "full" | "between" | "hub";
  readonly hub: string;
  readonly switches: string;
  readonly svc: boolean;
  readonly vlan: boolean;
  readonly kind: "pvc" | "vlan";
}

export const EMPTY_PLAN: PlanForm = {
  groups: "nodes 98\natm 12",
  pattern: "full",
  hub: "grf1",
  switches: "3",
  svc: true,
  vlan: false,
  kind: "pvc",
};

type GroupIn = CircuitPlanIn["groups"][number];

/** One group per line: a name and a count, or a name, a colon and hosts. Null if a line is neither. */
export function groupsOf(text: string): GroupIn[] | null {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const groups = lines.map(groupOf);
  return groups.length === 0 || groups.includes(null) ? null : (groups as GroupIn[]);
}

function groupOf(line: string): GroupIn | null {
  const counted = /^([A-Za-z][A-Za-z0-9-]{0,31})\s+(\d{1,4})$/.exec(line);
  if (counted !== null) return { name: counted[1] ?? "", count: Number(counted[2]) };
  const named = /^([A-Za-z][A-Za-z0-9-]{0,31})\s*:\s*(\S.*)$/.exec(line);
  if (named === null) return null;
  return { name: named[1] ?? "", nodes: (named[2] ?? "").split(/[\s,]+/).filter((node) => node !== "") };
}

/** The request; null while the form is incomplete. */
export function planOf(site: string, form: PlanForm): CircuitPlanIn | null {
  const groups = groupsOf(form.groups);
  const switches = Number(form.switches);
  const hub = form.hub.trim();
  if (groups === null || !Number.isInteger(switches) || switches < 1 || switches > 64) return null;
  if (form.pattern === "hub" && hub === "") return null;
  if (form.pattern === "between" && groups.length < 2) return null;
  const means: CircuitPlanIn["means"] = [
    "pvc",
    ...(form.svc ? (["svc"] as const) : []),
    ...(form.vlan ? (["vlan"] as const) : []),
  ];
  return {
    site,
    groups,
    pattern: form.pattern,
    hub: hub === "" ? null : hub,
    kind: form.kind,
    switches,
    means,
  };
}
