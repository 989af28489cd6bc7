/** Form of a channel. The kind's fields come from the API document; stored secrets are never shown. */
import { Button, Checkbox, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate, useParams } from "react-router";
import { useSaveChannel } from "@/api/notifications/mutations";
import { channelQuery, type Channel } from "@/api/notifications/queries";
import { usePeople } from "@/api/useNames";
import { may } from "@/api/permissions";
import { sessionQuery } from "@/api/queries";
import { carry, useSite } from "@/api/scope";
import { useSubmit } from "@/api/useSubmit";
import {
  CHANNEL_KINDS,
  channelOfDraft,
  draftOfChannel,
  emptyChannel,
  kindSpec,
  storedSecrets,
  validateChannel,
  withChannelKind,
  type ChannelDraft,
  type SettingField,
} from "./channelKinds";
import { FormPage } from "./Header";
import classes from "./Notifications.module.css";
import { Waiting } from "@/ui/ErrorState";
import { FormError } from "@/ui/FormError";
import { PersonInput } from "@/ui/NamePicker";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";

type ChannelFormValues = UseFormReturnType<ChannelDraft>;

export function NewChannelPage() {
  const site = useSite()?.name;
  const { data: person } = useQuery(sessionQuery);
  const kind = CHANNEL_KINDS.find((spec) => may.editChannel(person, spec))?.kind;
  if (site === undefined || person === undefined) return <Waiting what="the sites" />;
  return (
    <FormPage isAllowed={kind !== undefined} title="New channel" who="An administrator">
      {kind !== undefined && (
        <ChannelForm key={site} site={site} channel={null} first={emptyChannel(kind)} title="New channel" />
      )}
    </FormPage>
  );
}

export function EditChannelPage() {
  const id = Number(useParams().id);
  const { data: person } = useQuery(sessionQuery);
  const channel = useQuery({ ...channelQuery(id), refetchInterval: false, refetchOnWindowFocus: false });
  return (
    <QueryBoundary query={channel} what="this channel" page="Edit channel">
      {(data) => (
        <FormPage
          isAllowed={person === undefined ? undefined : may.editChannel(person, kindSpec(data.kind))}
          title={`Edit ${data.name}`}
          who="An administrator"
        >
          <ChannelForm
            key={data.id}
            site={data.site}
            channel={data}
            first={draftOfChannel(data)}
            title={`Edit ${data.name}`}
          />
        </FormPage>
      )}
    </QueryBoundary>
  );
}

interface Props {
  site: string;
  /** Null: a new channel. */
  channel: Channel | null;
  first: ChannelDraft;
  title: string;
}

function ChannelForm({ site, channel, first, title }: Props) {
  const form = useForm<ChannelDraft>({
    initialValues: first,
    validate: (values) => validateChannel(values, storedSecrets(channel, values.kind)),
  });
  const { data: person } = useQuery(sessionQuery);
  const people = usePeople(site);
  const navigate = useNavigate();
  const { search } = useLocation();
  const save = useSaveChannel(
    channel?.id ?? null,
    ({ id }) => void navigate(carry(`/notifications/channels/${id}`, search)),
  );
  const draft = form.values;
  const stored = storedSecrets(channel, draft.kind);
  const { onSubmit, busy, error } = useSubmit(form, save, (values) =>
    channelOfDraft(site, values, storedSecrets(channel, values.kind)),
  );
  const spec = kindSpec(draft.kind);
  const kinds = CHANNEL_KINDS.filter((kind) => kind.kind === draft.kind || may.editChannel(person, kind));
  return (
    <>
      <PageHeader title={title} headline="Saving sends nothing. Send a test on the channel’s page." />
      <form className={classes.page} onSubmit={onSubmit} noValidate>
        <Panel title="Channel">
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
              <NativeSelect
                size="xs"
                label="Kind"
                value={draft.kind}
                error={form.errors.kind}
                data={kinds.map(({ kind, label }) => ({ value: kind, label }))}
                onChange={(event) =>
                  form.setValues(withChannelKind(draft, event.currentTarget.value as ChannelDraft["kind"]))
                }
              />
              <PersonInput
                {...people}
                label="Person"
                description="User name. Schedules reach the person by it. Empty: everybody’s"
                value={draft.person}
                error={form.errors.person}
                onChange={(name) => form.setFieldValue("person", name)}
              />
            </div>
            <Checkbox
              label="Enabled: messages are sent"
              {...form.getInputProps("enabled", { type: "checkbox" })}
            />
          </div>
        </Panel>
        <Panel title={`Settings of ${spec.label}`}>
          <div className={classes.stack}>
            <p className="dim">{spec.description}</p>
            <div className={classes.fields}>
              {spec.fields.map((field) => (
                <Setting
                  key={`${draft.kind}.${field.name}`}
                  form={form}
                  field={field}
                  isStored={stored.includes(field.name)}
                />
              ))}
            </div>
            <FormError>{form.errors.config}</FormError>
          </div>
        </Panel>
        <FormError>{error}</FormError>
        <div className={classes.row}>
          <Button type="submit" size="sm" loading={busy}>
            Save channel
          </Button>
        </div>
      </form>
    </>
  );
}

interface SettingProps {
  form: ChannelFormValues;
  field: SettingField;
  isStored: boolean;
}

function Setting({ form, field, isStored }: SettingProps) {
  const { name, label, help, type, choices, min, max, maxLength, isRequired, isSecret } = field;
  const path = `config.${name}`;
  const common = { size: "xs", label, description: help, required: isRequired && !isStored } as const;
  if (isSecret) return <Secret form={form} field={field} isStored={isStored} />;
  switch (type) {
    case "choice":
      return <NativeSelect {...common} data={[...choices]} {...form.getInputProps(path)} />;
    case "switch":
      return (
        <Checkbox label={label} description={help} {...form.getInputProps(path, { type: "checkbox" })} />
      );
    case "list":
      return (
        <Textarea
          {...common}
          description={`${help}, one per line`}
          autosize
          minRows={2}
          {...form.getInputProps(path)}
        />
      );
    default:
      return (
        <TextInput
          {...common}
          {...(type === "number" ? { type: "number", min, max } : { maxLength })}
          {...form.getInputProps(path)}
        />
      );
  }
}

/** A write-only setting: empty keeps what is stored. */
function Secret({ form, field: { name, label, help, maxLength, isRequired }, isStored }: SettingProps) {
  const { removed } = form.values;
  const isRemoved = removed.includes(name);
  return (
    <div className={classes.stack}>
      <TextInput
        size="xs"
        type="password"
        autoComplete="new-password"
        label={label}
        description={isStored ? `${help}. Stored; leave empty to keep it` : help}
        placeholder={isStored && !isRemoved ? "stored" : undefined}
        required={isRequired && !isStored}
        disabled={isRemoved}
        maxLength={maxLength}
        {...form.getInputProps(`config.${name}`)}
      />
      {isStored && !isRequired && (
        <Checkbox
          size="xs"
          label={`Remove the stored ${label.toLowerCase()}`}
          checked={isRemoved}
          onChange={() =>
            form.setValues({
              removed: isRemoved ? removed.filter((other) => other !== name) : [...removed, name],
              config: { ...form.values.config, [name]: "" },
            })
          }
        />
      )}
    </div>
  );
}
