/** Records an SNMP device that is read wrongly, without names and addresses, and offers the files. */
import { Button } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import { rowsOf } from "@/api/list-query";
import { may } from "@/api/permissions";
import { recordingsList, sessionQuery } from "@/api/queries";
import type { Recording } from "@/api/types";
import classes from "./Recordings.module.css";
import { AgeStamp } from "@/ui/AgeStamp";
import { FormError } from "@/ui/FormError";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { StateLabel } from "@/ui/StateLabel";
import { byteSize, count } from "@/util/units";

const SHOWN = {
  asked: { state: "unknown", label: "recording" },
  recorded: { state: "ok", label: "recorded" },
  failed: { state: "critical", label: "failed" },
} as const;

interface Props {
  node: number;
  name: string;
  /** Node whose agent reads the device; null: not known. */
  agent: string | null;
  /** The command that does the same on the agent's host. */
  command: string;
}

export function Recordings({ node, name, agent, command }: Props) {
  const query = useInfiniteQuery({ ...recordingsList(node)("", { limit: 10 }), select: rowsOf });
  return (
    <section className={classes.recordings} aria-label={`Recordings of ${name}`}>
      <p>
        Is the device read wrongly? Record what it returns, without names and addresses, and attach the file
        to your report.
      </p>
      <QueryBoundary query={query} what="the recordings">
        {(recordings) => (
          <>
            <Record node={node} name={name} isBusy={recordings.some(({ state }) => state === "asked")} />
            <ul className={classes.list}>
              {recordings.map((recording) => (
                <Row key={recording.id} recording={recording} />
              ))}
            </ul>
          </>
        )}
      </QueryBoundary>
      <p className="dim">
        On {agent ?? "the host of its agent"}, this command does the same: <code>{command}</code>
      </p>
    </section>
  );
}

function Record({ node, name, isBusy }: { node: number; name: string; isBusy: boolean }) {
  const { data: person } = useQuery(sessionQuery);
  const queries = useQueryClient();
  const record = useMutation({
    meta: { ownErrors: true },
    mutationFn: () =>
      unwrap(client.POST("/api/v1/nodes/{id}/recordings", { params: { path: { id: node } } })),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ["recordings"] }),
  });
  if (!may.recordDevice(person)) return <p className="dim">Recording requires the operator role.</p>;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={record.isPending}
        disabled={isBusy}
        onClick={() => record.mutate()}
      >
        {isBusy ? "Waiting for the agent" : `Record ${name}`}
      </Button>
      <FormError>{record.error?.message}</FormError>
    </>
  );
}

function Row({ recording }: { recording: Recording }) {
  const { state, text, by, asked_at, objects, bytes, filename, download } = recording;
  return (
    <li data-recording={recording.id}>
      <StateLabel state={SHOWN[state].state} label={SHOWN[state].label} />
      <span>
        asked for by {by} <AgeStamp at={asked_at} suffix="ago" />. {text}
      </span>
      {download !== null && (
        <a href={download} download={filename}>
          Download recording ({count(objects, "object")}, {byteSize(bytes)})
        </a>
      )}
    </li>
  );
}
