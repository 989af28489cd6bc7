/** The waves and their nodes: the state that each reached and the evidence for it. */
import { useParam } from "@/api/scope";
import type { ChangeDetail, ChangeNode } from "@/api/types";
import classes from "./ChangePage.module.css";
import { Evidence } from "./Evidence";
import { NODE_LABELS, nodeTone, WAVE_TONE, waves, type Wave } from "./labels";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { Disclosure } from "@/ui/Disclosure";
import { Panel } from "@/ui/Panel";
import { StateWord } from "@/ui/StateWord";
import { count } from "@/util/units";

export function Waves({ change }: { change: ChangeDetail }) {
  const all = waves(change);
  return (
    <Panel title="Waves" aside={<span className="dim">all or none of each</span>} flush>
      <ol className={classes.waves} aria-label="Waves">
        {all.map((wave) => (
          <li key={wave.number} className={classes.wave} data-wave={wave.number} data-wave-state={wave.state}>
            <Head wave={wave} />
            {wave.nodes.length > 0 && (
              <ul className={classes.nodes}>
                {wave.nodes.map((node) => (
                  <Member key={node.node} member={node} />
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** A first wave of many is no canary: what a whole fabric shares changes at once. */
const waveName = (number: number, nodes: number): string =>
  number === 0 && nodes === 1 ? "Canary" : `Wave ${number + 1}`;

function Head({ wave: { number, names, state, nodes } }: { wave: Wave }) {
  return (
    <div className={classes.waveHead}>
      <b>{waveName(number, names.length)}</b>
      <StateWord state={WAVE_TONE[state]} word={state} />
      <span className="dim">
        {count(names.length, "node")}
        {nodes.length === 0 ? `: ${names.join(", ")}` : ""}
      </span>
    </div>
  );
}

function Member({ member }: { member: ChangeNode }) {
  const [open, setOpen] = useParam("node", "");
  const { node, node_id, state, since, reason, by, engine } = member;
  return (
    <li data-node={node} data-node-state={state}>
      <Disclosure
        open={open === node}
        onToggle={(shown) => setOpen(shown ? node : "")}
        summary={
          <span className={classes.words}>
            <b>{node}</b>
            <span className="dim">{engine}</span>
            <StateWord state={nodeTone(state)} word={NODE_LABELS[state]} />
            {state !== "pending" && <AgeStamp at={since} suffix="ago" />}
            {by !== "" && <span className="dim">by its {by}</span>}
            {reason !== "" && <span>{reason}</span>}
          </span>
        }
      >
        <div className={classes.evidence}>
          <Evidence member={member} />
          <Anchor href={`/devices/${node_id}`}>{`All of ${node}`}</Anchor>
        </div>
      </Disclosure>
    </li>
  );
}
