// Signing in, once for all tests; and what a wrong password says.
import { demo } from "./demo.ts";
import { axeFindings, expect, picture, test } from "./fixtures.ts";

test("a person signs in and comes back to the page that was asked for", async ({ page, complaints }) => {
  const { user, password } = demo();
  await page.goto("/links?from=now-6h");
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  expect(await axeFindings(page)).toEqual([]);
  await picture(page, "sign-in-light");
  await page.getByLabel("User name").fill(user);
  await page.getByRole("textbox", { name: "Password" }).fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toContainText(/wrong/i);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/links\?from=now-6h$/);
  await page.context().storageState({ path: "test-results/session.json" });
  // The browser itself reports the answers 401 that this test provokes: before, and with the wrong password.
  for (const complaint of complaints.splice(0)) expect(complaint).toContain("401");
});
