// Measures the map of a large synthetic site in a real Chromium: first paint, page usable, heap, panning, and rest.
//
//   npm run bench-map -- [--nodes 10000] [--dist dist] [--rest 10]
//
// The page is the built one, its API a local server. Processor time is that of Chromium's renderer process as the kernel counts
// it, so other work on the machine changes it little. The last line is BENCH and JSON.
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { serve } from "./server.mjs";

const { values } = parseArgs({
  options: {
    nodes: { type: "string", default: "10000" },
    dist: { type: "string", default: fileURLToPath(new URL("../dist", import.meta.url)) },
    rest: { type: "string", default: "10" },
  },
});
const SIZE = Number(values.nodes);
const REST_S = Number(values.rest);
const PAN_STEPS = 60;
const PAN_PX = 4;
/** A page is at rest when it asked for no frame for so long. */
const QUIET_MS = 3000;
const PATIENCE_MS = 60_000;
const MB = 1e6;

/** Runs in the page before its scripts: counts frames and draw calls, and notes when the map is first drawn. */
function instrument(site) {
  localStorage.setItem("backstay.site-shown", site);
  const seen = { requested: 0, drawn: 0, calls: 0, firstDrawn: 0, lastTask: 0 };
  window.benchCounts = seen;
  const wrap = (prototype, names) => {
    for (const name of names) {
      const original = prototype?.[name];
      if (typeof original !== "function") continue;
      prototype[name] = function counted(...given) {
        seen.calls += 1;
        return original.apply(this, given);
      };
    }
  };
  wrap(WebGLRenderingContext.prototype, ["drawArrays", "drawElements"]);
  wrap(WebGL2RenderingContext.prototype, ["drawArrays", "drawElements", "drawArraysInstanced"]);
  wrap(CanvasRenderingContext2D.prototype, [
    "clearRect",
    "stroke",
    "fill",
    "fillText",
    "drawImage",
    "putImageData",
  ]);
  const ask = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) => {
    seen.requested += 1;
    return ask((now) => {
      const before = seen.calls;
      callback(now);
      if (seen.calls > before) seen.drawn += 1;
    });
  };
  new MutationObserver((_changes, observer) => {
    if (document.querySelector("[data-labels]") === null) return;
    seen.firstDrawn = performance.now();
    observer.disconnect();
  }).observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ["data-labels"],
  });
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) seen.lastTask = startTime + duration;
  }).observe({ type: "longtask", buffered: true });
}

const server = await serve(values.dist, SIZE);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"],
});

/** Processor time of all renderer processes, and of the GPU process, which rasterises in software; seconds. */
async function processorTime(system) {
  const { processInfo } = await system.send("SystemInfo.getProcessInfo");
  const total = (type) =>
    processInfo.filter((info) => info.type === type).reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  return { renderer: total("renderer"), gpu: total("GPU") };
}

/** Opens a page and waits until it is at rest; processor time of the renderer until the first drawing, and until rest. */
async function open(system, path) {
  const began = await processorTime(system);
  const page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
  page.on("pageerror", (error) => console.error(`page error: ${error.message}`));
  await page.addInitScript(instrument, "growth");
  await page.goto(`${server.url}${path}`);
  await page.waitForSelector("[data-labels]", { state: "attached", timeout: PATIENCE_MS });
  const firstPaint = (await processorTime(system)).renderer - began.renderer;
  let [requested, since] = [-1, Date.now()];
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() - since < QUIET_MS && Date.now() < end) {
    const now = await page.evaluate(() => window.benchCounts.requested);
    if (now !== requested) [requested, since] = [now, Date.now()];
    await page.waitForTimeout(250);
  }
  return { page, firstPaint, settled: (await processorTime(system)).renderer - began.renderer };
}

/** Counts and processor time of an action. */
async function measure(page, system, act) {
  const counts = () => page.evaluate(() => ({ ...window.benchCounts }));
  const [before, began] = [await counts(), await processorTime(system)];
  await act();
  const [after, ended] = [await counts(), await processorTime(system)];
  return {
    frames: after.drawn - before.drawn,
    requested: after.requested - before.requested,
    calls: after.calls - before.calls,
    renderer: ended.renderer - began.renderer,
    gpu: ended.gpu - began.gpu,
  };
}

