/** A quiet line for operators: messages of the last 24 hours that reached nobody. Closed, it stays away until more fail. */
import { useLocalStorage } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation } from "react-router";
import classes from "./Banners.module.css";
import { may } from "@/api/permissions";
import { countsQuery, sessionQuery } from "@/api/queries";
import { useSite } from "@/api/scope";
import { Anchor } from "@/ui/Anchor";
import { Icon } from "@/ui/Icon";
import { count } from "@/util/units";

/** On the overview, whose own snapshot does not have the number. */
const OVERVIEW_MS = 60_000;
const KEY = "backstay.failed-deliveries-seen";

export function DeliveryHint() {
  const { data: person } = useQuery(sessionQuery);
  const { pathname } = useLocation();
  const site = useSite()?.name ?? "";
  const counts = useQuery({
    ...countsQuery(site),
    enabled: site !== "" && may.seeFailedDeliveries(person),
    ...(pathname === "/" ? { refetchInterval: OVERVIEW_MS } : {}),
  });
  const [seen, setSeen] = useLocalStorage<Record<string, number>>({ key: KEY, defaultValue: {} });
  const failed = counts.data?.failed_deliveries ?? 0;
  const closed = seen[site] ?? 0;
  // Old failures leave the 24 hours: later ones count from the lower number.
  const isFewer = counts.data !== undefined && failed < closed;
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
