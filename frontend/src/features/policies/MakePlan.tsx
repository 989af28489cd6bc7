/** Form to create a change that deploys a policy. The server plans it immediately; nothing is applied. */
import { Button, NumberInput, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { useLocation, useNavigate } from "react-router";
import { usePropose } from "@/api/change-actions";
import { carry } from "@/api/scope";
import type { Policy } from "@/api/types";
import classes from "./PoliciesPage.module.css";
import { Panel } from "@/ui/Panel";

export function MakePlan({
  site,
  policy: { id, name, gateways, stripe, progress },
}: {
  site: string;
  policy: Policy;
}) {
  const [reason, setReason] = useState("");
  const [ticket, setTicket] = useState("");
  const [most, setMost] = useState<number | null>(null);
  const navigate = useNavigate();
  const { search } = useLocation();
  const propose = usePropose((change) => void navigate(carry(`/changes/${change.id}`, search)));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const title = `${name}: ${stripe === null ? gateways.join(", then ") : `stripe over ${gateways.join(", ")}`}`;
    propose.mutate({
      site,
      kind: "policies",
      policies: [id],
      nodes: [],
      title,
      reason,
      ticket,
      wave_size: most,
    });
  };
  return (
    <Panel title="Deploy this policy">
      <form className={classes.stack} onSubmit={submit}>
        <p className="dim">
          A plan shows the changes on every node and the impact of every single failure. Nodes change only
          after it is approved and applied. Current state: {progress.text}.
        </p>
        <div className={classes.row}>
          <TextInput
            size="xs"
            label="Reason"
            value={reason}
            maxLength={2000}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <TextInput
            size="xs"
            label="Ticket"
            value={ticket}
            maxLength={100}
            onChange={(event) => setTicket(event.currentTarget.value)}
          />
          <NumberInput
            size="xs"
            label="Max nodes per wave"
            placeholder="1, then 10 %, then all"
            min={1}
            max={10_000}
            allowDecimal={false}
            value={most ?? ""}
            onChange={(value) => setMost(typeof value === "number" ? value : null)}
          />
          <Button type="submit" size="xs" loading={propose.isPending}>
            Create plan
          </Button>
        </div>
      </form>
    </Panel>
  );
}
