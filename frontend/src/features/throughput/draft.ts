/** A plan as its form holds it, and what follows from it: the body to send, the number of cells, how long they take. Pure. */
import type { TestMatrix, TestPlan, TestPlanIn } from "@/api/throughput";
import { fieldsOf, has, PARAMETER, type TextField, type Kind, type ChoiceField } from "./settings";
import { formatBytes } from "./labels";

export { has, type Kind };
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
  readonly programs: readonly ("ib_write_bw" | "ib_send_lat")[];
  readonly seconds: string;
  /** Of echoes. */
  readonly count: string;
  readonly amount: string;
  readonly mss: string;
  readonly congestion: string;
  readonly omit: string;
  readonly header: string;
  readonly ack: string;
  readonly blocks: string;
  readonly wait: string;
  readonly queuePairs: string;
  readonly device: string;
  readonly repeats: string;
  readonly schedule: string;
  readonly quiet: string;
  readonly budgetS: string;
  readonly budgetBytes: string;
  readonly priority: string;
  readonly enabled: boolean;
  readonly note: string;
  /** The plan as it was read: what the form does not show stays as it is. */
  readonly kept: Pick<TestPlan, "matrix"> | null;
}

export const EMPTY_DRAFT: Draft = {
  name: "",
  kind: "tcp",
  shape: "pair",
  senders: "",
  receivers: "",
  fabric: "",
  streams: "1, 2, 4, 8",
  buffers: "16K, 64K, 256K, 1M",
  windows: "",
  sizes: "64K",
  rates: "",
  directions: ["forward"],
  nodelay: [false],
  ackDelay: ["system"],
  programs: ["ib_write_bw"],
  seconds: "5",
  count: "10",
  amount: "",
  mss: "",
  congestion: "",
  omit: "",
  header: "",
  ack: "",
  blocks: "",
  wait: "",
  queuePairs: "",
  device: "",
  repeats: "1",
  schedule: "",
  quiet: "50",
  budgetS: "",
  budgetBytes: "",
  priority: "5",
  enabled: true,
  note: "",
  kept: null,
};

export const takesReceivers = (shape: Shape): boolean => shape !== "n_way" && shape !== "mesh";

export const parseNames = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);

const POWERS: Readonly<Record<string, number>> = { k: 1, m: 2, g: 3, t: 4 };

/** Figures with K, M or G: steps of 1024 for octets, of 1000 for rates. `1-10` counts up. Null where one cannot be read. */
export function parseNumbers(text: string, step: 1000 | 1024 = 1024): number[] | null {
  const found = text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map((part): number[] | null => {
      const range = /^(\d+)[-–](\d+)$/.exec(part);
      if (range !== null) {
        const [from, to] = [Number(range[1]), Number(range[2])];
        return from <= to && to - from < 64
          ? Array.from({ length: to - from + 1 }, (_, at) => from + at)
          : null;
      }
      const one = /^(\d+(?:\.\d+)?)\s*([kmgt])?(?:i?b|bit\/s|b\/s)?$/i.exec(part);
      return one === null ? null : [Number(one[1]) * step ** (POWERS[(one[2] ?? "").toLowerCase()] ?? 0)];
    });
  return found.includes(null) ? null : [...new Set(found.flatMap((part) => part ?? []))];
}

/** Fields of one figure. */
const ONES = ["omit", "header", "ack", "blocks", "wait", "count"] as const;

