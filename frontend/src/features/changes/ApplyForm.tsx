/** Apply an approved plan: the guard timeout, and automatic confirmation of waves. */
import { Button, NativeSelect } from "@mantine/core";
import { useState, type FormEvent } from "react";
import type { ActionProps } from "./Actions";
import classes from "./ChangePage.module.css";
import { count } from "@/util/units";

const TIMEOUTS = [
  { value: "30", label: "30 seconds" },
  { value: "60", label: "1 minute" },
  { value: "120", label: "2 minutes" },
  { value: "300", label: "5 minutes" },
  { value: "600", label: "10 minutes" },
];

export function ApplyForm({ change: { plan, nodes, waves }, busy, onAct }: ActionProps) {
  const [timeout, setTimeout] = useState("120");
  const [auto, setAuto] = useState(false);
  if (plan === null) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onAct({ verb: "apply", digest: plan.digest, timeoutS: Number(timeout), autoConfirm: auto });
  };
  return (
    <form className={classes.form} onSubmit={submit}>
      <div className={classes.row}>
        <NativeSelect
          size="xs"
          label="Automatic rollback after"
          value={timeout}
          data={TIMEOUTS}
          onChange={(event) => setTimeout(event.currentTarget.value)}
        />
        <Button type="submit" size="xs" loading={busy}>
          {`Apply to ${count(nodes, "node")} in ${count(waves, "wave")}`}
        </Button>
      </div>
      <label className={classes.accept}>
        <input type="checkbox" checked={auto} onChange={(event) => setAuto(event.currentTarget.checked)} />
        <span>
          Confirm each wave automatically when all its probes pass. Otherwise an operator confirms each wave.
        </span>
      </label>
    </form>
  );
}
