/** One policy: a row a node, a column a gateway, then since when, how often and what it cost. */
import type { Path } from "@/api/types";
import { standing, type Matrix, type Standing } from "./matrix";
import classes from "./MatrixTable.module.css";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { StateBadge } from "@/ui/StateBadge";
import { milliseconds, NONE } from "@/util/units";

const GLYPHS: Record<Standing, string> = { active: "●", standby: "○", dead: "✕", unwatched: "?" };
const WORDS: Record<Standing, string> = { active: "active", standby: "standby", dead: "dead", unwatched: "not watched" };

export function MatrixTable({ matrix }: { matrix: Matrix }) {
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
            <th scope="col" className={classes.figure}>for</th>
            <th scope="col" className={classes.figure}>switches 24 h</th>
            <th scope="col" className={classes.figure}>last outage</th>
            <th scope="col">end to end</th>
          </tr>
        </thead>
        <tbody>
          {matrix.rows.map((path) => (
            <Row key={path.id} path={path} gateways={matrix.gateways} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ path, gateways }: { path: Path; gateways: readonly string[] }) {
  return (
    <tr data-node={path.node} data-active={path.active} data-fallback={path.on_fallback}>
      <th scope="row">
        <Anchor href={`/devices/${path.node_id}`}>{path.node}</Anchor>
      </th>
      {gateways.map((name) => (
        <td key={name}>
          <GatewayCell gateway={path.gateways.find((one) => one.name === name)} />
        </td>
      ))}
      <td>
        <StateBadge state={path.state} text={path.state_text} />
      </td>
      <td className={classes.figure}>
        <AgeStamp at={path.since} />
      </td>
      <td className={classes.figure}>{path.switches_24h}</td>
      <td className={classes.figure}>{milliseconds(path.last_outage_ms)}</td>
      <td>
        <EndToEnd path={path} />
      </td>
    </tr>
  );
}

function GatewayCell({ gateway }: { gateway: Path["gateways"][number] | undefined }) {
  if (gateway === undefined) return <span className="dim">{NONE}</span>;
  const how = standing(gateway);
  return (
    <span className={classes.gateway} data-standing={how}>
      <span aria-hidden="true">{GLYPHS[how]}</span> {how === "dead" && gateway.active ? "active, dead" : WORDS[how]}
      {gateway.rtt_ms !== null && <span className="num dim"> {milliseconds(gateway.rtt_ms)}</span>}
    </span>
  );
}

function EndToEnd({ path }: { path: Path }) {
  if (path.target === null || path.target_alive === null) return <span className="dim">not probed</span>;
  return path.target_alive ? (
    <span className="num">
      {path.target} in {milliseconds(path.rtt_ms)}
    </span>
  ) : (
    <span className={classes.silent}>{path.target} is silent</span>
  );
}
