/** Sentences about disk use. Pure. */
import type { Storage } from "@/api/storage";
import { byteSize, count } from "@/util/units";

export const LEVEL_LABELS: Readonly<Record<Storage["levels"][number]["level"], string>> = {
  samples: "samples (database)",
  "5m": "5-minute values",
  "1h": "hourly values",
  "1d": "daily values",
  archive: "samples (archive)",
};

/** Before the first whole day. */
export const NOT_KNOWN = "not known yet";
const DAY_MS = 86_400_000;
/** A disk that is full sooner is a warning. */
const SOON_DAYS = 30;

/** `full on 2031-05-01`, or why no day is known. */
export function fullText({ free_bytes, full_at, why_unknown }: Storage["disks"][number]): string {
  if (free_bytes === null || why_unknown !== "") return `unknown: ${why_unknown}`;
  return full_at === null ? "not within 100 years" : full_at.slice(0, 10);
}

export const isSoon = ({ full_at }: Storage["disks"][number], now: number): boolean =>
  full_at !== null && Date.parse(full_at) - now < SOON_DAYS * DAY_MS;

/** Of a level whose growth is known; otherwise nothing can be predicted. */
export function predictedText(bytes: number | null, daily: number | null): string {
  if (daily === null) return NOT_KNOWN;
  return bytes === null ? "no limit" : byteSize(bytes);
}

export const daysText = ({ days, is_own }: Storage["levels"][number]): string =>
  `${days === 0 ? "for ever" : count(days, "day")}${is_own ? ", set by the site file" : ""}`;

export function storageHeadline({ disks, archive }: Storage, now: number): string {
  const soon = disks.filter((disk) => isSoon(disk, now));
  const unknown = disks.filter(({ free_bytes }) => free_bytes === null);
  const first =
    soon.length > 0
      ? `Disk of ${soon[0]?.name ?? ""} full on ${soon[0]?.full_at?.slice(0, 10) ?? ""}`
      : unknown.length > 0
        ? `Free space of ${unknown.map(({ name }) => name).join(" and ")} unknown`
        : disks.some(({ why_unknown }) => why_unknown !== "")
          ? "When a disk is full is not known yet"
          : `No disk is full within ${SOON_DAYS} days`;
  const problems = archive?.problems.length ?? 0;
  return `${first}${problems === 0 ? "" : `; the archive ${archive?.problems[0] ?? ""}`}.`;
}
