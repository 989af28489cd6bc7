/** Leaves the managed routes of a node to an operator for a limited time, and ends the hold. */
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import { may } from "@/api/permissions";
import { sessionQuery } from "@/api/queries";
import type { Node } from "@/api/types";
import { useSubmit } from "@/api/useSubmit";
import classes from "./HoldNode.module.css";
import { FormError } from "@/ui/FormError";
import { Panel } from "@/ui/Panel";
import { StateLabel } from "@/ui/StateLabel";

const TIMES = [
  { value: "600", label: "10 minutes" },
  { value: "1800", label: "30 minutes" },
  { value: "3600", label: "1 hour" },
  { value: "14400", label: "4 hours" },
  { value: "86400", label: "24 hours" },
];

function useHold(id: number) {
  const queries = useQueryClient();
  const done = {
    meta: { ownErrors: true },
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["nodes"] });
      void queries.invalidateQueries({ queryKey: ["paths"] });
    },
  };
  const hold = useMutation({
    ...done,
    mutationFn: (body: { seconds: number; reason: string }) =>
      unwrap(client.POST("/api/v1/nodes/{id}/hold", { params: { path: { id } }, body })),
  });
  const end = useMutation({
    ...done,
    mutationFn: () => unwrap(client.DELETE("/api/v1/nodes/{id}/hold", { params: { path: { id } } })),
  });
  return { hold, end };
}

export function HoldNode({ node }: { node: Node }) {
  return (
    <Panel title="Hold">
      <div className={classes.stack} data-testid="hold">
        {node.hold === null ? <Begin node={node} /> : <Held node={node} hold={node.hold} />}
      </div>
    </Panel>
  );
}

function Held({ node, hold }: { node: Node; hold: NonNullable<Node["hold"]> }) {
  const { data: person } = useQuery(sessionQuery);
  const { end } = useHold(node.id);
  const reason = hold.reason === "" ? "" : `: ${hold.reason}`;
  return (
    <>
      <p>
        <StateLabel state="warning" label={`${node.name} is ${hold.text}`} title={hold.reason} />
        {reason}. Its checker does not change the routes and does not fail over. {hold.detail}
      </p>
      {hold.origin === "node" && (
        <p className="dim">It was set on the node: end it there with “backstay-agent hold --end”.</p>
      )}
      {may.holdNode(person) && hold.origin === "backend" && (
        <Button
          size="xs"
          variant="default"
          disabled={!hold.can_end}
          loading={end.isPending}
          onClick={() => end.mutate()}
        >
          {hold.can_end ? "End the hold" : "Waiting for the node"}
        </Button>
      )}
      <FormError>{end.error?.message}</FormError>
    </>
  );
}

function Begin({ node }: { node: Node }) {
  const form = useForm({ initialValues: { seconds: "1800", reason: "" } });
  const { data: person } = useQuery(sessionQuery);
  const { hold } = useHold(node.id);
  const { onSubmit, busy, error } = useSubmit(form, hold, ({ seconds, reason }) => ({
    seconds: Number(seconds),
    reason,
  }));
  if (!may.holdNode(person))
    return <p className="dim">Not held. Holding a node requires the operator role.</p>;
  return (
    <>
      <p className="dim">
        Not held. A hold preserves routes that you set manually: the checker neither restores routes nor fails
        over, and changes of this node are blocked. When it ends, the managed routes are restored.
      </p>
      <form className={classes.form} onSubmit={onSubmit} aria-label={`Hold ${node.name}`}>
        <NativeSelect size="xs" label="Duration" data={TIMES} {...form.getInputProps("seconds")} />
        <TextInput size="xs" label="Reason" maxLength={2000} {...form.getInputProps("reason")} />
        <Button type="submit" size="xs" variant="default" loading={busy}>
          Hold {node.name}
        </Button>
      </form>
      <FormError>{error}</FormError>
    </>
  );
}
