/** Channels: where messages about incidents are delivered, and whether they work. */
import { useQuery } from "@tanstack/react-query";
import { channelsList, type Channel } from "@/api/notifications/queries";
import { may } from "@/api/permissions";
import { sessionQuery } from "@/api/queries";
import { useListPage } from "@/api/useListPage";
import type { Person } from "@/api/types";
import { CHANNEL_KINDS } from "./channelKinds";
import { ListPage } from "./Header";
import { CHANNEL_TONES, channelsHeadline, channelText } from "./labels";
import classes from "./Notifications.module.css";
import { AgeStamp } from "@/ui/AgeStamp";
import { ButtonLink } from "@/ui/ButtonLink";
import { EmptyState } from "@/ui/ErrorState";
import { StateLabel } from "@/ui/StateLabel";
import type { Column } from "@/ui/table/columns";
import { ListTable } from "@/ui/table/ListTable";

const COLUMNS: readonly Column<Channel>[] = [
  { id: "name", sortable: true, header: "channel", value: ({ name }) => name },
  {
    id: "state",
    header: "state",
    value: ({ state }) => state,
    cell: (channel) => (
      <StateLabel state={CHANNEL_TONES[channel.state]} label={channel.state} title={channelText(channel)} />
    ),
  },
  {
    id: "reason",
    header: "reason",
    value: ({ failure }) => failure,
    cell: ({ failure }) => <span className={classes.sentence}>{failure === "" ? "–" : failure}</span>,
  },
  { id: "kind", sortable: true, header: "kind", value: ({ label }) => label, wide: true },
  {
    id: "person",
    sortable: true,
    header: "person",
    value: ({ person }) => person,
    cell: ({ person }) => (person === "" ? <span className="dim">everybody</span> : person),
    wide: true,
  },
  {
    id: "worked_at",
    sortable: true,
    header: "newest success",
    value: ({ worked_at }) => worked_at,
    cell: ({ worked_at }) =>
      worked_at === null ? <span className="dim">none</span> : <AgeStamp at={worked_at} suffix="ago" />,
    wide: true,
  },
  { id: "waiting", header: "waiting", align: "right", value: ({ waiting }) => waiting, wide: true },
];

const KIND_CHOICES = [
  { value: "", label: "all kinds" },
  ...CHANNEL_KINDS.map(({ kind, label }) => ({ value: kind, label })),
];

/** Whether the person may create a channel of at least one kind. */
const mayCreate = (person: Person | null | undefined): boolean =>
  CHANNEL_KINDS.some((kind) => may.editChannel(person, kind));

export function ChannelsPage() {
  const { data: person } = useQuery(sessionQuery);
  const list = useListPage(channelsList, { columns: COLUMNS, sort: "name", filters: { kind: "" } });
  const create = mayCreate(person) && (
    <ButtonLink href="/notifications/channels/new" variant="filled">
      New channel
    </ButtonLink>
  );
  return (
    <ListPage list="channels" headline={list.headline(channelsHeadline)} controls={create}>
      <ListTable
        list={list}
        label="Channels"
        noun="channels"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/notifications/channels/${id}`}
        search="Search by name"
        filters={[{ name: "kind", label: "Kind", choices: KIND_CHOICES }]}
        none={
          <EmptyState title="No channels.">
            {mayCreate(person)
              ? "Create a channel, send a test, then create a route that uses it."
              : "An administrator creates channels: their settings hold passwords and tokens."}
          </EmptyState>
        }
      />
    </ListPage>
  );
}
