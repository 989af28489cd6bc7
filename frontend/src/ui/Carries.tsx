/** Path status of a link with the line style of the map: solid active, dotted standby, dashed dead. */
import classes from "@/ui/Carries.module.css";

export type Carries = "active" | "standby" | "dead" | "none";

export const CARRIES_LABELS: Readonly<Record<Carries, string>> = {
  active: "active path",
  standby: "standby path",
  dead: "dead path",
  none: "no policy",
};

export function CarriesMark({ carries }: { carries: Carries }) {
  return (
    <span className={classes.mark} data-carries={carries}>
      <i aria-hidden="true" />
      {CARRIES_LABELS[carries]}
    </span>
  );
}
