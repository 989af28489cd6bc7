/** Labels of extension nodes, and the wizard's form as a request. */
import type {
  ExtensionAttribute,
  ExtensionIn,
  ExtensionNode,
  MoveCheck,
  SwitchPort,
} from "@/api/extension-nodes";
import type { StateName } from "@/ui/StateBadge";
import { count, partOf } from "@/util/units";

export function nodesHeadline(nodes: readonly ExtensionNode[]): string {
  const of = (state: ExtensionNode["state"]) => nodes.filter((node) => node.state === state).length;
  if (nodes.length === 0) return "No extension nodes.";
  const bad = of("critical") + of("warning");
  const parts = [
    bad > 0
      ? `${partOf(bad, nodes.length, "extension node")} ${bad === 1 ? "differs" : "differ"} from the intended configuration`
      : `${count(nodes.length, "extension node")}, no known difference`,
  ];
  if (of("unknown") > 0) parts.push(`${of("unknown")} not reported`);
  return `${parts.join(", ")}.`;
}

const VERDICTS: Record<ExtensionAttribute["verdict"], readonly [StateName, string]> = {
  same: ["ok", "matches"],
  differs: ["warning", "differs"],
  degraded: ["warning", "degraded"],
  not_reported: ["unknown", "not reported"],
  not_declared: ["disabled", "not declared"],
};

/** State and label of an attribute; a difference that loses packets is critical. */
export function verdictState({ verdict, severe }: ExtensionAttribute): readonly [StateName, string] {
  const [state, label] = VERDICTS[verdict];
  return [severe && state === "warning" ? "critical" : state, label];
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

export const checkLabel = ({ check }: MoveCheck): string => CHECKS[check] ?? check;

export const LEVELS: Record<MoveCheck["level"], readonly [StateName, string]> = {
  failed: ["critical", "failed"],
  warning: ["warning", "warning"],
  passed: ["ok", "passed"],
};

/** Ports by frame, in order. */
export function framesOf(ports: readonly SwitchPort[]): ReadonlyMap<number, readonly SwitchPort[]> {
  const frames = new Map<number, SwitchPort[]>();
  for (const port of ports) frames.set(port.frame, [...(frames.get(port.frame) ?? []), port]);
  return frames;
}

/** `grf1`, `covered by atmgw`, `empty slot`. */
export function formatUse({ use, owner }: SwitchPort): string {
  if (use === "used") return owner;
  return use === "covered" ? `covered by ${owner}` : "empty slot";
}

/** The wizard's form, as typed, with the names of the API; an empty field uses the proposal. */
export interface AttachForm {
  readonly node: string;
  readonly port: string;
  readonly place: { readonly frame: number; readonly slot: number } | null;
  readonly node_number: string;
  readonly switch_node_number: string;
  readonly address: string;
  readonly host_offset: string;
  readonly max_link_packet: string;
}

export const EMPTY: AttachForm = {
  node: "",
  port: "gt000",
  place: null,
  node_number: "",
  switch_node_number: "",
  address: "",
  host_offset: "",
  max_link_packet: "65520",
};

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const WHOLE = /^-?\d{1,10}$/;

/** A whole number; null of an empty field. */
const wholeOf = (text: string): number | null => (text.trim() === "" ? null : Number(text));

const optionalNumber = (text: string): string | null =>
  text.trim() === "" || WHOLE.test(text.trim()) ? null : "Enter a whole number.";

/** Validation rules by field; the server validates again. */
export const validate = {
  node: (text: string) => (NAME.test(text.trim()) ? null : "Enter the name of the gateway, e.g. grf2."),
  port: (text: string) => (text.trim() === "" ? "Enter the adapter, e.g. gt020." : null),
  max_link_packet: (text: string) => (WHOLE.test(text.trim()) ? null : "Enter a number of bytes."),
  node_number: optionalNumber,
  switch_node_number: optionalNumber,
  host_offset: optionalNumber,
};

/** The request; null while the form is incomplete. */
export function requestOf(site: string, form: AttachForm): ExtensionIn | null {
  const rules = Object.entries(validate) as [keyof typeof validate, (text: string) => string | null][];
  if (site === "" || rules.some(([field, rule]) => rule(form[field]) !== null)) return null;
  return {
    site,
    node: form.node.trim(),
    port: form.port.trim(),
    frame: form.place?.frame ?? null,
    slot: form.place?.slot ?? null,
    fabric: null,
    node_number: wholeOf(form.node_number),
    switch_node_number: wholeOf(form.switch_node_number),
    host_offset: wholeOf(form.host_offset),
    address: form.address.trim() === "" ? null : form.address.trim(),
    max_link_packet: Number(form.max_link_packet),
  };
}
