/** Labels of ARP states, and ARP policies as editable text. */
import type { ArpFabric, ArpPolicyIn, ArpRuleLine, ArpSetting } from "@/api/arp";

export const RUNNING_LABELS: Record<ArpFabric["running"], string> = {
  on: "on",
  off: "off",
  mixed: "mixed",
  unknown: "not reported",
};
export const VERDICT_LABELS: Record<ArpRuleLine["verdict"], string> = {
  obeys: "compliant",
  breaks: "violation",
  twice: "duplicate number",
  no_number: "no switch node number",
  no_address: "no IPv4 address",
  address_mismatch: "address mismatch",
};

export const formatAddresses = (addresses: readonly string[]): string =>
  addresses.length === 0 ? "none" : addresses.join(", ");

/** The page's headline: mixed fabrics, else deviations from policy, else the overall state. */
export function arpHeadline(fabrics: readonly ArpFabric[]): string {
  const mixed = fabrics.filter(({ running }) => running === "mixed");
  if (mixed.length > 0)
    return `${mixed.map(({ fabric }) => fabric).join(", ")}: ARP is mixed; some nodes cannot reach each other.`;
  const wrong = fabrics.filter(({ state }) => state === "warning" || state === "critical");
  if (wrong.length > 0)
    return `${wrong.map(({ fabric, state_text }) => `${fabric}: ${state_text}`).join("; ")}.`;
  const silent = fabrics.filter(({ running }) => running === "unknown").map(({ fabric }) => fabric);
  if (silent.length === fabrics.length) return "No node has reported its ARP state yet.";
  const rest = silent.length === 0 ? "" : ` No report from ${silent.join(" and ")}.`;
  return `ARP is consistent on every reporting fabric.${rest}`;
}

/** Settings as lines `ipv4.conf.arp_ignore = 1`, as in sysctl.d(5). */
export const formatSettings = (settings: Readonly<Record<string, number>>): string =>
  Object.entries(settings)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, value]) => `${name} = ${value}`)
    .join("\n");

interface ParsedSettings {
  readonly settings: Record<string, number>;
  readonly errors: readonly string[];
}

/** Inverse of `formatSettings`; a line with an unknown setting or a value out of range is an error. */
export function parseSettings(text: string, known: readonly ArpSetting[]): ParsedSettings {
  const settings: Record<string, number> = {};
  const errors: string[] = [];
  const bounds = new Map(known.map((setting) => [setting.name, setting]));
  for (const line of text.split("\n").map((row) => row.trim())) {
    if (line === "") continue;
    const match = /^([a-z0-9_.]+)\s*=\s*(-?\d+)$/.exec(line);
    const setting = match === null ? undefined : bounds.get(match[1] ?? "");
    if (match === null) errors.push(`“${line}” must read name = number.`);
    else if (setting === undefined) errors.push(`${match[1]} is not a known setting.`);
    else if (Number(match[2]) < setting.least || Number(match[2]) > setting.greatest)
      errors.push(`${setting.name} must be between ${setting.least} and ${setting.greatest}.`);
    else settings[setting.name] = Number(match[2]);
  }
  return { settings, errors };
}

/** Ports' own settings as lines `sp0?:css0 ipv4.conf.arp_filter = 1`. */
export const formatPorts = (ports: NonNullable<ArpPolicyIn["ports"]>): string =>
  ports
    .flatMap(({ pattern, settings }) =>
      Object.entries(settings ?? {}).map(([name, value]) => `${pattern} ${name} = ${value}`),
    )
    .join("\n");

/** Inverse of `formatPorts`; consecutive lines with the same pattern form one part. */
export function parsePorts(
  text: string,
  known: readonly ArpSetting[],
): { ports: { pattern: string; settings: Record<string, number> }[]; errors: readonly string[] } {
  const ports: { pattern: string; settings: Record<string, number> }[] = [];
  const errors: string[] = [];
  for (const line of text.split("\n").map((row) => row.trim())) {
    if (line === "") continue;
    const [pattern = "", ...rest] = line.split(/\s+/);
    const read = parseSettings(rest.join(" "), known);
    if (rest.length === 0) errors.push(`“${line}” must read pattern name = number.`);
    errors.push(...read.errors);
    const last = ports.at(-1);
    if (last?.pattern === pattern) Object.assign(last.settings, read.settings);
    else ports.push({ pattern, settings: read.settings });
  }
  return { ports, errors };
}
