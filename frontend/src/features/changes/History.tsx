/** Events of a change, oldest first. */
import type { ChangeDetail } from "@/api/types";
import classes from "./ChangePage.module.css";
import { Panel } from "@/ui/Panel";
import { clock } from "@/util/time";

export function History({ steps }: { steps: ChangeDetail["history"] }) {
  return (
    <Panel title="History">
      <ol className={classes.history} aria-label="History">
        {steps.map(({ at, person, text }) => (
          <li key={`${at} ${person} ${text}`}>
            <time className="num dim" dateTime={at} title={at}>
              {clock(at)}
            </time>
            <b>{person === "" ? "Backstay" : person}</b>
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
