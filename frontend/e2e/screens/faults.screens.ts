// Screenshots for review: every page of an incident under each single fault of `make bench-truth`, dark and light, wide and narrow.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { api, axeFindings, expect, settled, test, type List } from "../support/fixtures.ts";
import { lab } from "../support/lab.ts";

interface Fault {
  name: string;
  /** The headline must name one of `culprits`; none if the fault may end before. */
  expected: { culprits: string[]; is_brief: boolean };
  commands: string[][];
  restores: string[];
  /** Names of the demo's programs. */
  kills: string[];
  /** Programs that are stopped while the fault stands. */
  stops: string[];
}
interface Root {
  id: number;
  title: string;
  effects: number;
  phase: string;
}
interface ApiPath {
  id: number;
  policy: string;
  end_to_end: string;
}
interface Overview {
  headline: string;
  paths_dead: number;
  paths_on_fallback: number;
  root_causes: number;
}

const PYTHON = fileURLToPath(new URL("../../../.venv/bin/python", import.meta.url));
const DEMO = process.env.BACKSTAY_DEMO_JSON ?? "";
const SITE = "argonne";
const ONLY = process.env.BACKSTAY_FAULT_SCREENS ?? "all";
const HEADLINE_MS = 30_000;
/** From the headline to the screenshots: effects are grouped, and outages are counted. */
const SETTLE_MS = 8000;
const CLEAR_MS = 120_000;
const LOOKS = [
  ["light", 1366, 768],
  ["dark", 1366, 768],
  ["light", 390, 844],
  ["dark", 390, 844],
] as const;

test.describe.configure({ timeout: 400_000 });

/** The single faults of the benchmark, each of them defined there. */
function catalogue(): Fault[] {
  const argv = ["-m", "backstay_bench.truth", "--list", "--site", SITE];
  const known = JSON.parse(execFileSync(PYTHON, argv, { encoding: "utf8" })) as Fault[];
  return ONLY === "all" ? known : known.filter(({ name }) => ONLY.split(",").includes(name));
}

function signal(programs: readonly string[], name: "SIGKILL" | "SIGSTOP" | "SIGCONT"): void {
  if (programs.length === 0) return;
  const { children } = JSON.parse(readFileSync(`${dirname(DEMO)}/run.json`, "utf8")) as {
    children: Record<string, { pid: number }>;
  };
  for (const program of programs) process.kill(children[program]?.pid ?? Number.NaN, name);
}

async function apply(fault: Fault): Promise<void> {
  for (const command of fault.commands) await lab(...command);
  signal(fault.kills, "SIGKILL");
  signal(fault.stops, "SIGSTOP");
}

async function restore(fault: Fault): Promise<void> {
  for (const name of fault.restores) await lab("restore", name);
  signal(fault.stops, "SIGCONT");
}

/** Waits until no path is dead or rerouted and no incident is open. */
async function allClear(page: Page): Promise<void> {
  await expect(async () => {
    const { paths_dead, paths_on_fallback, root_causes } = await api<Overview>(page, "overview");
    expect([paths_dead, paths_on_fallback, root_causes]).toEqual([0, 0, 0]);
  }).toPass({ timeout: CLEAR_MS });
}

/** Pixels by which the page is wider than the window. */
const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

/** The page in every theme and width, without horizontal scrolling or contrast errors. */
async function take(page: Page, name: string, isWhole: boolean): Promise<void> {
  for (const [colorScheme, width, height] of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height });
    await page.waitForTimeout(300);
    const look = `${name}-${width}-${colorScheme}`;
    await page.screenshot({ path: `test-results/faults/${look}.png`, fullPage: isWhole || width < 640 });
    expect.soft(await sideways(page), `${look} scrolls sideways`).toBeLessThanOrEqual(0);
    expect.soft(await axeFindings(page, ["color-contrast"]), `${look} has low contrast`).toEqual([]);
  }
  await page.setViewportSize({ width: 1366, height: 768 });
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await settled(page);
}

/** The root cause of the fault; a brief fault may have none. */
async function rootOf(page: Page, { expected }: Fault): Promise<Root | undefined> {
  const { items } = await api<List<Root>>(page, "incidents?root=true&phase=current&limit=50");
  return items.find(({ title }) => expected.culprits.some((name) => title.includes(name))) ?? items[0];
}

/** The most affected path: dead before rerouted. */
async function worstPath(page: Page): Promise<ApiPath | undefined> {
  const { items } = await api<List<ApiPath>>(page, "paths?limit=200");
  return items.find(({ end_to_end }) => end_to_end === "dead") ?? items[0];
}

async function incidentPages(page: Page, fault: Fault): Promise<void> {
  await open(page, "/incidents?phase=current");
  const show = page.getByRole("button", { name: /^Show \d+ effect/ });
  if ((await show.count()) > 0) await show.first().click();
  await take(page, `${fault.name}/incidents`, false);
  const root = await rootOf(page, fault);
  if (root === undefined) return;
  await open(page, `/incidents/${root.id}`);
  await take(page, `${fault.name}/incident`, true);
  await expect.soft(page.getByRole("link", { name: /^Runbook: / })).toHaveCount(1);
}

async function screens(page: Page, fault: Fault): Promise<void> {
  await take(page, `${fault.name}/overview`, false);
  await open(page, "/map");
  await page.waitForTimeout(2000);
  await take(page, `${fault.name}/map`, false);
  await incidentPages(page, fault);
  const path = await worstPath(page);
  await open(page, `/paths?policy=${path?.policy}&sel=${path?.id}&from=now-15m`);
  await take(page, `${fault.name}/path`, true);
}

for (const fault of DEMO === "" ? [] : catalogue())
  test(`the pages under ${fault.name}`, async ({ page, complaints }) => {
    await open(page, "/");
    await allClear(page);
    await apply(fault);
    try {
      if (fault.expected.is_brief) await take(page, `${fault.name}/at-once`, false);
      else {
        const names = new RegExp(fault.expected.culprits.join("|"));
        await expect.soft(page.getByTestId("headline")).toContainText(names, { timeout: HEADLINE_MS });
        await page.waitForTimeout(SETTLE_MS);
      }
      await expect(async () => await api(page, "overview")).toPass({ timeout: HEADLINE_MS });
      await screens(page, fault);
    } finally {
      await restore(fault);
    }
    await open(page, "/");
    await allClear(page);
    await take(page, `${fault.name}/restored`, false);
    // A killed server breaks connections, which the browser logs.
    if (fault.kills.length > 0) complaints.splice(0);
  });
