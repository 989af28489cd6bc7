/** From a question to what is drawn: waiting, an error with its next step, or the answer. The one funnel of all pages. */
import type { ReactNode } from "react";
import { ErrorState, Waiting } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";

/** As much of a query's state as is drawn; the error's message says what happened and the next step. */
export interface QueryState<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

interface Props<T> {
  query: QueryState<T>;
  /** What is being read, in words: `the links`. */
  what: string;
  /** Of an answer that is a whole page: its heading where there is no answer to name it by. */
  page?: string;
  children: (data: T) => ReactNode;
}

/** An old answer stays while a new one fails: the banner of the live stream says that it is old. */
export function QueryBoundary<T>({ query, what, page, children }: Props<T>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error !== null) {
    return (
      <>
        {page !== undefined && <PageHeader title={page} />}
        <ErrorState
          title={`Could not read ${what}`}
          message={query.error.message}
          onRetry={() => void query.refetch()}
        />
      </>
    );
  }
  return <Waiting what={what} />;
}
