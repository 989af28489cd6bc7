/** A short description list in as many columns as fit. */
import type { ReactNode } from "react";
import classes from "@/ui/Facts.module.css";

export type Fact = readonly [term: string, value: ReactNode];

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd className="num">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