/** What is wrong, by field, in words that say what to write. */
export function validate(draft: Draft): Record<string, string> {
  const wrong: Record<string, string> = {};
  const { kind, shape } = draft;
  if (!/^[a-zA-Z0-9][-a-zA-Z0-9_]*$/.test(draft.name))
    wrong.name = "Letters, figures, - and _, e.g. shift3-shift7.";
  const senders = parseNames(draft.senders);
  const receivers = parseNames(draft.receivers);
  if (senders.length === 0)
    wrong.senders = takesReceivers(shape) ? "Name a node, e.g. sp01." : "Name two nodes or more.";
  if (takesReceivers(shape) && receivers.length === 0) wrong.receivers = "Name a node, e.g. sp02.";
  if (shape === "n_pairs" && senders.length !== receivers.length)
    wrong.receivers = `As many as senders: ${senders.length}.`;
  const list = (field: TextField, mayBeEmpty: boolean, step: 1000 | 1024) => {
    if (!has(kind, field)) return;
    const read = parseNumbers(draft[field], step);
    if (read === null) wrong[field] = "Figures with commas between, e.g. 64K, 1M.";
    else if (read.length === 0 && !mayBeEmpty) wrong[field] = "At least one.";
  };
  list("streams", false, 1024);
  list("buffers", true, 1024);
  list("windows", true, 1024);
  list("sizes", kind === "rdma", 1024);
  list("rates", kind !== "udp", 1000);
  list("mss", true, 1024);
  list("queuePairs", true, 1024);
  for (const field of ONES)
    if (has(kind, field) && draft[field].trim() !== "" && parseNumbers(draft[field])?.length !== 1)
      wrong[field] = "One figure.";
  if (
    has(kind, "congestion") &&
    parseNames(draft.congestion).some((name) => !/^[a-z][a-z0-9_]{0,15}$/.test(name))
  )
    wrong.congestion = "Names as the kernel has them, e.g. cubic, bbr.";
  if (has(kind, "amount") && draft.amount.trim() !== "" && Number(draft.omit) > 0)
    wrong.omit = "Of an amount nothing is left out: empty one of both.";
  if (draft.budgetBytes.trim() !== "" && parseNumbers(draft.budgetBytes)?.length !== 1)
    wrong.budgetBytes = "One size, e.g. 10G.";
  for (const field of ["directions", "nodelay", "ackDelay", "programs"] as const)
    if (has(kind, field) && draft[field].length === 0) wrong[field] = "At least one.";
  const isBounded =
    draft.seconds !== "" ||
    (has(kind, "amount") && draft.amount !== "") ||
    (has(kind, "blocks") && draft.blocks !== "");
  if (has(kind, "seconds") && !isBounded) wrong.seconds = "How long, or how much.";
  if (has(kind, "amount") && draft.amount !== "" && parseNumbers(draft.amount)?.length !== 1)
    wrong.amount = "One size, e.g. 100M.";
  if (draft.schedule.trim() !== "" && draft.schedule.trim().split(/\s+/).length !== 5)
    wrong.schedule = "Five fields: minute hour day month weekday, e.g. 0 3 * * *.";
  return wrong;
}

/** Parameters of the plan that was read which the form has no field for; another kind of test does not have them. */
function unshown({ kind, kept }: Draft): Partial<TestMatrix> {
  if (kept === null || (kept.matrix.kind ?? "tcp") !== kind) return {};
  const shown = new Set<string>(fieldsOf(kind).map((field) => PARAMETER[field]));
  return Object.fromEntries(Object.entries(kept.matrix).filter(([key]) => !shown.has(key)));
}

type Read = { readonly [F in TextField | ChoiceField]: (draft: Draft) => TestMatrix[keyof TestMatrix] };

const filled = <T>(values: readonly T[] | null): T[] | null =>
  values === null || values.length === 0 ? null : [...values];
const one = (text: string): number | undefined => parseNumbers(text)?.[0];

/** What each field sends; undefined: nothing. */
const READ: Read = {
  streams: ({ streams }) => filled(parseNumbers(streams)),
  buffers: ({ buffers }) => filled(parseNumbers(buffers)),
  windows: ({ windows }) => filled(parseNumbers(windows)),
  sizes: ({ sizes }) => filled(parseNumbers(sizes)),
  rates: ({ rates, kind }) => filled(parseNumbers(rates, 1000)) ?? (kind === "tcp" ? undefined : null),
  seconds: (draft) => (draft.seconds === "" || endsOtherwise(draft) ? undefined : Number(draft.seconds)),
  count: ({ count }) => one(count),
  amount: ({ amount }) => one(amount),
  mss: ({ mss }) => filled(parseNumbers(mss)) ?? undefined,
  congestion: ({ congestion }) => filled(parseNames(congestion)) ?? undefined,
  omit: ({ omit }) => one(omit),
  header: ({ header }) => one(header),
  ack: ({ ack }) => one(ack),
  blocks: ({ blocks }) => one(blocks),
  wait: ({ wait }) => one(wait),
  queuePairs: ({ queuePairs }) => filled(parseNumbers(queuePairs)) ?? undefined,
  device: ({ device }) => (device.trim() === "" ? undefined : device.trim()),
  directions: ({ directions }) => [...directions],
  nodelay: ({ nodelay, kind, kept }) =>
    kind === "tcp" && kept?.matrix.nodelay == null && nodelay.length === 1 && nodelay[0] === false
      ? undefined
      : [...nodelay],
  ackDelay: ({ ackDelay }) => [...ackDelay],
  programs: ({ programs, kept }) =>
    kept !== null && kept.matrix.program == null && programs.length === 1 && programs[0] === "ib_write_bw"
      ? undefined
      : [...programs],
};

/** A cell that ends by an amount has no duration. */
const endsOtherwise = ({ kind, amount, blocks }: Draft): boolean =>
  (has(kind, "amount") && one(amount) !== undefined) || (has(kind, "blocks") && one(blocks) !== undefined);

