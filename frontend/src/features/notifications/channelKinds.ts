/** Kinds of channels and the fields of their settings, from the API document (`channel_kinds`). */
import type { Channel, ChannelIn } from "@/api/notifications/queries";
import { capital } from "@/util/text";
import { channel_kinds } from "@/util/spec.json";

type Kind = Channel["kind"];
type Value = string | boolean;

/** The part of a property's JSON Schema that a field uses. */
interface Property {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

export interface SettingField {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly type: "text" | "number" | "choice" | "list" | "switch";
  readonly choices: readonly string[];
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly maxLength: number | undefined;
  readonly initial: Value;
  readonly isRequired: boolean;
  /** Write-only: the API never returns it. */
  readonly isSecret: boolean;
}

interface ChannelKindSpec {
  readonly kind: Kind;
  readonly label: string;
  readonly description: string;
  readonly fields: readonly SettingField[];
  /** Only an administrator may write it. */
  readonly needsAdmin: boolean;
}

const ABBREVIATIONS: Readonly<Record<string, string>> = { url: "URL", id: "ID" };

/** `routing_key`: "Routing key"; `expires_s`: "Expires (s)". */
function labelOf(name: string): string {
  const isSeconds = name.endsWith("_s");
  const parts = (isSeconds ? name.slice(0, -2) : name).split("_");
  return capital(parts.map((part) => ABBREVIATIONS[part] ?? part).join(" ")) + (isSeconds ? " (s)" : "");
}

function typeOf({ type, enum: choices }: Property): SettingField["type"] {
  if (choices !== undefined) return "choice";
  switch (type) {
    case "integer":
    case "number":
      return "number";
    case "array":
      return "list";
    case "boolean":
      return "switch";
    default:
      return "text";
  }
}

function textOf(value: unknown): Value {
  if (typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map(String).join("\n");
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function fieldOf(name: string, property: Property, isRequired: boolean, isSecret: boolean): SettingField {
  const type = typeOf(property);
  return {
    name,
    label: labelOf(name),
    help: property.description ?? "",
    type,
    choices: property.enum ?? [],
    min: property.minimum,
    max: property.maximum,
    maxLength: property.maxLength,
    initial: type === "switch" ? property.default === true : textOf(property.default),
    isRequired,
    isSecret,
  };
}

export const CHANNEL_KINDS: readonly ChannelKindSpec[] = channel_kinds.map(
  ({ kind, label, settings, secrets, needs_admin }) => {
    const properties = Object.entries(settings.properties as unknown as Record<string, Property>);
    const [required, hidden] = [new Set<string>(settings.required), new Set<string>(secrets)];
    return {
      kind: kind as Kind,
      label,
      description: settings.description,
      fields: properties.map(([name, property]) =>
        fieldOf(name, property, required.has(name), hidden.has(name)),
      ),
      needsAdmin: needs_admin,
    };
  },
);

/** A kind of a newer server has no fields here. */
export const kindSpec = (kind: Kind): ChannelKindSpec =>
  CHANNEL_KINDS.find((spec) => spec.kind === kind) ?? {
    kind,
    label: kind,
    description: "",
    fields: [],
    needsAdmin: true,
  };

/** Values of the form, as typed. Fields have the names of the API. */
export interface ChannelDraft {
  readonly name: string;
  readonly kind: Kind;
  readonly person: string;
  readonly enabled: boolean;
  readonly config: Readonly<Record<string, Value>>;
  /** Stored secrets that saving removes. */
  readonly removed: readonly string[];
}

const initialConfig = (kind: Kind): Record<string, Value> =>
  Object.fromEntries(kindSpec(kind).fields.map(({ name, initial }) => [name, initial]));

export const emptyChannel = (kind: Kind): ChannelDraft => ({
  name: "",
  kind,
  person: "",
  enabled: true,
  config: initialConfig(kind),
  removed: [],
});

export function draftOfChannel({ name, kind, person, enabled, config }: Channel): ChannelDraft {
  const known = Object.entries(config).map(([field, value]) => [field, textOf(value)]);
  return {
    ...emptyChannel(kind),
    name,
    person,
    enabled,
    config: { ...initialConfig(kind), ...(Object.fromEntries(known) as Record<string, Value>) },
  };
}

/** The draft with another kind; its settings start anew, because addresses and secrets do not carry over. */
export const withChannelKind = (draft: ChannelDraft, kind: Kind): ChannelDraft => ({
  ...draft,
  kind,
  config: initialConfig(kind),
  removed: [],
});

/** Names of the secrets that stay if their fields are left empty: those stored for this kind. */
export const storedSecrets = (channel: Channel | null, kind: Kind): readonly string[] =>
  channel !== null && channel.kind === kind ? channel.secrets : [];

const NAME = /^[a-zA-Z0-9][-a-zA-Z0-9_]*$/;
export const nameError = (name: string): string | null =>
  NAME.test(name) ? null : "Use letters, digits, - and _, e.g. operators.";

/** Validation errors by form path; the server validates formats. */
export function validateChannel(draft: ChannelDraft, stored: readonly string[]): Record<string, string> {
  const errors: Record<string, string> = {};
  const invalid = nameError(draft.name);
  if (invalid !== null) errors.name = invalid;
  for (const { name, type, isRequired } of kindSpec(draft.kind).fields) {
    const value = draft.config[name] ?? "";
    const isEmpty = typeof value === "string" && value.trim() === "";
    if (isRequired && isEmpty && !stored.includes(name)) errors[`config.${name}`] = "Enter a value.";
    if (type === "number" && !isEmpty && !Number.isFinite(Number(value)))
      errors[`config.${name}`] = "Enter a number.";
  }
  return errors;
}

function settingOf({ type }: SettingField, value: Value): string | number | boolean | string[] | undefined {
  if (typeof value === "boolean") return value;
  const text = value.trim();
  if (type === "list") return text.split(/[\s,]+/).filter(Boolean);
  if (type === "number") return text === "" ? undefined : Number(text);
  return text;
}

/** The request. An empty stored secret is omitted and stays; an empty text removes it. */
export function channelOfDraft(site: string, draft: ChannelDraft, stored: readonly string[]): ChannelIn {
  const { name, kind, person, enabled, config, removed } = draft;
  const settings = kindSpec(kind).fields.flatMap((field) => {
    const value = settingOf(field, config[field.name] ?? "");
    const isKept = field.isSecret && value === "" && stored.includes(field.name);
    return value === undefined || (isKept && !removed.includes(field.name)) ? [] : [[field.name, value]];
  });
  return {
    site,
    name: name.trim(),
    kind,
    person: person.trim(),
    enabled,
    config: Object.fromEntries(settings) as NonNullable<ChannelIn["config"]>,
  };
}
