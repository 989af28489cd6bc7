/** Path status of a link with the line style of the map: solid active, dotted standby, dashed dead. */
import classes from "@/ui/Carries.module.css";
import { CARRIES_LABELS, type Carries } from "@/ui/carries";

export function CarriesMark({ carries }: { carries: Carries }) {
  return (
    <span className={classes.mark} data-carries={carries}>
      <i aria-hidden="true" />
      {CARRIES_LABELS[carries]}
    </span>
  );
}
