/** Exports and disk use of the mock API. */
import type { Export, ExportIn, Storage } from "@/api/storage";

const GAP = "The archive's file samples/site=lab/day=2031-04-30/part-0.parquet is missing.";

function make(now: number, id: number, more: Partial<Export>): Export {
  const iso = (secondsAgo: number): string => new Date(now - secondsAgo * 1000).toISOString();
  return {
    id,
    site: "lab",
    by: "demo",
    format: "csv",
    level: "auto",
    start: iso(90_000),
    end: iso(3600),
    selection: "1 link",
    state: "done",
    text: "Complete.",
    created_at: iso(600),
    ended_at: iso(590),
    expires_at: iso(-600_000),
    progress: 1,
    rows: 5760,
    bytes: 1_048_576,
    gaps: [],
    gap_count: 0,
    filename: `lab-20310501T0000-auto-${id}.csv`,
    download: `/api/v1/exports/${id}/download`,
    can_delete: true,
    ...more,
  };
}

export function exports(now: number): Export[] {
  const gap = { start: now / 1000 - 172_800, end: now / 1000 - 86_400, text: GAP };
  return [
    make(now, 4, {
      state: "running",
      text: "Being written.",
      progress: 0.42,
      ended_at: null,
      expires_at: null,
      download: null,
    }),
    make(now, 3, { gaps: [gap], gap_count: 1, text: "Complete, with 1 gap.", format: "parquet" }),
    make(now, 2, { state: "failed", text: "More than 50 rows: choose a coarser level.", download: null }),
    make(now, 1, { by: "vera", can_delete: false }),
  ];
}

/** A new export, as the API answers. */
export const queued = (now: number, body: ExportIn): Export =>
  make(now, 5, {
    format: body.format ?? "csv",
    level: body.level ?? "auto",
    state: "queued",
    text: "Waiting for a worker.",
    progress: 0,
    rows: 0,
    bytes: 0,
    download: null,
  });

export function storage(now: number): Storage {
  const GIB = 2 ** 30;
  const level = (
    name: Storage["levels"][number]["level"],
    days: number,
    bytes: number,
    more: Partial<Storage["levels"][number]> = {},
  ): Storage["levels"][number] => ({
    level: name,
    days,
    is_own: false,
    bytes,
    daily_bytes: Math.round(bytes / 10),
    predicted_bytes: 3 * bytes,
    all_sites_bytes: 2 * bytes,
    all_sites_predicted_bytes: 6 * bytes,
    ...more,
  });
  return {
    site: "lab",
    at: new Date(now).toISOString(),
    levels: [
      level("samples", 7, 4 * GIB),
      level("5m", 30, 2 * GIB, { is_own: true }),
      level("1h", 400, GIB),
      level("1d", 3650, GIB / 8),
      level("archive", 0, 12 * GIB, { predicted_bytes: null, all_sites_predicted_bytes: null }),
    ],
    disks: [
      { name: "database", free_bytes: null, why_unknown: "the database is on another host", full_at: null },
      {
        name: "archive",
        free_bytes: 100 * GIB,
        why_unknown: "",
        full_at: new Date(now + 20 * 86_400_000).toISOString(),
      },
    ],
    database_bytes: 16 * GIB,
    archive: {
      days: 40,
      bytes: 12 * GIB,
      waiting: 1,
      oldest_waiting: "2031-04-30",
      succeeded_at: new Date(now - 120_000).toISOString(),
      problems: ["has 1 damaged file: see manage.py archive"],
    },
  };
}
