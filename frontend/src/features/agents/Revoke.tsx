/** Shuts an agent out, after a second press: it is not undone by a click. */
import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client, unwrap } from "@/api/client";
import type { Agent } from "@/api/types";
import { notify } from "@/ui/notices";

export function Revoke({ agent }: { agent: Agent }) {
  const [asked, setAsked] = useState(false);
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () =>
      unwrap(client.POST("/api/v1/agents/{id}/revoke", { params: { path: { id: agent.id } } })),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["agents"] });
      notify("good", `${agent.name} is shut out. To let it in again, create a token and enrol it.`);
    },
  });
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={revoke.isPending}
      onBlur={() => setAsked(false)}
      onClick={() => (asked ? revoke.mutate() : setAsked(true))}
    >
      {asked ? `Revoke ${agent.name}?` : "Revoke"}
    </Button>
  );
}
