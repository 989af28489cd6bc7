/** Moves a path to a gateway for a limited time, and ends the move. */
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import { may } from "@/api/permissions";
import { sessionQuery } from "@/api/queries";
import type { Path } from "@/api/types";
import { useSubmit } from "@/api/useSubmit";
import classes from "./PathsPage.module.css";
import { FormError } from "@/ui/FormError";

const TIMES = [
  { value: "60", label: "1 minute" },
  { value: "600", label: "10 minutes" },
  { value: "3600", label: "1 hour" },
  { value: "14400", label: "4 hours" },
  { value: "86400", label: "24 hours" },
];

function useMoves(id: number) {
  const queries = useQueryClient();
  const done = {
    meta: { ownErrors: true },
    onSuccess: () => void queries.invalidateQueries({ queryKey: ["paths"] }),
  };
  const move = useMutation({
    ...done,
    mutationFn: (body: { gateway: string; seconds: number; reason: string }) =>
      unwrap(client.POST("/api/v1/paths/{id}/move", { params: { path: { id } }, body })),
  });
  const back = useMutation({
    ...done,
    mutationFn: () => unwrap(client.DELETE("/api/v1/paths/{id}/move", { params: { path: { id } } })),
  });
  return { move, back };
}

export function MovePath({
  path: { id, node, gateways, managed, released, hold, move: current },
}: {
  path: Path;
}) {
  const others = gateways.filter(({ active }) => !active).map(({ name }) => name);
  const form = useForm({ initialValues: { gateway: "", seconds: "600", reason: "" } });
  const { data: person } = useQuery(sessionQuery);
  const { move, back } = useMoves(id);
  const gateway = others.find((name) => name === form.values.gateway) ?? others[0] ?? "";
  const { onSubmit, busy, error } = useSubmit(form, move, ({ seconds, reason }) => ({
    gateway,
    seconds: Number(seconds),
    reason,
  }));
  if (!managed)
    return (
      <p className="dim">
        Backstay does not manage {node}. To move its paths, add a routing: key to the site file.
      </p>
    );
  if (released !== "") return <p className="dim">{released} Its paths cannot be moved.</p>;
  if (!may.movePath(person)) return <p className="dim">Moving a path requires the operator role.</p>;
  if (hold !== null)
    return (
      <p className="dim">
        {node} is {hold.text}. End the hold on the page of the node to move its paths.
      </p>
    );
  if (current !== null && (current.state === "waiting" || current.state === "moved")) {
    return (
      <div className={classes.stack}>
        <p>
          Kept on <b>{current.gateway}</b> by {current.by}
          {current.reason === "" ? "" : `: ${current.reason}`}. {current.detail}
        </p>
        <Button
          size="xs"
          variant="default"
          disabled={current.returning}
          loading={back.isPending}
          onClick={() => back.mutate()}
        >
          {current.returning ? "Failing back" : "Fail back now"}
        </Button>
        <FormError>{back.error?.message}</FormError>
      </div>
    );
  }
  return (
    <form className={classes.form} onSubmit={onSubmit} aria-label={`Move ${node}`}>
      <NativeSelect
        size="xs"
        label="Move to"
        data={others}
        {...form.getInputProps("gateway")}
        value={gateway}
      />
      <NativeSelect size="xs" label="Duration" data={TIMES} {...form.getInputProps("seconds")} />
      <TextInput size="xs" label="Reason" maxLength={2000} {...form.getInputProps("reason")} />
      <Button type="submit" size="xs" disabled={gateway === ""} loading={busy}>
        {gateway === "" ? "No other gateway" : `Move ${node} to ${gateway}`}
      </Button>
      <FormError>{error}</FormError>
    </form>
  );
}
