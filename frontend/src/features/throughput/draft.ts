/** A plan as its form holds it, and what follows from it: the body to send, the number of cells, how long they take. Pure. */
import type { TestMatrix, TestPlan, TestPlanIn } from "@/api/throughput";
import { octets } from "./words";

export type Kind = NonNullable<TestMatrix["kind"]>;
export type Shape = NonNullable<TestPlanIn["shape"]>;

/** Every field as it is typed. */
export interface Draft {
  readonly name: string;
  readonly kind: Kind;
  readonly shape: Shape;
  readonly senders: string;
  readonly receivers: string;
  readonly fabric: string;
  readonly streams: string;
  readonly buffers: string;
  readonly windows: string;
  readonly sizes: string;
  readonly rates: string;
  readonly directions: readonly ("forward" | "reverse" | "both")[];
  readonly nodelay: readonly boolean[];
  readonly ackDelay: readonly ("system" | "quick" | "delayed")[];
  readonly seconds: string;
  readonly amount: string;
  readonly repeats: string;
  readonly schedule: string;
  readonly quiet: string;
  readonly budgetS: string;
  readonly priority: string;
  readonly enabled: boolean;
  readonly note: string;
  /** The plan as it was read: what the form does not show stays as it is. */
  readonly kept: Pick<TestPlan, "matrix" | "budget_bytes"> | null;
}

export const BLANK: Draft = {
  name: "", kind: "tcp", shape: "pair", senders: "", receivers: "", fabric: "", streams: "1, 2, 4, 8", buffers: "16K, 64K, 256K, 1M", windows: "", sizes: "64K", rates: "10M", directions: ["forward"], nodelay: [false], ackDelay: ["system"],
  seconds: "5", amount: "", repeats: "1", schedule: "", quiet: "50", budgetS: "", priority: "5", enabled: true, note: "", kept: null,
};

/** Which fields a kind has; what it lacks is refused by the server. */
const FIELDS: Record<Kind, readonly ("streams" | "buffers" | "windows" | "sizes" | "rates" | "directions" | "amount" | "seconds" | "count" | "nodelay" | "ackDelay")[]> = {
  tcp: ["streams", "buffers", "windows", "directions", "seconds", "amount"],
  udp: ["streams", "sizes", "rates", "directions", "seconds"],
  request_ack: ["streams", "sizes", "windows", "nodelay", "ackDelay", "seconds"],
  ping: ["sizes", "rates", "count"],
  rdma: ["sizes", "directions", "seconds"],
};
const KEYS: Record<(typeof FIELDS)[Kind][number], readonly (keyof TestMatrix)[]> = {
  streams: ["streams"], buffers: ["buffer"], windows: ["window"], sizes: ["size"], rates: ["rate"], directions: ["direction"], amount: ["amount"], seconds: ["duration_s"], count: ["count"], nodelay: ["nodelay"], ackDelay: ["ack_delay"],
};
export const has = (kind: Kind, field: (typeof FIELDS)[Kind][number]): boolean => FIELDS[kind].includes(field);

export const takesReceivers = (shape: Shape): boolean => shape !== "n_way" && shape !== "mesh";

export const names = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);

const POWERS: Readonly<Record<string, number>> = { k: 1, m: 2, g: 3, t: 4 };

/** Figures with K, M or G: steps of 1024 for octets, of 1000 for rates. `1-10` counts up. Null where one cannot be read. */
export function figures(text: string, step: 1000 | 1024 = 1024): number[] | null {
  const found = text.split(/[\s,;]+/).filter(Boolean).map((part): number[] | null => {
    const range = /^(\d+)[-–](\d+)$/.exec(part);
    if (range !== null) {
      const [from, to] = [Number(range[1]), Number(range[2])];
      return from <= to && to - from < 64 ? Array.from({ length: to - from + 1 }, (_, at) => from + at) : null;
    }
    const one = /^(\d+(?:\.\d+)?)\s*([kmgt])?(?:i?b|bit\/s|b\/s)?$/i.exec(part);
    return one === null ? null : [Number(one[1]) * step ** (POWERS[(one[2] ?? "").toLowerCase()] ?? 0)];
  });
  return found.includes(null) ? null : [...new Set(found.flatMap((each) => each ?? []))];
}