async function pan(page) {
  const box = await page.locator("[data-nodes]").boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 1; step <= PAN_STEPS; step += 1) {
    await page.mouse.move(x + step * PAN_PX, y + step * (PAN_PX / 2));
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve())));
  }
  await page.mouse.up();
}

const rest = (page) => page.waitForTimeout(REST_S * 1000);

/** Live messages for some seconds, one each second; `links` of a step. */
const live = (page, links) => async () => {
  for (let step = 1; step <= REST_S; step += 1) {
    server.send(links, step);
    await page.waitForTimeout(1000);
  }
};

async function heap(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const elements = await page.evaluate(() => document.querySelectorAll("*").length);
  return { used: usedSize / MB, elements };
}

const perFrame = ({ renderer, frames }) => (1000 * renderer) / Math.max(1, frames);
const percent = ({ renderer }) => (100 * renderer) / REST_S;

try {
  const system = await browser.newBrowserCDPSession();
  const { page, firstPaint, settled } = await open(system, "/map");
  const times = await page.evaluate(() => {
    const data = performance.getEntriesByType("resource").find(({ name }) => name.includes("/topology"));
    return { ...window.benchCounts, data: data?.responseEnd ?? 0 };
  });
  const memory = await heap(page);
  const drawn = await page.locator("[data-nodes]").evaluate(({ dataset }) => ({ ...dataset }));
  const resting = await measure(page, system, () => rest(page));
  const still = await measure(page, system, live(page, []));
  const busy = await measure(page, system, live(page, server.topology.links));
  const panning = await measure(page, system, () => pan(page));
  const host = server.topology.nodes.find(({ name }) => name === "h00060");
  const { page: near } = await open(system, `/map?sel=${host.key}`);
  await page.close();
  const opened = await near.locator("[data-nodes]").evaluate(({ dataset }) => ({ ...dataset }));
  const nearPanning = await measure(near, system, () => pan(near));
  const last = await heap(near);

  const figures = {
    "first paint, ms": { ours: times.firstDrawn, goal: 1500 },
    "usable after the data, ms": {
      ours: Math.max(times.firstDrawn, times.lastTask) - times.data,
      goal: 1000,
    },
    "heap, MB": { ours: memory.used, goal: 150 },
    "heap after live data, MB": { ours: last.used, goal: 150 },
    "renderer per pan frame, ms": { ours: perFrame(panning), goal: 35 },
    "renderer per pan frame, a rack open, ms": { ours: perFrame(nearPanning), goal: 35 },
    "frames at rest": { ours: resting.requested + resting.frames, goal: 0 },
    "draw calls at rest": { ours: resting.calls, goal: 0 },
  };
  for (const figure of Object.values(figures)) figure.met = figure.ours <= figure.goal;
  console.log(
    `${server.topology.nodes.length} nodes, ${server.topology.links.length} links, ${Math.round(server.bytes / 1000)} kB compressed`,
  );
  console.log(
    `drawn: ${drawn.nodes} nodes, ${drawn.links} links; a rack open: ${opened.nodes}, ${opened.links}`,
  );
  console.log(`elements of the page: ${memory.elements}; data after ${Math.round(times.data)} ms`);
  for (const [name, { ours, goal, met }] of Object.entries(figures))
    console.log(
      `${name.padEnd(42)} ${ours.toFixed(1).padStart(9)}   goal ${goal}, ${met ? "met" : "not met"}`,
    );
  console.log(
    `renderer's processor time: ${firstPaint.toFixed(2)} s until it was first drawn, ${settled.toFixed(2)} s until rest`,
  );
  console.log(`frames: ${panning.frames} of a pan, ${nearPanning.frames} with a rack open`);
  console.log(
    `software rasteriser per pan frame: ${((1000 * panning.gpu) / Math.max(1, panning.frames)).toFixed(1)} ms, a rack open ${((1000 * nearPanning.gpu) / Math.max(1, nearPanning.frames)).toFixed(1)} ms`,
  );
  console.log(
    `renderer, % of a core: untouched ${percent(resting).toFixed(1)}, with empty messages ${percent(still).toFixed(1)} (${still.frames} frames), with new loads of all links each second ${percent(busy).toFixed(1)} (${busy.frames} frames)`,
  );
  console.log(`BENCH ${JSON.stringify({ name: "map", nodes: SIZE, figures })}`);
} finally {
  await browser.close();
  server.close();
}
