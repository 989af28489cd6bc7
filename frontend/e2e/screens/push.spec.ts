// The service worker of web push: what it shows for a message, and which page a click opens. The browser here
// has no push service, so the message comes from the developer tools instead.
import { expect, settled, test } from "../support/fixtures.ts";

const MESSAGE = {
  title: "Critical: grf1 is unreachable",
  body: "argonne",
  tag: "incident-7",
  path: "/incidents/7?site=argonne",
};

test("a push message becomes a notification, and a newer one of the incident replaces it", async ({
  page,
}) => {
  await page.goto("/notifications/push");
  await settled(page);
  const origin = new URL(page.url()).origin;
  await page.context().grantPermissions(["notifications"], { origin });
  const session = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on("ServiceWorker.workerVersionUpdated", ({ versions }) => {
      const active = versions.find(({ status }) => status === "activated");
      if (active !== undefined) resolve(active.registrationId);
    });
  });
  await session.send("ServiceWorker.enable");
  await page.evaluate(async () => {
    await navigator.serviceWorker.register("/push-worker.js", { scope: "/" });
    await navigator.serviceWorker.ready;
  });
  const registrationId = await registered;
  const deliver = (message: object) =>
    session.send("ServiceWorker.deliverPushMessage", {
      origin,
      registrationId,
      data: JSON.stringify(message),
    });
  const shown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      const all = await registration.getNotifications();
      return all.map(({ title, body, tag, data }) => ({ title, body, tag, ...(data as { path: string }) }));
    });
  await deliver(MESSAGE);
  await expect.poll(shown).toEqual([MESSAGE]);
  const resolved = { ...MESSAGE, title: "Resolved: grf1 is unreachable" };
  await deliver(resolved);
  await expect.poll(shown).toEqual([resolved]);
  await deliver({ ...MESSAGE, tag: "incident-8" });
  await expect.poll(async () => (await shown()).length).toBe(2);
  // It handles no requests: what pages load never comes from it.
  expect(await page.evaluate(() => caches.keys())).toEqual([]);
});

test("the page says so if the browser reaches no push service", async ({ page, complaints }) => {
  await page.route("**/api/v1/push?*", (route) =>
    route.fulfill({ json: { site: "argonne", is_allowed: true, is_routed: true, public_key: KEY } }),
  );
  await page.goto("/notifications/push");
  await page.context().grantPermissions(["notifications"], { origin: new URL(page.url()).origin });
  await page.getByRole("button", { name: "Turn on push" }).click();
  await expect(page.getByText(/got no subscription from its push service/)).toBeVisible({ timeout: 45_000 });
  // A test's context is a private window, in which Chromium has no push and says so.
  const others = complaints.splice(0).filter((text) => !text.includes("incognito"));
  expect(others).toEqual([]);
});

/** A public key on P-256 (RFC 8291, Appendix A). */
const KEY = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";
