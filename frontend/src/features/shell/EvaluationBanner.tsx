/** Banner while the site's alert rules are not evaluated: no incidents does not mean no faults. */
import { useLocation } from "react-router";
import { useCounts } from "./Rail";
import classes from "./LiveChip.module.css";
import { duration } from "@/util/units";

export function EvaluationBanner() {
  const { pathname } = useLocation();
  const { lateS } = useCounts(pathname === "/");
  if (lateS === null) return null;
  return (
    <div className={classes.banner} data-tone="stale" role="alert" data-testid="evaluation-banner">
      Alert rules are not evaluated: last round {duration(lateS)} ago. Incidents neither open nor resolve.
      Check that the worker and beat run.
    </div>
  );
}
