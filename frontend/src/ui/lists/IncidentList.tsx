/** Incidents, one line each, effects indented under their root cause. */
import type { ReactNode } from "react";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { EmptyState } from "@/ui/ErrorState";
import classes from "@/ui/lists/IncidentList.module.css";
import { Panel } from "@/ui/Panel";
import { QueryBoundary, type QueryState } from "@/ui/QueryBoundary";
import { StateBadge, type StateName } from "@/ui/StateBadge";
import type { Rest } from "@/ui/table/columns";
import { LoadMore } from "@/ui/table/LoadMore";
import { incident_kinds } from "@/util/spec.json";

interface IncidentLine {
  readonly id: number;
  readonly title: string;
  readonly name: string;
  readonly kind: string;
  readonly state: StateName;
  readonly phase: "open" | "acknowledged" | "resolved";
  readonly since: string;
  readonly cause_id: number | null;
  readonly acknowledged_by: string | null;
  readonly url: string;
  readonly owner?: string | null;
  readonly muted?: "snoozed" | "maintenance" | null;
  /** More than one: it came back. */
  readonly occurrences?: number;
}

interface CauseGroup<T> {
  readonly cause: T;
  readonly effects: T[];
}

/** Groups incidents under their root cause when it is in the list; causes keep their order. */
export function byCause<T extends Pick<IncidentLine, "id" | "cause_id">>(
  incidents: readonly T[],
): CauseGroup<T>[] {
  const ids = new Set(incidents.map(({ id }) => id));
  const isEffect = ({ id, cause_id }: T) => cause_id !== null && cause_id !== id && ids.has(cause_id);
  const rootOf = (one: T): T => {
    const seen = new Set<number>();
    let at = one;
    while (isEffect(at) && !seen.has(at.id)) {
      seen.add(at.id);
      at = incidents.find(({ id }) => id === at.cause_id) ?? at;
    }
    return at;
  };
  const roots = new Map<number, CauseGroup<T>>();
  for (const one of incidents) {
    const root = rootOf(one);
    if (!roots.has(root.id)) roots.set(root.id, { cause: root, effects: [] });
    if (root.id !== one.id) roots.get(root.id)?.effects.push(one);
  }
  return [...roots.values()];
}

const TITLES = new Map(incident_kinds.map(({ kind, title }) => [kind, title]));

/** The title of an alert rule. */
export function ruleLabel(kind: string): string {
  return TITLES.get(kind) ?? kind.replaceAll("_", " ");
}

/** The incidents of one object, newest first. */
export function IncidentsPanel({
  query,
  rest,
  label,
  title = "Incidents",
  aside,
}: {
  query: QueryState<IncidentLine[]>;
  rest: Rest | undefined;
  label: string;
  title?: string;
  aside?: ReactNode;
}) {
  return (
    <Panel title={title} aside={aside} flush>
      <QueryBoundary query={query} what="the incidents">
        {(incidents) =>
          incidents.length === 0 ? (
            <EmptyState title={`No ${title.toLowerCase()}.`} />
          ) : (
            <IncidentList incidents={incidents} label={label} />
          )
        }
      </QueryBoundary>
      <LoadMore rest={rest} />
    </Panel>
  );
}

export function IncidentList({ incidents, label }: { incidents: readonly IncidentLine[]; label: string }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {byCause(incidents).map(({ cause, effects }) => (
        <li key={cause.id}>
          <IncidentLineView incident={cause} />
          {effects.length > 0 && (
            <ul className={classes.effects} aria-label={`Caused by ${cause.title}`}>
              {effects.map((effect) => (
                <li key={effect.id}>
                  <IncidentLineView incident={effect} />
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
}

/** `snoozed`, `flapping, 4 times`, `owner ada`: what sets it apart from others. */
function marksOf({ muted, occurrences = 1, owner }: IncidentLine): string {
  const marks = [
    muted === "maintenance" ? "in maintenance" : muted,
    occurrences > 1 ? `flapping, ${occurrences} times` : null,
    owner == null ? null : `owner ${owner}`,
  ];
  return marks.filter((mark) => mark != null).join(", ");
}

export function IncidentLineView({ incident, action }: { incident: IncidentLine; action?: ReactNode }) {
  const { id, title, kind, state, phase, since, acknowledged_by, url } = incident;
  const marks = marksOf(incident);
  return (
    <div className={classes.line} data-incident-id={id} data-kind={kind} data-phase={phase}>
      <StateBadge state={phase === "resolved" ? "ok" : state} quiet />
      <span className={classes.title}>
        <Anchor href={url}>{title}</Anchor>
        {marks !== "" && <span className={`dim ${classes.marks}`}>{marks}</span>}
      </span>
      <span className={`dim ${classes.kind}`}>{ruleLabel(kind)}</span>
      <span className={classes.phase}>
        {acknowledged_by === null || phase !== "acknowledged" ? phase : `${phase} by ${acknowledged_by}`}
      </span>
      <span className={`dim ${classes.age}`}>
        <AgeStamp at={since} suffix="ago" />
      </span>
      {action !== undefined && <span className={classes.action}>{action}</span>}
    </div>
  );
}
