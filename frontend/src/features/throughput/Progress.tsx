/** Progress of a run, or what it waits for. */
import type { TestRunDetail } from "@/api/throughput";
import classes from "./Tests.module.css";
import { describePoint } from "./labels";
import { Panel } from "@/ui/Panel";
import { duration, percent } from "@/util/units";

export function Progress({ run }: { run: TestRunDetail }) {
  const { state, waits_for, progress, remaining_s, cells_over, cells_total, cells } = run;
  const now = cells.find((cell) => cell.state === "running");
  const left = remaining_s === null ? "" : `, about ${duration(remaining_s)} left`;
  return (
    <Panel title={state === "running" ? "Running" : "Waiting"}>
      <div className={classes.progress} aria-live="polite">
        <p data-testid="progress">
          {state === "running"
            ? `${cells_over} of ${cells_total} cells done, ${percent(progress)}${left}.`
            : waits_for === ""
              ? "Starting."
              : `Waiting for ${waits_for.replace(/^waits for /, "").replace(/\.$/, "")}.`}
        </p>
        <div
          className={classes.bar}
          role="progressbar"
          aria-label="Cells done"
          aria-valuemin={0}
          aria-valuemax={cells_total}
          aria-valuenow={cells_over}
        >
          <span style={{ width: `${progress * 100}%` }} />
        </div>
        {now !== undefined && (
          <p className="dim">
            Now: {describePoint(now.parameters)}
            {now.flows[0] === undefined ? "" : `, ${now.flows[0].sender} → ${now.flows[0].receiver}`}
          </p>
        )}
      </div>
    </Panel>
  );
}
