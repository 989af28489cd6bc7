/** Confirm or roll back while the guards wait. */
import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import type { ActionProps } from "./Actions";
import classes from "./ChangePage.module.css";
import { clockLeft } from "@/util/countdown";

export function ConfirmActions({
  change: { may, wave },
  left,
  busy,
  onAct,
}: ActionProps & { left: number | null }) {
  const [reason, setReason] = useState("");
  return (
    <div className={classes.row}>
      {left !== null && (
        <span className={classes.left} role="timer" aria-label="Time left to confirm" data-testid="left">
          {clockLeft(left)}
        </span>
      )}
      {may.includes("confirm") && (
        <Button
          size="xs"
          disabled={busy || (left !== null && left <= 0)}
          onClick={() => onAct({ verb: "confirm", wave })}
        >
          Confirm wave
        </Button>
      )}
      {may.includes("roll_back") && (
        <>
          <Button
            size="xs"
            variant="default"
            disabled={busy}
            onClick={() => onAct({ verb: "roll_back", reason })}
          >
            Roll back
          </Button>
          <TextInput
            size="xs"
            label="Reason for rollback"
            value={reason}
            maxLength={2000}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </>
      )}
    </div>
  );
}
