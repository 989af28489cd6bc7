import { describe, expect, it, vi } from "vitest";
import type uPlot from "uplot";
import { options } from "@/ui/chart/options";
import {
  capacityParts,
  columns,
  covered,
  gaps,
  limits,
  lonely,
  rateTicks,
  summary,
  timeTick,
  usualBands,
  type BidirectionalSeries,
} from "@/ui/chart/shape";

const data = (up: (number | null)[], down: (number | null)[], capacity = 100_000): BidirectionalSeries => ({
  at: up.map((_, index) => 1000 + index * 10),
  step: 10,
  capacity,
  resets: [],
  up: { label: "up", mean: up, max: up.map((figure) => figure && figure * 2), p95: null },
  down: { label: "down", mean: down, max: down, p95: null },
});

const COLOURS = {
  text: "t",
  grid: "g",
  up: "u",
  down: "d",
  capacity: "c",
  hatch: "h",
  surface: "s",
  reset: "r",
};

/** What a plot needs of uPlot: pixels are seconds, and bit/s below a top edge at 1,000. */
const plotOver = (ctx: unknown): uPlot =>
  ({
    ctx,
    width: 5000,
    bbox: { left: 0, top: 0, width: 5000, height: 2000 },
    valToPos: (value: number, scale: string) => (scale === "x" ? value : 1000 - value),
    posToVal: (position: number) => position,
  }) as unknown as uPlot;

/** The rectangles that a plot fills under its lines: left, top, width, height. */
function filled(series: BidirectionalSeries): number[][] {
  const rectangles: number[][] = [];
  const ctx = new Proxy({} as Record<string, unknown>, {
    get: (_state, name) =>
      name === "fillRect" ? (...box: number[]) => rectangles.push(box) : () => ({ width: 0 }),
    set: () => true,
  });
  const made = options(
    () => series,
    "auto",
    () => ({ start: 0, end: 5000 }),
    COLOURS,
    { width: 100, height: 100 },
    { onBrush: () => undefined, onHover: () => undefined },
  );
  for (const draw of [made.hooks?.drawClear ?? []].flat()) draw?.(plotOver(ctx));
  return rectangles;
}

/** The capacity and p95 lines that a plot draws, as Unix seconds: pixels are seconds here. */
function drawn(series: BidirectionalSeries): [number, number][] {
  const withP95 = { ...series, up: { ...series.up, p95: 2 }, down: { ...series.down, p95: 2 } };
  const lines: [number, number][] = [];
  let from = 0;
  const ctx = new Proxy({ strokeStyle: "" } as Record<string, unknown>, {
    get: (state, name) => {
      if (name === "moveTo") return (x: number) => (from = x);
      if (name === "lineTo") return (x: number) => state.strokeStyle !== "t" && lines.push([from, x]);
      return name in state ? state[String(name)] : () => undefined;
    },
    set: (state, name, value) => Reflect.set(state, name, value),
  });
  const plot = {
    ctx,
    width: 5000,
    bbox: { left: 0, top: 0, width: 5000, height: 1e9 },
    valToPos: (value: number, scale: string) => (scale === "x" ? value : 5),
    posToVal: (position: number) => position,
  } as unknown as uPlot;
  const handlers = { onBrush: () => undefined, onHover: () => undefined };
  const made = options(
    () => withP95,
    "auto",
    () => ({ start: 0, end: 5000 }),
    COLOURS,
    { width: 100, height: 100 },
    handlers,
  );
  for (const draw of [made.hooks?.draw ?? []].flat()) draw?.(plot);
  return lines;
}

it("draws one direction above zero and the other below, with gaps", () => {
  const [at, upMean, upMax, downMean] = columns(data([10, null], [null, 30]));
  expect(at).toEqual([1000, 1010]);
  expect(upMean).toEqual([10, null]);
  expect(upMax).toEqual([20, null]);
  expect(downMean).toEqual([null, -30]);
});

describe("gaps", () => {
  it("are where neither direction was reported; adjacent gaps are joined", () => {
    expect(gaps(data([1, null, null, 4, null], [1, null, null, null, null]))).toEqual([
      { start: 1010, end: 1030 },
      { start: 1040, end: 1050 },
    ]);
  });

  it("do not exist where one direction was reported", () => expect(gaps(data([null], [5]))).toEqual([]));
});

describe("levels", () => {
  it("are drawn between gaps only", () => {
    expect(covered(data([null, 1, null, null, 4, 5], [null, 1, null, null, null, 5]))).toEqual([
      { start: 1010, end: 1020 },
      { start: 1040, end: 1060 },
    ]);
  });

  it("are drawn nowhere without data, and throughout without a gap", () => {
    expect(covered(data([null, null], [null, null]))).toEqual([]);
    expect(covered(data([1, 2], [null, 2]))).toEqual([{ start: 1000, end: 1020 }]);
  });

  it("leave the canvas of a gap alone", () => {
    vi.stubGlobal("devicePixelRatio", 1);
    const lines = drawn(data([1, null, null, 4], [1, null, null, 4]));
    expect(lines.length).toBeGreaterThan(0);
    for (const [from, to] of lines) expect(to <= 1010 || from >= 1030).toBe(true);
  });
});