/** Fails nowhere: fields that cannot be read are left out, and `mistakes` names them. */
export function matrixOfDraft(draft: Draft): TestMatrix {
  const told = fieldsOf(draft.kind)
    .map((field) => [PARAMETER[field], READ[field](draft)] as const)
    .filter(([, value]) => value !== undefined);
  return { ...unshown(draft), kind: draft.kind, ...(Object.fromEntries(told) as Partial<TestMatrix>) };
}

export function planOfDraft(site: string, draft: Draft): TestPlanIn {
  const number = (text: string) => (text.trim() === "" ? null : Number(text));
  return {
    site,
    name: draft.name,
    shape: draft.shape,
    senders: parseNames(draft.senders),
    receivers: takesReceivers(draft.shape) ? parseNames(draft.receivers) : [],
    fabric: draft.fabric,
    matrix: matrixOfDraft(draft),
    repeats: Number(draft.repeats) || 1,
    schedule: draft.schedule.trim(),
    priority: Number(draft.priority),
    quiet_percent: number(draft.quiet),
    budget_bytes: one(draft.budgetBytes) ?? null,
    budget_s: number(draft.budgetS),
    enabled: draft.enabled,
    note: draft.note,
  };
}

export const MOST_CELLS = 2500;
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
  const lists = Object.values(matrix).filter(Array.isArray);
  const ends = parseNames(draft.senders).length;
  const rounds = draft.shape === "mesh" ? Math.max(1, ends * (ends - 1)) : 1;
  const cells =
    lists.reduce((product, list) => product * Math.max(1, list.length), 1) *
    (Number(draft.repeats) || 1) *
    rounds;
  const seconds =
    matrix.kind === "ping" && matrix.count != null
      ? matrix.count / Math.min(...(matrix.rate ?? [1]))
      : matrix.duration_s == null
        ? null
        : matrix.duration_s + (matrix.omit_s ?? 0);
  return {
    cells,
    seconds: seconds == null ? null : cells * (seconds + BESIDES_S),
    isTooMany: cells > MOST_CELLS,
  };
}

const texts = (values: readonly number[] | null | undefined, step: 1000 | 1024): string =>
  (values ?? []).map((value) => short(value, step)).join(", ");

function short(value: number, step: 1000 | 1024): string {
  for (const [power, unit] of [
    [3, "G"],
    [2, "M"],
    [1, "K"],
  ] as const)
    if (value >= step ** power && value % step ** power === 0) return `${value / step ** power}${unit}`;
  return String(value);
}

export function draftOf(plan: TestPlan): Draft {
  const { matrix } = plan;
  const text = (value: number | null | undefined) => (value == null ? "" : String(value));
  const size = (value: number | null | undefined) => (value == null ? "" : short(value, 1024));
  return {
    name: plan.name,
    kind: matrix.kind ?? "tcp",
    shape: plan.shape,
    senders: plan.senders.join(", "),
    receivers: plan.receivers.join(", "),
    fabric: plan.fabric,
    streams: (matrix.streams ?? []).join(", "),
    buffers: texts(matrix.buffer, 1024),
    windows: texts(matrix.window, 1024),
    sizes: texts(matrix.size, 1024),
    rates: texts(matrix.rate, 1000),
    directions: matrix.direction ?? ["forward"],
    nodelay: matrix.nodelay ?? [false],
    ackDelay: matrix.ack_delay ?? ["system"],
    seconds: text(matrix.duration_s),
    amount: size(matrix.amount),
    programs: matrix.program ?? ["ib_write_bw"],
    count: matrix.kind === "ping" ? text(matrix.count) : EMPTY_DRAFT.count,
    blocks: matrix.kind === "request_ack" ? text(matrix.count) : "",
    mss: (matrix.mss ?? []).join(", "),
    congestion: (matrix.congestion ?? []).join(", "),
    omit: text(matrix.omit_s),
    header: size(matrix.header),
    ack: size(matrix.ack),
    wait: text(matrix.wait_s),
    queuePairs: (matrix.queue_pairs ?? []).join(", "),
    device: matrix.device ?? "",
    budgetBytes: size(plan.budget_bytes),
    repeats: String(plan.repeats),
    schedule: plan.schedule,
    quiet: text(plan.quiet_percent),
    budgetS: text(plan.budget_s),
    priority: String(plan.priority),
    enabled: plan.enabled,
    note: plan.note,
    kept: plan,
  };
}

/** What a list of sizes was understood as: `16 KiB, 64 KiB`. */
export const formatParsed = (text: string): string => (parseNumbers(text) ?? []).map(formatBytes).join(", ");
