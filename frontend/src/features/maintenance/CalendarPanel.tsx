/** Imports calendar files for selected objects, and makes addresses for calendars to read. */
import { Button, FileInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { feedsList, useCreateFeed, useDeleteFeed, useImportCalendar } from "./queries";
import type { CalendarFile } from "@/api/types";
import { usePages } from "@/api/useListPage";
import type { Target } from "./draft";
import classes from "./Maintenance.module.css";
import { TargetPicker } from "./TargetPicker";
import { ConfirmButton } from "@/ui/confirm";
import { FormError } from "@/ui/FormError";
import { Panel } from "@/ui/Panel";
import { count } from "@/util/units";
import { localZone } from "@/util/timeZone";

export function CalendarPanel({ site }: { site: string }) {
  return (
    <>
      <Import site={site} />
      <Feeds site={site} />
    </>
  );
}

function Import({ site }: { site: string }) {
  const [file, setFile] = useState<File | null>(null);
  const [targets, setTargets] = useState<Target[]>([]);
  const [done, setDone] = useState<CalendarFile | null>(null);
  const load = useImportCalendar(setDone);
  const send = async () => {
    if (file === null) return;
    const zone = localZone();
    const switches = { mutes_notifications: true, pauses_rules: false, pauses_tests: true };
    const objects = targets.map(({ kind, id }) => ({ kind, id }));
    load.mutate({ site, text: await file.text(), zone, targets: objects, dry_run: false, ...switches });
  };
  return (
    <Panel title="Import a calendar file">
      <div className={classes.stack}>
        <FileInput
          size="xs"
          label="iCalendar file (.ics)"
          accept=".ics,text/calendar"
          value={file}
          onChange={setFile}
        />
        <TargetPicker site={site} targets={targets} onChange={setTargets} error={undefined} />
        <FormError>{load.error?.message}</FormError>
        <div>
          <Button
            size="xs"
            loading={load.isPending}
            disabled={file === null || targets.length === 0}
            onClick={() => void send()}
          >
            Import
          </Button>
        </div>
        {done !== null && (
          <div role="status">
            <p>
              {count(done.created, "window")} created, {done.changed} changed,{" "}
              {count(done.problems.length, "event")} left out.
            </p>
            <ul className={classes.targets}>
              {done.problems.map(({ name, text }) => (
                <li key={`${name} ${text}`}>
                  {name} {text}
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </Panel>
  );
}

function Feeds({ site }: { site: string }) {
  const { query } = usePages(feedsList(site));
  const [name, setName] = useState("");
  const create = useCreateFeed(site);
  const remove = useDeleteFeed();
  return (
    <Panel title="Calendar feeds">
      <div className={classes.stack}>
        <ul className={classes.targets} aria-label="Calendar feeds">
          {(query.data ?? []).map((feed) => (
            <li key={feed.id}>
              {feed.name} <span className="dim">by {feed.author ?? "nobody"}</span>{" "}
              <ConfirmButton
                size="compact-xs"
                isBusy={remove.isPending}
                title={`Delete the feed ${feed.name}?`}
                consequence="Calendars that read its address get an error."
                action="Delete"
                onConfirm={() => remove.mutate(feed.id)}
              >
                Delete
              </ConfirmButton>
            </li>
          ))}
        </ul>
        <div className={classes.fields}>
          <TextInput
            size="xs"
            label="Name of a new feed"
            maxLength={100}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Button
            size="xs"
            variant="default"
            loading={create.isPending}
            disabled={name.trim() === ""}
            onClick={() => create.mutate(name.trim())}
          >
            Create feed
          </Button>
        </div>
        {create.data !== undefined && (
          <p role="status">
            Its address, shown only now:{" "}
            <span className={classes.address}>{`${window.location.origin}${create.data.path}`}</span>
          </p>
        )}
      </div>
    </Panel>
  );
}
