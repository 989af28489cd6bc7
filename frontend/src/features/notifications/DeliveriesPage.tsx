/** Log of deliveries: status, attempts, reason of a failure and the message's text. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import {
  channelsQuery,
  deliveriesList,
  deliveryQuery,
  type Delivery,
  type DeliveryDetail,
} from "@/api/notifications/queries";
import { useListPage } from "@/api/useListPage";
import { ListPage } from "./Header";
import { deliveriesHeadline, deliveryLabel, deliveryTone, DELIVERY_TONES, REASON_LABELS } from "./labels";
import classes from "./Notifications.module.css";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { EmptyState } from "@/ui/ErrorState";
import { Facts, type Fact } from "@/ui/Facts";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { StateLabel } from "@/ui/StateLabel";
import type { Column } from "@/ui/table/columns";
import { ListTable } from "@/ui/table/ListTable";
import { clock } from "@/util/time";
import { count, milliseconds } from "@/util/units";

export const DeliveryStatus = (delivery: Pick<Delivery, "status" | "failure">) => (
  <StateLabel state={deliveryTone(delivery)} label={deliveryLabel(delivery)} title={delivery.failure} />
);

const COLUMNS: readonly Column<Delivery>[] = [
  {
    id: "name",
    header: "message",
    value: ({ name }) => name,
    cell: ({ name }) => <span className={classes.sentence}>{name}</span>,
  },
  { id: "status", sortable: true, header: "status", value: ({ status }) => status, cell: DeliveryStatus },
  { id: "target", sortable: true, header: "to", value: ({ target }) => target },
  { id: "reason", header: "event", value: ({ reason }) => REASON_LABELS[reason], wide: true },
  {
    id: "attempts",
    sortable: true,
    header: "attempts",
    align: "right",
    value: ({ attempts }) => attempts,
    wide: true,
  },
  {
    id: "failure",
    header: "reason of failure",
    value: ({ failure }) => failure,
    cell: ({ failure }) => <span className={classes.sentence}>{failure === "" ? "–" : failure}</span>,
    wide: true,
  },
  {
    id: "next_at",
    header: "next attempt",
    value: ({ next_at }) => next_at,
    cell: ({ next_at }) => clock(next_at),
    wide: true,
  },
  {
    id: "created_at",
    sortable: true,
    header: "created",
    value: ({ created_at }) => created_at,
    cell: ({ created_at }) => <AgeStamp at={created_at} suffix="ago" />,
  },
];

const STATUS_CHOICES = [
  { value: "", label: "any status" },
  ...Object.keys(DELIVERY_TONES).map((value) => ({ value, label: value })),
];
const REASON_CHOICES = [
  { value: "", label: "any event" },
  ...Object.entries(REASON_LABELS).map(([value, label]) => ({ value, label })),
];

export function DeliveriesPage() {
  const list = useListPage(deliveriesList, {
    columns: COLUMNS,
    sort: "-created_at",
    filters: { status: "", reason: "", channel_id: "", incident_id: "" },
    names: { channel_id: "channel", incident_id: "incident" },
  });
  const channels = useQuery({ ...channelsQuery(list.site ?? ""), enabled: list.site !== undefined });
  const { incident_id: incident } = list.values;
  const channelChoices = [
    { value: "", label: "any channel" },
    ...(channels.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
  ];
  const incidentChoices = [
    { value: "", label: "any incident" },
    { value: incident, label: `incident #${incident}` },
  ];
  return (
    <ListPage list="deliveries" headline={list.headline(deliveriesHeadline)}>
      <ListTable
        list={list}
        label="Deliveries"
        noun="deliveries"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/notifications/deliveries/${id}`}
        search="Search by target or failure"
        filters={[
          { name: "status", label: "Status", choices: STATUS_CHOICES },
          { name: "channel_id", label: "Channel", choices: channelChoices },
          { name: "reason", label: "Event", choices: REASON_CHOICES },
          ...(incident === ""
            ? []
            : [{ name: "incident_id", label: "Incident", choices: incidentChoices } as const]),
        ]}
        none={
          <EmptyState title="Nothing was sent yet.">
            A message is sent when an incident matches a{" "}
            <Anchor href="/notifications/routes">notification route</Anchor>. To try a channel, send a test on
            its page.
          </EmptyState>
        }
      />
    </ListPage>
  );
}

export function DeliveryPage() {
  const delivery = useQuery(deliveryQuery(Number(useParams().id)));
  return (
    <QueryBoundary query={delivery} what="this delivery" page="Delivery">
      {(data) => <Details delivery={data} />}
    </QueryBoundary>
  );
}

function headlineOf({ status, attempts, failure, next_at, target }: DeliveryDetail): string {
  const tries = count(attempts, "attempt");
  switch (status) {
    case "sent":
      return `Delivered to ${target} after ${tries}.`;
    case "failed":
      return `Not delivered to ${target} after ${tries}: ${failure}`;
    case "sending":
      return `Being sent to ${target}.`;
    case "queued":
      return failure === ""
        ? `Waits to be sent to ${target}.`
        : `Not delivered to ${target} yet, next attempt at ${clock(next_at)}: ${failure}`;
  }
}

function Details({ delivery }: { delivery: DeliveryDetail }) {
  const { incident_ids: ids, incidents } = delivery;
  return (
    <>
      <PageHeader
        title={delivery.name}
        headline={headlineOf(delivery)}
        aside={<DeliveryStatus status={delivery.status} failure={delivery.failure} />}
      />
      <div className={classes.page}>
        <Panel title="Delivery">
          <Facts facts={factsOf(delivery)} />
        </Panel>
        <Panel title={`Incidents (${incidents})`}>
          {ids.length === 0 ? (
            <p className="dim">
              {delivery.reason === "test" ? "A test has no incident." : "They are not stored any more."}
            </p>
          ) : (
            <ul className={classes.row}>
              {ids.map((id) => (
                <li key={id}>
                  <Anchor href={`/incidents/${id}`}>Incident #{id}</Anchor>
                </li>
              ))}
            </ul>
          )}
        </Panel>
        <Panel title="Message" aside={<span className="dim">without the link that acknowledges</span>}>
          <pre
            className={`${classes.message} mono`}
            tabIndex={0}
            role="region"
            aria-label="Text of the message"
          >
            {delivery.text}
          </pre>
        </Panel>
      </div>
    </>
  );
}

function factsOf(delivery: DeliveryDetail): Fact[] {
  const { target, channel_id, route, reason, attempts, failure, next_at, took_ms, ended_at, key } = delivery;
  return [
    [
      "to",
      channel_id === null ? (
        target
      ) : (
        <Anchor key="channel" href={`/notifications/channels/${channel_id}`}>
          {target}
        </Anchor>
      ),
    ],
    ["route", route ?? (reason === "test" ? "none (test)" : "deleted")],
    ["event", REASON_LABELS[reason]],
    ["attempts", attempts],
    ["created", clock(delivery.created_at)],
    ["next attempt", next_at === null ? "none" : clock(next_at)],
    ["ended", ended_at === null ? "not yet" : clock(ended_at)],
    ["newest attempt took", milliseconds(took_ms)],
    ...(failure === ""
      ? []
      : [
          [
            "reason of failure",
            <span key="failure" className={classes.fact}>
              {failure}
            </span>,
          ] as const,
        ]),
    [
      "idempotency key",
      <span key="key" className={`mono ${classes.fact}`}>
        {key}
      </span>,
    ],
  ];
}