/** What is wrong, by field, in words that say what to write. */
export function mistakes(draft: Draft): Record<string, string> {
  const wrong: Record<string, string> = {};
  const { kind, shape } = draft;
  if (!/^[a-zA-Z0-9][-a-zA-Z0-9_]*$/.test(draft.name)) wrong.name = "Letters, figures, - and _, e.g. shift3-shift7.";
  const senders = names(draft.senders);
  const receivers = names(draft.receivers);
  if (senders.length === 0) wrong.senders = takesReceivers(shape) ? "Name a node, e.g. sp01." : "Name two nodes or more.";
  if (takesReceivers(shape) && receivers.length === 0) wrong.receivers = "Name a node, e.g. sp02.";
  if (shape === "n_pairs" && senders.length !== receivers.length) wrong.receivers = `As many as senders: ${senders.length}.`;
  const list = (field: "streams" | "buffers" | "windows" | "sizes" | "rates", mayBeEmpty: boolean, step: 1000 | 1024) => {
    if (!has(kind, field)) return;
    const read = figures(draft[field], step);
    if (read === null) wrong[field] = "Figures with commas between, e.g. 64K, 1M.";
    else if (read.length === 0 && !mayBeEmpty) wrong[field] = "At least one.";
  };
  list("streams", false, 1024);
  list("buffers", true, 1024);
  list("windows", true, 1024);
  list("sizes", kind === "rdma", 1024);
  list("rates", kind === "ping", 1000);
  if (has(kind, "directions") && draft.directions.length === 0) wrong.directions = "At least one.";
  if (has(kind, "seconds") && draft.seconds === "" && draft.amount === "") wrong.seconds = "How long, or how much.";
  if (draft.amount !== "" && figures(draft.amount)?.length !== 1) wrong.amount = "One size, e.g. 100M.";
  if (draft.schedule.trim() !== "" && draft.schedule.trim().split(/\s+/).length !== 5) wrong.schedule = "Five fields: minute hour day month weekday, e.g. 0 3 * * *.";
  return wrong;
}

/** Parameters of the plan that was read which the form has no field for; another kind of test does not have them. */
function unshown({ kind, kept }: Draft): Partial<TestMatrix> {
  if (kept === null || (kept.matrix.kind ?? "tcp") !== kind) return {};
  const shown = new Set<string>(FIELDS[kind].flatMap((field) => KEYS[field]));
  return Object.fromEntries(Object.entries(kept.matrix).filter(([key]) => !shown.has(key)));
}

/** Fails nowhere: fields that cannot be read are left out, and `mistakes` names them. */
export function matrixOfDraft(draft: Draft): TestMatrix {
  const { kind, directions, nodelay, ackDelay, seconds, amount } = draft;
  const filled = (values: number[] | null) => (values === null || values.length === 0 ? null : values);
  const both = has(kind, "amount") && figures(amount)?.[0];
  return {
    ...unshown(draft),
    kind,
    ...(has(kind, "streams") ? { streams: filled(figures(draft.streams)) } : {}),
    ...(has(kind, "buffers") ? { buffer: filled(figures(draft.buffers)) } : {}),
    ...(has(kind, "windows") ? { window: filled(figures(draft.windows)) } : {}),
    ...(has(kind, "sizes") ? { size: filled(figures(draft.sizes)) } : {}),
    ...(has(kind, "rates") ? { rate: filled(figures(draft.rates, 1000)) } : {}),
    ...(has(kind, "directions") ? { direction: [...directions] } : {}),
    ...(has(kind, "nodelay") ? { nodelay: [...nodelay], ack_delay: [...ackDelay] } : {}),
    ...(typeof both === "number" ? { amount: both } : has(kind, "seconds") && seconds !== "" ? { duration_s: Number(seconds) } : {}),
    ...(has(kind, "count") && seconds !== "" ? { count: Number(seconds) } : {}),
  };
}

