/** The pages for an unknown address and for errors that no page handles. */
import { useLocation, useRouteError } from "react-router";
import { asApiError } from "@/api/problem";
import { Anchor } from "@/ui/Anchor";
import { EmptyState, ErrorState } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";

export function NotFoundPage() {
  const { pathname } = useLocation();
  return (
    <>
      <PageHeader title="Page not found" headline={`There is no page at ${pathname}.`} />
      <EmptyState title="The address may be mistyped, or the object was deleted.">
        Press Ctrl K to find a node or link by name, or open the <Anchor href="/">Overview</Anchor>.
      </EmptyState>
    </>
  );
}

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
