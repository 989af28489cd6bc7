/** Converts the history of a fabric into the series of the chart. Pure. */
import type { FabricDetail, FabricHistory } from "@/api/types";
import { levelText, type BidirectionalSeries } from "@/ui/chart/shape";
import { count } from "@/util/units";

/** Sent by the ports is above zero. The capacity is that of all ports together. */
export function toSeries(
  history: FabricHistory,
  { usable_rate, ports }: Pick<FabricDetail, "usable_rate" | "ports">,
): BidirectionalSeries {
  return {
    at: history.at,
    step: history.step_s,
    up: { label: "sent by ports", mean: history.out_mean, max: history.out_mean, p95: null },
    down: { label: "received by ports", mean: history.in_mean, max: history.in_mean, p95: null },
    capacity: usable_rate * ports,
    resets: [],
    onlyMeans: true,
  };
}

type Source = Pick<FabricHistory, "devices" | "devices_total" | "level">;

/** `sum of 11 devices, 2 to 11 of them observed, hourly values`. */
export function sourceText({ devices, devices_total, level }: Source): string {
  const least = Math.min(...devices, devices_total);
  const most = Math.max(...devices, 0);
  const observed = least === most ? `${most}` : `${least} to ${most}`;
  const partly = least === devices_total ? "" : `${observed} of them observed`;
  return [`sum of ${count(devices_total, "device")}`, partly, levelText(level)]
    .filter((part) => part !== "")
    .join(", ");
}