export function planOfDraft(site: string, draft: Draft): TestPlanIn {
  const number = (text: string) => (text.trim() === "" ? null : Number(text));
  return {
    site, name: draft.name, shape: draft.shape, senders: names(draft.senders), receivers: takesReceivers(draft.shape) ? names(draft.receivers) : [], fabric: draft.fabric, matrix: matrixOfDraft(draft), repeats: Number(draft.repeats) || 1,
    schedule: draft.schedule.trim(), priority: Number(draft.priority), quiet_percent: number(draft.quiet), budget_bytes: draft.kept?.budget_bytes ?? null, budget_s: number(draft.budgetS), enabled: draft.enabled, note: draft.note,
  };
}

const MOST_CELLS = 512;
/** Between two cells: agents are told, begin together, and report. */
const BESIDES_S = 6;

export interface Size {
  readonly cells: number;
  readonly seconds: number | null;
  readonly isTooMany: boolean;
}

/** How many cells a draft makes, and about how long they take where each has its seconds. */
export function sizeOf(draft: Draft): Size {
  const matrix = matrixOfDraft(draft);
  const lists = [matrix.streams, matrix.buffer, matrix.window, matrix.size, matrix.rate, matrix.direction, matrix.nodelay, matrix.ack_delay];
  const ends = names(draft.senders).length;
  const rounds = draft.shape === "mesh" ? Math.max(1, ends * (ends - 1)) : 1;
  const cells = lists.reduce((product, list) => product * Math.max(1, list?.length ?? 1), 1) * (Number(draft.repeats) || 1) * rounds;
  const each = matrix.count != null ? matrix.count / Math.min(...(matrix.rate ?? [1])) : matrix.duration_s;
  return { cells, seconds: each == null ? null : cells * (each + BESIDES_S), isTooMany: cells > MOST_CELLS };
}

const texts = (values: readonly number[] | null | undefined, step: 1000 | 1024): string => (values ?? []).map((value) => short(value, step)).join(", ");

function short(value: number, step: 1000 | 1024): string {
  for (const [power, unit] of [[3, "G"], [2, "M"], [1, "K"]] as const) if (value >= step ** power && value % step ** power === 0) return `${value / step ** power}${unit}`;
  return String(value);
}

export function draftOf(plan: TestPlan): Draft {
  const { matrix } = plan;
  const text = (value: number | null | undefined) => (value == null ? "" : String(value));
  return {
    name: plan.name, kind: matrix.kind ?? "tcp", shape: plan.shape, senders: plan.senders.join(", "), receivers: plan.receivers.join(", "), fabric: plan.fabric, streams: (matrix.streams ?? []).join(", "), buffers: texts(matrix.buffer, 1024), windows: texts(matrix.window, 1024),
    sizes: texts(matrix.size, 1024), rates: texts(matrix.rate, 1000), directions: matrix.direction ?? ["forward"], nodelay: matrix.nodelay ?? [false], ackDelay: matrix.ack_delay ?? ["system"], seconds: text(matrix.duration_s ?? matrix.count), amount: matrix.amount == null ? "" : short(matrix.amount, 1024),
    repeats: String(plan.repeats), schedule: plan.schedule, quiet: text(plan.quiet_percent), budgetS: text(plan.budget_s), priority: String(plan.priority), enabled: plan.enabled, note: plan.note, kept: plan,
  };
}

/** What a list of sizes was understood as: `16 KiB, 64 KiB`. */
export const understood = (text: string): string => (figures(text) ?? []).map(octets).join(", ");
