/** Drafts of test plans: the form's values, their validation, the request, and the size of the resulting run. */
import type { TestMatrix, TestPlan, TestPlanIn } from "@/api/throughput";
import { formatBytes } from "./labels";
import { TEST_KINDS, cellSeconds, type Field, type FieldValue, type Kind, type Parameter } from "./testKinds";

export type Shape = NonNullable<TestPlanIn["shape"]>;
type FieldValues = Readonly<Partial<Record<Parameter, FieldValue>>>;

/** Values of the form, as typed. Fields have the names of the API. */
export interface Draft {
  readonly name: string;
  readonly kind: Kind;
  readonly shape: Shape;
  readonly senders: string;
  readonly receivers: string;
  readonly fabric: string;
  /** Parameters of the kind. */
  readonly matrix: FieldValues;
  readonly repeats: string;
  readonly schedule: string;
  readonly quiet_percent: string;
  readonly budget_s: string;
  readonly budget_bytes: string;
  readonly priority: string;
  readonly enabled: boolean;
  readonly note: string;
  /** The matrix of the edited plan: parameters without a field are kept. */
  readonly kept: TestMatrix | null;
}

const initialValues = (kind: Kind): FieldValues =>
  Object.fromEntries(TEST_KINDS[kind].fields.map(({ parameter, initial }) => [parameter, initial]));

export const EMPTY_DRAFT: Draft = {
  name: "",
  kind: "tcp",
  shape: "pair",
  senders: "",
  receivers: "",
  fabric: "",
  matrix: initialValues("tcp"),
  repeats: "1",
  schedule: "",
  quiet_percent: "50",
  budget_s: "",
  budget_bytes: "",
  priority: "5",
  enabled: true,
  note: "",
  kept: null,
};

/** The draft with another kind; values of fields that both kinds share are kept. */
export function withKind(draft: Draft, kind: Kind): Draft {
  const shared = TEST_KINDS[kind].fields.filter(({ parameter, label, type, initial }) =>
    TEST_KINDS[draft.kind].fields.some(
      (field) =>
        field.parameter === parameter &&
        field.label === label &&
        field.type === type &&
        String(field.initial) === String(initial),
    ),
  );
  const values = shared.map(({ parameter }) => [parameter, draft.matrix[parameter]]);
  return { ...draft, kind, matrix: { ...initialValues(kind), ...Object.fromEntries(values) } };
}

export const takesReceivers = (shape: Shape): boolean => shape !== "n_way" && shape !== "mesh";

export const parseNames = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);

const POWERS: Readonly<Record<string, number>> = { k: 1, m: 2, g: 3, t: 4 };

/** Numbers with K, M or G, steps of 1024 for bytes and 1000 for rates; `1-10` is a range. Null for invalid text. */
export function parseNumbers(text: string, step: 1000 | 1024 = 1024): number[] | null {
  const found = parseNames(text).map((part): number[] | null => {
    const range = /^(\d+)[-–](\d+)$/.exec(part);
    if (range !== null) {
      const [from, to] = [Number(range[1]), Number(range[2])];
      return from <= to && to - from < 64
        ? Array.from({ length: to - from + 1 }, (_, at) => from + at)
        : null;
    }
    const match = /^(\d+(?:\.\d+)?)\s*([kmgt])?(?:i?b|bit\/s|b\/s)?$/i.exec(part);
    return match === null ? null : [Number(match[1]) * step ** (POWERS[(match[2] ?? "").toLowerCase()] ?? 0)];
  });
  return found.includes(null) ? null : [...new Set(found.flatMap((part) => part ?? []))];
}

/** Parsed sizes for display: `16 KiB, 64 KiB`. */
export const formatParsed = (text: string): string => (parseNumbers(text) ?? []).map(formatBytes).join(", ");

const isEmpty = (value: FieldValue): boolean =>
  typeof value === "string" ? value.trim() === "" : value.length === 0;

