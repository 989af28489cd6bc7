import { expect, it } from "vitest";
import { nextPage } from "./SignInPage";

it("returns to the previous page after sign-in", () =>
  expect(nextPage("/links/3?from=now-6h")).toBe("/links/3?from=now-6h"));

it.each([
  null,
  "",
  "https://elsewhere.example/",
  "//elsewhere.example",
  "/\\elsewhere.example",
  "/sign-in?next=/",
])("never leads away: %s", (next) => expect(nextPage(next)).toBe("/"));
