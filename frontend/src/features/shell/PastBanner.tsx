/** Shown on every page while the time range ends in the past: which moment the page shows, or that it cannot. */
import { useLocation } from "react-router";
import classes from "./Banners.module.css";
import { usePast } from "@/api/past";
import { useRange } from "@/api/scope";
import { DEFAULT_RANGE, clock } from "@/util/time";

/** Pages whose states are those of the moment. */
const WITH_PAST = new Set(["/map", "/incidents"]);

export function PastBanner() {
  const { pathname } = useLocation();
  const past = usePast();
  const [, setRange] = useRange();
  if (past === null) return null;
  const moment = `${clock(past.at, true).slice(0, 16)} UTC`;
  return (
    <div className={classes.banner} data-tone="past" role="status" data-testid="past-banner">
      <span>
        {WITH_PAST.has(pathname)
          ? `State at ${moment}.`
          : `This page shows the present. Only its charts and histories show the range that ends at ${moment}.`}
      </span>
      <button type="button" className={classes.back} onClick={() => setRange(DEFAULT_RANGE)}>
        Back to now
      </button>
    </div>
  );
}
