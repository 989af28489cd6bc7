/** Where everything ends that a page could not handle: what happened and what to do. */
import { useRouteError } from "react-router";
import { asApiError } from "@/api/problem";
import { ErrorState } from "@/ui/ErrorState";

export function RouteError() {
  const { message } = asApiError(useRouteError());
  return (
    <ErrorState
      title="This page could not be shown"
      message={message}
      onRetry={() => globalThis.location.reload()}
    />
  );
}
