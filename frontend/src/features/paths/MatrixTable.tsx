/** One policy as a table: a row per node, a column per gateway, then state, switches and outage. */
import type { Outage, Path } from "@/api/types";
import { marks, saved, standbyNote, type Note } from "./standby";
import { describeOutage } from "./timeline";
import type { Matrix } from "./matrix";
import classes from "./MatrixTable.module.css";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { FactMark } from "@/ui/FactMark";
import { StateLabel } from "@/ui/StateLabel";
import { useClock } from "@/ui/useClock";
import { clock, shortClock } from "@/util/time";
import { milliseconds, NONE } from "@/util/units";

interface Props {
  matrix: Matrix;
  /** Id of the path whose panel is open. */
  selected: number | null;
  /** `-last_outage_ms`, `last_outage_ms`, or empty: by node. */
  sort: string;
  onSort: (sort: string) => void;
  onSelect: (id: number) => void;
}

const NEXT_SORT: Record<string, string> = { "": "-last_outage_ms", "-last_outage_ms": "last_outage_ms" };
const ARIA_SORT: Record<string, "ascending" | "descending"> = {
  last_outage_ms: "ascending",
  "-last_outage_ms": "descending",
};
const SORT_MARKS: Record<string, string> = { last_outage_ms: "▲", "-last_outage_ms": "▼" };

export function MatrixTable({ matrix, selected, sort, onSort, onSelect }: Props) {
  const targets = new Set(matrix.rows.map((path) => path.target));
  const target = targets.size === 1 ? (matrix.rows[0]?.target ?? undefined) : undefined;
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={`Paths of ${matrix.policy}`}>
      <table className={classes.table} aria-label={`Paths of ${matrix.policy}`}>
        <thead>
          <tr>
            <th scope="col">node</th>
            {matrix.gateways.map((gateway, order) => (
              <th key={gateway} scope="col">
                {gateway}
                {order === 0 && <span className="dim"> preferred</span>}
              </th>
            ))}
            <th scope="col">state</th>
            <th scope="col" className={classes.figure} aria-sort={ARIA_SORT[sort]}>
              <button type="button" className={classes.sort} onClick={() => onSort(NEXT_SORT[sort] ?? "")}>
                last outage <span aria-hidden="true">{SORT_MARKS[sort]}</span>
              </button>
            </th>
            <th scope="col" className={classes.figure}>
              same gateway for
            </th>
            <th scope="col" className={classes.figure}>
              switches 24 h
            </th>
            <th scope="col">standby</th>
            <th scope="col">saved</th>
            <th scope="col">{target === undefined ? "end to end" : `to ${target}`}</th>
          </tr>
        </thead>
        <tbody>
          {matrix.rows.map((path) => (
            <Row
              key={path.id}
              path={path}
              gateways={matrix.gateways}
              isTargetNamed={target !== undefined}
              selected={path.id === selected}
              onSelect={() => onSelect(path.id)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  path: Path;
  gateways: readonly string[];
  /** Whether the column header names the end-to-end target of all rows. */
  isTargetNamed: boolean;
  selected: boolean;
  onSelect: () => void;
}

function Row({ path, gateways, isTargetNamed, selected, onSelect }: RowProps) {
  return (
    <tr
      data-node={path.node}
      data-active={path.active}
      data-fallback={path.placement === "fallback"}
      data-end-to-end={path.end_to_end}
      data-standby={path.standby}
      data-saved={path.saved}
      data-selected={selected}
    >
      <th scope="row">
        <span className={classes.node}>
          <Anchor href={`/devices/${path.node_id}`}>{path.node}</Anchor>
          <button
            type="button"
            className={classes.more}
            aria-pressed={selected}
            aria-label={`Decisions, move and drill of ${path.node}`}
            onClick={onSelect}
          >
            ⋯
          </button>
        </span>
      </th>
      {gateways.map((name) => (
        <td key={name}>
          <GatewayCell gateway={path.gateways.find((one) => one.name === name)} />
        </td>
      ))}
      <td>
        <FactMark fact="end_to_end" state={path.end_to_end} title={path.state_text} />{" "}
        {path.placement === "fallback" && <FactMark fact="placement" state="fallback" />}{" "}
        <Marks path={path} />
      </td>
      <td className={classes.figure}>
        <LastOutage outage={path.last_outage} />
      </td>
      <td className={classes.figure}>
        <AgeStamp at={path.since} />
      </td>
      <td className={classes.figure}>{path.switches_24h}</td>
      <td>
        <FactMark fact="standby" state={path.standby} {...standbyNote(path)} />
      </td>
      <td className={classes.words}>
        <NoteLabel note={saved(path)} />
      </td>
      <td>
        <EndToEnd path={path} isNamed={isTargetNamed} />
      </td>
    </tr>
  );
}

function NoteLabel({ note: { tone, label, title } }: { note: Note }) {
  return <StateLabel state={tone} label={label} title={title} />;
}

/** Manual move, drill or pending failback. */
function Marks({ path }: { path: Path }) {
  const now = useClock();
  return marks(path, now).map((note) => <NoteLabel key={note.label} note={note} />);
}

function GatewayCell({ gateway }: { gateway: Path["gateways"][number] | undefined }) {
  if (gateway === undefined) return <span className="dim">{NONE}</span>;
  // The round-trip time is the gateway's own: next to "dead" or "unknown" it would suggest a working path.
  const isAlive = !/dead|unknown/.test(gateway.use);
  const rtt = gateway.rtt_ms === null || !isAlive ? undefined : milliseconds(gateway.rtt_ms);
  return <FactMark fact="gateway_use" state={gateway.use} detail={rtt} />;
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

function EndToEnd({ path, isNamed }: { path: Path; isNamed: boolean }) {
  const target = isNamed ? "" : `${path.target} `;
  if (path.end_to_end === "working")
    return (
      <span className="num">
        {target}
        {milliseconds(path.rtt_ms)}
      </span>
    );
  if (path.target === null || path.target_alive === null || path.end_to_end === "unknown")
    return <span className="dim">{path.end_to_end === "unknown" ? "unknown" : "not probed"}</span>;
  return <span className={classes.silent}>{target}no answer</span>;
}
