/** Revokes the access of an agent; the second press confirms. */
import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client, unwrap } from "@/api/client";
import type { Agent } from "@/api/types";
import { notify } from "@/ui/notify";

export function Revoke({ agent }: { agent: Agent }) {
  const [isArmed, setArmed] = useState(false);
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () =>
      unwrap(client.POST("/api/v1/agents/{id}/revoke", { params: { path: { id: agent.id } } })),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["agents"] });
      notify(
        "good",
        `Access of ${agent.name} revoked. To restore it, create a token and enrol the agent again.`,
      );
    },
  });
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={revoke.isPending}
      onBlur={() => setArmed(false)}
      onClick={() => (isArmed ? revoke.mutate() : setArmed(true))}
    >
      {isArmed ? `Revoke ${agent.name}?` : "Revoke"}
    </Button>
  );
}
