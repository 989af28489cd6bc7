/** The one shape of everything that can go wrong between a page and the API: what happened, and the next step. */
import type { Problem } from "@/api/types";

/** An answer of the API that is an error, or no answer at all (`status` 0). */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fields: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

function isProblem(body: unknown): body is Problem {
  return typeof body === "object" && body !== null && "code" in body && "message" in body;
}

/** The error of an answer whose body may be a Problem, or a proxy's page. */
export function fromAnswer(status: number, body: unknown): ApiError {
  if (isProblem(body)) return new ApiError(status, body.code, body.message, body.fields ?? {});
  return new ApiError(
    status,
    "unexpected",
    `The server answered ${status} without saying why. Look at the web process's log, then try again.`,
  );
}

/** Whatever was thrown, as an ApiError. */
export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof TypeError) {
    return new ApiError(
      0,
      "unreachable",
      "The server did not answer. Check that the web process runs and that this machine reaches it; the page tries again by itself.",
    );
  }
  return new ApiError(0, "page", thrown instanceof Error ? thrown.message : String(thrown));
}

/** A repeated request could end differently: no answer, or a fault of the server. */
export function worthRetrying(error: unknown): boolean {
  const { status } = asApiError(error);
  return status === 0 || status === 502 || status === 503 || status === 504;
}

/** Field errors of a refusal by form path: `matrix.buffer.0` belongs to the field `matrix.buffer`. */
export function fieldErrors(thrown: unknown): Record<string, string> {
  const entries = Object.entries(asApiError(thrown).fields);
  return Object.fromEntries(entries.map(([path, error]) => [path.replace(/\.\d+(?=\.|$)/g, ""), error]));
}
