// Measures pages of a large site, a chassis and a port with a year of history in a real Chromium: `make bench-pages` builds
// and serves them.
//
//   npm run bench-pages -- --url http://127.0.0.1:8000 [--rounds 3] [--screens FOLDER]
//
// A page is opened with an empty HTTP cache and again with a full one, once before it counts: the server has just started. It is
// usable when what it is about is shown and the main thread has been free since. The last line is BENCH and JSON.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";

const { values } = parseArgs({
  options: {
    url: { type: "string" },
    rounds: { type: "string", default: "3" },
    screens: { type: "string", default: "" },
  },
});
const { user, password, sites } = JSON.parse(process.env.BACKSTAY_BENCH_PAGES);
const ROUNDS = Number(values.rounds);
const PATIENCE_MS = 60_000;
/** The main thread is free when no task of 50 ms ended for so long. */
const FREE_MS = 1000;
const MB = 1e6;
const ROWS = "main tbody tr[data-index]";
/** Of a port: load, packets, errors, discards, utilisation and others. */
const CHARTS = 7;

/** Runs in the page before its scripts: notes when `selector` first matches `count` elements, and the last long task. */
function instrument({ selector, count }) {
  const seen = { shown: 0, lastTask: 0 };
  window.benchPage = seen;
  const look = () => {
    if (document.querySelectorAll(selector).length < count) return false;
    seen.shown = performance.now();
    return true;
  };
  const observer = new MutationObserver(() => look() && observer.disconnect());
  observer.observe(document, { subtree: true, childList: true, attributes: true });
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) seen.lastTask = startTime + duration;
  }).observe({ type: "longtask", buffered: true });
}

/** Messages that fail a run: the browser's errors and refused requests. */
const complaints = [];

function watched(page) {
  page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`${page.url()}: ${message.text()}`);
  });
  return page;
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Wire octets and number of the requests of a page from now on. */
async function meter(page) {
  const session = await page.context().newCDPSession(page);
  const total = { requests: 0, octets: 0 };
  await session.send("Network.enable");
  session.on("Network.responseReceived", ({ response }) => {
    if (!response.url.startsWith("data:")) total.requests += 1;
  });
  session.on("Network.loadingFinished", ({ encodedDataLength }) => (total.octets += encodedDataLength));
  return total;
}

/** Waits until what is looked for is shown and the main thread is free; milliseconds since the navigation. */
async function usable(page) {
  await page.waitForFunction(() => window.benchPage?.shown > 0, null, { timeout: PATIENCE_MS });
  await page.waitForFunction(
    (free) => performance.now() - Math.max(window.benchPage.shown, window.benchPage.lastTask) > free,
    FREE_MS,
    { timeout: PATIENCE_MS },
  );
  return page.evaluate(() => Math.max(window.benchPage.shown, window.benchPage.lastTask));
}

async function heap(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  return (await session.send("Runtime.getHeapUsage")).usedSize / MB;
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-gpu-compositing",
    "--no-sandbox",
  ],
});

