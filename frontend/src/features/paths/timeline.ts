/** Drawing data of path histories: periods, outages and labels without overlaps. Pure. */
import type { Outage, Path, PathHistory } from "@/api/types";
import { duration } from "@/util/units";

export interface Track {
  readonly path: Pick<Path, "id" | "node" | "prefix">;
  readonly history: PathHistory;
}

/** A part of the strip; `left` and `width` are fractions of it. */
export interface Block {
  readonly key: string;
  readonly state: PathHistory["segments"][number]["state"] | "dead";
  readonly left: number;
  readonly width: number;
  /** Label, drawn if it fits. */
  readonly label: string;
  readonly title: string;
}

export interface Label {
  readonly key: string;
  readonly text: string;
  /** Pixels of the strip. */
  readonly left: number;
  readonly width: number;
  /** Next to an outage; else on a period. */
  readonly isOutage: boolean;
  /** The text ends where the outage begins. */
  readonly isBefore: boolean;
}

const STATE_LABELS = { no_route: "no route", unknown: "no data" } as const;

const unix = (iso: string): number => Date.parse(iso) / 1000;
const clamp = (value: number): number => Math.min(Math.max(value, 0), 1);

/** Contiguous periods by gateway; unreported time is `unknown`. */
export function periods(history: PathHistory): Block[] {
  const [start, end] = [unix(history.since), unix(history.until)];
  return history.segments.map((segment) => {
    const [from, to] = [unix(segment.start), unix(segment.end)];
    const label =
      segment.state === "unknown" || segment.state === "no_route"
        ? STATE_LABELS[segment.state]
        : segment.gateway;
    return {
      key: segment.start,
      state: segment.state,
      left: clamp((from - start) / (end - start)),
      width: clamp((to - from) / (end - start)),
      label,
      title: `${label} for ${duration(to - from)}`,
    };
  });
}

/** Outages clipped to the range; an ongoing one extends to the end of the range or of the observation. */
export function outages(history: PathHistory): Block[] {
  const [start, end] = [unix(history.since), unix(history.until)];
  return history.outages.map((outage) => {
    const last = unix(outage.start) + outage.duration_ms / 1000;
    const left = clamp((unix(outage.start) - start) / (end - start));
    return {
      key: `outage ${outage.id}`,
      state: "dead",
      left,
      width: clamp((last - start) / (end - start)) - left,
      label: outage.text,
      title: describeOutage(outage),
    };
  });
}

/** `20.35 s: target unreachable, route kept (probes every 50 ms, ±50 ms)`. */
export const describeOutage = ({ text, cause_text, measure_text }: Outage): string =>
  `${text}: ${cause_text} (${measure_text})`;

/** Average advance of a character of the labels' face at 11 px, and the padding of a label. */
const CHARACTER_PX = 6.4;
const PADDING_PX = 8;

const widthOf = (text: string): number => text.length * CHARACTER_PX + PADDING_PX;

/** Labels on a strip of so many pixels: the newest outages first, then periods; one that would overlap is left out. */
export function labels(blocks: readonly Block[], marks: readonly Block[], stripPx: number): Label[] {
  const placed: Label[] = [];
  const isFree = (left: number, width: number) =>
    left >= 0 &&
    left + width <= stripPx &&
    placed.every((other) => left + width <= other.left || left >= other.left + other.width);
  for (const { key, label, left, width } of marks.toReversed()) {
    const wide = widthOf(label);
    const [before, after] = [left * stripPx - wide, (left + width) * stripPx];
    const at = [after, before].find((candidate) => isFree(candidate, wide));
    if (at !== undefined)
      placed.push({ key, text: label, left: at, width: wide, isOutage: true, isBefore: at === before });
  }
  for (const { key, label, left, width } of blocks) {
    const wide = widthOf(label);
    const at = left * stripPx;
    if (wide <= width * stripPx && isFree(at, wide))
      placed.push({ key, text: label, left: at, width: wide, isOutage: false, isBefore: false });
  }
  return placed;
}

/** One line of the list below the strips. */
export interface Line {
  readonly key: string;
  /** RFC 3339. */
  readonly at: string;
  readonly text: string;
  /** The outage; empty: not measured. */
  readonly figure: string;
  readonly title: string;
}

/** Switches, and outages without one, of all tracks; the newest first. */
export function lines(tracks: readonly Track[]): Line[] {
  return tracks
    .flatMap(({ path, history }) => [
      ...history.switches.map((one): Line => ({
        key: `${path.id} ${one.at} ${one.to_gateway}`,
        at: one.at,
        text: `${path.node}: ${path.prefix} moved from ${one.from_gateway || "no gateway"} to ${one.to_gateway || "no gateway"}`,
        figure: one.outage_text,
        title: "",
      })),
      ...history.outages
        .filter(({ cause }) => cause !== "switch")
        .map((outage): Line => ({
          key: `${path.id} outage ${outage.id}`,
          at: outage.start,
          text: `${path.node}: ${path.prefix}: ${outage.cause_text}`,
          figure: outage.text,
          title: outage.measure_text,
        })),
    ])
    .toSorted((a, b) => unix(b.at) - unix(a.at));
}
