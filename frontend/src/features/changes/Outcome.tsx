/** Outcome of a change by node: saved, restored or failed, with the evidence. */
import type { ChangeDetail, ChangeNode } from "@/api/types";
import classes from "./ChangePage.module.css";
import { AllStages, Stages } from "./Evidence";
import { checksOf, isProven, NODE_LABELS, nodesByState, nodeTone, reasonOf, wasTouched } from "./labels";
import { Panel } from "@/ui/Panel";
import { StateLabel } from "@/ui/StateLabel";
import { count } from "@/util/units";

/** Up to this many nodes that do not keep the change show all evidence; of more, only what failed. */
const IN_FULL = 3;

export function Outcome({ change }: { change: ChangeDetail }) {
  // Of a large change, the waves list the nodes.
  const touched = change.has_all_members ? change.members.filter(wasTouched) : [];
  const untouched = change.has_all_members ? change.members.length - touched.length : 0;
  const isFull = touched.length <= IN_FULL;
  return (
    <Panel title="Outcome" flush>
      <ul className={classes.list} aria-label="Outcome" data-testid="outcome">
        {change.state !== "done" && (
          <li>
            <b>Reason: </b>
            {reasonOf(change)}.
          </li>
        )}
        {!change.has_all_members &&
          nodesByState(change).map(([state, number]) => (
            <li key={state} className={classes.check}>
              <StateLabel state={nodeTone(state)} label={NODE_LABELS[state]} />
              <p>{count(number, "node")}</p>
            </li>
          ))}
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
              {member.state !== "confirmed" &&
                (isFull && member.checks.length > 0 ? (
                  <AllStages change={change.id} member={member} />
                ) : (
                  <Stages evidence={member.failed} />
                ))}
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
  const { state, reason } = member;
  if (state === "rolled_back") return describeRestore(member);
  if (state === "confirmed") return describeSaved(member);
  return `${NODE_LABELS[state]}${reason === "" ? "" : `: ${reason}`}.`;
}

const good = (checks: { good: number; total: number } | undefined): string =>
  `${checks?.good ?? 0} of ${checks?.total ?? 0}`;

function describeRestore(member: ChangeNode): string {
  const who = member.by === "guard" ? "by its guard on timeout" : "by its guard at the agent's request";
  const again = checksOf(member, "restored");
  const proof = isProven(member)
    ? `Verified: ${again === undefined ? "unchanged" : `${good(again)} as before`}`
    : `Not verified: ${good(again)} as before`;
  return `was restored ${who}${member.reason === "" ? "" : `; reason: ${member.reason}`}. ${proof}.`;
}

function describeSaved(member: ChangeNode): string {
  const [probes, saved] = [checksOf(member, "probed"), checksOf(member, "saved")];
  const parts = [
    "runs the plan and saved it for the next boot",
    ...(probes === undefined ? [] : [`${good(probes)} probes passed`]),
    ...(saved === undefined ? [] : [`${good(saved)} files as planned when read back`]),
  ];
  return `${parts.join("; ")}.`;
}
