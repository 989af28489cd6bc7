/** How a change ended: what was saved or restored on which node, and what proves it. */
import type { ChangeDetail, ChangeNode } from "@/api/types";
import classes from "./ChangePage.module.css";
import { isProven, NODE_WORDS, nodeTone, reasonOf } from "./words";
import { Panel } from "@/ui/Panel";
import { StateWord } from "@/ui/StateWord";
import { count } from "@/util/units";

const UNTOUCHED: ReadonlySet<ChangeNode["state"]> = new Set(["pending", "prepared", "refused"]);

export function Outcome({ change }: { change: ChangeDetail }) {
  const touched = change.members.filter(({ state }) => !UNTOUCHED.has(state));
  const untouched = change.members.length - touched.length;
  return (
    <Panel title="Outcome" flush>
      <ul className={classes.list} aria-label="Outcome" data-testid="outcome">
        {change.state !== "done" && (
          <li>
            <b>Why: </b>
            {reasonOf(change)}
          </li>
        )}
        {touched.map((member) => (
          <li key={member.node} className={classes.check} data-node={member.node} data-proven={isProven(member)}>
            <StateWord state={isProven(member) ? "ok" : nodeTone(member.state)} word={isProven(member) ? "restored" : NODE_WORDS[member.state]} />
            <p>
              <b>{member.node}</b> {sentence(member)}
            </p>
          </li>
        ))}
        {untouched > 0 && <li className="dim">{count(untouched, "node")} {untouched === 1 ? "was" : "were"} never touched.</li>}
      </ul>
    </Panel>
  );
}

function sentence(member: ChangeNode): string {
  const proofs = member.evidence.map(({ what, ok, found }) => `${what}: ${found === "" ? (ok ? "as it should be" : "not as it should be") : found}`).join("; ");
  const who = member.by === "guard" ? "by its guard, alone" : member.by === "agent" ? "by its agent" : "";
  if (member.state === "rolled_back") return `put back ${who}. ${isProven(member) ? "Proven by reading again" : "Not proven"}${proofs === "" ? "." : `: ${proofs}.`}`;
  if (member.state === "confirmed") return `runs it and has saved it for the next boot${proofs === "" ? "." : `: ${proofs}.`}`;
  return `${NODE_WORDS[member.state]}${member.reason === "" ? "" : `: ${member.reason}`}${proofs === "" ? "." : `. ${proofs}.`}`;
}
