import { expect, it } from "vitest";
import { asApiError, fromAnswer, worthRetrying } from "@/api/problem";

it("contains the server's message and field errors", () => {
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

it("suggests a next step if the response is not from the API", () => {
  expect(fromAnswer(502, "<html>Bad gateway</html>").message).toMatch(/log/);
  expect(asApiError(new TypeError("Failed to fetch")).message).toMatch(/web process/);
});

it("retries only errors that may be temporary", () => {
  expect([0, 503, 400, 401, 404, 500].map((status) => worthRetrying(fromAnswer(status, null)))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
