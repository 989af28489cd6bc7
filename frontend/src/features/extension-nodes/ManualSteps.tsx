/** Manual steps: documented commands, their values, and how to undo them. */
import type { ExtensionStep } from "@/api/extension-nodes";
import classes from "./ExtensionNodes.module.css";
import { Panel } from "@/ui/Panel";

export function ManualSteps({
  steps,
  undo,
}: {
  steps: readonly ExtensionStep[];
  undo: readonly ExtensionStep[];
}) {
  return (
    <Panel title="Manual steps on the control workstation">
      <div className={classes.stack}>
        <p className="dim">
          Run as root in the current partition. Without -r the commands change only the SDR. See their manual
          pages for the options. Backstay does not run them.
        </p>
        <ol className={classes.steps}>
          {steps.map((step) => (
            <Step key={`${step.command} ${step.text}`} step={step} />
          ))}
        </ol>
        <p className="dim">
          To undo:{" "}
          {undo.map(({ command }, place) => (
            <span key={command}>
              {place > 0 && ", then "}
              <span className="mono">{command}</span>
            </span>
          ))}
          .
        </p>
      </div>
    </Panel>
  );
}

function Step({ step: { command, text, values } }: { step: ExtensionStep }) {
  return (
    <li>
      {command !== "" && (
        <>
          <b className="mono">{command}</b>{" "}
        </>
      )}
      {text}
      {values.length > 0 && (
        <dl className={classes.values} aria-label={`Values for ${command}`}>
          {values.map(({ name, value }) => (
            <Value key={name} name={name} value={value} />
          ))}
        </dl>
      )}
    </li>
  );
}

function Value({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="mono">{name}</dt>
      <dd className="mono">{value}</dd>
    </>
  );
}
