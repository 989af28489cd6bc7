/** Format of InfiniBand link widths and speeds. */
import { count } from "@/util/units";

/** Formats `4X 2.5 Gbps` of infiniband-diags, where the rate is that of one lane. */
export function formatLanes(running: string): string {
  const [, lanes, lane] = /^(\d+)X (\d+(?:\.\d+)?) Gbps$/.exec(running) ?? [];
  return lanes === undefined || lane === undefined
    ? running
    : `${count(Number(lanes), "lane")} at ${Number(lane)} Gb/s`;
}
