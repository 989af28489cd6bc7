/** Hops of a circuit: in and out labels of each node, the links between them, and mismatches. */
import { Fragment } from "react";
import type { CircuitHop, CircuitSide } from "@/api/circuits";
import { sideState, describeWire } from "./circuits";
import classes from "./Circuits.module.css";
import { Anchor } from "@/ui/Anchor";
import { StateGlyph } from "@/ui/StateBadge";
import { StateLabel } from "@/ui/StateLabel";

export function Strip({ hops }: { hops: readonly CircuitHop[] }) {
  return (
    <ol className={classes.strip} aria-label="Hops">
      {hops.map((hop, place) => {
        const next = hops[place + 1];
        return (
          <Fragment key={hop.node}>
            <Hop hop={hop} number={place + 1} />
            {next !== undefined && <Wire hop={hop} next={next} />}
          </Fragment>
        );
      })}
    </ol>
  );
}

function Hop({ hop: { node, node_id, into, out, faults }, number }: { hop: CircuitHop; number: number }) {
  return (
    <li className={classes.hop} data-node={node} data-faulty={faults.length > 0}>
      <div className={classes.node}>
        <span className="dim num">{number}</span>{" "}
        <b>{node_id === null ? node : <Anchor href={`/devices/${node_id}`}>{node}</Anchor>}</b>
      </div>
      <div className={classes.sides}>
        {into !== null && <Side direction="in" side={into} />}
        {out !== null && <Side direction="out" side={out} />}
      </div>
      {faults.map((fault) => (
        <p key={fault} className={classes.fault}>
          {fault}
        </p>
      ))}
    </li>
  );
}

function Side({ direction, side }: { direction: "in" | "out"; side: CircuitSide }) {
  const [state, label] = sideState(side);
  return (
    <div className={classes.side} data-direction={direction} data-faulty={side.fault !== null}>
      <span className="dim">
        {direction} on <span className="mono">{side.port}</span>
      </span>
      <b className={`${classes.label} mono`}>{side.label}</b>
      <StateLabel state={state} label={label} />
      {side.strays.length > 0 && (
        <span className={classes.strays}>
          also configured: <span className="mono">{side.strays.join(", ")}</span>
        </span>
      )}
    </div>
  );
}

function Wire({ hop, next }: { hop: CircuitHop; next: CircuitHop }) {
  const { joins, text } = describeWire(hop, next);
  return (
    <li className={classes.wire} data-joins={joins}>
      {!joins && <StateGlyph state="critical" />}
      <span className="mono">{text}</span>
      <span className="visually-hidden">
        {joins
          ? `link from ${hop.node} to ${next.node}`
          : `link from ${hop.node} to ${next.node}: label mismatch`}
      </span>
    </li>
  );
}
