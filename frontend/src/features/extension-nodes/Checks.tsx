/** Checks of an extension node; failed checks first. */
import type { MoveCheck } from "@/api/extension-nodes";
import { checkLabel, LEVELS } from "./extension";
import classes from "./ExtensionNodes.module.css";
import { Panel } from "@/ui/Panel";
import { StateLabel } from "@/ui/StateLabel";
import { count } from "@/util/units";

const ORDER: Record<MoveCheck["level"], number> = { failed: 0, warning: 1, passed: 2 };

export function Checks({ checks }: { checks: readonly MoveCheck[] }) {
  const failed = checks.filter(({ level }) => level === "failed").length;
  return (
    <Panel
      title="Checks"
      aside={
        <span className="dim num">
          {failed === 0 ? "no check failed" : `${count(failed, "check")} failed`}
        </span>
      }
      flush
    >
      <ul className={classes.list} aria-label="Checks">
        {checks
          .toSorted((a, b) => ORDER[a.level] - ORDER[b.level])
          .map((check) => {
            const [state, label] = LEVELS[check.level];
            return (
              <li
                key={`${check.check} ${check.text}`}
                className={classes.check}
                data-check={check.check}
                data-level={check.level}
              >
                <StateLabel state={state} label={label} />
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
