/** Heading, headline and controls of a page; sets the document title. */
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "@/ui/PageHeader.module.css";

interface Props {
  /** Title of the page and of the browser tab. */
  title: string;
  /** The current state in one sentence. */
  headline?: ReactNode;
  /** Next to the title: states, links to parents. */
  aside?: ReactNode;
  /** Controls of the page, to the right. */
  children?: ReactNode;
}

export function PageHeader({ title, headline, aside, children }: Props) {
  return (
    <header className={classes.header}>
      <title>{`${title} · Backstay`}</title>
      <div className={classes.heading}>
        <div className={classes.title}>
          <h1 tabIndex={-1}>{title}</h1>
          {aside}
        </div>
        {headline !== undefined && (
          <p className={classes.headline} data-testid="headline">
            {headline}
          </p>
        )}
      </div>
      {children !== undefined && <div className={classes.controls}>{children}</div>}
    </header>
  );
}

/** Prints the page, or saves it as PDF: `print.css` leaves out what paper does not need. */
export function PrintButton() {
  return (
    <Button size="xs" variant="default" onClick={() => window.print()}>
      Print
    </Button>
  );
}
