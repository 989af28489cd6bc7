/** Outcome of a change by node: saved, restored or failed, with the evidence. */
import type { ChangeDetail, ChangeNode } from "@/api/types";
import classes from "./ChangePage.module.css";
import { Stages } from "./Evidence";
import { isProven, NODE_LABELS, nodeTone, reasonOf, wasTouched } from "./labels";
import { Panel } from "@/ui/Panel";
import { StateLabel } from "@/ui/StateLabel";
import { count } from "@/util/units";

/** Up to this many rolled-back nodes show all evidence; of more, only those with a failure. */
const IN_FULL = 3;

type EvidenceRows = ChangeNode["evidence"];

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
            <b>Reason: </b>
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
            <StateLabel
              state={isProven(member) ? "ok" : nodeTone(member.state)}
              label={isProven(member) ? "restored" : NODE_LABELS[member.state]}
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
            {count(untouched, "node")} {untouched === 1 ? "was" : "were"} not changed.
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

const of = (evidence: EvidenceRows, stage: EvidenceRows[number]["stage"]): EvidenceRows =>
  evidence.filter((item) => item.stage === stage);
const good = (rows: EvidenceRows): string => `${rows.filter(({ ok }) => ok).length} of ${rows.length}`;

function describeRestore(member: ChangeNode): string {
  const who = member.by === "guard" ? "by its guard on timeout" : "by its guard at the agent's request";
  const again = of(member.evidence, "restored");
  const proof = isProven(member)
    ? `Verified: ${again.length === 0 ? "unchanged" : `${good(again)} as before`}`
    : `Not verified: ${good(again)} as before`;
  return `was restored ${who}${member.reason === "" ? "" : `; reason: ${member.reason}`}. ${proof}.`;
}

function describeSaved(evidence: EvidenceRows): string {
  const probes = of(evidence, "probed");
  const parts = [
    "runs the plan and saved it for the next boot",
    ...(probes.length === 0 ? [] : [`${good(probes)} probes passed`]),
    ...of(evidence, "saved").map(({ what, found }) => `${what} ${found}`),
  ];
  return `${parts.join("; ")}.`;
}
