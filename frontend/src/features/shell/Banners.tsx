/** Banners of every page: server, live data and evaluation of alert rules. */
import { useLocalStorage } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { useFreshness } from "./LiveChip";
import { useCounts, useCountsQuery } from "./counts";
import { WITH_PAST } from "./pages";
import classes from "./Banners.module.css";
import { useLiveStream } from "@/api/connection";
import { asApiError, worthRetrying } from "@/api/problem";
import { may } from "@/api/permissions";
import { sessionQuery } from "@/api/queries";
import { usePast, useRange, useSite } from "@/api/scope";
import { Anchor } from "@/ui/Anchor";
import { Icon } from "@/ui/Icon";
import { useClock } from "@/ui/useClock";
import { zoneName } from "@/util/timeZone";
import { clock, DEFAULT_RANGE } from "@/util/time";
import { count, duration } from "@/util/units";

/** Time limit of the counts request, which repeats every 5 s: a fault shows within 15 s. */
export const WAIT_S = 8;

/** Fault of the server; null while it responds. `waitedS`: duration of the pending request. */
export function serverFault(failure: Error | null, waitedS: number): string | null {
  if (failure !== null && worthRetrying(failure)) return asApiError(failure).message;
  return waitedS > WAIT_S ? `The server has not answered for ${duration(waitedS)}.` : null;
}

/** Age of the pending request in seconds; 0 without one. */
function useWaiting(isFetching: boolean, now: number): number {
  const [since, setSince] = useState<number | null>(null);
  if (isFetching && since === null) setSince(now);
  if (!isFetching && since !== null) setSince(null);
  return since === null ? 0 : Math.round((now - since) / 1000);
}

/** Shown while the server does not respond, even if the live stream is open; else the banner of stale data. */
export function FreshnessBanner() {
  const { pathname } = useLocation();
  const { error, failureReason, isFetching, dataUpdatedAt } = useCountsQuery(pathname === "/");
  const now = useClock();
  const fault = serverFault(error ?? failureReason, useWaiting(isFetching, now));
  if (fault === null) return <StaleBanner />;
  const age = dataUpdatedAt === 0 ? "" : ` The values are ${duration((now - dataUpdatedAt) / 1000)} old.`;
  return (
    <div className={classes.banner} data-tone="stale" role="alert" data-testid="server-banner">
      {fault}
      {age} This page retries automatically.
    </div>
  );
}

/** Shown while the data is paused or stale. */
function StaleBanner() {
  const { connection, stale, age } = useFreshness();
  const stream = useLiveStream();
  if (connection === "paused") {
    return (
      <div className={classes.banner} data-tone="paused" role="status">
        Paused{age === null ? "" : ` ${duration(age)} ago`}: values are not updated.
        <button type="button" className={classes.back} onClick={() => stream.resume()}>
          {" "}
          Resume{" "}
        </button>
      </div>
    );
  }
  if (!stale) return null;
  return (
    <div className={classes.banner} data-tone="stale" role="alert" data-testid="stale-banner">
      No live data{age === null ? " yet" : ` for ${duration(age)}`}: the values are outdated. Check that the
      agents report and that the web and live processes run; this page reconnects automatically.
    </div>
  );
}

/** Shown while the site's alert rules are not evaluated: no incidents does not mean no faults. */
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

const KEY = "backstay.failed-deliveries-seen";

/** For operators: messages that reached nobody. Closed, it stays away until more fail. */
export function DeliveryHint() {
  const { data: person } = useQuery(sessionQuery);
  const { pathname } = useLocation();
  const site = useSite()?.name ?? "";
  const { data: counts } = useCountsQuery(pathname === "/");
  const [seen, setSeen] = useLocalStorage<Record<string, number>>({ key: KEY, defaultValue: {} });
  const failed = may.seeFailedDeliveries(person) ? (counts?.failed_deliveries ?? 0) : 0;
  const closed = seen[site] ?? 0;
  // Old failures leave the 24 hours: later ones count from the lower number.
  const isFewer = counts !== undefined && failed < closed;
  useEffect(() => {
    if (isFewer) setSeen((old) => ({ ...old, [site]: failed }));
  }, [isFewer, setSeen, site, failed]);
  if (failed <= closed) return null;
  return (
    <div className={classes.banner} data-tone="quiet" role="status" data-testid="delivery-hint">
      <span>
        {count(failed, "notification")} of the last 24 hours {failed === 1 ? "was" : "were"} not delivered.{" "}
        <Anchor href="/notifications/deliveries?status=failed">Open the log</Anchor>
      </span>
      <button
        type="button"
        className={classes.close}
        aria-label="Close this hint"
        onClick={() => setSeen({ ...seen, [site]: failed })}
      >
        <Icon name="close" size={14} />
      </button>
    </div>
  );
}

/** Shown on every page while the time range ends in the past: which moment the page shows, or that it cannot. */
export function PastBanner() {
  const { pathname } = useLocation();
  const past = usePast();
  const [, setRange] = useRange();
  if (past === null) return null;
  const moment = `${clock(past.at).slice(0, 16)} ${zoneName()}`;
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
