/** Settings: how long history is kept, its disk use and prediction, and the archive. */
import { useQuery } from "@tanstack/react-query";
import { useSite } from "@/api/scope";
import { storageQuery, type Storage } from "@/api/storage";
import {
  daysText,
  fullText,
  isSoon,
  LEVEL_LABELS,
  NOT_KNOWN,
  predictedText,
  storageHeadline,
} from "./storage";
import classes from "./StoragePage.module.css";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { DataTable } from "@/ui/table/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { Facts } from "@/ui/Facts";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { StateLabel } from "@/ui/StateLabel";
import type { Column } from "@/ui/table/columns";
import { useClock } from "@/ui/useClock";
import { byteSize, NONE } from "@/util/units";

const MINUTE_MS = 60_000;
type LevelRow = Storage["levels"][number];

const COLUMNS: readonly Column<LevelRow>[] = [
  { id: "level", header: "level", value: ({ level }) => LEVEL_LABELS[level] },
  { id: "days", header: "kept", value: (row) => row.days, cell: daysText },
  size("bytes", "now", ({ bytes }) => bytes),
  {
    ...size("daily", "a day", ({ daily_bytes }) => daily_bytes),
    cell: ({ daily_bytes }) => (daily_bytes === null ? NOT_KNOWN : byteSize(daily_bytes)),
  },
  {
    ...size("predicted", "predicted", ({ predicted_bytes }) => predicted_bytes),
    cell: ({ predicted_bytes, daily_bytes }) => predictedText(predicted_bytes, daily_bytes),
  },
  { ...size("all", "all sites", ({ all_sites_bytes }) => all_sites_bytes), wide: true },
  {
    ...size("all_predicted", "all sites, predicted", (row) => row.all_sites_predicted_bytes),
    cell: (row) => predictedText(row.all_sites_predicted_bytes, row.daily_bytes),
    wide: true,
  },
];

function size(id: string, header: string, value: (row: LevelRow) => number | null): Column<LevelRow> {
  return {
    id,
    header,
    csvHeader: `${header} (bytes)`,
    align: "right",
    value,
    cell: (row) => byteSize(value(row)),
  };
}

export function StoragePage() {
  const site = useSite()?.name;
  const now = useClock(MINUTE_MS);
  const storage = useQuery({ ...storageQuery(site ?? ""), enabled: site !== undefined });
  return (
    <>
      <PageHeader
        title="Settings: storage"
        headline={storage.data === undefined ? "" : storageHeadline(storage.data, now)}
      >
        <Anchor href="/settings/agents">Agents</Anchor>
      </PageHeader>
      <QueryBoundary query={storage} what="the disk use">
        {(data) => <Details storage={data} now={now} />}
      </QueryBoundary>
    </>
  );
}

function Details({ storage, now }: { storage: Storage; now: number }) {
  return (
    <div className={classes.page}>
      <Panel title={`History of ${storage.site}`} flush>
        <DataTable
          label="Disk use by level"
          columns={COLUMNS}
          rows={storage.levels}
          rowKey={({ level }) => level}
          noun="levels"
          empty={<EmptyState title="Nothing is stored." />}
          isPlain
        />
      </Panel>
      <Panel title="Disks">
        <Facts facts={storage.disks.flatMap((disk) => diskFacts(disk, now))} />
        <p className="dim">
          The whole database has {byteSize(storage.database_bytes)}. Sizes in the database are divided among
          the sites by their numbers of ports.
        </p>
      </Panel>
      <Panel title="Archive">
        <Archive archive={storage.archive} />
      </Panel>
    </div>
  );
}

function diskFacts(disk: Storage["disks"][number], now: number) {
  return [
    [`${disk.name}: free`, disk.free_bytes === null ? "unknown" : byteSize(disk.free_bytes)],
    [
      `${disk.name}: full`,
      isSoon(disk, now) ? (
        <StateLabel key={disk.name} state="critical" label={fullText(disk)} />
      ) : (
        fullText(disk)
      ),
    ],
  ] as const;
}

function Archive({ archive }: { archive: Storage["archive"] }) {
  if (archive === null)
    return (
      <EmptyState title="No archive.">
        Samples are dropped once they are rolled up. BACKSTAY_ARCHIVE names a folder or a bucket for them.
      </EmptyState>
    );
  return (
    <>
      <Facts
        facts={[
          ["archived days", archive.days],
          ["size", byteSize(archive.bytes)],
          ["last success", <AgeStamp key="success" at={archive.succeeded_at} suffix="ago" />],
          ["days waiting", archive.waiting],
          ["oldest day not archived", archive.oldest_waiting ?? NONE],
        ]}
      />
      {archive.problems.map((problem) => (
        <p key={problem}>
          <StateLabel state="critical" label={`The archive ${problem}`} />
        </p>
      ))}
    </>
  );
}
