/** What the agents ask the device for: each collector's last run. Collapsed while all are well. */
import { useState } from "react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { collectorsList } from "@/api/queries";
import { rowsOf } from "@/api/list-query";
import type { Collector } from "@/api/types";
import classes from "./DevicePage.module.css";
import { Recordings } from "./Recordings";
import { AgeStamp } from "@/ui/AgeStamp";
import { Disclosure } from "@/ui/Disclosure";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { StateLabel } from "@/ui/StateLabel";
import { count, milliseconds, NONE, partOf } from "@/util/units";

const isWell = ({ state }: Collector) => state === "ok" || state === "disabled";

/** `2 of 3 collectors are well. Failing: bird. Not reported: snmp.` */
export function summaryOf(collectors: readonly Collector[]): string {
  const well = collectors.filter(isWell).length;
  if (well === collectors.length) {
    return well === 1 ? "1 collector is well." : `All ${well} collectors are well.`;
  }
  const namesOf = (wanted: readonly Collector[]) => wanted.map(({ name }) => name).join(", ");
  const lost = collectors.filter(({ state }) => state === "unknown");
  const failing = collectors.filter((row) => !isWell(row) && row.state !== "unknown");
  return [
    `${partOf(well, collectors.length, "collector")} ${well === 1 || collectors.length === 1 ? "is" : "are"} well.`,
    ...(failing.length > 0 ? [`Failing: ${namesOf(failing)}.`] : []),
    ...(lost.length > 0 ? [`No longer reported: ${namesOf(lost)}.`] : []),
  ].join(" ");
}

export function Collectors({ node, name }: { node: number; name: string }) {
  const query = useInfiniteQuery({ ...collectorsList(node)("", { limit: 100 }), select: rowsOf });
  return (
    <Panel title="Collection">
      <QueryBoundary query={query} what="the collectors">
        {(collectors) =>
          collectors.length === 0 ? (
            <EmptyState title="No collector of this device has reported yet.">
              Check that its agent runs: backstay-agent status.
            </EmptyState>
          ) : (
            <CollectorTable node={node} name={name} collectors={collectors} />
          )
        }
      </QueryBoundary>
    </Panel>
  );
}

interface TableProps {
  node: number;
  name: string;
  collectors: readonly Collector[];
}

function CollectorTable({ node, name, collectors }: TableProps) {
  /** Undefined until the reader opens or closes it. */
  const [chosen, setChosen] = useState<boolean>();
  return (
    <Disclosure
      summary={<span>{summaryOf(collectors)}</span>}
      open={chosen ?? !collectors.every(isWell)}
      onToggle={setChosen}
    >
      <div className={classes.runs} role="region" aria-label="Collectors" tabIndex={0}>
        <table aria-label={`Collectors of ${name}`}>
          <thead>
            <tr>
              {["collector", "state", "last answer", "duration", "reported", "by agent", "detail"].map(
                (head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {collectors.map((collector) => (
              <Row key={collector.id} collector={collector} />
            ))}
          </tbody>
        </table>
        {collectors.some(({ tables }) => tables.length > 0) && (
          <TableReadings name={name} collectors={collectors} />
        )}
        {collectors
          .filter(({ record_command }) => record_command !== "")
          .map(({ id, agent, record_command }) => (
            <Recordings key={id} node={node} name={name} agent={agent} command={record_command} />
          ))}
      </div>
    </Disclosure>
  );
}

/** What each SNMP table returned, and what its rows yielded. */
function TableReadings({ name, collectors }: { name: string; collectors: readonly Collector[] }) {
  return (
    <table aria-label={`SNMP tables of ${name}`}>
      <thead>
        <tr>
          {[
            "SNMP table",
            "collector",
            "columns",
            "rows",
            "results",
            "duration",
            "not understood",
            "error",
          ].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {collectors.flatMap((collector) =>
          collector.tables.map((reading) => (
            <tr key={`${collector.name} ${reading.table}`}>
              <th scope="row">{reading.table}</th>
              <td className="mono">{collector.name}</td>
              <td className="num">{reading.columns}</td>
              <td className="num">{reading.rows}</td>
              <td className="num">{reading.results ?? NONE}</td>
              <td className="num">{milliseconds(reading.duration_ms)}</td>
              <td>
                {reading.not_understood.map(({ reason, rows }) => `${rows} ${reason}`).join(", ") || NONE}
              </td>
              <td>{interruption(reading)}</td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  );
}

/** `the walk was not over after 30 s (interrupted 2 times)`; a dash if the read was whole at once. */
function interruption({ error, interruptions }: Collector["tables"][number]): string {
  const times = interruptions === 0 ? "" : `interrupted ${count(interruptions, "time")}`;
  if (error === "") return times === "" ? NONE : times;
  return times === "" ? error : `${error} (${times})`;
}

function Row({
  collector: { name, state, state_text, answered_at, duration_ms, at, agent, detail },
}: {
  collector: Collector;
}) {
  return (
    <tr data-collector={name}>
      <th scope="row" className="mono">
        {name}
      </th>
      <td>
        <StateLabel state={state} label={state_text} />
      </td>
      <td>
        {answered_at === null ? (
          <span className="dim">not recorded</span>
        ) : (
          <AgeStamp at={answered_at} suffix="ago" />
        )}
      </td>
      <td className="num">{milliseconds(duration_ms)}</td>
      <td>
        <AgeStamp at={at} suffix="ago" />
      </td>
      <td>{agent ?? <span className="dim">not recorded</span>}</td>
      <td className={classes.sentence}>{detail}</td>
    </tr>
  );
}
