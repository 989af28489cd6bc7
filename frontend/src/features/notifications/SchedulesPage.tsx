/** On-call schedules: who is on call, the next shifts, and people who cannot be reached. */
import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate, useParams } from "react-router";
import { useDeleteSchedule } from "@/api/notifications/mutations";
import { scheduleQuery, schedulesList, type Schedule } from "@/api/notifications/queries";
import { may } from "@/api/permissions";
import { sessionQuery } from "@/api/queries";
import { carry } from "@/api/scope";
import { useListPage } from "@/api/useListPage";
import { ListPage } from "./Header";
import { schedulesHeadline } from "./labels";
import classes from "./Notifications.module.css";
import { shiftsOf } from "./scheduleDraft";
import { describeTimes } from "./weeklyText";
import { shortWallClock } from "./clockTime";
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
import { useClock } from "@/ui/useClock";
import { count } from "@/util/units";

const MINUTE_MS = 60_000;

function OnCall({ on_call, without_channel }: Pick<Schedule, "on_call" | "without_channel">) {
  if (on_call === null) return <StateLabel state="warning" label="nobody" />;
  return without_channel.includes(on_call) ? (
    <StateLabel state="critical" label={`${on_call} (no channel)`} />
  ) : (
    <StateLabel state="ok" label={on_call} />
  );
}

const COLUMNS: readonly Column<Schedule>[] = [
  { id: "name", sortable: true, header: "schedule", value: ({ name }) => name },
  { id: "on_call", header: "on call now", value: ({ on_call }) => on_call ?? "nobody", cell: OnCall },
  {
    id: "next",
    header: "next",
    value: ({ shifts }) => shifts[1]?.person ?? "",
    cell: ({ shifts: [, next], zone }) =>
      next === undefined ? "–" : `${next.person}, ${shortWallClock(next.start, zone)}`,
    wide: true,
  },
  { id: "people", header: "people", value: ({ people }) => people.join(", "), wide: true },
  {
    id: "without_channel",
    header: "without a channel",
    value: ({ without_channel }) => without_channel.join(", "),
    cell: ({ without_channel: names }) =>
      names.length === 0 ? (
        <span className="dim">none</span>
      ) : (
        <span className={classes.bad}>{names.join(", ")}</span>
      ),
  },
  { id: "zone", header: "time zone", value: ({ zone }) => zone, wide: true },
];

export function SchedulesPage() {
  const { data: person } = useQuery(sessionQuery);
  const list = useListPage(schedulesList, { columns: COLUMNS, sort: "name" });
  const create = may.editNotifications(person) && (
    <ButtonLink href="/notifications/schedules/new" variant="filled">
      New schedule
    </ButtonLink>
  );
  return (
    <ListPage list="schedules" headline={list.headline(schedulesHeadline)} controls={create}>
      <ListTable
        list={list}
        label="On-call schedules"
        noun="schedules"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/notifications/schedules/${id}`}
        search="Search by name"
        none={
          <EmptyState title="No on-call schedules.">
            {may.editNotifications(person)
              ? "Create a schedule with people in rotation, then name it in a step of a route."
              : "An operator creates schedules. Without one, routes notify channels only."}
          </EmptyState>
        }
      />
    </ListPage>
  );
}

export function SchedulePage() {
  const schedule = useQuery(scheduleQuery(Number(useParams().id)));
  return (
    <QueryBoundary query={schedule} what="this schedule" page="On-call schedule">
      {(data) => <Details schedule={data} />}
    </QueryBoundary>
  );
}

function headlineOf({ on_call, zone }: Schedule): string {
  const who = on_call === null ? "Nobody is on call now" : `${on_call} is on call now`;
  return `${who}. Times are in ${zone}.`;
}

function Details({ schedule }: { schedule: Schedule }) {
  const { data: person } = useQuery(sessionQuery);
  const { name, without_channel } = schedule;
  return (
    <>
      <PageHeader title={name} headline={headlineOf(schedule)} aside={<OnCall {...schedule} />}>
        {may.editNotifications(person) && <Controls schedule={schedule} />}
      </PageHeader>
      <div className={classes.page}>
        {without_channel.length > 0 && (
          <p className={classes.bad} role="note">
            {without_channel.join(", ")}: no enabled channel, so messages do not reach{" "}
            {without_channel.length === 1 ? "this person" : "these people"}. Give{" "}
            {without_channel.length === 1 ? "the person" : "each of them"} a{" "}
            <Anchor href="/notifications/channels">channel</Anchor>.
          </p>
        )}
        <Panel title="Next shifts">
          <ShiftStrip schedule={schedule} />
        </Panel>
        <Panel title="Definition">
          <Facts facts={factsOf(schedule)} />
        </Panel>
        <Panel title="Overrides">
          <Overrides schedule={schedule} />
        </Panel>
      </div>
    </>
  );
}

function ShiftStrip({ schedule }: { schedule: Schedule }) {
  const shifts = shiftsOf(schedule, useClock(MINUTE_MS));
  const { zone, without_channel, restrictions } = schedule;
  return (
    <div className={classes.stack}>
      <div role="region" aria-label="Next shifts, scrollable" tabIndex={0} className={classes.strip}>
        {shifts.map(({ person, start, end, isNow, replacedBy }) => (
          <div key={start} className={classes.shift} aria-current={isNow ? "time" : undefined}>
            <b>{person}</b>
            {isNow && <span>now</span>}
            <time dateTime={start}>{shortWallClock(start, zone)}</time>
            <span className="dim">
              until <time dateTime={end}>{shortWallClock(end, zone)}</time>
            </span>
            {replacedBy.length > 0 && <span>partly replaced by {replacedBy.join(", ")}</span>}
            {without_channel.includes(person) && <span className={classes.bad}>no channel</span>}
          </div>
        ))}
      </div>
      {restrictions.length > 0 && (
        <p className="dim">Within a shift, somebody is on call only at: {describeTimes(restrictions)}.</p>
      )}
    </div>
  );
}

function Overrides({ schedule: { overrides, zone } }: { schedule: Schedule }) {
  if (overrides.length === 0) return <p className="dim">None.</p>;
  return (
    <ul className={classes.stack}>
      {overrides.map(({ person, start, end }) => (
        <li key={`${person} ${start} ${end}`}>
          <b>{person}</b> from {shortWallClock(start, zone)} until {shortWallClock(end, zone)}
        </li>
      ))}
    </ul>
  );
}

function Controls({ schedule: { id, name } }: { schedule: Schedule }) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const remove = useDeleteSchedule(() => void navigate(carry("/notifications/schedules", search)));
  return (
    <>
      <ButtonLink href={`/notifications/schedules/${id}/edit`}>Edit</ButtonLink>
      <ConfirmButton
        isBusy={remove.isPending}
        title={`Delete schedule ${name}?`}
        consequence="Its rotation and overrides are deleted. A schedule that a route uses is not deleted."
        action="Delete schedule"
        onConfirm={() => remove.mutate(id)}
      >
        Delete
      </ConfirmButton>
    </>
  );
}

function factsOf({ people, zone, starts_on, handover, days, restrictions }: Schedule): Fact[] {
  return [
    [
      "rotation",
      <span key="people" className={classes.fact}>
        {people.join(", then ")}
      </span>,
    ],
    ["handover", `every ${count(days, "day")} at ${handover}`],
    ["since", starts_on],
    ["time zone", zone],
    [
      "restrictions",
      <span key="restrictions" className={classes.fact}>
        {restrictions.length === 0 ? "always" : describeTimes(restrictions)}
      </span>,
    ],
  ];
}
