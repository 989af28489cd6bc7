/** Waves and their nodes, with state and evidence. */
import { useParam } from "@/api/scope";
import type { ChangeDetail, ChangeNode } from "@/api/types";
import classes from "./ChangePage.module.css";
import { Evidence } from "./Evidence";
import { NODE_LABELS, nodeTone, WAVE_TONE, waves, type Wave } from "./labels";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { Disclosure } from "@/ui/Disclosure";
import { Panel } from "@/ui/Panel";
import { StateLabel } from "@/ui/StateLabel";
import { count } from "@/util/units";

export function Waves({ change }: { change: ChangeDetail }) {
  const all = waves(change);
  return (
    <Panel title="Waves" aside={<span className="dim">each wave is atomic</span>} flush>
      <ol className={classes.waves} aria-label="Waves">
        {all.map((wave) => (
          <li key={wave.number} className={classes.wave} data-wave={wave.number} data-wave-state={wave.state}>
            <Head wave={wave} />
            {wave.nodes.length > 0 && (
              <ul className={classes.nodes}>
                {wave.nodes.map((node) => (
                  <Member key={node.node} change={change.id} member={node} />
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** A first wave of several nodes is not a canary: fabric-wide settings change on all nodes at once. */
const waveName = (number: number, nodes: number): string =>
  number === 0 && nodes === 1 ? "Canary" : `Wave ${number + 1}`;

function Head({ wave: { number, names, state, nodes } }: { wave: Wave }) {
  return (
    <div className={classes.waveHead}>
      <b>{waveName(number, names.length)}</b>
      <StateLabel state={WAVE_TONE[state]} label={state} />
      <span className="dim">
        {count(names.length, "node")}
        {nodes.length === 0 ? `: ${names.join(", ")}` : ""}
      </span>
    </div>
  );
}

function Member({ change, member }: { change: number; member: ChangeNode }) {
  const [open, setOpen] = useParam("node", "");
  const { node, node_id, state, since, reason, by, engine } = member;
  return (
    <li data-node={node} data-node-state={state}>
      <Disclosure
        open={open === node}
        onToggle={(shown) => setOpen(shown ? node : "")}
        summary={
          <span className={classes.summary}>
            <b>{node}</b>
            <span className="dim">{engine}</span>
            <StateLabel state={nodeTone(state)} label={NODE_LABELS[state]} />
            {state !== "pending" && <AgeStamp at={since} suffix="ago" />}
            {by !== "" && <span className="dim">by the {by}</span>}
            {reason !== "" && <span>{reason}</span>}
          </span>
        }
      >
        <div className={classes.evidence}>
          <Evidence change={change} member={member} />
          <Anchor href={`/devices/${node_id}`}>{`Details of ${node}`}</Anchor>
        </div>
      </Disclosure>
    </li>
  );
}
