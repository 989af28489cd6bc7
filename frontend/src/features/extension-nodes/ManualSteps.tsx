/** What a person does by hand: commands as far as they are known for sure, values in tables, and the way back. */
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
    <Panel title="By hand, on the control workstation">
      <div className={classes.stack}>
        <p className="dim">
          As root, in the current partition. The commands change the SDR only, unless -r is given. Which
          option takes which value is in their manual pages; nothing is changed from here.
        </p>
        <ol className={classes.steps}>
          {steps.map((step) => (
            <Step key={`${step.command} ${step.text}`} step={step} />
          ))}
        </ol>
        <p className="dim">
          The way back:{" "}
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