describe("the capacity", () => {
  const series = {
    ...data([1, 2, null, 4], [1, 2, null, 4]),
    capacities: [
      { start: 990, rate: 200_000 },
      { start: 1015, rate: 100_000 },
    ],
  };

  it("is that of its own time, and drawn only where there is data", () =>
    expect(capacityParts(series)).toEqual([
      { start: 1000, end: 1015, rate: 200_000 },
      { start: 1015, end: 1020, rate: 100_000 },
      { start: 1030, end: 1040, rate: 100_000 },
    ]));

  it("is the present one without a past", () =>
    expect(capacityParts(data([1], [1]))).toEqual([{ start: 1000, end: 1010, rate: 100_000 }]));

  it("fits into the axis with its largest value", () =>
    expect(limits(series, "capacity")[1]).toBeGreaterThan(200_000));
});

describe("the rate axis", () => {
  it("extends beyond the capacity in both directions", () => {
    const [low, high] = limits(data([10], [10]), "capacity");
    expect(low).toBeLessThan(-100_000);
    expect(high).toBeGreaterThan(100_000);
  });

  it("includes values above the capacity", () =>
    expect(limits(data([150_000], [0]), "capacity")[1]).toBeGreaterThan(300_000));

  it("fits the values including peaks on request, and keeps the smaller side readable", () => {
    const [low, high] = limits(data([50_000], [10]), "auto");
    expect(high).toBeGreaterThan(100_000);
    expect(high).toBeLessThan(120_000);
    expect(low).toBeCloseTo(-20_000 * 1.08, 5);
  });

  it("has round ticks through zero", () => {
    expect(rateTicks(-58, 58, 5)).toEqual([-50, 0, 50]);
    expect(rateTicks(-1.9, 4.1, 5)).toEqual([0, 2, 4]);
  });
});

it("finds isolated values, which a line would not show", () => {
  expect(lonely([1, null, 2, 3, null, 4])).toEqual([0, 5]);
});

it("summarises a direction, or states that nothing was reported", () => {
  expect(summary(data([10, null, 30], [null, null, null]).up)).toEqual({ mean: 20, peak: 60 });
  expect(summary(data([10], [null]).down)).toEqual({ mean: null, peak: null });
});

it("labels midnight with the date and close ticks with seconds", () => {
  const noon = new Date(2026, 4, 1, 12, 0, 30).getTime() / 1000;
  expect(timeTick(noon, 10)).toBe("12:00:30");
  expect(timeTick(noon, 60)).toBe("12:00");
  expect(timeTick(new Date(2026, 4, 1).getTime() / 1000, 3600)).toBe("05-01");
});

describe("the band of a baseline", () => {
  const usual = { median: [20, 20, 30, null, 30], low: [10, 10, 10, null, 10], high: [40, 40, 40, null, 40] };
  const flat = [1, 1, 1, 1, 1];
  const plain = data(flat, flat);
  const series = { ...plain, up: { ...plain.up, usual }, down: { ...plain.down, usual } };

  it("joins adjacent bins with the same values, and is left out where it is unknown", () => {
    expect(usualBands(series)[0]).toEqual([
      { start: 1000, end: 1020, low: 10, high: 40, median: 20 },
      { start: 1020, end: 1030, low: 10, high: 40, median: 30 },
      { start: 1040, end: 1050, low: 10, high: 40, median: 30 },
    ]);
  });

  it("is below zero for the other direction", () => {
    expect(usualBands(series)[1][0]).toEqual({ start: 1000, end: 1020, low: -10, high: -40, median: -20 });
  });

  it("is not drawn unless the response has one", () => {
    expect(usualBands(plain)).toEqual([[], []]);
    expect(usualBands({ ...plain, up: { ...plain.up, usual: null } })).toEqual([[], []]);
  });

  it("fits into the axis, but is no peak of the series", () => {
    expect(limits(series, "auto")[1]).toBeGreaterThan(40);
    expect(summary(series.up).peak).toBe(2);
  });

  it("is painted from low to high within the plot, at least a pixel high", () => {
    vi.stubGlobal("devicePixelRatio", 1);
    const painted = filled({ ...series, down: plain.down });
    expect(painted).toEqual([
      [1000, 960, 20, 30],
      [1020, 960, 10, 30],
      [1040, 960, 10, 30],
    ]);
    const narrow = { median: [5], low: [5], high: [5] };
    expect(filled({ ...data([1], [1]), up: { ...data([1], [1]).up, usual: narrow } })).toEqual([
      [1000, 995, 10, 1],
    ]);
  });
});