/** Error of one field, or undefined. */
function fieldError(field: Field, value: FieldValue): string | undefined {
  if (field.type === "options") return isEmpty(value) ? "Select at least one." : undefined;
  const text = String(value);
  if (isEmpty(text)) return field.isRequired ? "Enter at least one value." : undefined;
  switch (field.type) {
    case "list":
      return parseNumbers(text, field.step) === null
        ? "Enter numbers separated by commas, e.g. 64K, 1M."
        : undefined;
    case "number":
    case "size":
      return parseNumbers(text)?.length === 1 ? undefined : "Enter one number.";
    case "names":
      return parseNames(text).every((name) => field.pattern.test(name))
        ? undefined
        : `Enter names, e.g. ${field.example}.`;
    case "text":
      return undefined;
  }
}

/** Errors of the matrix by form path, `matrix.buffer`. */
function validateMatrix({ kind, matrix }: Draft): Record<string, string> {
  const errors: Record<string, string> = {};
  const { fields, excludes } = TEST_KINDS[kind];
  for (const field of fields) {
    const error = fieldError(field, matrix[field.parameter] ?? "");
    if (error !== undefined) errors[`matrix.${field.parameter}`] = error;
  }
  const bounds = fields.filter(({ isBound }) => isBound);
  if (bounds.length > 0 && bounds.every(({ parameter }) => isEmpty(matrix[parameter] ?? "")))
    errors["matrix.duration_s"] = "Enter a duration or an amount.";
  for (const pair of excludes)
    if (pair.every((name) => !["", "0"].includes(String(matrix[name] ?? "").trim()))) {
      const other = fields.find(({ parameter }) => parameter === pair[0])?.label;
      errors[`matrix.${pair[1]}`] = `Cannot be combined with “${other}”: clear one of them.`;
    }
  return errors;
}

/** Validation errors by form path; the server validates again. */
export function validate(draft: Draft): Record<string, string> {
  const errors = validateMatrix(draft);
  const { shape } = draft;
  if (!/^[a-zA-Z0-9][-a-zA-Z0-9_]*$/.test(draft.name))
    errors.name = "Use letters, digits, - and _, e.g. shift3-shift7.";
  const senders = parseNames(draft.senders);
  const receivers = parseNames(draft.receivers);
  if (senders.length === 0)
    errors.senders = takesReceivers(shape) ? "Enter a node, e.g. sp01." : "Enter at least two nodes.";
  if (takesReceivers(shape) && receivers.length === 0) errors.receivers = "Enter a node, e.g. sp02.";
  if (shape === "n_pairs" && senders.length !== receivers.length)
    errors.receivers = `Enter as many receivers as senders: ${senders.length}.`;
  if (draft.budget_bytes.trim() !== "" && parseNumbers(draft.budget_bytes)?.length !== 1)
    errors.budget_bytes = "Enter one size, e.g. 10G.";
  if (draft.schedule.trim() !== "" && draft.schedule.trim().split(/\s+/).length !== 5)
    errors.schedule = "Enter five fields: minute hour day month weekday, e.g. 0 3 * * *.";
  return errors;
}

/** Value of a field in the request; undefined: omitted. */
function parseField(field: Field, { matrix, kept }: Draft): unknown {
  const { parameter, initial } = field;
  const value = matrix[parameter] ?? "";
  if (typeof value !== "string") {
    const isInitial = value.length === initial.length && value.every((item, at) => item === initial[at]);
    return field.isOmittedByDefault && isInitial && kept?.[parameter] == null ? undefined : [...value];
  }
  // An empty field clears a parameter that the edited plan names.
  const empty = kept !== null && parameter in kept ? null : undefined;
  if (isEmpty(value)) return empty;
  switch (field.type) {
    case "list":
      return parseNumbers(value, field.step) ?? empty;
    case "names":
      return parseNames(value);
    case "text":
      return value.trim();
    default:
      return parseNumbers(value)?.[0];
  }
}

