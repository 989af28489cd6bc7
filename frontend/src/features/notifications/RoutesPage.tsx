/** Notification routes in the order in which they are tried, and one route; each with what it does in words. */
import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate, useParams } from "react-router";
import { useDeleteNotificationRoute } from "@/api/notifications/mutations";
import {
  notificationRouteQuery,
  notificationRoutesList,
  type NotificationRoute,
} from "@/api/notifications/queries";
import { may } from "@/api/permissions";
import { sessionQuery } from "@/api/queries";
import { carry } from "@/api/scope";
import { useListPage } from "@/api/useListPage";
import { ListPage } from "./Header";
import { routesHeadline } from "./labels";
import classes from "./Notifications.module.css";
import { describeMatchers, describeReach, describeRoute, describeStep, namedSteps } from "./routeText";
import { formatSpan } from "./seconds";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { ButtonLink } from "@/ui/ButtonLink";
import { ConfirmButton } from "@/ui/confirm";
import { EmptyState } from "@/ui/ErrorState";
import { Facts, type Fact } from "@/ui/Facts";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { StateLabel } from "@/ui/StateLabel";
import type { Column } from "@/ui/table/columns";
import { ListTable } from "@/ui/table/ListTable";
import { capital } from "@/util/text";

const textOf = (route: NotificationRoute): string => describeRoute({ ...route, steps: namedSteps(route) });

function Enabled({ enabled }: Pick<NotificationRoute, "enabled">) {
  return <StateLabel state={enabled ? "ok" : "disabled"} label={enabled ? "enabled" : "disabled"} />;
}

const COLUMNS: readonly Column<NotificationRoute>[] = [
  { id: "name", sortable: true, header: "route", value: ({ name }) => name },
  {
    id: "position",
    sortable: true,
    header: "position",
    align: "right",
    value: ({ position }) => position,
    wide: true,
  },
  { id: "enabled", header: "state", value: ({ enabled }) => enabled, cell: Enabled, wide: true },
  {
    id: "text",
    header: "what it does",
    value: textOf,
    cell: (route) => (
      <span className={classes.sentence} title={textOf(route)}>
        {describeReach({ ...route, steps: namedSteps(route) })}
      </span>
    ),
  },
];

export function RoutesPage() {
  const { data: person } = useQuery(sessionQuery);
  const list = useListPage(notificationRoutesList, { columns: COLUMNS, sort: "position" });
  const create = may.editNotifications(person) && (
    <ButtonLink href="/notifications/routes/new" variant="filled">
      New route
    </ButtonLink>
  );
  return (
    <ListPage list="routes" headline={list.headline(routesHeadline)} controls={create}>
      <ListTable
        list={list}
        label="Notification routes"
        noun="routes"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/notifications/routes/${id}`}
        search="Search by name"
        none={
          <EmptyState title="No notification routes.">
            {may.editNotifications(person) ? (
              <>
                Create a <Anchor href="/notifications/channels">channel</Anchor>, then a route that says which
                incidents it receives.
              </>
            ) : (
              "Nobody is notified of incidents. An operator creates routes."
            )}
          </EmptyState>
        }
      />
    </ListPage>
  );
}

export function RoutePage() {
  const route = useQuery(notificationRouteQuery(Number(useParams().id)));
  return (
    <QueryBoundary query={route} what="this route" page="Notification route">
      {(data) => <Details route={data} />}
    </QueryBoundary>
  );
}

function Details({ route }: { route: NotificationRoute }) {
  const { data: person } = useQuery(sessionQuery);
  return (
    <>
      <PageHeader title={route.name} headline={textOf(route)} aside={<Enabled enabled={route.enabled} />}>
        {may.editNotifications(person) && <Controls route={route} />}
      </PageHeader>
      <div className={classes.page}>
        <Panel title="Definition">
          <Facts facts={factsOf(route)} />
        </Panel>
        <Panel title="Steps">
          <ol className={classes.list}>
            {namedSteps(route).map((step) => (
              <li key={step.after_s}>{capital(describeStep(step))}.</li>
            ))}
          </ol>
        </Panel>
      </div>
    </>
  );
}

function Controls({ route: { id, name } }: { route: NotificationRoute }) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const remove = useDeleteNotificationRoute(() => void navigate(carry("/notifications/routes", search)));
  return (
    <>
      <ButtonLink href={`/notifications/routes/${id}/edit`}>Edit</ButtonLink>
      <ConfirmButton
        isBusy={remove.isPending}
        title={`Delete route ${name}?`}
        consequence="Incidents that only this route takes are not notified any more. Its deliveries are kept."
        action="Delete route"
        onConfirm={() => remove.mutate(id)}
      >
        Delete
      </ConfirmButton>
    </>
  );
}

function factsOf(route: NotificationRoute): Fact[] {
  return [
    ["position", route.position],
    [
      "incidents",
      <span key="incidents" className={classes.fact}>
        {describeMatchers(route.matchers)}
      </span>,
    ],
    ["group wait", formatSpan(route.group_wait_s)],
    ["group interval", formatSpan(route.group_interval_s)],
    ["reminder", route.repeat_s === 0 ? "none" : `every ${formatSpan(route.repeat_s)}`],
    ["resolved", route.send_resolved ? "sent" : "not sent"],
    ["later routes", route.continues ? "tried too" : "not tried"],
    ["changed", <AgeStamp key="changed" at={route.changed_at} suffix="ago" />],
  ];
}
