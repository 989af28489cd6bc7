/** Parameters of rules in forms and texts: titles, units, bounds. Shares are shown and entered in percent. */
import type { Rule, RuleParameter } from "@/api/alerting/rules";
import { grouped } from "@/util/units";

type Unit = RuleParameter["unit"];
interface Titled {
  readonly label: string;
  readonly unit: string;
}

const PERCENT = 100;
/** Digits that a conversion between shares and percent keeps: 0.07 is 7 %. */
const DIGITS = 12;

export const unitText = (unit: string): string => (unit === "share" ? "%" : unit);

/** Whether the label names the unit already: samples. */
const isNamed = ({ label, unit }: Titled): boolean => label.toLowerCase() === unit;

/** Label of a field: `Opens at (%)`. */
export const labelText = (item: Titled): string =>
  item.unit === "" || isNamed(item) ? item.label : `${item.label} (${unitText(item.unit)})`;

const scaled = (value: number, unit: string): number =>
  unit === "share" ? Number((value * PERCENT).toPrecision(DIGITS)) : value;

/** A value as its field has it. */
export const toField = (value: number, unit: Unit): string => String(scaled(value, unit));

/** The value of a field; NaN if it is no number. */
export function fromField(text: string, unit: Unit): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  return unit === "share" ? Number((value / PERCENT).toPrecision(DIGITS)) : value;
}

/** `85 %`, `3 samples`, exact: a limit of 99.5 % is not 100 %. */
export function valueText(value: number, unit: string): string {
  const number = scaled(value, unit);
  const text = Number.isInteger(number) ? grouped(number) : String(number);
  return unit === "" ? text : `${text} ${unitText(unit)}`;
}

/** `Opens at 85 %`. */
export const settingText = (item: Titled, value: number): string =>
  `${item.label} ${valueText(value, isNamed(item) ? "" : item.unit)}`;

/** `0 to 100 %; default 90 %`. */
export const boundsText = ({ minimum, maximum, default: standard, unit }: RuleParameter): string =>
  `${toField(minimum, unit)} to ${valueText(maximum, unit)}; default ${valueText(standard, unit)}`;

/** Numbers of filled fields that differ from `left`, by name. */
export function changedNumbers(
  parameters: readonly RuleParameter[],
  fields: Readonly<Record<string, string>>,
  left: Readonly<Record<string, number>>,
): Record<string, number> {
  const filled = parameters.filter(({ name }) => (fields[name] ?? "").trim() !== "");
  const numbers = filled.map(({ name, unit }) => [name, fromField(fields[name] ?? "", unit)] as const);
  return Object.fromEntries(numbers.filter(([name, value]) => value !== left[name]));
}

/** Why a field is not acceptable, in the words and units of the form; null: it is. Empty: the less specific value. */
export function fieldProblem(
  parameter: RuleParameter,
  rule: Pick<Rule, "parameters">,
  fields: Readonly<Record<string, string>>,
): string | null {
  const { name, unit, type, minimum, maximum, below } = parameter;
  const text = fields[name] ?? "";
  if (text.trim() === "") return null;
  const value = fromField(text, unit);
  const isWhole = type !== "integer" || Number.isInteger(value);
  if (!(value >= minimum && value <= maximum) || !isWhole)
    return `${type === "integer" ? "A whole number" : "A number"} from ${toField(minimum, unit)} to ${valueText(maximum, unit)}.`;
  const upper = rule.parameters.find((other) => other.name === below);
  if (upper === undefined) return null;
  const own = fields[upper.name] ?? "";
  const most = own.trim() === "" ? upper.value : fromField(own, upper.unit);
  return value > most ? `At most “${upper.label}”, ${valueText(most, upper.unit)}.` : null;
}
