/** Error, empty and loading states of a page. */
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { CommandLine } from "@/ui/states/CommandLine";
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

interface EmptyProps {
  title: string;
  /** Command line that changes it, to be copied. */
  command?: string;
  children?: ReactNode;
}

/** No data, and how to get some. */
export function EmptyState({ title, command, children }: EmptyProps) {
  return (
    <section className={classes.empty}>
      <p className={classes.what}>{title}</p>
      {children !== undefined && <div className="dim">{children}</div>}
      {command !== undefined && <CommandLine command={command} />}
    </section>
  );
}

/** The first response is pending. */
export function Waiting({ what }: { what: string }) {
  return (
    <p className={classes.waiting} role="status">
      Loading {what} …
    </p>
  );
}
