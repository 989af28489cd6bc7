/** Columns of the paths and of their groups. */
import type { ReactNode } from "react";
import type { PathGroup } from "@/api/models/paths";
import type { Outage, Path } from "@/api/types";
import classes from "./PathTable.module.css";
import { marks, NOT_KEPT, saved, standbyNote, type Note } from "./standby";
import { describeOutage } from "./timeline";
import { usePast } from "@/api/scope";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { FactMark, factSpec } from "@/ui/FactMark";
import { StateLabel } from "@/ui/StateLabel";
import type { Column } from "@/ui/table/columns";
import { useClock } from "@/ui/useClock";
import { clock, shortClock } from "@/util/time";
import { milliseconds, NONE } from "@/util/units";

export interface PathColumn extends Column<Path> {
  readonly cell: (path: Path) => ReactNode;
  readonly group: Required<Pick<Column<PathGroup>, "value" | "cell">>;
}

const NODE: PathColumn = {
  id: "node",
  header: "node",
  sortable: true,
  value: ({ node }) => node,
  cell: ({ node }) => node,
  group: { value: ({ paths }) => paths, cell: ({ text }) => text },
};
const NODES: PathColumn = { ...NODE, id: "paths", header: "nodes" };

const COLUMNS: readonly PathColumn[] = [
  {
    id: "policy",
    header: "policy",
    sortable: true,
    wide: true,
    value: ({ policy }) => policy,
    cell: (path) => <PolicyLink of={path} />,
    group: { value: ({ policy }) => policy, cell: (group) => <PolicyLink of={group} /> },
  },
  {
    id: "gateways",
    header: "gateways",
    value: ({ active }) => active,
    csvHeader: "active gateway",
    cell: ({ gateways }) => (
      <span className={classes.gateways}>
        {marksOf(gateways).map(([gateway, ...others]) => (
          <GatewayMark key={gateway.name} gateway={gateway} others={others} />
        ))}
      </span>
    ),
    group: {
      value: ({ active }) => active,
      cell: ({ active, placement }) => (
        <>
          {active || <span className="dim">no route</span>}
          {placement === "preferred" && <span className="dim"> preferred</span>}
        </>
      ),
    },
  },
  {
    id: "state",
    header: "state",
    sortable: true,
    value: ({ end_to_end }) => factSpec("end_to_end", end_to_end).label,
    cell: (path) => (
      <>
        <FactMark fact="end_to_end" state={path.end_to_end} title={path.state_text} />{" "}
        {path.placement === "fallback" && <FactMark fact="placement" state="fallback" />}{" "}
        <Marks path={path} />
      </>
    ),
    group: {
      value: ({ end_to_end }) => factSpec("end_to_end", end_to_end).label,
      cell: ({ end_to_end, placement }) => (
        <>
          <FactMark fact="end_to_end" state={end_to_end} />{" "}
          {placement === "fallback" && <FactMark fact="placement" state="fallback" />}
        </>
      ),
    },
  },
  {
    id: "since",
    header: "same gateway for",
    csvHeader: "same gateway since",
    sortable: true,
    align: "right",
    value: ({ since }) => since,
    cell: ({ since }) => <Since at={since} />,
    group: { value: ({ since }) => since, cell: ({ since }) => <Since at={since} /> },
  },
  {
    id: "last_outage_ms",
    header: "last outage",
    sortable: true,
    align: "right",
    value: ({ last_outage }) => last_outage?.text,
    cell: ({ last_outage }) => <LastOutage outage={last_outage} />,
    group: {
      value: ({ last_outage }) => last_outage?.text,
      cell: ({ last_outage }) => <LastOutage outage={last_outage} />,
    },
  },
  {
    id: "switches_24h",
    header: "switches 24 h",
    sortable: true,
    align: "right",
    value: ({ switches_24h }) => switches_24h,
    cell: ({ switches_24h }) => switches_24h,
    group: { value: ({ switches_24h }) => switches_24h, cell: ({ switches_24h }) => switches_24h },
  },
  {
    id: "standby",
    header: "standby",
    value: ({ standby }) => standbyText(standby),
    cell: (path) => <Standby standby={path.standby} {...standbyNote(path)} />,
    group: {
      value: ({ standby }) => standbyText(standby),
      cell: ({ standby }) => <Standby standby={standby} />,
    },
  },
  {
    id: "saved",
    header: "saved",
    wide: true,
    value: ({ saved: state }) => state,
    cell: (path) => (
      <span className={classes.words}>
        <NoteLabel note={saved(path)} />
      </span>
    ),
    group: nothing(),
  },
  {
    id: "end_to_end",
    header: "end to end",
    csvHeader: "round-trip time to the target (ms)",
    wide: true,
    isExtra: true,
    value: ({ rtt_ms }) => rtt_ms,
    cell: (path) => <EndToEnd path={path} />,
    group: nothing(),
  },
];

