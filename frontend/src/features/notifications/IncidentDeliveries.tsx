/** Who was notified of an incident: its deliveries, the newest first; for the page of the incident. */
import { deliveriesList, type Delivery } from "@/api/notifications/queries";
import { usePages } from "@/api/useListPage";
import { DeliveryStatus } from "./DeliveriesPage";
import { REASON_LABELS } from "./labels";
import classes from "./Notifications.module.css";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { DataTable } from "@/ui/table/DataTable";
import type { Column } from "@/ui/table/columns";

const MOST = 10;

const COLUMNS: readonly Column<Delivery>[] = [
  { id: "target", header: "to", value: ({ target }) => target, wraps: true },
  { id: "status", header: "status", value: ({ status }) => status, cell: DeliveryStatus },
  { id: "reason", header: "event", value: ({ reason }) => REASON_LABELS[reason], wide: true },
  {
    id: "created_at",
    header: "when",
    value: ({ created_at }) => created_at,
    cell: ({ created_at }) => <AgeStamp at={created_at} suffix="ago" />,
  },
  {
    id: "failure",
    header: "reason of failure",
    value: ({ failure }) => failure,
    cell: ({ failure }) => <span className={classes.sentence}>{failure === "" ? "–" : failure}</span>,
    wide: true,
  },
];

interface Props {
  site: string;
  incident: { readonly id: number; readonly cause_id: number | null; readonly muted: string | null };
}

export function IncidentDeliveries({ site, incident }: Props) {
  const wanted = { incident_id: incident.id, sort: "-created_at", limit: MOST };
  const { query, rest } = usePages(deliveriesList(site, wanted));
  const isMore = rest !== undefined;
  return (
    <Panel
      title="Notifications"
      aside={
        <Anchor href={`/notifications/deliveries?incident=${incident.id}`}>
          {isMore ? "All deliveries" : "In the log"}
        </Anchor>
      }
      flush
    >
      <QueryBoundary query={query} what="the deliveries of this incident">
        {(rows) => (
          <DataTable
            label="Deliveries of this incident"
            columns={COLUMNS}
            rows={rows.slice(0, MOST)}
            rowKey={({ id }) => id}
            rowHref={({ id }) => `/notifications/deliveries/${id}`}
            noun="deliveries"
            empty={
              <EmptyState title="Nobody was notified of this incident.">{whyNobody(incident)}</EmptyState>
            }
            isPlain
          />
        )}
      </QueryBoundary>
    </Panel>
  );
}

function whyNobody({ cause_id, muted }: Props["incident"]) {
  if (cause_id !== null)
    return (
      <>
        Its <Anchor href={`/incidents/${cause_id}`}>root cause</Anchor> notifies for it.
      </>
    );
  if (muted !== null) return muted === "snoozed" ? "It is snoozed." : "A maintenance window mutes it.";
  return (
    <>
      No <Anchor href="/notifications/routes">notification route</Anchor> took it, or its message still waits
      for related incidents.
    </>
  );
}
