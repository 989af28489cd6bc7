/** Widths and speeds of InfiniBand links in words. Pure. */
import { count } from "@/util/units";

/** `4X 2.5 Gbps`, as the fabric's own tools write it, in words: the rate is that of one lane. */
export function formatLanes(running: string): string {
  const [, lanes, lane] = /^(\d+)X (\d+(?:\.\d+)?) Gbps$/.exec(running) ?? [];
  return lanes === undefined || lane === undefined
    ? running
    : `${count(Number(lanes), "lane")} at ${Number(lane)} Gb/s`;
}
