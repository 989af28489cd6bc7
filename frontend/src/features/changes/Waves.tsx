/** Waves and their nodes, with state and evidence. */
import { NativeSelect, TextInput } from "@mantine/core";
import { changeNodesList } from "@/api/failover";
import { useParam } from "@/api/scope";
import { usePages } from "@/api/useListPage";
import type { ChangeDetail, ChangeNode } from "@/api/types";
import classes from "./ChangePage.module.css";
import { Evidence } from "./Evidence";
import { namesOf, NODE_LABELS, nodesByState, nodeTone, WAVE_TONE, waves, type Wave } from "./labels";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { Disclosure } from "@/ui/Disclosure";
import { Panel } from "@/ui/Panel";
import { StateLabel } from "@/ui/StateLabel";
import { LoadMore } from "@/ui/table/LoadMore";
import { count, grouped } from "@/util/units";

export function Waves({ change }: { change: ChangeDetail }) {
  const isLarge = !change.has_all_members;
  const [q, search] = useParam("search", "");
  const [state, choose] = useParam<ChangeNode["state"] | "">("state", "");
  const wanted = { ...(q === "" ? {} : { q }), ...(state === "" ? {} : { state }) };
  const { query, rest } = usePages(changeNodesList(change.id)(change.site, wanted), isLarge);
  const all = waves(change, isLarge ? query.data : change.members);
  return (
    <Panel title="Waves" aside={<span className="dim">each wave is atomic</span>} flush>
      {isLarge && (
        <div className={classes.row}>
          <TextInput
            size="xs"
            label="Search nodes"
            value={q}
            onChange={({ currentTarget }) => search(currentTarget.value)}
          />
          <NativeSelect
            size="xs"
            label="State"
            value={state}
            data={[{ value: "", label: "All" }, ...nodesByState(change).map(stateOption)]}
            onChange={({ currentTarget }) => choose(currentTarget.value as ChangeNode["state"] | "")}
          />
        </div>
      )}
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
      {isLarge && <LoadMore rest={rest} />}
    </Panel>
  );
}

const stateOption = ([state, number]: [ChangeNode["state"], number]) => ({
  value: state,
  label: `${NODE_LABELS[state]} (${grouped(number)})`,
});

/** A first wave of several nodes is not a canary: fabric-wide settings change on all nodes at once. */
const waveName = (number: number, nodes: number): string =>
  number === 0 && nodes === 1 ? "Canary" : `Wave ${number + 1}`;

function Head({ wave: { number, size, names, state, nodes } }: { wave: Wave }) {
  return (
    <div className={classes.waveHead}>
      <b>{waveName(number, size)}</b>
      <StateLabel state={WAVE_TONE[state]} label={state} />
      <span className="dim">
        {count(size, "node")}
        {nodes.length === 0 && names.length > 0 ? `: ${namesOf(names, size)}` : ""}
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
