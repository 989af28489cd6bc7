/** Extension nodes as they are shown, and the wizard's form as a request. Pure. */
import type {
  ExtensionAttribute,
  ExtensionIn,
  ExtensionNode,
  Obstacle,
  SwitchPort,
} from "@/api/extension-nodes";
import type { StateName } from "@/ui/StateBadge";
import { count } from "@/util/units";

export function nodesHeadline(nodes: readonly ExtensionNode[]): string {
  const of = (state: ExtensionNode["state"]) => nodes.filter((node) => node.state === state).length;
  if (nodes.length === 0) return "No gateway is attached to an SP switch.";
  const bad = of("critical") + of("warning");
  const parts = [
    bad > 0
      ? `${bad} of ${count(nodes.length, "extension node")} ${bad === 1 ? "differs" : "differ"} from what is intended`
      : `${count(nodes.length, "extension node")}, none is known to differ`,
  ];
  if (of("unknown") > 0) parts.push(`of ${of("unknown")} the router does not tell`);
  return `${parts.join(", ")}.`;
}

const VERDICTS: Record<ExtensionAttribute["verdict"], readonly [StateName, string]> = {
  same: ["ok", "agrees"],
  differs: ["warning", "differs"],
  not_well: ["warning", "not well"],
  not_reported: ["unknown", "not told"],
  not_declared: ["disabled", "not noted"],
};

/** An attribute's state with its word; by what packets are lost is critical. */
export function verdictState({ verdict, severe }: ExtensionAttribute): readonly [StateName, string] {
  const [state, word] = VERDICTS[verdict];
  return [severe && state === "warning" ? "critical" : state, word];
}

const CHECKS: Record<string, string> = {
  switch_port: "Switch port",
  node_number: "Node number",
  switch_node_number: "Switch node number",
  address: "Address",
  arp_rule: "Address rule",
  host_offset: "Host offset",
  mtu: "MTU",
};

export const checkLabel = ({ check }: Obstacle): string => CHECKS[check] ?? check;

export const LEVELS: Record<Obstacle["level"], readonly [StateName, string]> = {
  failed: ["critical", "refused"],
  warning: ["warning", "warning"],
  passed: ["ok", "passed"],
};

/** Ports by frame, in order. */
export function framesOf(ports: readonly SwitchPort[]): ReadonlyMap<number, readonly SwitchPort[]> {
  const frames = new Map<number, SwitchPort[]>();
  for (const port of ports) frames.set(port.frame, [...(frames.get(port.frame) ?? []), port]);
  return frames;
}

/** `grf1`, `beside atmgw`, `empty slot`. */
export function formatUse({ use, owner }: SwitchPort): string {
  if (use === "used") return owner;
  return use === "covered" ? `beside ${owner}` : "empty slot";
}

/** The wizard's form: what the fields hold, as typed; empty is left to the proposal. */
export interface AttachForm {
  readonly node: string;
  readonly port: string;
  readonly place: { readonly frame: number; readonly slot: number } | null;
  readonly nodeNumber: string;
  readonly switchNumber: string;
  readonly address: string;
  readonly hostOffset: string;
  readonly packet: string;
}

export const EMPTY: AttachForm = {
  node: "",
  port: "gt000",
  place: null,
  nodeNumber: "",
  switchNumber: "",
  address: "",
  hostOffset: "",
  packet: "65520",
};

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** The request; null while the form is not one. */
export function requestOf(site: string, form: AttachForm): ExtensionIn | null {
  const numbers = [form.nodeNumber, form.switchNumber, form.hostOffset].map(whole);
  const packet = whole(form.packet);
  if (
    site === "" ||
    !NAME.test(form.node.trim()) ||
    form.port.trim() === "" ||
    packet === null ||
    numbers.includes(undefined) ||
    packet === undefined
  )
    return null;
  const [node_number, switch_node_number, host_offset] = numbers as (number | null)[];
  return {
    site,
    node: form.node.trim(),
    port: form.port.trim(),
    frame: form.place?.frame ?? null,
    slot: form.place?.slot ?? null,
    fabric: null,
    node_number: node_number ?? null,
    switch_node_number: switch_node_number ?? null,
    host_offset: host_offset ?? null,
    address: form.address.trim() === "" ? null : form.address.trim(),
    max_link_packet: packet,
  };
}

/** A whole number; null of an empty field, undefined of anything else. */
function whole(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  return /^-?\d{1,10}$/.test(trimmed) ? Number(trimmed) : undefined;
}
