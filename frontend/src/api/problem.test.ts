import { expect, it } from "vitest";
import { asApiError, fromAnswer, worthRetrying } from "@/api/problem";

it("says what the server said, with its fields", () => {
  const error = fromAnswer(400, {
    code: "invalid",
    message: "start must lie before end.",
    fields: { start: "expected a time before end" },
  });
  expect([error.status, error.code, error.message, error.fields.start]).toEqual([
    400,
    "invalid",
    "start must lie before end.",
    "expected a time before end",
  ]);
});

it("names a next step when the answer is not the API's", () => {
  expect(fromAnswer(502, "<html>Bad gateway</html>").message).toMatch(/log/);
  expect(asApiError(new TypeError("Failed to fetch")).message).toMatch(/web process/);
});

it("tries again only what may end differently", () => {
  expect([0, 503, 400, 401, 404, 500].map((status) => worthRetrying(fromAnswer(status, null)))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