/** All columns, for paths or for their groups, whose members alone have a saved state. */
export const NODE_COLUMNS: readonly PathColumn[] = [NODE, ...COLUMNS];
export const GROUP_COLUMNS: readonly PathColumn[] = [
  NODES,
  ...COLUMNS.map((column) => (column.id === "saved" ? { ...column, isExtra: true } : column)),
];

/** The columns of a CSV of groups. */
export const ofGroups = (columns: readonly PathColumn[]): Column<PathGroup>[] =>
  columns.map(({ id, header, csvHeader, group }) => ({
    id,
    header,
    ...(csvHeader === undefined ? {} : { csvHeader }),
    value: group.value,
  }));

/** A value that groups do not have. */
function nothing(): PathColumn["group"] {
  return { value: () => null, cell: () => <span className="dim">{NONE}</span> };
}

function PolicyLink({
  of: { policy, policy_id, in_force },
}: {
  of: Pick<Path, "policy" | "policy_id" | "in_force">;
}) {
  return (
    <>
      <Anchor href={`/policies/${policy_id}`}>{policy}</Anchor>
      {in_force === false && <span className="dim"> draft</span>}
    </>
  );
}

/** Age at the moment that the list shows. */
function Since({ at }: { at: string | null }) {
  return <AgeStamp at={at} asOf={usePast()?.at} />;
}

const standbyText = (standby: Path["standby"]) =>
  standby === null ? NOT_KEPT.label : factSpec("standby", standby).label;

/** State of the best standby; null: of a past moment. */
function Standby({ standby, ...note }: { standby: Path["standby"]; detail?: string; title?: string }) {
  return standby === null ? (
    <NoteLabel note={NOT_KEPT} />
  ) : (
    <FactMark fact="standby" state={standby} {...note} />
  );
}

function NoteLabel({ note: { tone, label, title } }: { note: Note }) {
  return <StateLabel state={tone} label={label} title={title} />;
}

/** Manual move, drill or pending failback. */
function Marks({ path }: { path: Path }) {
  const { hold, move, failback } = path;
  // Most paths have none, and need no clock.
  return hold === null && move === null && failback === null ? null : <CountedMarks path={path} />;
}

function CountedMarks({ path }: { path: Path }) {
  const now = useClock();
  return marks(path, now).map((note) => <NoteLabel key={note.label} note={note} />);
}

type Gateway = Path["gateways"][number];

/** Gateways of a path that each have a mark of their own; of more, those of the same use share one. */
const MOST_MARKS = 4;

export function marksOf(gateways: readonly Gateway[]): [Gateway, ...Gateway[]][] {
  if (gateways.length <= MOST_MARKS) return gateways.map((gateway) => [gateway]);
  const byUse = new Map<string, [Gateway, ...Gateway[]]>();
  for (const gateway of gateways) {
    const alike = byUse.get(gateway.use);
    if (alike === undefined) byUse.set(gateway.use, [gateway]);
    else alike.push(gateway);
  }
  return [...byUse.values()];
}

/** A gateway with its use and round-trip time, and how many others have the same use. */
function GatewayMark({ gateway, others }: { gateway: Gateway; others: readonly Gateway[] }) {
  // The round-trip time is the gateway's own: next to "dead" or "unknown" it would suggest a working path.
  const isAlive = !/dead|unknown/.test(gateway.use);
  const rtt = gateway.rtt_ms === null || !isAlive ? undefined : milliseconds(gateway.rtt_ms);
  return (
    <span data-gateway={gateway.name} title={others.map(({ name }) => name).join(", ") || undefined}>
      {gateway.name}
      {others.length > 0 && ` and ${others.length} more`}{" "}
      <FactMark fact="gateway_use" state={gateway.use} detail={others.length === 0 ? rtt : undefined} />
    </span>
  );
}

function LastOutage({ outage }: { outage: Outage | null }) {
  const now = useClock(60_000) / 1000;
  if (outage === null) return <span className="dim">{NONE}</span>;
  return (
    <span
      className={outage.end === null ? classes.silent : undefined}
      title={`${describeOutage(outage)}, since ${clock(outage.start)}`}
    >
      {outage.text}
      <span className="dim">, {shortClock(outage.start, now)}</span>
    </span>
  );
}

function EndToEnd({ path }: { path: Path }) {
  const target = `${path.target} `;
  if (path.end_to_end === "working")
    return (
      <span className="num">
        {target}
        {path.rtt_ms === null ? "answered" : milliseconds(path.rtt_ms)}
      </span>
    );
  if (path.target === null || path.target_alive === null || path.end_to_end === "unknown")
    return <span className="dim">{path.end_to_end === "unknown" ? "unknown" : "not probed"}</span>;
  return <span className={classes.silent}>{target}no answer</span>;
}
