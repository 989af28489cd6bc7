/** Plans or changes a maintenance window. */
import { Button, Checkbox, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useNavigate, useParams } from "react-router";
import { useSaveWindow, windowQuery } from "./queries";
import { usePlannedTargets } from "@/api/models/maintenance-plan";
import { carry, useSite } from "@/api/scope";
import { useSubmit } from "@/api/useSubmit";
import { draftOf, emptyDraft, validate, windowOf, type Draft } from "./draft";
import classes from "./Maintenance.module.css";
import { TargetPicker } from "./TargetPicker";
import { FormError } from "@/ui/FormError";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { localZone } from "@/util/timeZone";

const REPEATS = [
  { value: "once", label: "once" },
  { value: "daily", label: "every day" },
  { value: "weekly", label: "every week" },
  { value: "custom", label: "by a rule (RRULE)" },
];

export function NewWindowPage() {
  const site = useSite();
  const targets = usePlannedTargets();
  const [first] = useState(() => ({ ...emptyDraft(new Date(), localZone()), targets }));
  return (
    <WindowForm
      key={site?.name}
      site={site?.name ?? ""}
      first={first}
      excluded={[]}
      id={null}
      title="New maintenance window"
    />
  );
}

export function EditWindowPage() {
  const id = Number(useParams().id);
  const query = useQuery({ ...windowQuery(id), refetchInterval: false, refetchOnWindowFocus: false });
  return (
    <QueryBoundary query={query} what="this maintenance window" page="Edit maintenance window">
      {(data) => (
        <WindowForm
          site={data.site}
          first={draftOf(data)}
          excluded={data.excluded}
          id={id}
          title={`Edit ${data.name}`}
        />
      )}
    </QueryBoundary>
  );
}

interface Props {
  site: string;
  first: Draft;
  excluded: string[];
  id: number | null;
  title: string;
}

function WindowForm({ site, first, excluded, id, title }: Props) {
  const form = useForm<Draft>({ initialValues: first, validate });
  const navigate = useNavigate();
  const { search } = useLocation();
  const save = useSaveWindow(id, ({ url }) => void navigate(carry(url, search)));
  const { onSubmit, busy, error } = useSubmit(form, save, (values) => windowOf(site, values, excluded));
  return (
    <>
      <PageHeader
        title={title}
        headline="Incidents raised before still resolve. What depends on the objects is in maintenance too."
      />
      <form className={classes.stack} onSubmit={onSubmit} noValidate>
        <Panel title="When">
          <div className={classes.fields}>
            <TextInput size="xs" label="Name" maxLength={100} {...form.getInputProps("name")} />
            <TextInput
              size="xs"
              type="datetime-local"
              label="First start (your local time)"
              {...form.getInputProps("start")}
            />
            <TextInput
              size="xs"
              label="Length (minutes)"
              inputMode="numeric"
              {...form.getInputProps("minutes")}
            />
            <NativeSelect size="xs" label="Repeats" data={REPEATS} {...form.getInputProps("repeat")} />
            {form.values.repeat === "custom" && (
              <TextInput
                size="xs"
                label="Rule (RFC 5545)"
                placeholder="FREQ=MONTHLY;BYDAY=2SU"
                maxLength={500}
                {...form.getInputProps("rule")}
              />
            )}
            <TextInput size="xs" label="Time zone in which it repeats" {...form.getInputProps("zone")} />
          </div>
          <Textarea
            label="Reason"
            size="xs"
            autosize
            minRows={2}
            maxLength={2000}
            {...form.getInputProps("reason")}
          />
        </Panel>
        <Panel title="Objects">
          <TargetPicker
            site={site}
            targets={form.values.targets}
            onChange={(targets) => form.setFieldValue("targets", targets)}
            error={form.errors.targets?.toString()}
          />
        </Panel>
        <Panel title="What stops">
          <div className={classes.stack}>
            <Checkbox
              size="xs"
              label="Notifications"
              {...form.getInputProps("notifications", { type: "checkbox" })}
            />
            <Checkbox
              size="xs"
              label="New incidents"
              {...form.getInputProps("rules", { type: "checkbox" })}
            />
            <Checkbox
              size="xs"
              label="Throughput tests"
              {...form.getInputProps("tests", { type: "checkbox" })}
            />
          </div>
        </Panel>
        <FormError>{error}</FormError>
        <div>
          <Button type="submit" size="sm" loading={busy}>
            Save window
          </Button>
        </div>
      </form>
    </>
  );
}
