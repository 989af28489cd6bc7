/** Error boundary of the routes. */
import { useRouteError } from "react-router";
import { asApiError } from "@/api/problem";
import { ErrorState } from "@/ui/ErrorState";

export function RouteError() {
  const { message } = asApiError(useRouteError());
  return (
    <ErrorState
      title="This page cannot be displayed"
      message={message}
      onRetry={() => globalThis.location.reload()}
    />
  );
}
