/** Plan checks: failures and warnings with the next step; passed checks collapsed. */
import type { Plan, PlanCheck } from "@/api/types";
import { useParam } from "@/api/scope";
import classes from "./ChangePage.module.css";
import { byLevel, checkLabel, namesOf } from "./labels";
import { Disclosure } from "@/ui/Disclosure";
import { Panel } from "@/ui/Panel";
import { StateLabel } from "@/ui/StateLabel";
import { count } from "@/util/units";

const TONES = { failed: "critical", warning: "warning", passed: "ok" } as const;
const LEVEL_LABELS = { failed: "failed", warning: "warning", passed: "passed" } as const;

export function Checks({ plan: { checks, reminders } }: { plan: Plan }) {
  const [open, setOpen] = useParam<"" | "passed">("checks", "");
  const { failed, warning, passed } = byLevel(checks);
  return (
    <Panel
      title="Checks"
      aside={
        <span className="dim num">
          {passed.length} passed, {count(warning.length, "warning")}, {failed.length} failed
        </span>
      }
      flush
    >
      <ul className={classes.list} aria-label="Checks">
        {[...failed, ...warning].map((check) => (
          <Check key={`${check.check} ${check.text}`} check={check} />
        ))}
        {reminders?.map((reminder) => (
          <li key={reminder} className={classes.check} data-check="reminder">
            <StateLabel state="unknown" label="manual step" />
            <p>{reminder}</p>
          </li>
        ))}
        <li>
          <Disclosure
            summary={<span className="dim">{count(passed.length, "check")} passed</span>}
            open={open === "passed"}
            onToggle={(shown) => setOpen(shown ? "passed" : "")}
          >
            <ul className={classes.list} aria-label="Passed checks">
              {passed.map((check) => (
                <Check key={`${check.check} ${check.text}`} check={check} />
              ))}
            </ul>
          </Disclosure>
        </li>
      </ul>
    </Panel>
  );
}

function Check({ check: { check, level, text, nodes, node_count } }: { check: PlanCheck }) {
  return (
    <li className={classes.check} data-check={check} data-level={level}>
      <StateLabel state={TONES[level]} label={LEVEL_LABELS[level]} />
      <p>
        <b>{checkLabel(check)}</b> {text}{" "}
        {nodes !== undefined && nodes.length > 0 && (
          <span className="dim">({namesOf(nodes, node_count)})</span>
        )}
      </p>
    </li>
  );
}
