/** Errors of API requests. */
import type { Problem } from "@/api/types";

/** An error response, or no response (`status` 0). */
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

/** The error of a response whose body is a Problem or anything else, e.g. the page of a proxy. */
export function fromAnswer(status: number, body: unknown): ApiError {
  if (isProblem(body)) return new ApiError(status, body.code, body.message, body.fields ?? {});
  return new ApiError(
    status,
    "unexpected",
    `The server returned status ${status} without details. See the log of the web process.`,
  );
}

/** Converts any thrown value into an ApiError. */
export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof TypeError) {
    return new ApiError(
      0,
      "unreachable",
      "The server is unreachable. Check the web process and the connection; the page retries automatically.",
    );
  }
  if (thrown instanceof DOMException && thrown.name === "TimeoutError") {
    return new ApiError(
      0,
      "timeout",
      "The server did not answer in time. Check the load of the web process and the connection; the page retries automatically.",
    );
  }
  return new ApiError(0, "page", thrown instanceof Error ? thrown.message : String(thrown));
}

/** Whether a retry can succeed: no response or a server fault. */
export function worthRetrying(error: unknown): boolean {
  const { status } = asApiError(error);
  return status === 0 || status === 502 || status === 503 || status === 504;
}

/** Field errors of a refusal by form path: `matrix.buffer.0` belongs to the field `matrix.buffer`. */
export function fieldErrors(thrown: unknown): Record<string, string> {
  const entries = Object.entries(asApiError(thrown).fields);
  return Object.fromEntries(entries.map(([path, error]) => [path.replace(/\.\d+(?=\.|$)/g, ""), error]));
}