/** The request's matrix; invalid fields are omitted, and `validate` reports them. */
export function matrixOfDraft(draft: Draft): TestMatrix {
  const { kind } = draft;
  const kept = draft.kept !== null && (draft.kept.kind ?? "tcp") === kind ? draft.kept : null;
  const { fields } = TEST_KINDS[kind];
  const shown = new Set<string>(fields.map(({ parameter }) => parameter));
  const values = fields.map((field) => [field, parseField(field, { ...draft, kept })] as const);
  const hasOtherBound = values.some(
    ([{ isBound, parameter }, value]) => isBound && parameter !== "duration_s" && value != null,
  );
  const sent = values.filter(
    ([{ parameter }, value]) => value !== undefined && !(parameter === "duration_s" && hasOtherBound),
  );
  return {
    ...Object.fromEntries(Object.entries(kept ?? {}).filter(([key]) => !shown.has(key))),
    ...Object.fromEntries(sent.map(([{ parameter }, value]) => [parameter, value])),
    kind,
  };
}

export function planOfDraft(site: string, draft: Draft): TestPlanIn {
  const { name, shape, fabric, enabled, note } = draft;
  const number = (text: string) => (text.trim() === "" ? null : Number(text));
  return {
    site,
    name,
    shape,
    fabric,
    enabled,
    note,
    senders: parseNames(draft.senders),
    receivers: takesReceivers(shape) ? parseNames(draft.receivers) : [],
    matrix: matrixOfDraft(draft),
    repeats: Number(draft.repeats) || 1,
    schedule: draft.schedule.trim(),
    priority: Number(draft.priority),
    quiet_percent: number(draft.quiet_percent),
    budget_bytes: parseNumbers(draft.budget_bytes)?.[0] ?? null,
    budget_s: number(draft.budget_s),
  };
}

export const MAX_CELLS = 2500;
/** Overhead between cells: dispatch, start and reports, in seconds. */
const OVERHEAD_S = 6;

interface PlanSize {
  readonly cells: number;
  /** Null when unknown. */
  readonly seconds: number | null;
  readonly isTooLarge: boolean;
}

/** Number of cells and estimated time of a run. */
export function sizeOf(draft: Draft): PlanSize {
  const matrix = matrixOfDraft(draft);
  const lists = Object.values(matrix).filter(Array.isArray);
  const ends = parseNames(draft.senders).length;
  const rounds = draft.shape === "mesh" ? Math.max(1, ends * (ends - 1)) : 1;
  const combinations = lists.reduce((product, list) => product * Math.max(1, list.length), 1);
  const cells = combinations * (Number(draft.repeats) || 1) * rounds;
  const seconds = cellSeconds(matrix);
  return {
    cells,
    seconds: seconds === null ? null : cells * (seconds + OVERHEAD_S),
    isTooLarge: cells > MAX_CELLS,
  };
}

/** `64K`, `10M`, or the plain number. */
function formatShort(value: number, step: 1000 | 1024): string {
  const units = [
    [3, "G"],
    [2, "M"],
    [1, "K"],
  ] as const;
  const unit = units.find(([power]) => value >= step ** power && value % step ** power === 0);
  return unit === undefined ? String(value) : `${value / step ** unit[0]}${unit[1]}`;
}

/** A parameter as it is typed. */
function formatField(field: Field, value: TestMatrix[Parameter]): FieldValue {
  if (value == null) return field.type === "options" ? field.initial : "";
  if (field.type === "options") return value as readonly (string | boolean)[];
  if (field.type === "list")
    return (value as number[]).map((item) => formatShort(item, field.step)).join(", ");
  return field.type === "size" ? formatShort(Number(value), 1024) : [value].flat().join(", ");
}

export function draftOf(plan: TestPlan): Draft {
  const { name, shape, fabric, schedule, enabled, note, matrix, budget_bytes } = plan;
  const kind = matrix.kind ?? "tcp";
  const text = (value: number | null | undefined) => (value == null ? "" : String(value));
  const values = TEST_KINDS[kind].fields.map((field) => [
    field.parameter,
    formatField(field, matrix[field.parameter]),
  ]);
  return {
    name,
    kind,
    shape,
    fabric,
    schedule,
    enabled,
    note,
    senders: plan.senders.join(", "),
    receivers: plan.receivers.join(", "),
    matrix: Object.fromEntries(values) as FieldValues,
    repeats: String(plan.repeats),
    quiet_percent: text(plan.quiet_percent),
    budget_s: text(plan.budget_s),
    budget_bytes: budget_bytes == null ? "" : formatShort(budget_bytes, 1024),
    priority: String(plan.priority),
    kept: matrix,
  };
}
