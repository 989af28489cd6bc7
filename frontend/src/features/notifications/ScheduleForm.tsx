/** Form of an on-call schedule: people in rotation, handovers, restrictions and overrides. */
import { Button, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useNavigate, useParams } from "react-router";
import { useSaveSchedule } from "@/api/notifications/mutations";
import { channelsQuery, scheduleQuery } from "@/api/notifications/queries";
import { usePeople } from "@/api/useNames";
import { may } from "@/api/permissions";
import { sessionQuery } from "@/api/queries";
import { carry, useSite } from "@/api/scope";
import { useSubmit } from "@/api/useSubmit";
import { FormPage } from "./Header";
import classes from "./Notifications.module.css";
import { errorUnder } from "./routeDraft";
import {
  draftOfSchedule,
  emptySchedule,
  moved,
  newOverride,
  scheduleOfDraft,
  validateSchedule,
  type ScheduleDraft,
} from "./scheduleDraft";
import { localZone } from "@/util/timeZone";
import { WeeklyTimes, ZoneInput } from "./WeeklyTimes";
import { Waiting } from "@/ui/ErrorState";
import { FormError } from "@/ui/FormError";
import { PersonInput } from "@/ui/NamePicker";
import { Icon } from "@/ui/Icon";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";

type ScheduleFormValues = UseFormReturnType<ScheduleDraft>;

export function NewSchedulePage() {
  const site = useSite()?.name;
  const [first] = useState(() => emptySchedule(localZone(), Date.now()));
  if (site === undefined) return <Waiting what="the sites" />;
  return <ScheduleForm key={site} site={site} id={null} first={first} title="New on-call schedule" />;
}

export function EditSchedulePage() {
  const id = Number(useParams().id);
  const schedule = useQuery({ ...scheduleQuery(id), refetchInterval: false, refetchOnWindowFocus: false });
  return (
    <QueryBoundary query={schedule} what="this schedule" page="Edit schedule">
      {(data) => (
        <ScheduleForm
          key={id}
          site={data.site}
          id={id}
          first={draftOfSchedule(data)}
          title={`Edit ${data.name}`}
        />
      )}
    </QueryBoundary>
  );
}

interface Props {
  site: string;
  /** Null: a new schedule. */
  id: number | null;
  first: ScheduleDraft;
  title: string;
}

/** The form, for operators. */
function ScheduleForm(props: Props) {
  const { data: person } = useQuery(sessionQuery);
  return (
    <FormPage
      isAllowed={person === undefined ? undefined : may.editNotifications(person)}
      title={props.title}
      who="An operator"
    >
      <Form {...props} />
    </FormPage>
  );
}

function Form({ site, id, first, title }: Props) {
  const form = useForm<ScheduleDraft>({
    initialValues: first,
    validate: validateSchedule,
    onValuesChange: () => form.clearErrors(),
  });
  const navigate = useNavigate();
  const { search } = useLocation();
  const save = useSaveSchedule(
    id,
    (schedule) => void navigate(carry(`/notifications/schedules/${schedule.id}`, search)),
  );
  const { onSubmit, busy, error } = useSubmit(form, save, (values) => scheduleOfDraft(site, values));
  return (
    <>
      <PageHeader
        title={title}
        headline="A route notifies the person who is on call, by the person’s own channels."
      />
      <form className={classes.page} onSubmit={onSubmit} noValidate>
        <Panel title="Rotation">
          <Rotation form={form} />
        </Panel>
        <Panel title="People in order of rotation">
          <People form={form} site={site} />
        </Panel>
        <Panel title="Restrictions">
          <WeeklyTimes
            legend="Somebody is on call at these times"
            times={form.values.restrictions}
            none="Always."
            error={errorUnder(form.errors, "restrictions")}
            onChange={(times) => form.setFieldValue("restrictions", times)}
          />
        </Panel>
        <Panel title="Overrides">
          <Overrides form={form} site={site} />
        </Panel>
        <FormError>{error}</FormError>
        <div className={classes.row}>
          <Button type="submit" size="sm" loading={busy}>
            Save schedule
          </Button>
          {error === undefined && <FormError>{Object.values(form.errors)[0]}</FormError>}
        </div>
      </form>
    </>
  );
}

function Rotation({ form }: { form: ScheduleFormValues }) {
  return (
    <div className={classes.fields}>
      <TextInput
        size="xs"
        label="Name"
        placeholder="nights"
        required
        maxLength={50}
        {...form.getInputProps("name")}
      />
      <ZoneInput
        value={form.values.zone}
        error={form.errors.zone}
        description="Of all times of this schedule"
        onChange={(zone) => form.setFieldValue("zone", zone)}
      />
      <TextInput
        size="xs"
        type="date"
        label="Starts on"
        description="The first person begins on this day"
        {...form.getInputProps("starts_on")}
      />
      <TextInput
        size="xs"
        type="time"
        label="Handover"
        description="On the zone’s clock"
        {...form.getInputProps("handover")}
      />
      <TextInput
        size="xs"
        type="number"
        min={1}
        max={366}
        label="Days of a shift"
        {...form.getInputProps("days")}
      />
    </div>
  );
}

