/** ARP of fabrics in words, and policies as text that people type. */
import type { ArpFabric, ArpPolicyIn, ArpRuleLine, ArpSetting } from "@/api/arp";

export const RUNNING_LABELS: Record<ArpFabric["running"], string> = {
  on: "on",
  off: "off",
  mixed: "mixed",
  unknown: "nobody told",
};
export const VERDICT_LABELS: Record<ArpRuleLine["verdict"], string> = {
  obeys: "obeys",
  breaks: "breaks it",
  twice: "number given twice",
  no_number: "no switch node number",
  no_address: "no IPv4 address",
  address_mismatch: "runs another address",
};

/** Addresses in a cell. */
export const formatAddresses = (addresses: readonly string[]): string =>
  addresses.length === 0 ? "none" : addresses.join(", ");

/** The page's headline: a fabric that is mixed, else one that is not as wanted, else how far all are known. */
export function arpHeadline(fabrics: readonly ArpFabric[]): string {
  const mixed = fabrics.filter(({ running }) => running === "mixed");
  if (mixed.length > 0)
    return `${mixed.map(({ fabric }) => fabric).join(", ")}: ARP is mixed, so not all nodes find each other.`;
  const wrong = fabrics.filter(({ state }) => state === "warning" || state === "critical");
  if (wrong.length > 0)
    return `${wrong.map(({ fabric, state_text }) => `${fabric}: ${state_text}`).join("; ")}.`;
  const silent = fabrics.filter(({ running }) => running === "unknown").map(({ fabric }) => fabric);
  if (silent.length === fabrics.length) return "No node has told of its ARP yet.";
  const rest = silent.length === 0 ? "" : ` Of ${silent.join(" and ")} no node tells.`;
  return `Wherever nodes tell, ARP is on for all or off for all.${rest}`;
}

/** Settings as lines `ipv4.conf.arp_ignore = 1`, as sysctl.d(5) has them. */
export const formatSettings = (settings: Readonly<Record<string, number>>): string =>
  Object.entries(settings)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, value]) => `${name} = ${value}`)
    .join("\n");

export interface ParsedSettings {
  readonly settings: Record<string, number>;
  readonly mistakes: readonly string[];
}

/** The way back; each line that is no setting of the list, or out of its bounds, is a mistake in a sentence. */
export function parseSettings(text: string, known: readonly ArpSetting[]): ParsedSettings {
  const settings: Record<string, number> = {};
  const mistakes: string[] = [];
  const bounds = new Map(known.map((setting) => [setting.name, setting]));
  for (const line of text.split("\n").map((row) => row.trim())) {
    if (line === "") continue;
    const match = /^([a-z0-9_.]+)\s*=\s*(-?\d+)$/.exec(line);
    const setting = match === null ? undefined : bounds.get(match[1] ?? "");
    if (match === null) mistakes.push(`“${line}” is not name = number.`);
    else if (setting === undefined) mistakes.push(`${match[1]} is not on the list of settings.`);
    else if (Number(match[2]) < setting.least || Number(match[2]) > setting.greatest)
      mistakes.push(`${setting.name} takes ${setting.least} to ${setting.greatest}.`);
    else settings[setting.name] = Number(match[2]);
  }
  return { settings, mistakes };
}

/** Ports' own settings as lines `sp0?:css0 ipv4.conf.arp_filter = 1`. */
export const formatPorts = (ports: NonNullable<ArpPolicyIn["ports"]>): string =>
  ports
    .flatMap(({ pattern, settings }) =>
      Object.entries(settings ?? {}).map(([name, value]) => `${pattern} ${name} = ${value}`),
    )
    .join("\n");

/** The way back; lines that follow each other for one pattern are one part. */
export function parsePorts(
  text: string,
  known: readonly ArpSetting[],
): { ports: { pattern: string; settings: Record<string, number> }[]; mistakes: readonly string[] } {
  const ports: { pattern: string; settings: Record<string, number> }[] = [];
  const mistakes: string[] = [];
  for (const line of text.split("\n").map((row) => row.trim())) {
    if (line === "") continue;
    const [pattern = "", ...rest] = line.split(/\s+/);
    const read = parseSettings(rest.join(" "), known);
    if (rest.length === 0) mistakes.push(`“${line}” is not pattern name = number.`);
    mistakes.push(...read.mistakes);
    const last = ports.at(-1);
    if (last?.pattern === pattern) Object.assign(last.settings, read.settings);
    else ports.push({ pattern, settings: read.settings });
  }
  return { ports, mistakes };
}
