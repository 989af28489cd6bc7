/** A collapsible section; the page owns its state. */
import type { ReactNode } from "react";
import classes from "@/ui/Disclosure.module.css";

interface Props {
  summary: ReactNode;
  open: boolean;
  onToggle: (open: boolean) => void;
  children: ReactNode;
}

export function Disclosure({ summary, open, onToggle, children }: Props) {
  return (
    <details
      className={classes.box}
      open={open}
      onToggle={(event) => event.currentTarget.open !== open && onToggle(event.currentTarget.open)}
    >
      <summary>{summary}</summary>
      {open && children}
    </details>
  );
}
