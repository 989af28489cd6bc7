/** Labels of exports, and the body of a request from the dialog. Pure. */
import { isWorking, type Export, type ExportIn } from "@/api/storage";
import type { StateName } from "@/ui/StateBadge";
import type { Choice } from "@/ui/Filters";
import { byteSize, count, percent } from "@/util/units";

export const FORMATS: readonly Choice<NonNullable<ExportIn["format"]>>[] = [
  { value: "csv", label: "CSV" },
  { value: "jsonl", label: "JSON lines" },
  { value: "parquet", label: "Parquet" },
];

export const LEVELS: readonly Choice<NonNullable<ExportIn["level"]>>[] = [
  { value: "auto", label: "automatic" },
  { value: "samples", label: "samples" },
  { value: "5m", label: "5-minute values" },
  { value: "1h", label: "hourly values" },
  { value: "1d", label: "daily values" },
];

/** What is exported: links, a fabric, or the whole site if both are missing. */
export interface Selection {
  readonly links?: readonly number[];
  readonly fabric?: string;
  /** `grf1:ga030-ps32:1`, `links of sp-switch`, `all links`. */
  readonly text: string;
}

export interface ExportForm {
  format: NonNullable<ExportIn["format"]>;
  level: NonNullable<ExportIn["level"]>;
  start: string;
  end: string;
}

export function exportBody(site: string, { links, fabric }: Selection, form: ExportForm): ExportIn {
  return { site, ...form, links: [...(links ?? [])], ports: [], ...(fabric === undefined ? {} : { fabric }) };
}

const TONES: Readonly<Record<Export["state"], StateName>> = {
  queued: "unknown",
  running: "unknown",
  done: "ok",
  failed: "critical",
};

/** A complete export with gaps is a warning. */
export const toneOf = ({ state, gap_count }: Pick<Export, "state" | "gap_count">): StateName =>
  state === "done" && gap_count > 0 ? "warning" : TONES[state];

/** `42 %, 12 MiB`. */
export const progressText = ({ progress, bytes }: Pick<Export, "progress" | "bytes">): string =>
  `${percent(progress)}, ${byteSize(bytes)}`;

export function exportsHeadline(rows: readonly Export[]): string {
  const working = rows.filter(isWorking).length;
  const failed = rows.filter(({ state }) => state === "failed").length;
  return `${count(rows.length, "export")}, ${working} in progress, ${failed} failed.`;
}
