/** One channel: state, settings without secrets, and a test that shows the real result. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate, useParams } from "react-router";
import { useDeleteChannel, useEnableChannel, useTestChannel } from "@/api/notifications/mutations";
import { channelQuery, type Channel } from "@/api/notifications/queries";
import { may } from "@/api/permissions";
import { sessionQuery } from "@/api/queries";
import { carry } from "@/api/scope";
import { kindSpec, type SettingField } from "./channelKinds";
import { CHANNEL_TONES, channelText, testText } from "./labels";
import classes from "./Notifications.module.css";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { ButtonLink } from "@/ui/ButtonLink";
import { ConfirmButton } from "@/ui/confirm";
import { Facts, type Fact } from "@/ui/Facts";
import { FormError } from "@/ui/FormError";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { StateLabel } from "@/ui/StateLabel";

export function ChannelPage() {
  const channel = useQuery(channelQuery(Number(useParams().id)));
  return (
    <QueryBoundary query={channel} what="this channel" page="Channel">
      {(data) => <Details key={data.id} channel={data} />}
    </QueryBoundary>
  );
}

function Details({ channel }: { channel: Channel }) {
  const { data: person } = useQuery(sessionQuery);
  const { name, state, kind } = channel;
  return (
    <>
      <PageHeader
        title={name}
        headline={channelText(channel)}
        aside={<StateLabel state={CHANNEL_TONES[state]} label={state} />}
      >
        {may.editChannel(person, kindSpec(kind)) && <Controls channel={channel} />}
      </PageHeader>
      <div className={classes.page}>
        <Panel title="State">
          <Facts facts={stateFacts(channel)} />
        </Panel>
        <Panel title="Settings">
          <Facts facts={settingFacts(channel)} />
        </Panel>
        {may.testChannel(person) && <Test channel={channel} />}
      </div>
    </>
  );
}

function Controls({ channel }: { channel: Channel }) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const enable = useEnableChannel();
  const remove = useDeleteChannel(() => void navigate(carry("/notifications/channels", search)));
  const { id, name, enabled } = channel;
  return (
    <>
      <ButtonLink href={`/notifications/channels/${id}/edit`}>Edit</ButtonLink>
      <Button
        size="xs"
        variant="default"
        loading={enable.isPending}
        onClick={() => enable.mutate({ channel, enabled: !enabled })}
      >
        {enabled ? "Disable" : "Enable"}
      </Button>
      <ConfirmButton
        isBusy={remove.isPending}
        title={`Delete channel ${name}?`}
        consequence="Its settings and secrets are deleted. Its deliveries are kept. A channel that a route uses is not deleted."
        action="Delete channel"
        onConfirm={() => remove.mutate(id)}
      >
        Delete
      </ConfirmButton>
    </>
  );
}

function stateFacts({ id, since, worked_at, waiting, failure }: Channel): Fact[] {
  return [
    ["in this state since", <AgeStamp key="since" at={since} suffix="ago" />],
    ["newest success", worked_at === null ? "none" : <AgeStamp key="worked" at={worked_at} suffix="ago" />],
    ["waiting deliveries", waiting],
    ...(failure === ""
      ? []
      : [
          [
            "reason of the failure",
            <span key="failure" className={classes.fact}>
              {failure}
            </span>,
          ] as const,
        ]),
    [
      "log",
      <Anchor key="log" href={`/notifications/deliveries?channel=${id}`}>
        Deliveries
      </Anchor>,
    ],
  ];
}

function settingFacts({ kind, label, person, config, secrets }: Channel): Fact[] {
  const valueOf = ({ name, isSecret }: SettingField): string => {
    if (isSecret) return secrets.includes(name) ? "stored" : "none";
    const text = [config[name] ?? ""].flat().map(String).join(", ");
    return text === "" ? "none" : text;
  };
  return [
    ["kind", label],
    ["person", person === "" ? "everybody" : person],
    ...kindSpec(kind).fields.map(
      (field) =>
        [
          field.label,
          <span key={field.name} className={classes.fact}>
            {valueOf(field)}
          </span>,
        ] as const,
    ),
  ];
}

function Test({ channel: { id, name } }: { channel: Channel }) {
  const test = useTestChannel(id);
  return (
    <Panel title="Test">
      <div className={classes.stack}>
        <p className="dim">Sends a real message now, also while the channel is disabled.</p>
        <div className={classes.row}>
          <Button size="xs" loading={test.isPending} onClick={() => test.mutate()}>
            Send a test<span className="visually-hidden"> to {name}</span>
          </Button>
          <div role="status">
            {test.data !== undefined && (
              <>
                <StateLabel
                  state={test.data.delivered ? "ok" : "critical"}
                  label={test.data.delivered ? "delivered" : "failed"}
                />{" "}
                <span className={classes.fact}>{testText(test.data)}</span>{" "}
                <Anchor href={`/notifications/deliveries/${test.data.delivery_id}`}>Show the message</Anchor>
              </>
            )}
          </div>
        </div>
        <FormError>{test.error?.message}</FormError>
      </div>
    </Panel>
  );
}
