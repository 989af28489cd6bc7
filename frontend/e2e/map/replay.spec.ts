// The replay of the map: a slider over the time range that plays by itself.
import { expect, settled, test } from "../support/fixtures.ts";

test("a replay plays the states of the range, follows the slider, and ends", async ({ page }) => {
  await page.goto("/map?from=now-1m");
  await settled(page);
  await page.getByRole("button", { name: "Replay" }).click();
  const bar = page.getByTestId("replay");
  const moment = () => new URL(page.url()).searchParams.get("replay") ?? "";
  const first = moment();
  await expect(page.getByTestId("past-banner")).toContainText("State at");
  await expect(page.getByRole("main")).not.toContainText("cannot be read");

  await bar.getByRole("button", { name: "Play", exact: true }).click();
  await expect.poll(moment).not.toBe(first);
  await bar.getByRole("button", { name: "Pause" }).click();
  const paused = moment();
  expect(Date.parse(paused)).toBeGreaterThan(Date.parse(first));

  const answer = page.waitForResponse((response) => response.url().includes("/topology/past"));
  await bar.getByRole("slider", { name: "Moment of the replay" }).press("End");
  await expect.poll(moment).not.toBe(paused);
  // The site was measured then: its nodes have states of that moment.
  const past = await answer;
  const { nodes } = (await past.json()) as { nodes: { state: string }[] };
  expect(nodes.some(({ state }) => state !== "unknown")).toBe(true);

  await page.reload();
  await expect(bar).toBeVisible();
  await bar.getByRole("button", { name: "End replay" }).click();
  await expect(page.getByTestId("past-banner")).toBeHidden();
  expect(moment()).toBe("");
});
