/** A new maintenance window for objects that another page selected: handed over in the history entry, not in the URL. */
import { useLocation, useNavigate } from "react-router";
import { useQuery } from "@tanstack/react-query";
import { may } from "@/api/permissions";
import { sessionQuery } from "@/api/queries";
import { carry, usePast } from "@/api/scope";
import type { WindowTarget } from "@/api/types";

export type PlannedTarget = Pick<WindowTarget, "kind" | "id" | "name">;

interface Row {
  readonly id: number;
  readonly name: string;
}

/** Opens the form for all rows that `read` returns; undefined: of a past moment, or the person may not plan maintenance. */
export function usePlanMaintenance(
  kind: PlannedTarget["kind"],
  read: () => Promise<readonly Row[]>,
): (() => Promise<void>) | undefined {
  const { data: person } = useQuery(sessionQuery);
  const past = usePast();
  const navigate = useNavigate();
  const { search } = useLocation();
  if (past !== null || !may.changeIncidents(person)) return undefined;
  return async () => {
    const targets = (await read()).map(({ id, name }) => ({ kind, id, name }));
    await navigate(carry("/maintenance/new", search), { state: { targets } });
  };
}

/** The objects that were handed over to the form; none if it was opened by itself. */
export function usePlannedTargets(): PlannedTarget[] {
  const { state } = useLocation() as { state: { targets?: PlannedTarget[] } | null };
  return state?.targets ?? [];
}
