/** How a change ended: what was saved or restored on which node, what failed there, and what proves it. */
import type { ChangeDetail, ChangeNode } from "@/api/types";
import classes from "./ChangePage.module.css";
import { Stages } from "./Evidence";
import { isProven, NODE_LABELS, nodeTone, reasonOf, wasTouched } from "./labels";
import { Panel } from "@/ui/Panel";
import { StateWord } from "@/ui/StateWord";
import { count } from "@/util/units";

/** So many nodes that went back are told of in full; of more, those where something failed. */
const IN_FULL = 3;

type Looked = ChangeNode["evidence"];

export function Outcome({ change }: { change: ChangeDetail }) {
  const touched = change.members.filter(wasTouched);
  const untouched = change.members.length - touched.length;
  const isFull = (member: ChangeNode) =>
    member.state !== "confirmed" && (touched.length <= IN_FULL || member.evidence.some(({ ok }) => !ok));
  return (
    <Panel title="Outcome" flush>
      <ul className={classes.list} aria-label="Outcome" data-testid="outcome">
        {change.state !== "done" && (
          <li>
            <b>Why: </b>
            {reasonOf(change)}.
          </li>
        )}
        {touched.map((member) => (
          <li
            key={member.node}
            className={classes.check}
            data-node={member.node}
            data-proven={isProven(member)}
          >
            <StateWord
              state={isProven(member) ? "ok" : nodeTone(member.state)}
              word={isProven(member) ? "restored" : NODE_LABELS[member.state]}
            />
            <div>
              <p>
                <b>{member.node}</b> {describeNode(member)}
              </p>
              {isFull(member) && <Stages evidence={member.evidence} />}
            </div>
          </li>
        ))}
        {untouched > 0 && (
          <li className="dim">
            {count(untouched, "node")} {untouched === 1 ? "was" : "were"} never touched.
          </li>
        )}
      </ul>
    </Panel>
  );
}

function describeNode(member: ChangeNode): string {
  const { state, reason, evidence } = member;
  if (state === "rolled_back") return describeRestore(member);
  if (state === "confirmed") return describeSaved(evidence);
  return `${NODE_LABELS[state]}${reason === "" ? "" : `: ${reason}`}.`;
}

const of = (evidence: Looked, stage: Looked[number]["stage"]): Looked =>
  evidence.filter((item) => item.stage === stage);
const good = (rows: Looked): string => `${rows.filter(({ ok }) => ok).length} of ${rows.length}`;

function describeRestore(member: ChangeNode): string {
  const who = member.by === "guard" ? "by its guard, alone" : "by its guard, as its agent asked";
  const again = of(member.evidence, "restored");
  const proof = isProven(member)
    ? `Proven by reading again: ${again.length === 0 ? "the same" : `${good(again)} as before`}`
    : `Not proven: ${good(again)} as before`;
  return `was put back ${who}${member.reason === "" ? "" : `, because: ${member.reason}`}. ${proof}.`;
}

function describeSaved(evidence: Looked): string {
  const probes = of(evidence, "probed");
  const parts = [
    "runs it and has saved it for the next boot",
    ...(probes.length === 0 ? [] : [`${good(probes)} probes answered`]),
    ...of(evidence, "saved").map(({ what, found }) => `${what} ${found}`),
  ];
  return `${parts.join("; ")}.`;
}
