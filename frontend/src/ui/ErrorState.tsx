/** What a page shows when it cannot show what it should: what happened, the next step, and a way to try again. */
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "@/ui/ErrorState.module.css";

interface Props {
  title: string;
  message: string;
  onRetry?: () => void;
  children?: ReactNode;
}

export function ErrorState({ title, message, onRetry, children }: Props) {
  return (
    <section className={classes.box} role="alert">
      <h2>{title}</h2>
      <p>{message}</p>
      {children}
      {onRetry !== undefined && (
        <Button size="xs" variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </section>
  );
}

/** Nothing to show, and that is no fault: why, and what would put something here. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <section className={classes.empty}>
      <p className={classes.what}>{title}</p>
      {children !== undefined && <div className="dim">{children}</div>}
    </section>
  );
}

/** A first answer is on its way. */
export function Waiting({ what }: { what: string }) {
  return (
    <p className={classes.waiting} role="status">
      Reading {what} …
    </p>
  );
}
