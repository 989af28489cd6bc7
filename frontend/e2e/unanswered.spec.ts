// PostgreSQL hangs with open connections. Every page must show it.
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, picture, settled, test } from "./support/fixtures.ts";

const DEMO = process.env.BACKSTAY_DEMO_JSON;
const BANNER_MS = 15_000;

test.skip(DEMO === undefined, "needs a running demo");

/** The postmaster and its child processes. */
async function processes(): Promise<number[]> {
  const file = join(dirname(DEMO ?? ""), "postgres", "postmaster.pid");
  const postmaster = Number((await readFile(file, "utf8")).split("\n")[0]);
  const all = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(
    all.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
      return [pid, Number(/^PPid:\s+(\d+)/m.exec(status)?.[1])] as const;
    }),
  );
  return [postmaster, ...parents.filter(([, parent]) => parent === postmaster).map(([pid]) => pid)];
}

/** Signals a process that may have ended since it was listed. */
function signal(pid: number, name: "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

test("a hung PostgreSQL is on every page within 15 s, and gone when it answers again", async ({
  page,
  complaints,
}) => {
  test.setTimeout(150_000);
  await page.goto("/links");
  await settled(page);
  const banner = page.getByTestId("server-banner");
  await expect(banner).toHaveCount(0);
  const stopped = await processes();
  try {
    for (const pid of stopped) signal(pid, "SIGSTOP");
    await expect(banner).toContainText(/has not answered for|PostgreSQL/, { timeout: BANNER_MS });
    await picture(page, "server-unanswered");
  } finally {
    for (const pid of stopped) signal(pid, "SIGCONT");
  }
  await expect(banner).toHaveCount(0, { timeout: 60_000 });
  // The browser logs the requests that failed meanwhile.
  complaints.length = 0;
});
