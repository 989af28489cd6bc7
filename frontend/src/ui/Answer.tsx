/** From a question to what is drawn: waiting, an error with its next step, or the answer. The one funnel of all pages. */
import type { ReactNode } from "react";
import { ErrorState, Waiting } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";

/** As much of a query's state as is drawn; the error's message says what happened and the next step. */
export interface Asked<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

interface Props<T> {
  asked: Asked<T>;
  /** What is being read, in words: `the links`. */
  what: string;
  /** Of an answer that is a whole page: its heading where there is no answer to name it by. */
  page?: string;
  children: (data: T) => ReactNode;
}

/** An old answer stays while a new one fails: the banner of the live stream says that it is old. */
export function Answer<T>({ asked, what, page, children }: Props<T>) {
  if (asked.data !== undefined) return <>{children(asked.data)}</>;
  if (asked.error !== null) {
    return (
      <>
        {page !== undefined && <PageHeader title={page} />}
        <ErrorState
          title={`Could not read ${what}`}
          message={asked.error.message}
          onRetry={() => void asked.refetch()}
        />
      </>
    );
  }
  return <Waiting what={what} />;
}
