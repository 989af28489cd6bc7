/** Whether a gateway may be attached as wanted: every check with its sentence, what refuses it first. */
import type { Obstacle } from "@/api/extension-nodes";
import { checkLabel, LEVELS } from "./extension";
import classes from "./ExtensionNodes.module.css";
import { Panel } from "@/ui/Panel";
import { StateWord } from "@/ui/StateWord";
import { count } from "@/util/units";

const ORDER: Record<Obstacle["level"], number> = { failed: 0, warning: 1, passed: 2 };

export function Checks({ checks }: { checks: readonly Obstacle[] }) {
  const failed = checks.filter(({ level }) => level === "failed").length;
  return (
    <Panel
      title="Checks"
      aside={
        <span className="dim num">
          {failed === 0 ? "nothing refuses it" : `${count(failed, "check")} refused`}
        </span>
      }
      flush
    >
      <ul className={classes.list} aria-label="Checks">
        {checks
          .toSorted((a, b) => ORDER[a.level] - ORDER[b.level])
          .map((check) => {
            const [state, word] = LEVELS[check.level];
            return (
              <li
                key={`${check.check} ${check.text}`}
                className={classes.check}
                data-check={check.check}
                data-level={check.level}
              >
                <StateWord state={state} word={word} />
                <p>
                  <b>{checkLabel(check)}</b> {check.text}
                </p>
              </li>
            );
          })}
      </ul>
    </Panel>
  );
}
