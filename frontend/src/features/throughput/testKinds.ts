/**
 * Test kinds: form fields, labels and estimates, derived from the server's spec of each kind (`spec.json`).
 *
 * A new kind or parameter needs no change here. The server rejects parameters that a kind lacks.
 */
import type { TestMatrix } from "@/api/throughput";
import { throughput } from "@/util/spec.json";
import { capital } from "@/util/text";
import { duration, rate } from "@/util/units";
import { formatBytes, isPaced } from "./labels";

export type Kind = NonNullable<TestMatrix["kind"]>;
export type Parameter = Exclude<keyof TestMatrix, "kind">;

/** Text as typed, or the selected options. */
export type FieldValue = string | readonly (string | boolean)[];

/** One parameter of a kind (`core/model/throughput_kinds.py`); an empty string: none. */
interface ParameterSpec {
  readonly name: Parameter;
  readonly label: string;
  readonly type: "integer" | "number" | "boolean" | "choice" | "text";
  readonly unit: "" | "bytes" | "s" | "bit/s" | "packets/s";
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly default: string | number | boolean | null;
  readonly choices: readonly string[];
  readonly choice_labels: readonly string[];
  readonly pattern: string;
  readonly help: string;
  readonly example: string;
  readonly empty: string;
  readonly initial: string;
  readonly term: string;
  readonly required: boolean;
  readonly varies: boolean;
  readonly advanced: boolean;
}

interface KindSpec {
  readonly name: Kind;
  readonly label: string;
  readonly ends_by: readonly Parameter[];
  readonly excludes: readonly (readonly [Parameter, Parameter])[];
  readonly parameters: readonly ParameterSpec[];
}

/** `list` fields are varied: a cell per value. `step` is 1024 for bytes, 1000 for rates. */
type FieldType =
  | { readonly type: "list"; readonly step: 1000 | 1024 }
  | { readonly type: "number"; readonly min: number | null; readonly max: number | null }
  | { readonly type: "size" }
  | { readonly type: "names"; readonly pattern: RegExp }
  | { readonly type: "text" }
  | { readonly type: "options"; readonly options: readonly (readonly [string | boolean, string])[] };

export type Field = FieldType & {
  readonly parameter: Parameter;
  readonly label: string;
  /** Meaning, example, and the effect of an empty field. */
  readonly help: string;
  readonly example: string;
  readonly isBytes: boolean;
  readonly isRequired: boolean;
  readonly initial: FieldValue;
  /** Collapsed under "More settings". */
  readonly isAdvanced: boolean;
  /** Bounds a cell; a cell has one bound, and `duration_s` is omitted when another is set. */
  readonly isBound: boolean;
  /** Omitted from new plans while it has its initial value. */
  readonly isOmittedByDefault: boolean;
  /** Term among a plan's facts; empty: its summary has the value. */
  readonly term: string;
  readonly format: (value: string | number | boolean) => string;
};

interface TestKind {
  readonly label: string;
  readonly fields: readonly Field[];
  readonly excludes: KindSpec["excludes"];
}

function fieldTypeOf({ type, unit, varies, choices, choice_labels, ...spec }: ParameterSpec): FieldType {
  if (type === "boolean" || type === "choice") {
    const values = type === "boolean" ? [false, true] : choices;
    return {
      type: "options",
      options: values.map((value, at) => [value, choice_labels[at] ?? String(value)]),
    };
  }
  if (type === "text")
    return varies ? { type: "names", pattern: new RegExp(spec.pattern) } : { type: "text" };
  if (varies) return { type: "list", step: unit === "bit/s" || unit === "packets/s" ? 1000 : 1024 };
  return unit === "bytes" ? { type: "size" } : { type: "number", min: spec.minimum, max: spec.maximum };
}

const FORMATS: Partial<Record<ParameterSpec["unit"], (value: number) => string>> = {
  bytes: formatBytes,
  "bit/s": rate,
  s: duration,
};

function fieldOf(spec: ParameterSpec, ends_by: KindSpec["ends_by"]): Field {
  const { name, label, unit, example, empty, term } = spec;
  const typed = fieldTypeOf(spec);
  const isOptions = typed.type === "options";
  const help = [
    [spec.help, example && `e.g. ${example}`].filter(Boolean).join(", "),
    empty && `empty: ${empty}`,
  ];
  const format = FORMATS[unit];
  return {
    ...typed,
    parameter: name,
    label,
    help: capital(help.filter(Boolean).join("; ")),
    example,
    isBytes: unit === "bytes",
    isRequired: spec.required,
    initial: isOptions && spec.default !== null ? [spec.default as string | boolean] : spec.initial,
    isAdvanced: spec.advanced,
    isBound: name === "duration_s" || ends_by.includes(name),
    isOmittedByDefault: isOptions && spec.advanced,
    term,
    format: (value) => {
      if (isOptions) return typed.options.find(([option]) => option === value)?.[1] ?? String(value);
      return format === undefined ? String(value) : format(Number(value));
    },
  };
}

const SPECS = throughput.kinds as unknown as readonly KindSpec[];

export const KINDS: readonly Kind[] = SPECS.map(({ name }) => name);

export const TEST_KINDS = Object.fromEntries(
  SPECS.map(({ name, label, ends_by, excludes, parameters }) => [
    name,
    { label, excludes, fields: parameters.map((spec) => fieldOf(spec, ends_by)) },
  ]),
) as unknown as Readonly<Record<Kind, TestKind>>;

/** Label of a run's kind; papers also have file transfers. */
export const kindLabel = (kind: Kind | "file"): string =>
  kind === "file" ? "file transfer" : TEST_KINDS[kind].label;

/** Seconds per cell: its duration, else a number of packets at their lowest rate; null when unknown. */
export function cellSeconds({ kind, duration_s, omit_s, count, rate: rates }: TestMatrix): number | null {
  if (duration_s != null) return duration_s + (omit_s ?? 0);
  return isPaced(kind) && count != null ? count / Math.min(...(rates ?? [1])) : null;
}

/** Facts of a plan's matrix beyond its summary: `["segment sizes", "1448 B, 8948 B"]`. */
export function settingFacts(matrix: TestMatrix): (readonly [term: string, text: string])[] {
  return TEST_KINDS[matrix.kind ?? "tcp"].fields.flatMap(({ parameter, term, format }) => {
    const value = matrix[parameter];
    if (term === "" || value == null) return [];
    return [[term, [value].flat().map(format).join(", ")]];
  });
}
