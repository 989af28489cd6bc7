// Signs in once for all tests, and checks the message for a wrong password.
import { demo } from "./support/demo.ts";
import { axeFindings, expect, picture, test } from "./support/fixtures.ts";

test("a user signs in and returns to the requested page", async ({ page, complaints }) => {
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
  // The browser logs the 401 responses that this test provokes.
  for (const complaint of complaints.splice(0)) expect(complaint).toContain("401");
});
