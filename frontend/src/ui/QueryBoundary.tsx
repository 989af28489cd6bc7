/** Renders a query: loading, error with retry, or the data. */
import type { ReactNode } from "react";
import { ErrorState, Waiting } from "@/ui/ErrorState";
import { MissingState } from "@/ui/states/MissingState";
import { PageHeader } from "@/ui/PageHeader";

/** The part of a query that is rendered. */
export interface QueryState<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

interface Props<T> {
  query: QueryState<T>;
  /** What is loaded, e.g. `the links`. */
  what: string;
  /** Heading of an error that fills the whole page. */
  page?: string;
  children: (data: T) => ReactNode;
}

/** Keeps the old data while a refetch fails; the stale banner marks it. */
export function QueryBoundary<T>({ query, what, page, children }: Props<T>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error !== null) {
    if (page !== undefined && isMissing(query.error))
      return (
        <>
          <PageHeader title={page} />
          <MissingState title={query.error.message}>
            <p>It may have been removed, or the address is mistyped.</p>
          </MissingState>
        </>
      );
    return (
      <>
        {page !== undefined && <PageHeader title={page} />}
        <ErrorState
          title={`Cannot load ${what}`}
          message={query.error.message}
          onRetry={() => void query.refetch()}
        />
      </>
    );
  }
  return <Waiting what={what} />;
}

/** The API has no such object: a retry cannot help. */
const isMissing = (error: Error): boolean => "status" in error && error.status === 404;