/** The stored state of a context that has signed in. */
async function signIn() {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${values.url}/sign-in`);
  await page.getByLabel("User name").fill(user);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"), { timeout: PATIENCE_MS });
  // With the site that the browser remembers of the page that was displayed, as of everybody who returns.
  await page.locator("main h1").waitFor({ timeout: PATIENCE_MS });
  const state = await context.storageState();
  await context.close();
  return state;
}

const session = await signIn();
const context = () => browser.newContext({ storageState: session, viewport: { width: 1366, height: 768 } });

/** Id of the first object of a list. */
async function first(list, site, query) {
  const given = await context();
  const reply = await given.request.get(`${values.url}/api/v1/${list}?site=${site}&limit=1&${query}`);
  const [item] = (await reply.json()).items ?? [];
  await given.close();
  if (item === undefined) throw new Error(`${list} of ${site} with ${query}: none (${reply.status()})`);
  return item.id;
}

/** Opens a page with an empty and then with a full cache; `act` runs on the latter at the end. */
async function open({ name, path, selector, count }, round, act) {
  const given = await context();
  const page = watched(await given.newPage());
  await page.addInitScript(instrument, { selector, count });
  const wire = await meter(page);
  await page.goto(`${values.url}${path}`);
  const cold = await usable(page);
  const { requests, octets } = wire;
  await page.goto("about:blank");
  await page.goto(`${values.url}${path}`);
  const warm = await usable(page);
  if (round === 0 && values.screens !== "") {
    mkdirSync(values.screens, { recursive: true });
    await page.screenshot({ path: join(values.screens, `${name.replaceAll(/[^a-z0-9]+/gi, "-")}.png`) });
  }
  const found = { cold, warm, requests, kilobytes: octets / 1000, heap: await heap(page) };
  found.acted = await act?.(page);
  await given.close();
  return found;
}

/** Milliseconds from a click on a column's header until the list's rows of that order are shown. */
async function sorted(page) {
  const header = page.locator("main thead button").first();
  const began = await page.evaluate(() => performance.now());
  const reply = page.waitForResponse((response) => response.url().includes("sort="), {
    timeout: PATIENCE_MS,
  });
  await header.click();
  await reply;
  await page.locator("main tbody tr").first().waitFor();
  return (await page.evaluate(() => performance.now())) - began;
}

/** Milliseconds from the last key until the search has found each name. */
async function searched(page, wanted) {
  const times = [];
  for (const [text, name] of wanted) {
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: /^Find a node/ });
    await field.fill("");
    const began = await page.evaluate(
      ([needle, patience]) =>
        new Promise((resolve, reject) => {
          const seen = () =>
            [...document.querySelectorAll('[role="option"]')].some(({ textContent }) =>
              textContent.includes(needle),
            );
          let since = 0;
          const end = setTimeout(() => reject(new Error(`${needle} was not found`)), patience);
          const observer = new MutationObserver(() => {
            if (since === 0 || !seen()) return;
            observer.disconnect();
            clearTimeout(end);
            window.benchSearch = performance.now() - since;
          });
          observer.observe(document.body, { subtree: true, childList: true, characterData: true });
          document.addEventListener("input", () => (since = performance.now()), {
            once: true,
            capture: true,
          });
          resolve(0);
        }),
      [name, PATIENCE_MS],
    );
    await page.keyboard.insertText(text);
    await page.waitForFunction(() => window.benchSearch > 0, null, { timeout: PATIENCE_MS });
    times.push(began + (await page.evaluate(() => window.benchSearch)));
    await page.evaluate(() => (window.benchSearch = 0));
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "hidden" });
  }
  return times;
}

const PLOTS = "main .uplot canvas";

try {
  const { large, chassis, year } = sites;
  const switchId = await first("nodes", chassis, "q=sw000");
  const portId = await first("ports", year, "node=sw000");
  const WANTED = [
    ["h04711", "h04711"],
    ["10.1.12.7", "10.1.12.7"],
    ["gw3", "gw3"],
    ["rack017", "rack017"],
  ];
  const pages = [
    {
      name: "overview",
      path: `/?site=${large}`,
      selector: `main table[aria-label="Busiest links"] tbody tr`,
      count: 5,
      goals: { warm: 1000, requests: 12, kilobytes: 250 },
    },
    ...[
      ["devices", "/devices"],
      ["links", "/links"],
      ["paths", "/paths?view=nodes"],
      ["paths, grouped", "/paths"],
    ].map(([name, path]) => ({
      name,
      path: `${path}${path.includes("?") ? "&" : "?"}site=${large}`,
      selector: name.startsWith("paths") ? "main tbody tr" : ROWS,
      count: name.includes("grouped") ? 1 : 10,
      goals: { warm: 1000, heap: 150 },
      act: name.includes("grouped") ? undefined : sorted,
    })),
    {
      name: "device with 1,000 ports",
      path: `/devices/${switchId}?site=${chassis}`,
      selector: ROWS,
      count: 5,
      goals: { warm: 1000 },
    },
    {
      name: "port, 7 days",
      path: `/ports/${portId}?site=${year}&from=now-7d`,
      selector: PLOTS,
      count: CHARTS,
      goals: { warm: 1000 },
    },
    {
      name: "port, 1 year",
      path: `/ports/${portId}?site=${year}&from=now-1y`,
      selector: PLOTS,
      count: CHARTS,
      goals: { warm: 1500 },
    },
  ];
  const figures = {};
  const note = (name, ours, goal) => {
    figures[name] = goal === undefined ? { ours } : { ours, goal, met: ours <= goal };
    const verdict = goal === undefined ? "" : `   goal ${goal}, ${ours <= goal ? "met" : "not met"}`;
    console.log(`${name.padEnd(44)} ${ours.toFixed(1).padStart(9)}${verdict}`);
  };
  for (const page of pages) {
    const runs = [];
    await open(page, -1);
    for (let round = 0; round < ROUNDS; round += 1) runs.push(await open(page, round, page.act));
    const of = (key) => median(runs.map((run) => run[key]));
    note(`${page.name}: usable, cache empty, ms`, of("cold"));
    note(`${page.name}: usable, cache full, ms`, of("warm"), page.goals.warm);
    note(`${page.name}: heap, MB`, of("heap"), page.goals.heap);
    note(`${page.name}: requests`, of("requests"), page.goals.requests);
    note(`${page.name}: on the wire, kB`, of("kilobytes"), page.goals.kilobytes);
    if (page.act !== undefined) note(`${page.name}: sorted by its first column, ms`, of("acted"), 1000);
  }
  const found = await open({ ...pages[1], name: "search" }, 1, async (page) => {
    const rounds = [];
    for (let round = 0; round <= ROUNDS; round += 1) rounds.push(await searched(page, WANTED));
    return rounds.slice(1);
  });
  for (const [place, [text]] of WANTED.entries())
    note(`search for ${text}, ms`, median(found.acted.map((times) => times[place])), 100);
  console.log(`complaints of the browser: ${complaints.length}`);
  for (const complaint of new Set(complaints)) console.log(`  ${complaint}`);
  console.log(`BENCH ${JSON.stringify({ name: "pages", figures, complaints: complaints.length })}`);
  process.exitCode = complaints.length > 0 ? 1 : 0;
} finally {
  await browser.close();
}
