/** Form of a notification route, with the sentence that says what it does. */
import { Button, Checkbox, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate, useParams } from "react-router";
import { useSaveNotificationRoute } from "@/api/notifications/mutations";
import {
  channelsQuery,
  notificationRouteQuery,
  notificationRoutesList,
  schedulesQuery,
} from "@/api/notifications/queries";
import { may } from "@/api/permissions";
import { sessionQuery } from "@/api/queries";
import { carry, useSite } from "@/api/scope";
import { usePages } from "@/api/useListPage";
import { useSubmit } from "@/api/useSubmit";
import { IncidentFields } from "./IncidentFields";
import { FormPage } from "./Header";
import classes from "./Notifications.module.css";
import {
  draftOfRoute,
  emptyRoute,
  errorUnder,
  routeOfDraft,
  validateRoute,
  type RouteDraft,
} from "./routeDraft";
import { describeRoute } from "./routeText";
import { StepList, targetName, type Targets } from "./StepList";
import { localZone } from "@/util/timeZone";
import { Anchor } from "@/ui/Anchor";
import { Waiting } from "@/ui/ErrorState";
import { FormError } from "@/ui/FormError";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";

export function NewRoutePage() {
  const site = useSite()?.name;
  const { query } = usePages(notificationRoutesList(site ?? ""), site !== undefined);
  if (site === undefined) return <Waiting what="the sites" />;
  return (
    <QueryBoundary query={query} what="the routes" page="New notification route">
      {(routes) => (
        <RouteForm
          key={site}
          site={site}
          id={null}
          first={emptyRoute(routes, localZone())}
          title="New notification route"
        />
      )}
    </QueryBoundary>
  );
}

export function EditRoutePage() {
  const id = Number(useParams().id);
  const route = useQuery({ ...notificationRouteQuery(id), refetchOnWindowFocus: false });
  return (
    <QueryBoundary query={route} what="this route" page="Edit notification route">
      {(data) => (
        <RouteForm key={id} site={data.site} id={id} first={draftOfRoute(data)} title={`Edit ${data.name}`} />
      )}
    </QueryBoundary>
  );
}

interface Props {
  site: string;
  /** Null: a new route. */
  id: number | null;
  first: RouteDraft;
  title: string;
}

/** The form, for operators. */
function RouteForm(props: Props) {
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
  const form = useForm<RouteDraft>({
    initialValues: first,
    validate: validateRoute,
    // An error may concern a group of fields.
    onValuesChange: () => form.clearErrors(),
  });
  const channels = useQuery(channelsQuery(site));
  const schedules = useQuery(schedulesQuery(site));
  const targets: Targets = { channels: channels.data ?? [], schedules: schedules.data ?? [] };
  const navigate = useNavigate();
  const { search } = useLocation();
  const save = useSaveNotificationRoute(
    id,
    (route) => void navigate(carry(`/notifications/routes/${route.id}`, search)),
  );
  const { onSubmit, busy, error } = useSubmit(form, save, (values) => routeOfDraft(site, values));
  const failed = channels.error ?? schedules.error;
  return (
    <>
      <PageHeader title={title} headline="Incidents that already last and match are notified too." />
      <form className={classes.page} onSubmit={onSubmit} noValidate>
        <p className={classes.stated} aria-live="polite" data-testid="route-text">
          {textOf(form.values, targets)}
        </p>
        <Panel title="Route">
          <Basics form={form} />
        </Panel>
        <Panel
          title="Incidents"
          aside={<span className="dim">every field that is not empty must match</span>}
        >
          <IncidentFields form={form} site={site} />
        </Panel>
        <Panel title="Who is notified">
          <div className={classes.stack}>
            {channels.data?.length === 0 && schedules.data?.length === 0 && (
              <p className={classes.warning}>
                There is no channel yet. <Anchor href="/notifications/channels/new">Create a channel</Anchor>{" "}
                first.
              </p>
            )}
            <FormError>{failed?.message}</FormError>
            <StepList
              steps={form.values.steps}
              targets={targets}
              error={errorUnder(form.errors, "steps")}
              onChange={(steps) => form.setFieldValue("steps", steps)}
            />
          </div>
        </Panel>
        <Panel title="Messages">
          <Timing form={form} />
        </Panel>
        <FormError>{error}</FormError>
        <div className={classes.row}>
          <Button type="submit" size="sm" loading={busy}>
            Save route
          </Button>
          {error === undefined && <FormError>{Object.values(form.errors)[0]}</FormError>}
        </div>
      </form>
    </>
  );
}

function textOf(draft: RouteDraft, targets: Targets): string {
  const route = routeOfDraft("", draft);
  const steps = draft.steps.map(({ targets: named }, at) => {
    const names = (what: string) =>
      named.filter((target) => target.startsWith(what)).map((target) => targetName(targets, target));
    return {
      after_s: route.steps[at]?.after_s ?? 0,
      channels: names("channel"),
      schedules: names("schedule"),
    };
  });
  return describeRoute({ ...route, steps });
}

interface PartProps {
  form: UseFormReturnType<RouteDraft>;
}

function Basics({ form }: PartProps) {
  return (
    <div className={classes.stack}>
      <div className={classes.fields}>
        <TextInput
          size="xs"
          label="Name"
          placeholder="operators"
          required
          maxLength={50}
          {...form.getInputProps("name")}
        />
        <TextInput
          size="xs"
          label="Position"
          description="Routes with a lower position are tried first"
          type="number"
          min={0}
          max={10_000}
          {...form.getInputProps("position")}
        />
      </div>
      <Checkbox label="Enabled" {...form.getInputProps("enabled", { type: "checkbox" })} />
      <Checkbox
        label="Continue: try later routes after this one matched"
        {...form.getInputProps("continues", { type: "checkbox" })}
      />
    </div>
  );
}

function Timing({ form }: PartProps) {
  return (
    <div className={classes.stack}>
      <div className={classes.fields}>
        <TextInput
          size="xs"
          label="Group wait"
          description="From the first change to its message, so that root causes are known"
          {...form.getInputProps("group_wait_s")}
        />
        <TextInput
          size="xs"
          label="Group interval"
          description="Between messages; a new critical incident may come sooner"
          {...form.getInputProps("group_interval_s")}
        />
        <TextInput
          size="xs"
          label="Reminder"
          description="Between reminders of what nobody acknowledged; 0: none"
          {...form.getInputProps("repeat_s")}
        />
      </div>
      <Checkbox
        label="Send a message when incidents are resolved"
        {...form.getInputProps("send_resolved", { type: "checkbox" })}
      />
    </div>
  );
}
