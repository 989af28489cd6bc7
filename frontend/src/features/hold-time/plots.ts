/** Curves and texts of the planner. Pure. */
import type { BlockingResult, HippiModel, HoldRecommendation } from "@/api/models/hold-time";
import type { Curve, Curves, Measure } from "@/ui/chart/curves";
import { duration, grouped, milliseconds, percent, rate } from "@/util/units";

const DELAY: Measure = { name: "delay", format: milliseconds, unit: "ms", level: "unblocked round trip" };
const LOSS: Measure = { name: "loss", format: percent, unit: "", level: "tolerated" };
const RATE: Measure = { name: "TCP throughput", format: rate, unit: "bit/s", level: "unblocked" };

function curves(model: HippiModel, measure: Measure, lines: readonly Curve[], capacity: number): Curves {
  const x = model.curves.blocking_ms;
  return {
    across: "blocking factor",
    x,
    labels: x.map((ms) => milliseconds(ms)),
    lines,
    measure,
    capacity,
    scaling: null,
    isLogarithmic: true,
  };
}

const finiteLabel = ({ curves: { finite_hold_ms } }: HippiModel): string =>
  `h = ${milliseconds(finite_hold_ms)}`;

export function delayCurves(model: HippiModel): Curves {
  const { unlimited_delay_ms, finite_delay_ms } = model.curves;
  const lines = [
    { label: "h unlimited", rates: unlimited_delay_ms },
    { label: finiteLabel(model), rates: finite_delay_ms },
  ];
  return curves(model, DELAY, lines, model.parameters.base_rtt_ms);
}

export function lossCurves(model: HippiModel): Curves {
  const { unlimited_loss, finite_loss } = model.curves;
  const lines = [
    { label: "h unlimited", rates: unlimited_loss },
    { label: finiteLabel(model), rates: finite_loss },
  ];
  return curves(model, LOSS, lines, model.parameters.loss_limit);
}

export function tcpCurves(model: HippiModel): Curves {
  const all = model.curves;
  const lines = [
    { label: "ACKs blocked, h unlimited", rates: all.acks_unlimited_bps },
    { label: `ACKs blocked, ${finiteLabel(model)} (not as published)`, rates: all.acks_finite_bps },
    { label: "segments blocked, h unlimited", rates: all.segments_unlimited_bps },
    { label: `segments blocked, ${finiteLabel(model)} (not as published)`, rates: all.segments_finite_bps },
  ];
  return curves(model, RATE, lines, model.parameters.unblocked_mbps * 1e6);
}

/** `26 ms`; `unstable, buffer full after 1 s`; `unknown`. */
export function delayText({ state, delay_ms, fill_s }: BlockingResult): string {
  if (delay_ms !== null) return milliseconds(delay_ms);
  if (state !== "unstable") return state;
  return fill_s === null ? "unstable" : `unstable, buffer full after ${duration(fill_s)}`;
}

export function lossText({ loss }: Pick<BlockingResult, "loss">): string {
  return loss === null ? "unknown" : percent(loss);
}

/** Unknown rather than a dash: nothing was measured. */
export function known(value: number | null, format: (value: number) => string): string {
  return value === null ? "unknown" : format(value);
}

export const holdText = (hold_ms: number | null): string =>
  hold_ms === null ? "not reported" : hold_ms === 0 ? "unlimited" : milliseconds(hold_ms);

/** `= 92 ms (4 606 ticks), loss 1 %, HOQLife 15`; `unlimited, loss 0 %, HOQLife 20`; `unknown`. */
export function adviceText({ hold, hold_ms, ticks, loss, head_of_queue_code }: HoldRecommendation): string {
  if (hold_ms === null || ticks === null) return hold;
  const size = ticks === 0 ? hold : `= ${hold} (${grouped(ticks)} ticks)`;
  return `${size}, loss ${known(loss, percent)}, HOQLife ${head_of_queue_code}`;
}

export const lifetimeText = (lifetime_ms: number | null): string =>
  lifetime_ms === null
    ? "no limit"
    : lifetime_ms < 0.1
      ? `${Number((lifetime_ms * 1000).toPrecision(4))} µs`
      : milliseconds(lifetime_ms);
