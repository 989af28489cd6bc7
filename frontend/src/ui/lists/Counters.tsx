/** Device counters of a fabric besides traffic, one row per counter. */
import { Anchor } from "@/ui/Anchor";
import classes from "@/ui/lists/Counters.module.css";
import { DataTable } from "@/ui/table/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { StateBadge, type StateName } from "@/ui/StateBadge";
import type { Column } from "@/ui/table/columns";
import { amount, NONE } from "@/util/units";

interface CounterPart {
  node: string;
  subject: string;
  value: number | null;
  reported_state: string | null;
  url: string;
}

export interface Counter {
  name: string;
  title: string;
  kind: "growth" | "level" | "state" | "unknown";
  unit: string;
  sentence: string;
  source: string;
  state: StateName;
  parts: number;
  affected: number;
  total: number | null;
  per_s: number | null;
  states: Record<string, number>;
  worst: CounterPart[];
}

/** Counter families about the host rather than the network. */
const HOSTS: ReadonlySet<string> = new Set(["host", "entity"]);
const rank = ({ state, name }: Counter): number =>
  state === "ok" && HOSTS.has(name.split(".")[0] ?? "") ? 1 : 0;

/** Keeps the order, but moves host counters in state ok to the end. */
export function networkFirst(counters: readonly Counter[]): Counter[] {
  return counters.toSorted((a, b) => rank(a) - rank(b));
}

/** `3.2 errors/s` for a rate, `2 running, 1 panic` for a state, the maximum for a level. */
export function currentValue({ kind, per_s, unit, states, parts, worst }: Counter): string {
  if (kind === "state")
    return (
      Object.entries(states)
        .map(([text, number]) => `${number} ${text}`)
        .join(", ") || NONE
    );
  if (kind === "growth") return per_s === null ? NONE : `${amount(per_s)} ${unit}/s`.replace(" /s", "/s");
  const most = `${amount(worst[0]?.value ?? 0)} ${unit}`.trim();
  return parts === 1 ? most : `max. ${most}`;
}

const COLUMNS: readonly Column<Counter>[] = [
  {
    id: "title",
    header: "counter",
    value: ({ title }) => title,
    cell: ({ title, source }) => <span title={source}>{title}</span>,
  },
  {
    id: "state",
    header: "state",
    value: ({ state }) => state,
    cell: ({ state }) => <StateBadge state={state} />,
  },
  {
    id: "now",
    header: "now",
    value: (counter) => currentValue(counter),
    cell: (counter) => <span className="num">{currentValue(counter)}</span>,
  },
  {
    id: "affected",
    header: "affected",
    align: "right",
    value: ({ affected }) => affected,
    cell: ({ affected, parts }) => `${affected} of ${parts}`,
  },
  {
    id: "worst",
    header: "worst",
    value: ({ worst }) => worst.map(placeOf).join(" "),
    cell: ({ worst }) => <Worst parts={worst} />,
    wide: true,
  },
  {
    id: "sentence",
    header: "description",
    value: ({ sentence }) => sentence,
    cell: ({ sentence }) => <span className={classes.sentence}>{sentence}</span>,
  },
];

function placeOf({ node, subject }: CounterPart): string {
  return subject === "" ? node : `${node}:${subject}`;
}

function Worst({ parts }: { parts: readonly CounterPart[] }) {
  const part = parts[0];
  if (part === undefined) return NONE;
  const more = parts.length > 1 ? ` and ${parts.length - 1} more` : "";
  return (
    <span
      className="dim"
      title={parts.map((one) => `${placeOf(one)} ${one.reported_state ?? amount(one.value)}`).join(", ")}
    >
      <Anchor href={part.url}>{placeOf(part)}</Anchor>
      {more}
    </span>
  );
}

export function Counters({ counters, of }: { counters: readonly Counter[]; of: string }) {
  return (
    <DataTable
      label={`Counters of ${of}`}
      noun="counters"
      rows={networkFirst(counters)}
      columns={COLUMNS}
      rowKey={({ name }) => name}
      empty={
        <EmptyState title="No device counters reported.">
          Add a source with a counter collector to the site file.
        </EmptyState>
      }
    />
  );
}
