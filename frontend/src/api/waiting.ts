/** Changes that wait for confirmation at any site that one may see: no page and no site may hide a countdown. */
import { useQueries, useQuery } from "@tanstack/react-query";
import { currentChangesQuery } from "@/api/failover";
import { sitesQuery } from "@/api/queries";
import type { Change } from "@/api/types";

export interface WaitingChange {
  readonly change: Change;
  /** Unix milliseconds of this machine when the answer came. */
  readonly receivedAt: number;
}

/** Soonest first. */
export function useWaitingChanges(): WaitingChange[] {
  const { data: sites = [] } = useQuery(sitesQuery);
  const answers = useQueries({ queries: sites.map(({ name }) => currentChangesQuery(name)) });
  return answers
    .flatMap(({ data = [], dataUpdatedAt }) =>
      data
        .filter(({ confirm_by }) => confirm_by !== null)
        .map((change) => ({ change, receivedAt: dataUpdatedAt })),
    )
    .toSorted((a, b) => Date.parse(a.change.confirm_by ?? "") - Date.parse(b.change.confirm_by ?? ""));
}
