/** On every page while a change waits: which one, how long still, and both ways out. It takes its own room and covers nothing. */
import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useChangeAction } from "@/api/change-actions";
import type { Change } from "@/api/types";
import { useWaitingChanges } from "@/api/waiting";
import classes from "./ConfirmBar.module.css";
import { Anchor } from "@/ui/Anchor";
import { useCountdown } from "@/ui/useCountdown";
import { clockLeft, markPassed } from "@/util/countdown";

export function ConfirmBars() {
  return useWaitingChanges().map(({ change, receivedAt }) => (
    <ConfirmBar key={change.id} change={change} receivedAt={receivedAt} />
  ));
}

export function ConfirmBar({ change, receivedAt }: { change: Change; receivedAt: number }) {
  const left = useCountdown(change, receivedAt) ?? 0;
  const action = useChangeAction(change.id);
  const { name, title, site, wave, waves, may } = change;
  const over = left <= 0;
  return (
    <section
      className={classes.bar}
      aria-label={`Change ${name} waits for confirmation`}
      data-testid="confirm-bar"
      data-change={change.id}
    >
      <span className={classes.left} role="timer" aria-label={`Time left to confirm change ${name}`}>
        {clockLeft(left)}
      </span>
      <span className={classes.words}>
        <Anchor href={`/changes/${change.id}?site=${encodeURIComponent(site)}`}>
          {name} {title}
        </Anchor>{" "}
        {over
          ? "was not confirmed in time: its guards put the nodes back."
          : `${wave === null ? "" : `wave ${wave + 1} of ${waves} `}waits for confirmation, else it is rolled back.`}
      </span>
      <span className={classes.acts}>
        {may.includes("confirm") && (
          <Button
            size="xs"
            disabled={over || action.isPending}
            onClick={() => action.mutate({ verb: "confirm", wave })}
          >
            Confirm
          </Button>
        )}
        {may.includes("roll_back") && (
          <Button
            size="xs"
            variant="default"
            disabled={action.isPending}
            onClick={() => action.mutate({ verb: "roll_back", reason: "" })}
          >
            Roll back
          </Button>
        )}
      </span>
      <Spoken name={name} left={left} />
    </section>
  );
}

/** Each mark is said once; the ticking itself is not. */
function Spoken({ name, left }: { name: string; left: number }) {
  const before = useRef(Infinity);
  const [words, setWords] = useState("");
  useEffect(() => {
    const mark = before.current === Infinity ? null : markPassed(before.current, left);
    const isFirst = before.current === Infinity;
    before.current = left;
    if (isFirst) setWords(`Change ${name} waits for confirmation, ${Math.ceil(left)} seconds left.`);
    else if (mark !== null) setWords(`${mark} seconds left to confirm change ${name}.`);
  }, [name, left]);
  return (
    <p className="visually-hidden" role="status" aria-live="polite" data-testid="confirm-spoken">
      {words}
    </p>
  );
}