/** User names in order; the suggestions are the people of the site. */
function People({ form, site }: { form: ScheduleFormValues; site: string }) {
  const [name, setName] = useState("");
  const [announcement, setAnnouncement] = useState("");
  const channels = useQuery(channelsQuery(site));
  const suggested = usePeople(site);
  const { people } = form.values;
  const reachable = new Set(
    (channels.data ?? []).filter(({ enabled }) => enabled).map(({ person }) => person),
  );
  const set = (next: string[]) => form.setFieldValue("people", next);
  const add = () => {
    const person = name.trim();
    if (person === "") return;
    set([...people, person]);
    setName("");
  };
  const move = (from: number, to: number) => {
    set(moved(people, from, to));
    setAnnouncement(`${people[from] ?? ""} is now ${to + 1} of ${people.length}`);
  };
  return (
    <div className={classes.stack}>
      <ol className={classes.stack} aria-label="People in order of rotation">
        {people.map((person, index) => (
          // A person may occur twice in a rotation.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={`${person} ${index}`} className={classes.row}>
            <span className="num dim">{index + 1}</span>
            <b>{person}</b>
            {channels.data !== undefined && !reachable.has(person) && (
              <span className={classes.warning}>has no enabled channel</span>
            )}
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Move ${person} up`}
              disabled={index === 0}
              onClick={() => move(index, index - 1)}
            >
              ↑
            </Button>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Move ${person} down`}
              disabled={index === people.length - 1}
              onClick={() => move(index, index + 1)}
            >
              ↓
            </Button>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Remove ${person}`}
              onClick={() => set(people.filter((_, at) => at !== index))}
            >
              <Icon name="close" size={14} />
            </Button>
          </li>
        ))}
      </ol>
      <FormError>{errorUnder(form.errors, "people")}</FormError>
      <div className={classes.row}>
        <PersonInput
          onSearch={suggested.onSearch}
          names={suggested.names.filter((known) => !people.includes(known))}
          aria-label="User name"
          placeholder="User name"
          value={name}
          onChange={setName}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            add();
          }}
        />
        <Button size="xs" variant="default" disabled={name.trim() === ""} onClick={add}>
          Add person
        </Button>
      </div>
      <p className="visually-hidden" role="status" aria-live="polite">
        {announcement}
      </p>
    </div>
  );
}

function Overrides({ form, site }: { form: ScheduleFormValues; site: string }) {
  const { overrides, zone, people } = form.values;
  const suggested = usePeople(site);
  const set = (next: ScheduleDraft["overrides"]) => form.setFieldValue("overrides", [...next]);
  return (
    <div className={classes.stack}>
      <p className="dim">
        {overrides.length === 0
          ? "None. An override puts a person on call instead of the rotation, also outside of the restrictions."
          : `Times in ${zone}. Of several that apply, the last one counts.`}
      </p>
      <ol className={classes.list} aria-label="Overrides">
        {overrides.map((override, index) => {
          const change = (more: Partial<typeof override>) =>
            set(overrides.map((other) => (other.key === override.key ? { ...other, ...more } : other)));
          return (
            <li key={override.key} className={classes.item}>
              <div className={classes.fields}>
                <PersonInput
                  {...suggested}
                  label={`Override ${index + 1}: person`}
                  value={override.person}
                  onChange={(person) => change({ person })}
                />
                <TextInput
                  size="xs"
                  type="datetime-local"
                  label="Start"
                  value={override.start}
                  onChange={(event) => change({ start: event.currentTarget.value })}
                />
                <TextInput
                  size="xs"
                  type="datetime-local"
                  label="End (exclusive)"
                  value={override.end}
                  onChange={(event) => change({ end: event.currentTarget.value })}
                />
              </div>
              <div className={classes.row}>
                <Button
                  size="compact-xs"
                  variant="default"
                  onClick={() => set(overrides.filter(({ key }) => key !== override.key))}
                >
                  Remove override {index + 1}
                </Button>
              </div>
            </li>
          );
        })}
      </ol>
      <FormError>{errorUnder(form.errors, "overrides")}</FormError>
      <div className={classes.row}>
        <Button
          size="xs"
          variant="default"
          onClick={() => set([...overrides, newOverride({ person: people[0] ?? "", start: "", end: "" })])}
        >
          Add an override
        </Button>
      </div>
    </div>
  );
}
