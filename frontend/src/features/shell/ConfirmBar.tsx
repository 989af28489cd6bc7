/** Shown on every page while a change awaits confirmation: time left, Confirm and Roll back. */
import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { useChangeAction } from "@/api/change-actions";
import type { Change } from "@/api/types";
import { useWaitingChanges } from "@/api/failover";
import classes from "./ConfirmBar.module.css";
import { useCountsQuery } from "./counts";
import { Anchor } from "@/ui/Anchor";
import { useCountdown } from "@/ui/useClock";
import { clockLeft, markPassed } from "@/util/countdown";

export function ConfirmBars() {
  const { pathname } = useLocation();
  const { data, isError } = useCountsQuery(pathname === "/");
  // Without the number, the changes themselves are asked.
  const isAwaited = data === undefined ? isError : data.awaiting > 0;
  return useWaitingChanges(isAwaited).map(({ change, receivedAt }) => (
    <ConfirmBar key={change.id} change={change} receivedAt={receivedAt} />
  ));
}

function ConfirmBar({ change, receivedAt }: { change: Change; receivedAt: number }) {
  const left = useCountdown(change, receivedAt) ?? 0;
  const action = useChangeAction(change.id);
  const { name, title, site, wave, waves, may } = change;
  const over = left <= 0;
  return (
    <section
      className={classes.bar}
      aria-label={`Change ${name} awaits confirmation`}
      data-testid="confirm-bar"
      data-change={change.id}
    >
      <span className={classes.left} role="timer" aria-label={`Time left to confirm change ${name}`}>
        {clockLeft(left)}
      </span>
      <span className={classes.message}>
        <Anchor href={`/changes/${change.id}?site=${encodeURIComponent(site)}`}>
          {name} {title}
        </Anchor>{" "}
        {over
          ? "was not confirmed in time; the guards roll the nodes back."
          : `${wave === null ? "" : `wave ${wave + 1} of ${waves} `}awaits confirmation; it is rolled back otherwise.`}
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

/** Announces the start and each mark once, not every second. */
function Spoken({ name, left }: { name: string; left: number }) {
  const before = useRef(Infinity);
  const [message, setMessage] = useState("");
  useEffect(() => {
    const mark = before.current === Infinity ? null : markPassed(before.current, left);
    const isFirst = before.current === Infinity;
    before.current = left;
    if (isFirst) setMessage(`Change ${name} awaits confirmation, ${Math.ceil(left)} seconds left.`);
    else if (mark !== null) setMessage(`${mark} seconds left to confirm change ${name}.`);
  }, [name, left]);
  return (
    <p className="visually-hidden" role="status" aria-live="polite" data-testid="confirm-spoken">
      {message}
    </p>
  );
}
