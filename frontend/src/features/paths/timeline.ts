/** Active gateways of each path over a time range, derived from its switches. Pure. */
import type { NetworkEvent, Path } from "@/api/types";

export interface Stretch {
  readonly gateway: string;
  /** Unix seconds. */
  readonly start: number;
  readonly end: number;
  readonly preferred: boolean;
}

export interface Switch {
  readonly id: number;
  readonly at: number;
  readonly from: string;
  readonly to: string;
  /** Null until it is measured. */
  readonly outageMs: number | null;
}

export interface Track {
  readonly path: Path;
  readonly stretches: readonly Stretch[];
  readonly switches: readonly Switch[];
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** A path's switches, oldest first: events of kind `path.switched` of its node and prefix. */
function switchesOf(
  path: Pick<Path, "node" | "prefix" | "policy">,
  events: readonly NetworkEvent[],
): Switch[] {
  return events
    .filter(
      ({ kind, node, data }) => kind === "path.switched" && node === path.node && data.prefix === path.prefix,
    )
    .map(({ id, since, data }) => ({
      id,
      at: Date.parse(since) / 1000,
      from: text(data.from),
      to: text(data.to),
      outageMs: typeof data.outage_ms === "number" ? data.outage_ms : null,
    }))
    .toSorted((a, b) => a.at - b.at);
}

/** The stretches between the switches inside of `start`..`end`; the last one is what the path uses now. */
export function track(path: Path, events: readonly NetworkEvent[], start: number, end: number): Track {
  const switches = switchesOf(path, events).filter(({ at }) => at >= start && at <= end);
  const bounds = [start, ...switches.map(({ at }) => at), end];
  const users = [switches[0]?.from ?? path.active, ...switches.map(({ to }) => to)];
  const stretches = users.map((gateway, index) => ({
    gateway,
    start: bounds[index] ?? start,
    end: bounds[index + 1] ?? end,
    preferred: gateway === path.preferred,
  }));
  return { path, switches, stretches: stretches.filter((stretch) => stretch.end > stretch.start) };
}
